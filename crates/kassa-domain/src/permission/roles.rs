//! What their roles let users do for partners that they act for. Keys, the operator and the server itself do everything.

use crate::context::actor::Actor;
use crate::model::role::Capability;
use crate::refusal::{ForbiddenReason, Refusal};
use crate::values::resource_ids::PartnerId;

/// What is to be said of something that any of these partners may do; `None` where the actor acts for none of them.
pub(super) fn decided_by_role(actor: &Actor, needs: Capability, partners: &[PartnerId]) -> Option<Result<(), Refusal>> {
    let roles: Vec<_> = partners.iter().filter_map(|partner| actor.role_for(*partner)).collect();
    let first = roles.first()?;
    let may = roles.iter().any(|role| role.may(needs));
    Some(if may { Ok(()) } else { Err(ForbiddenReason::RoleLacks { role: *first, needs }.into()) })
}

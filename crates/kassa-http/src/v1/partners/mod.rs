//! `/v1/resources/partners`

pub(super) mod create;
pub(super) mod get;
pub(super) mod list;
pub(super) mod model;
pub(super) mod update;

use kassa_domain::partner::Partner;
use kassa_domain::permission::{PartnerSight, need_sight, see_partner};
use kassa_domain::{Actor, Needs};
use kassa_engine::{Engine, Failure};
use serde::Serialize;
use utoipa::ToSchema;

use crate::base::Base;
use model::{FaceBody, PartnerBody, SideBody};

/// A partner as the caller may see it.
#[derive(Serialize, ToSchema)]
#[schema(as = ShownPartner)]
#[serde(untagged)]
pub(crate) enum Seen {
    Full(Box<PartnerBody>),
    Side(Box<SideBody>),
    Face(Box<FaceBody>),
}

/// The partners as the caller sees them; without those of which it sees nothing.
pub(super) async fn seen<'a>(
    engine: &Engine,
    actor: &Actor,
    partners: impl IntoIterator<Item = &'a Partner> + Clone,
    base: &Base,
) -> Result<Vec<(&'a Partner, Seen)>, Failure> {
    let mut needs = Needs::default();
    for partner in partners.clone() {
        need_sight(actor, partner.id, &mut needs);
        if actor.is(partner.id) {
            needs.users.extend(partner.user);
            needs.managers_of.push(partner.id);
        }
    }
    let view = engine.view(&needs).await?;
    let body = |partner: &'a Partner| {
        let seen = match see_partner(actor, partner, &view)? {
            PartnerSight::Full => {
                let user = partner.user.and_then(|user| view.users.get(user));
                Seen::Full(Box::new(PartnerBody::new(partner, user, view.managers_of(partner.id), base)))
            }
            PartnerSight::Side => Seen::Side(Box::new(SideBody::new(partner, base))),
            PartnerSight::Face => Seen::Face(Box::new(FaceBody::new(partner, base))),
        };
        Some((partner, seen))
    };
    Ok(partners.into_iter().filter_map(body).collect())
}

//! A new partner.

use super::{About, MANAGERS_MAX, Manager, Partner, PartnerPatch};
use crate::command::Command;
use crate::context::Context;
use crate::id::Tag;
use crate::permission;
use crate::refusal::Refusal;
use crate::user::UserId;
use crate::view::{Needs, View};

/// Makes a partner that `manager` manages (decisions §2): a user for itself, the operator for any
/// user.
#[derive(Debug)]
pub struct CreatePartner {
    /// Who will manage it.
    pub manager: UserId,
    /// What it says of itself; a name is required by the caller.
    pub patch: PartnerPatch,
}

impl Command for CreatePartner {
    type Outcome = Partner;

    fn shard(&self) -> Tag {
        self.manager.tag()
    }

    fn needs(&self, needs: &mut Needs) {
        needs.users.push(self.manager);
        needs.partners_of.push(self.manager);
        needs.attachments.extend(self.patch.media.attachments());
    }

    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<Partner, Refusal> {
        permission::make_partner(cx.actor, self.manager)?;
        if view.users.get(self.manager).is_none() {
            return Err(Refusal::UserUnknown(self.manager.to_string()));
        }
        if view.partners_of(self.manager).len() >= MANAGERS_MAX as usize {
            return Err(Refusal::TooMany(MANAGERS_MAX));
        }
        let mut partner = Partner {
            id: cx.root_id(),
            name: String::new(),
            about: About::default(),
            removed: false,
            user: Some(self.manager),
            created_at: cx.now,
            updated_at: cx.now,
            revision: 1,
        };
        partner.apply(self.patch.clone(), self.patch.media.resolve(cx.actor, view)?)?;
        view.managers.put(Manager { partner: partner.id, user: self.manager });
        view.partners.put(partner.clone());
        Ok(partner)
    }
}

//! Changes to a partner and to who manages it.

use super::PartnerPatch;
use crate::context::Context;
use crate::context::command::Command;
use crate::model::partner::{MANAGERS_MAX, Partner, PartnerManager};
use crate::permission;
use crate::refusal::Refusal;
use crate::values::id::ShardTag;
use crate::values::resource_ids::{PartnerId, UserId};
use crate::view::{ReadSet, View};

/// Changes a partner. `users` is the full list of those who shall manage it.
#[derive(Debug)]
pub struct UpdatePartner {
    /// Which.
    pub partner: PartnerId,
    /// What changes.
    pub patch: PartnerPatch,
    /// Who manages it from now on.
    pub users: Option<Vec<UserId>>,
}

impl Command for UpdatePartner {
    type Outcome = Partner;

    fn shard(&self) -> ShardTag {
        self.partner.tag()
    }

    fn read_set(&self, read_set: &mut ReadSet) {
        read_set.partners.push(self.partner);
        read_set.managers_of.push(self.partner);
        read_set.attachments.extend(self.patch.media.attachments());
        if let Some(users) = &self.users {
            read_set.users.extend(users);
            read_set.partners_of.extend(users);
        }
    }

    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<Partner, Refusal> {
        let mut partner = view.partners.get(self.partner).ok_or(Refusal::NotFound("partner"))?.clone();
        permission::write_partner(cx.actor, &partner)?;
        if let Some(users) = &self.users {
            self.set_managers(users, view)?;
        }
        partner.apply(self.patch.clone(), self.patch.media.resolve(cx.actor, view)?)?;
        partner.updated_at = cx.now;
        partner.revision += 1;
        view.partners.put(partner.clone());
        Ok(partner)
    }
}

impl UpdatePartner {
    fn set_managers(&self, wanted: &[UserId], view: &mut View) -> Result<(), Refusal> {
        if wanted.is_empty() {
            return Err(Refusal::LastManager);
        }
        if wanted.len() > MANAGERS_MAX as usize {
            return Err(Refusal::TooMany { what: "users of one partner", max: MANAGERS_MAX });
        }
        let present = view.managers_of(self.partner);
        for user in wanted.iter().filter(|user| !present.contains(user)) {
            if view.users.get(*user).is_none() {
                return Err(Refusal::UserUnknown(user.to_string()));
            }
            if view.partners_of(*user).len() >= MANAGERS_MAX as usize {
                return Err(Refusal::TooMany { what: "partners of one user", max: MANAGERS_MAX });
            }
            view.managers.put(PartnerManager { partner: self.partner, user: *user });
        }
        for user in present.iter().filter(|user| !wanted.contains(user)) {
            view.managers.remove((self.partner, *user));
        }
        Ok(())
    }
}

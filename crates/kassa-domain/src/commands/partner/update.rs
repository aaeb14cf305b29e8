//! Changes to a partner and to who manages it.

use super::PartnerPatch;
use crate::commands::invitation::{invite, revoke_all_but};
use crate::context::Context;
use crate::context::command::Command;
use crate::model::change::FactName;
use crate::model::partner::{MANAGERS_MAX, Partner, PartnerManager};
use crate::model::user::User;
use crate::permission;
use crate::refusal::Refusal;
use crate::values::email::Email;
use crate::values::id::ShardTag;
use crate::values::patch::Patch;
use crate::values::resource_ids::{PartnerId, UserId};
use crate::view::{ReadSet, View};

/// Who shall manage a partner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ManagerRef {
    /// A user by its id.
    User(UserId),
    /// Whoever has this e-mail, with an account or without.
    Email(Email),
}

/// Changes a partner. `users` is the full list of those who shall manage it: who does not yet is invited, and does so
/// once it accepts. The operator need not ask.
#[derive(Debug)]
pub struct UpdatePartner {
    /// Which.
    pub partner: PartnerId,
    /// What changes.
    pub patch: PartnerPatch,
    /// Who shall manage it.
    pub users: Option<Vec<ManagerRef>>,
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
        read_set.attachments.extend(self.patch.shop_files.attachments());
        read_set.invitations_of_partner.push(self.partner);
        for user in self.users.iter().flatten() {
            match user {
                ManagerRef::User(user) => {
                    read_set.users.push(*user);
                    read_set.partners_of.push(*user);
                    read_set.invitations_of_user.push(*user);
                }
                ManagerRef::Email(email) => {
                    read_set.users_by_email.push(email.clone());
                    read_set.invitations_to.push(email.clone());
                }
            }
        }
    }

    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<Partner, Refusal> {
        let mut partner = view.partners.get(self.partner).ok_or(Refusal::NotFound("partner"))?.clone();
        permission::write_partner(cx.actor, &partner, self.patch.removed == Patch::Set(false))?;
        let (was, managers) = (partner.clone(), view.managers_of(self.partner));
        let invited = view.invited_by(self.partner, cx.now);
        if let Some(users) = &self.users {
            self.set_managers(users, cx, view)?;
        }
        partner.apply(self.patch.clone(), cx, view)?;
        if partner.profile.require_second_factor != was.profile.require_second_factor {
            permission::change_second_factor_rule(cx.actor)?;
        }
        let is_same_team =
            view.managers_of(self.partner) == managers && view.invited_by(self.partner, cx.now) == invited;
        if partner != was || !is_same_team {
            let facts = partner.edit_facts(&was).hidden_if(FactName::Managers, !is_same_team);
            let kind = partner.edit_type(&was);
            cx.state(&mut partner, kind, facts, view);
            view.partners.put(partner.clone());
        }
        Ok(partner)
    }
}

impl UpdatePartner {
    fn set_managers(&self, wanted: &[ManagerRef], cx: &mut Context<'_>, view: &mut View) -> Result<(), Refusal> {
        if wanted.len() > MANAGERS_MAX as usize {
            return Err(Refusal::TooMany { what: "users of one partner", max: MANAGERS_MAX });
        }
        let wanted: Vec<UserId> = wanted.iter().map(|user| user.resolve(cx, view)).collect();
        let present = view.managers_of(self.partner);
        for user in present.iter().filter(|user| !wanted.contains(user)) {
            view.managers.remove((self.partner, *user));
        }
        revoke_all_but(self.partner, &wanted, cx.now, view);
        for user in wanted.iter().filter(|user| !present.contains(user)) {
            if permission::require_operator(cx.actor).is_ok() {
                self.add_manager(*user, view)?;
            } else {
                invite(self.partner, *user, cx, view)?;
            }
        }
        if view.managers_of(self.partner).is_empty() {
            return Err(Refusal::LastManager);
        }
        Ok(())
    }

    fn add_manager(&self, user: UserId, view: &mut View) -> Result<(), Refusal> {
        if view.users.get(user).is_none() {
            return Err(Refusal::UserUnknown(user.to_string()));
        }
        if view.partners_of(user).len() >= MANAGERS_MAX as usize {
            return Err(Refusal::TooMany { what: "partners of one user", max: MANAGERS_MAX });
        }
        view.managers.put(PartnerManager { partner: self.partner, user });
        Ok(())
    }
}

impl ManagerRef {
    /// The user; that of an e-mail is created if there is none.
    fn resolve(&self, cx: &mut Context<'_>, view: &mut View) -> UserId {
        match self {
            Self::User(user) => *user,
            Self::Email(email) => User::find_or_create_by_email(email, cx, view),
        }
    }
}

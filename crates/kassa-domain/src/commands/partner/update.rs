//! Changes to a partner and to who manages it.

use super::PartnerPatch;
use super::team::{Team, require_owner};
use crate::commands::invitation::{Invited, invite, revoke_if};
use crate::context::Context;
use crate::context::command::Command;
use crate::model::change::FactName;
use crate::model::invitation::InvitationKey;
use crate::model::partner::{MANAGERS_MAX, Partner, PartnerManager};
use crate::model::role::Role;
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
            user.read_set(read_set);
        }
    }

    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<Partner, Refusal> {
        let mut partner = view.partners.get(self.partner).ok_or(Refusal::NotFound("partner"))?.clone();
        permission::write_partner(cx.actor, &partner, self.patch.removed == Patch::Set(false))?;
        let (was, team) = (partner.clone(), Team::of(self.partner, view));
        if let Some(users) = &self.users {
            self.set_managers(users, cx, view)?;
        }
        partner.apply(self.patch.clone(), cx, view)?;
        if partner.profile.require_second_factor != was.profile.require_second_factor {
            permission::change_second_factor_rule(cx.actor)?;
            permission::administer_partner(cx.actor, partner.id)?;
        }
        let is_same_team = Team::of(self.partner, view) == team;
        let has_same_account = partner.profile.shop.transfer == was.profile.shop.transfer;
        if partner.removed != was.removed || !is_same_team || !has_same_account {
            permission::administer_partner(cx.actor, partner.id)?;
        }
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
        // Whoever is named here does everything; roles are given one by one.
        let invited = |user: &ManagerRef, id: UserId, cx: &Context<'_>, view: &View| {
            let asked = view.invitations.get(InvitationKey { partner: Some(self.partner), user: id });
            let open = asked.filter(|asked| asked.is_open(cx.now));
            let role = open.map_or(Role::Owner, |asked| asked.role);
            Invited { user: id, is_email_known: matches!(user, ManagerRef::Email(_)), role }
        };
        let mut all: Vec<Invited> = Vec::with_capacity(wanted.len());
        for user in wanted {
            let id = user.resolve(cx, view);
            all.push(invited(user, id, cx, view));
        }
        let is_wanted = |user: UserId| all.iter().any(|invited| invited.user == user);
        let present = view.managers_of(self.partner);
        for user in present.iter().filter(|user| !is_wanted(**user)) {
            view.managers.remove((self.partner, *user));
        }
        revoke_if(self.partner, cx.now, view, |user| !is_wanted(user));
        for invited in all.iter().filter(|invited| !present.contains(&invited.user)) {
            if permission::require_operator(cx.actor).is_ok() {
                self.add_manager(invited.user, view)?;
            } else {
                invite(self.partner, *invited, cx, view)?;
            }
        }
        require_owner(self.partner, view)
    }

    fn add_manager(&self, user: UserId, view: &mut View) -> Result<(), Refusal> {
        if view.users.get(user).is_none() {
            return Err(Refusal::UserUnknown(user.to_string()));
        }
        if view.partners_of(user).len() >= MANAGERS_MAX as usize {
            return Err(Refusal::TooMany { what: "partners of one user", max: MANAGERS_MAX });
        }
        view.managers.put(PartnerManager { partner: self.partner, user, role: Role::Owner });
        Ok(())
    }
}

impl ManagerRef {
    /// Names what it takes to invite somebody.
    pub(super) fn read_set(&self, read_set: &mut ReadSet) {
        match self {
            Self::User(user) => {
                read_set.users.push(*user);
                read_set.partners_of.push(*user);
                read_set.invitations_of_user.push(*user);
            }
            Self::Email(email) => {
                read_set.users_by_email.push(email.clone());
                read_set.invitations_to.push(email.clone());
            }
        }
    }

    /// The user; that of an e-mail is created if there is none.
    pub(super) fn resolve(&self, cx: &mut Context<'_>, view: &mut View) -> UserId {
        match self {
            Self::User(user) => *user,
            Self::Email(email) => User::find_or_create_by_email(email, cx, view),
        }
    }
}

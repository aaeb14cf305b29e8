//! Who manages a partner, and as what: one by one.

use super::ManagerRef;
use crate::commands::invitation::{Invited, invite, revoke_if};
use crate::context::Context;
use crate::context::command::Command;
use crate::model::change::{ChangeType, FactName, Facts};
use crate::model::invitation::{Invitation, InvitationKey};
use crate::model::partner::{Partner, PartnerManager};
use crate::model::role::Role;
use crate::permission;
use crate::refusal::Refusal;
use crate::values::id::ShardTag;
use crate::values::resource_ids::{PartnerId, UserId};
use crate::view::{ReadSet, View};

/// Invites somebody to manage a partner in a role. Whoever is invited already, or manages it, has that role from then
/// on.
#[derive(Debug)]
pub struct InviteManager {
    /// The partner.
    pub partner: PartnerId,
    /// Whom.
    pub user: ManagerRef,
    /// As what.
    pub role: Role,
}

/// Gives another role to somebody who manages a partner or is invited to.
#[derive(Debug)]
pub struct ChangeManagerRole {
    /// The partner.
    pub partner: PartnerId,
    /// Whose.
    pub user: UserId,
    /// Which.
    pub role: Role,
}

/// Takes somebody out of a partner's team, or an invitation back. Everybody may go.
#[derive(Debug)]
pub struct RemoveManager {
    /// The partner.
    pub partner: PartnerId,
    /// Who.
    pub user: UserId,
}

impl Command for InviteManager {
    /// Who was invited.
    type Outcome = UserId;

    fn shard(&self) -> ShardTag {
        self.partner.tag()
    }

    fn read_set(&self, read_set: &mut ReadSet) {
        add_team_reads(self.partner, read_set);
        self.user.read_set(read_set);
    }

    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<UserId, Refusal> {
        let partner = change_team(self.partner, None, cx, view)?;
        let (user, is_email_known) = (self.user.resolve(cx, view), matches!(self.user, ManagerRef::Email(_)));
        if set_role(self.partner, user, self.role, cx, view)?.is_none() {
            let (was, invited) = (Team::of(self.partner, view), Invited { user, is_email_known, role: self.role });
            invite(self.partner, invited, cx, view)?;
            if Team::of(self.partner, view) != was {
                state_team(partner, cx, view);
            }
        }
        Ok(user)
    }
}

impl Command for ChangeManagerRole {
    type Outcome = ();

    fn shard(&self) -> ShardTag {
        self.partner.tag()
    }

    fn read_set(&self, read_set: &mut ReadSet) {
        add_team_reads(self.partner, read_set);
        read_set.users.push(self.user);
    }

    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<(), Refusal> {
        let partner = change_team(self.partner, None, cx, view)?;
        if set_role(self.partner, self.user, self.role, cx, view)?.is_some() {
            return Ok(());
        }
        let asked = open_invitation(self.partner, self.user, cx, view).ok_or(Refusal::NotFound("manager"))?;
        if asked.role != self.role {
            view.invitations.put(Invitation { role: self.role, ..asked });
            state_team(partner, cx, view);
        }
        Ok(())
    }
}

impl Command for RemoveManager {
    type Outcome = ();

    fn shard(&self) -> ShardTag {
        self.partner.tag()
    }

    fn read_set(&self, read_set: &mut ReadSet) {
        add_team_reads(self.partner, read_set);
    }

    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<(), Refusal> {
        let partner = change_team(self.partner, Some(self.user), cx, view)?;
        let key = (self.partner, self.user);
        let is_manager = view.managers.get(key).is_some();
        if !is_manager && open_invitation(self.partner, self.user, cx, view).is_none() {
            return Err(Refusal::NotFound("manager"));
        }
        if is_manager {
            view.managers.remove(key);
            require_owner(self.partner, view)?;
        }
        revoke_if(self.partner, cx.now, view, |user| user == self.user);
        state_team(partner, cx, view);
        Ok(())
    }
}

/// Who manages a partner, and whom it has asked.
#[derive(PartialEq, Eq)]
pub(super) struct Team {
    managers: Vec<PartnerManager>,
    invitations: Vec<Invitation>,
}

impl Team {
    pub(super) fn of(partner: PartnerId, view: &View) -> Self {
        let managers = view.managers.rows().filter(|manager| manager.partner == partner);
        let mut managers: Vec<PartnerManager> = managers.cloned().collect();
        managers.sort_unstable_by_key(|manager| manager.user);
        let invitations = view.invitations.rows().filter(|asked| asked.key.partner == Some(partner));
        let mut invitations: Vec<Invitation> = invitations.cloned().collect();
        invitations.sort_unstable_by_key(|asked| asked.key);
        Self { managers, invitations }
    }
}

fn add_team_reads(partner: PartnerId, read_set: &mut ReadSet) {
    read_set.partners.push(partner);
    read_set.managers_of.push(partner);
    read_set.invitations_of_partner.push(partner);
}

/// The partner whose team the caller may change.
fn change_team(partner: PartnerId, leaves: Option<UserId>, cx: &Context<'_>, view: &View) -> Result<Partner, Refusal> {
    let partner = view.partners.get(partner).ok_or(Refusal::NotFound("partner"))?;
    permission::manage_team(cx.actor, partner, leaves)?;
    Ok(partner.clone())
}

/// Gives a role to whoever manages a partner; `None` where the user does not.
fn set_role(
    partner: PartnerId,
    user: UserId,
    role: Role,
    cx: &Context<'_>,
    view: &mut View,
) -> Result<Option<()>, Refusal> {
    let Some(manager) = view.managers.get((partner, user)).cloned() else { return Ok(None) };
    if manager.role != role {
        view.managers.put(PartnerManager { role, ..manager });
        require_owner(partner, view)?;
        let changed = view.partners.get(partner).ok_or(Refusal::NotFound("partner"))?.clone();
        state_team(changed, cx, view);
    }
    Ok(Some(()))
}

/// What a partner has asked a user who has not accepted it.
fn open_invitation(partner: PartnerId, user: UserId, cx: &Context<'_>, view: &View) -> Option<Invitation> {
    let found = view.invitations.get(InvitationKey { partner: Some(partner), user })?;
    found.is_open(cx.now).then(|| found.clone())
}

/// Refuses a team without anybody who owns the partner.
pub(super) fn require_owner(partner: PartnerId, view: &View) -> Result<(), Refusal> {
    let mut team = view.managers.rows().filter(|manager| manager.partner == partner);
    if team.any(|manager| manager.role == Role::Owner) { Ok(()) } else { Err(Refusal::LastManager) }
}

/// The partner shows who manages it, and who is asked to.
fn state_team(mut partner: Partner, cx: &Context<'_>, view: &mut View) {
    cx.state(&mut partner, ChangeType::PartnerChanged, Facts::none().hidden(FactName::Managers), view);
    view.partners.put(partner);
}

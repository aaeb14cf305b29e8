//! The answer to an invitation.

use crate::context::Context;
use crate::context::command::Command;
use crate::model::change::{ChangeType, FactName, Facts};
use crate::model::invitation::{Invitation, InvitationKey, InvitationStatus};
use crate::model::partner::{MANAGERS_MAX, PartnerManager};
use crate::permission;
use crate::refusal::{ForbiddenReason, Refusal};
use crate::values::id::ShardTag;
use crate::values::resource_ids::{PartnerId, UserId};
use crate::view::{ReadSet, View};

/// What a user says to an invitation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InvitationAnswer {
    /// It manages the partner from now on.
    Accept,
    /// It does not.
    Decline,
}

/// Answers an invitation. Only who has proved to have the invited e-mail accepts: the address may be registered by
/// somebody else. Answering alike again changes nothing.
#[derive(Debug)]
pub struct AnswerInvitation {
    /// Who is invited.
    pub user: UserId,
    /// To manage which partner.
    pub partner: PartnerId,
    /// The answer.
    pub answer: InvitationAnswer,
}

impl Command for AnswerInvitation {
    type Outcome = Invitation;

    fn shard(&self) -> ShardTag {
        self.partner.tag()
    }

    fn read_set(&self, read_set: &mut ReadSet) {
        read_set.users.push(self.user);
        read_set.partners.push(self.partner);
        read_set.managers_of.push(self.partner);
        read_set.partners_of.push(self.user);
        read_set.invitations.push(InvitationKey { partner: Some(self.partner), user: self.user });
    }

    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<Invitation, Refusal> {
        permission::answer_invitation(cx.actor, self.user)?;
        let key = InvitationKey { partner: Some(self.partner), user: self.user };
        let invitation = view.invitations.get(key).filter(|invitation| invitation.is_answerable(cx.now));
        let invitation = invitation.ok_or(Refusal::NotFound("invitation"))?.clone();
        let status = match (invitation.status, self.answer) {
            (InvitationStatus::Accepted, InvitationAnswer::Decline) => return Err(Refusal::InvitationAccepted),
            (_, InvitationAnswer::Accept) => InvitationStatus::Accepted,
            (_, InvitationAnswer::Decline) => InvitationStatus::Declined,
        };
        if invitation.status == status {
            return Ok(invitation);
        }
        if status == InvitationStatus::Accepted {
            self.add_manager(&invitation, view)?;
        }
        // The partner shows who manages it, and who is asked to.
        let mut partner = view.partners.get(self.partner).ok_or(Refusal::NotFound("partner"))?.clone();
        cx.state(&mut partner, ChangeType::PartnerChanged, Facts::none().hidden(FactName::Managers), view);
        view.partners.put(partner);
        let invitation = Invitation { status, ..invitation };
        view.invitations.put(invitation.clone());
        Ok(invitation)
    }
}

impl AnswerInvitation {
    fn add_manager(&self, invitation: &Invitation, view: &mut View) -> Result<(), Refusal> {
        let user = view.users.get(self.user).ok_or(Refusal::NotFound("user"))?;
        if !user.confirmed_emails().contains(&invitation.email) {
            return Err(ForbiddenReason::EmailNotConfirmed.into());
        }
        let partner = view.partners.get(self.partner).ok_or(Refusal::NotFound("partner"))?;
        if let Some(inactive) = partner.inactivity() {
            return Err(Refusal::PartnerInactive(inactive));
        }
        if view.managers_of(self.partner).len() >= MANAGERS_MAX as usize {
            return Err(Refusal::TooMany { what: "users of one partner", max: MANAGERS_MAX });
        }
        if view.partners_of(self.user).len() >= MANAGERS_MAX as usize {
            return Err(Refusal::TooMany { what: "partners of one user", max: MANAGERS_MAX });
        }
        view.managers.put(PartnerManager { partner: self.partner, user: self.user, role: invitation.role });
        Ok(())
    }
}

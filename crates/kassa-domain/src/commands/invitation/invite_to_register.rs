//! The operator's invitation to register.

use crate::commands::mail::queue_invitation;
use crate::context::Context;
use crate::context::command::Command;
use crate::model::invitation::{Invitation, InvitationKey};
use crate::model::user::User;
use crate::permission;
use crate::refusal::Refusal;
use crate::values::email::Email;
use crate::values::id::ShardTag;
use crate::view::{ReadSet, View};

/// Invites an e-mail to register, as the operator; once more, where it was invited before.
#[derive(Debug)]
pub struct InviteToRegister {
    /// The address.
    pub email: Email,
}

impl Command for InviteToRegister {
    type Outcome = Invitation;

    const SILENT: Option<&'static str> = Some("it invites to an account, and these are nobody else's");

    fn shard(&self) -> ShardTag {
        self.email.tag()
    }

    fn read_set(&self, read_set: &mut ReadSet) {
        read_set.users_by_email.push(self.email.clone());
        read_set.invitations_to.push(self.email.clone());
    }

    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<Invitation, Refusal> {
        permission::require_operator(cx.actor)?;
        if view.user_by_email(&self.email).is_some_and(|user| user.password_hash().is_some()) {
            return Err(Refusal::EmailTaken);
        }
        let user = User::find_or_create_by_email(&self.email, cx, view);
        let invitation = Invitation::new(InvitationKey { partner: None, user }, None, self.email.clone(), cx.now);
        queue_invitation(&invitation, cx, view);
        view.invitations.put(invitation.clone());
        Ok(invitation)
    }
}

//! Changes to an account.

use crate::commands::mail::queue_email_confirmation;
use crate::context::Context;
use crate::context::command::Command;
use crate::model::session::SessionHash;
use crate::model::user::{Account, User};
use crate::permission;
use crate::refusal::{ForbiddenReason, Refusal};
use crate::values::email::Email;
use crate::values::id::ShardTag;
use crate::values::patch::Patch;
use crate::values::resource_ids::UserId;
use crate::view::{ReadSet, View};

/// Changes one's own data. E-mail and password change only with the current password. Whether a new
/// e-mail is the user's is asked by mail. A new password ends all other sessions.
#[derive(Debug)]
pub struct UpdateUser {
    /// Whose.
    pub user: UserId,
    /// First name.
    pub first_name: Patch<String>,
    /// Last name.
    pub last_name: Patch<String>,
    /// A new address; it is unconfirmed.
    pub email: Option<Email>,
    /// The Argon2 hash of a new password.
    pub new_password_hash: Option<String>,
    /// The stored hash that the given `current_password` was found to fit.
    pub verified_password_hash: Option<String>,
    /// The session that asks for it.
    pub session: Option<SessionHash>,
}

impl Command for UpdateUser {
    type Outcome = User;

    const SILENT: Option<&'static str> = Some("users' accounts are nobody else's");

    fn shard(&self) -> ShardTag {
        self.user.tag()
    }

    fn read_set(&self, read_set: &mut ReadSet) {
        read_set.users.push(self.user);
        read_set.partners_of.push(self.user);
        read_set.users_by_email.extend(self.email.clone());
    }

    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<User, Refusal> {
        permission::write_user(cx.actor, self.user)?;
        let mut user = view.users.get(self.user).ok_or(Refusal::NotFound("user"))?.clone();
        if !matches!(user.account, Account::Open { .. }) {
            return Err(ForbiddenReason::AccountNotOpen.into());
        }
        let was = user.clone();
        let moved = self.email.as_ref().filter(|email| **email != user.email);
        if moved.is_some() || self.new_password_hash.is_some() {
            user.require_verified_password(self.verified_password_hash.as_deref())?;
        }
        if let Some(email) = moved {
            if view.user_by_email(email).is_some() {
                return Err(Refusal::EmailTaken);
            }
            user.move_to(email.clone());
        }
        if let Some(new_hash) = self.new_password_hash.clone() {
            user.set_password(new_hash, self.session, cx.now);
        }
        self.first_name.clone().apply(&mut user.first_name);
        self.last_name.clone().apply(&mut user.last_name);
        if moved.is_some() {
            user.expect_confirmation(cx.now);
        }
        if user != was {
            user.touch(cx.now);
            view.users.put(user.clone());
        }
        if moved.is_some() {
            queue_email_confirmation(&user, cx, view);
        }
        Ok(user)
    }
}

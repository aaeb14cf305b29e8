//! A password that the operator sets.

use crate::commands::mail::queue_email_confirmation;
use crate::context::Context;
use crate::context::command::Command;
use crate::model::user::User;
use crate::permission;
use crate::refusal::Refusal;
use crate::values::id::ShardTag;
use crate::values::resource_ids::UserId;
use crate::view::{ReadSet, View};

/// Sets a password, as the operator, and ends all sessions of the user; a customer record becomes an account by it.
#[derive(Debug)]
pub struct SetPassword {
    /// Whose.
    pub user: UserId,
    /// The Argon2 hash of the new password.
    pub password_hash: String,
}

impl Command for SetPassword {
    type Outcome = User;

    const SILENT: Option<&'static str> = Some("users' accounts are nobody else's");

    fn shard(&self) -> ShardTag {
        self.user.tag()
    }

    fn read_set(&self, read_set: &mut ReadSet) {
        read_set.users.push(self.user);
    }

    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<User, Refusal> {
        permission::require_operator(cx.actor)?;
        let mut user = view.users.get(self.user).ok_or(Refusal::NotFound("user"))?.clone();
        user.set_password(self.password_hash.clone(), None, cx.now);
        user.expect_confirmation(cx.now);
        user.touch(cx.now);
        view.users.put(user.clone());
        queue_email_confirmation(&user, cx, view);
        Ok(user)
    }
}

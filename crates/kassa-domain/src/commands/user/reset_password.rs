//! A password that is set anew by mail.

use crate::context::Context;
use crate::context::command::Command;
use crate::model::user::User;
use crate::refusal::Refusal;
use crate::values::email::Email;
use crate::values::id::ShardTag;
use crate::values::resource_ids::UserId;
use crate::view::{ReadSet, View};

/// Sets a password for whoever has read the mail to the account's address, which is proved by it. All sessions end. The
/// second factor stays, if the account had proved an address before.
#[derive(Debug)]
pub struct ResetPassword {
    /// Whose.
    pub user: UserId,
    /// The address that the mail went to.
    pub email: Email,
    /// The stored hash of the password that the mail was sent for: any other one makes it void.
    pub password_hash: String,
    /// The Argon2 hash of the new password.
    pub new_password_hash: String,
}

impl Command for ResetPassword {
    type Outcome = User;

    const SILENT: Option<&'static str> = Some("users' accounts are nobody else's");

    fn shard(&self) -> ShardTag {
        self.user.tag()
    }

    fn read_set(&self, read_set: &mut ReadSet) {
        read_set.users.push(self.user);
        read_set.partners_of.push(self.user);
    }

    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<User, Refusal> {
        let is_meant = |user: &&User| {
            user.email == self.email
                && user.password_hash() == Some(self.password_hash.as_str())
                && user.may_reset_password_by_mail()
        };
        let mut user = view.users.get(self.user).filter(is_meant).ok_or(Refusal::TokenInvalid)?.clone();
        user.take_over(self.new_password_hash.clone(), cx.now);
        user.confirm_email(cx.now);
        user.touch(cx.now);
        view.users.put(user.clone());
        Ok(user)
    }
}

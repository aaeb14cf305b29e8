//! Confirmation of an e-mail.

use super::{Account, User, UserId};
use crate::command::Command;
use crate::context::Context;
use crate::id::Tag;
use crate::refusal::Refusal;
use crate::view::{Needs, View};

/// Notes that the e-mail of an account is its user's: log-in opens, and orders follow it. The
/// caller has proved it (a token from the mail) or is the operator. Repeating it changes nothing.
#[derive(Debug)]
pub struct ConfirmEmail {
    /// Whose.
    pub user: UserId,
}

impl Command for ConfirmEmail {
    type Outcome = User;

    fn shard(&self) -> Tag {
        self.user.tag()
    }

    fn needs(&self, needs: &mut Needs) {
        needs.users.push(self.user);
    }

    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<User, Refusal> {
        let user = view.users.get(self.user).ok_or(Refusal::NotFound("user"))?;
        let Some(password) = user.password().map(str::to_owned) else {
            return Err(Refusal::NotFound("account"));
        };
        let mut user = user.clone();
        if !user.confirmed() {
            user.account = Account::Open { password, confirmed: true };
            user.edited(cx.now);
            view.users.put(user.clone());
        }
        Ok(user)
    }
}

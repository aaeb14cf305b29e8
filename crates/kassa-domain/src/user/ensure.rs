//! The record of an order's customer.

use super::{Account, Email, User, UserId};
use crate::command::Command;
use crate::context::Context;
use crate::id::Tag;
use crate::refusal::Refusal;
use crate::view::{Needs, View};

/// Makes or finds the user record of an e-mail. Repeating it changes nothing.
#[derive(Debug)]
pub struct EnsureUser {
    /// The address.
    pub email: Email,
}

impl Command for EnsureUser {
    type Outcome = UserId;

    fn shard(&self) -> Tag {
        self.email.tag()
    }

    fn needs(&self, needs: &mut Needs) {
        needs.emails.push(self.email.clone());
    }

    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<UserId, Refusal> {
        if let Some(user) = view.user_by_email(&self.email) {
            return Ok(user.id);
        }
        let user = User::new(cx.root_id(), self.email.clone(), Account::Customer, cx.now);
        let id = user.id;
        view.users.put(user);
        Ok(id)
    }
}

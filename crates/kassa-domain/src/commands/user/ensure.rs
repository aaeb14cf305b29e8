//! The record of a customer.

use crate::context::Context;
use crate::context::command::Command;
use crate::model::user::{Account, User};
use crate::refusal::Refusal;
use crate::values::email::Email;
use crate::values::id::ShardTag;
use crate::values::resource_ids::UserId;
use crate::view::{ReadSet, View};

/// Makes or finds the user record of an e-mail, as an order does for its customer. Repeating it changes nothing.
#[derive(Debug)]
pub struct EnsureUser {
    /// The address.
    pub email: Email,
}

impl Command for EnsureUser {
    type Outcome = UserId;

    fn shard(&self) -> ShardTag {
        self.email.tag()
    }

    fn read_set(&self, read_set: &mut ReadSet) {
        read_set.users_by_email.push(self.email.clone());
    }

    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<UserId, Refusal> {
        Ok(User::find_or_create_by_email(&self.email, cx, view))
    }
}

impl User {
    /// The record of an e-mail, which is made where there is none. The view has what there is.
    pub(crate) fn find_or_create_by_email(email: &Email, cx: &mut Context<'_>, view: &mut View) -> UserId {
        if let Some(user) = view.user_by_email(email) {
            return user.id;
        }
        let user = Self::new(cx.root_id(), email.clone(), Account::Customer, cx.now);
        let id = user.id;
        view.users.put(user);
        id
    }
}

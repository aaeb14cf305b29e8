//! The end of registrations that nobody has confirmed.

use crate::context::Context;
use crate::context::command::Command;
use crate::model::user::Account;
use crate::refusal::Refusal;
use crate::values::id::ShardTag;
use crate::values::resource_ids::UserId;
use crate::view::{ReadSet, View};

/// Makes a registration that was not confirmed in time what an address is that only orders know: a record without a
/// password, names and sessions. One that manages partners stays as it is: they would have nobody. What waits beside it
/// lapses.
#[derive(Debug)]
pub struct LapseRegistration {
    /// Whose.
    pub user: UserId,
}

impl Command for LapseRegistration {
    /// Whether something has changed.
    type Outcome = bool;

    const SILENT: Option<&'static str> = Some("users' accounts are nobody else's");

    fn shard(&self) -> ShardTag {
        self.user.tag()
    }

    fn read_set(&self, read_set: &mut ReadSet) {
        read_set.users.push(self.user);
        read_set.partners_of.push(self.user);
    }

    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<bool, Refusal> {
        let is_due = |by: crate::values::time::Timestamp| by <= cx.now;
        let Some(mut user) = view.users.get(self.user).filter(|user| user.confirm_by.is_some_and(is_due)).cloned()
        else {
            return Ok(false);
        };
        if view.partners_of(user.id).is_empty() {
            // The names of a registration that waited over a record are that record's.
            if let Account::Open { .. } = user.account {
                (user.first_name, user.last_name) = (None, None);
            }
            user.account = Account::Customer;
            user.second_factor = None;
            user.touch(cx.now);
        }
        user.drop_waiting_registration();
        user.confirm_by = None;
        view.users.put(user);
        Ok(true)
    }
}

//! Confirmation of an e-mail.

use crate::context::Context;
use crate::context::command::Command;
use crate::model::user::{Account, User};
use crate::refusal::Refusal;
use crate::values::email::Email;
use crate::values::id::ShardTag;
use crate::values::resource_ids::UserId;
use crate::view::{ReadSet, View};

/// The most addresses that an account keeps as its own.
const CONFIRMED_EMAILS_MAX: usize = 20;

/// Notes that the e-mail of an account is its user's: log-in opens, and orders follow it. The
/// caller has proved it (a token from the mail) or is the operator. Repeating it changes nothing.
#[derive(Debug)]
pub struct ConfirmEmail {
    /// Whose.
    pub user: UserId,
    /// The address that was proved.
    pub email: Email,
    /// The stored hash of the password that the proof was made for: who has read the mail to a
    /// registration opens the account to that password, and to no other. `None` where the operator
    /// says so.
    pub password_hash: Option<String>,
}

impl Command for ConfirmEmail {
    type Outcome = User;

    fn shard(&self) -> ShardTag {
        self.user.tag()
    }

    fn read_set(&self, read_set: &mut ReadSet) {
        read_set.users.push(self.user);
        read_set.partners_of.push(self.user);
    }

    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<User, Refusal> {
        // The proof is of an address. It says nothing of one that the user has moved to since.
        let user = view.users.get(self.user).filter(|user| user.email == self.email);
        let mut user = user.ok_or(Refusal::NotFound("user"))?.clone();
        let Some(password) = user.password_hash().map(str::to_owned) else {
            return Err(Refusal::NotFound("account"));
        };
        if self.password_hash.as_ref().is_some_and(|proved| *proved != password) {
            return Err(Refusal::TokenInvalid);
        }
        if !user.is_email_confirmed() {
            let mut proved = user.confirmed_emails().to_vec();
            proved.push(self.email.clone());
            // An account that goes through many addresses keeps the latest.
            proved.drain(..proved.len().saturating_sub(CONFIRMED_EMAILS_MAX));
            let cut = match user.account {
                Account::Open { session_cutoff: cut, .. } => cut,
                Account::Customer | Account::Pending { .. } => None,
            };
            user.account = Account::Open { password_hash: password, confirmed_emails: proved, session_cutoff: cut };
            user.touch(cx.now);
            view.users.put(user.clone());
        }
        Ok(user)
    }
}

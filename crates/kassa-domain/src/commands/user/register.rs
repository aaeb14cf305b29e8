//! A new account.

use crate::commands::mail::queue_email_confirmation;
use crate::context::Context;
use crate::context::command::Command;
use crate::model::user::{Account, User};
use crate::refusal::Refusal;
use crate::values::email::Email;
use crate::values::id::ShardTag;
use crate::view::{ReadSet, View};

/// Registers an e-mail. One that only orders know gives an account that opens after
/// confirmation; one with an account is [`Refusal::EmailTaken`]. Whoever has the address is asked by
/// mail whether it is theirs.
#[derive(Debug)]
pub struct RegisterUser {
    /// The address.
    pub email: Email,
    /// The Argon2 hash of the password.
    pub password_hash: String,
    /// First name.
    pub first_name: Option<String>,
    /// Last name.
    pub last_name: Option<String>,
}

impl Command for RegisterUser {
    type Outcome = User;

    fn shard(&self) -> ShardTag {
        self.email.tag()
    }

    fn read_set(&self, read_set: &mut ReadSet) {
        read_set.users_by_email.push(self.email.clone());
    }

    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<User, Refusal> {
        let password = self.password_hash.clone();
        let mut user = match view.user_by_email(&self.email) {
            None => {
                let account =
                    Account::Open { password_hash: password, confirmed_emails: Vec::new(), session_cutoff: None };
                User::new(cx.root_id(), self.email.clone(), account, cx.now)
            }
            Some(customer) if customer.account == Account::Customer => {
                let mut user = customer.clone();
                user.account = Account::Pending { password_hash: password };
                user.touch(cx.now);
                user
            }
            Some(_) => return Err(Refusal::EmailTaken),
        };
        // The names of a customer record are the customer's until it is confirmed whose they are.
        if let Account::Open { .. } = user.account {
            user.first_name.clone_from(&self.first_name);
            user.last_name.clone_from(&self.last_name);
        }
        view.users.put(user.clone());
        queue_email_confirmation(&user, cx, view);
        Ok(user)
    }
}

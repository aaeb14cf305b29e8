//! Confirmation of an e-mail.

use crate::context::Context;
use crate::context::actor::Actor;
use crate::context::command::Command;
use crate::model::user::User;
use crate::refusal::Refusal;
use crate::values::email::Email;
use crate::values::id::ShardTag;
use crate::values::resource_ids::UserId;
use crate::view::{ReadSet, View};

/// Notes that the e-mail of an account is its user's: log-in opens, and orders follow it. The
/// caller has proved it (a token from the mail) or is the operator. Repeating it changes nothing.
///
/// The mail may have been to a stranger's registration. So its reader either knows the password that was registered, or
/// sets a new one, and the account is the reader's alone: all sessions end, and the second factor with them. The same
/// happens where the reader knows the password of a registration that waits beside the account. Where it knows that of
/// the account, the one that waits is forgotten.
#[derive(Debug)]
pub struct ConfirmEmail {
    /// Whose.
    pub user: UserId,
    /// The address that was proved.
    pub email: Email,
    /// The stored hash of the registered password that was given, or shown to the operator: that registration is
    /// confirmed, and no later one. `None` where nothing was given: it is the account's.
    pub password_hash: Option<String>,
    /// The Argon2 hash of the password to set, if none that was registered is given.
    pub new_password_hash: Option<String>,
}

impl Command for ConfirmEmail {
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
        // The proof is of an address. It says nothing of one that the user has moved to since.
        let user = view.users.get(self.user).filter(|user| user.email == self.email);
        let mut user = user.ok_or(Refusal::NotFound("user"))?.clone();
        if user.password_hash().is_none() && self.new_password_hash.is_none() {
            return Err(Refusal::NotFound("account"));
        }
        let registered = self.password_hash.as_deref();
        if registered.is_some_and(|given| user.registered_password_hashes().all(|hash| hash != given)) {
            // Somebody has registered it anew since the password was given, or the account shown.
            let is_operator = matches!(cx.actor, Actor::Operator);
            return Err(if is_operator { Refusal::Stale } else { Refusal::CurrentPasswordWrong });
        }
        if let Some(new_hash) = &self.new_password_hash {
            // Whose account it is was proved before: the mail to another address does not say it anew.
            if user.has_proved_an_email() && !matches!(cx.actor, Actor::Operator) {
                return Err(Refusal::CurrentPasswordRequired);
            }
            user.take_over(new_hash.clone(), cx.now);
        } else if let Some(waited) = registered.filter(|given| user.password_hash() != Some(given)) {
            user.take_over(waited.to_owned(), cx.now);
        }
        if !user.is_email_confirmed() || self.new_password_hash.is_some() {
            user.confirm_email(cx.now);
            user.touch(cx.now);
            view.users.put(user.clone());
        }
        Ok(user)
    }
}

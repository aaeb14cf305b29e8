//! A new account.

use crate::commands::mail::queue_email_confirmation;
use crate::context::Context;
use crate::context::command::Command;
use crate::model::user::{Account, User};
use crate::permission;
use crate::refusal::Refusal;
use crate::values::email::Email;
use crate::values::id::ShardTag;
use crate::values::resource_ids::UserId;
use crate::view::{ReadSet, View};

/// Registers an e-mail. One that only orders know gives an account that opens after confirmation. Whoever has the
/// address is asked by mail whether it is theirs.
///
/// An e-mail whose user has proved it is [`Refusal::EmailTaken`]. A registration that was not confirmed is replaced: its
/// password, names, second factor and sessions end. If it manages partners, the new one opens after confirmation, too:
/// they are not for whoever comes next, but for who can read the mail. An account that moved here from an address that
/// it had proved goes back there.
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
    /// Who has the address now, as it was looked up; a record without an account counts, too.
    pub earlier: Option<EarlierRegistration>,
}

/// Who has the address that somebody registers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EarlierRegistration {
    /// The user.
    pub user: UserId,
    /// The addresses that it has proved to be its own.
    pub confirmed_emails: Vec<Email>,
}

impl From<&User> for EarlierRegistration {
    fn from(user: &User) -> Self {
        Self { user: user.id, confirmed_emails: user.confirmed_emails().to_vec() }
    }
}

impl Command for RegisterUser {
    type Outcome = User;

    const SILENT: Option<&'static str> = Some("users' accounts are nobody else's");

    fn shard(&self) -> ShardTag {
        self.email.tag()
    }

    fn read_set(&self, read_set: &mut ReadSet) {
        read_set.users_by_email.push(self.email.clone());
        read_set.invitations_to.push(self.email.clone());
        if let Some(earlier) = &self.earlier {
            read_set.users_by_email.extend(earlier.confirmed_emails.iter().cloned());
            read_set.partners_of.push(earlier.user);
        }
    }

    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<User, Refusal> {
        permission::register(cx.actor, &self.email, cx.settings.registration, cx.now, view)?;
        let known = view.user_by_email(&self.email).cloned();
        if known.as_ref().map(EarlierRegistration::from) != self.earlier {
            return Err(Refusal::Stale);
        }
        let mut user = match known {
            None => self.new_account(cx),
            Some(known) if known.is_email_confirmed() => return Err(Refusal::EmailTaken),
            Some(known) if known.has_proved_an_email() => {
                Self::send_back(known, cx, view)?;
                self.new_account(cx)
            }
            Some(known) => self.replace(known, cx, view),
        };
        user.expect_confirmation(cx.now);
        view.users.put(user.clone());
        queue_email_confirmation(&user, cx, view);
        Ok(user)
    }
}

impl RegisterUser {
    fn new_account(&self, cx: &mut Context<'_>) -> User {
        let password_hash = self.password_hash.clone();
        let account = Account::Open { password_hash, confirmed_emails: Vec::new(), session_cutoff: None };
        let (first_name, last_name) = (self.first_name.clone(), self.last_name.clone());
        User { first_name, last_name, ..User::new(cx.root_id(), self.email.clone(), account, cx.now) }
    }

    /// Registers in place of somebody who has proved no address.
    fn replace(&self, mut user: User, cx: &Context<'_>, view: &View) -> User {
        let is_open = matches!(user.account, Account::Open { .. });
        if is_open && view.partners_of(user.id).is_empty() {
            user.set_password(self.password_hash.clone(), None, cx.now);
        } else {
            user.await_confirmation(self.password_hash.clone(), cx.now);
        }
        if is_open {
            user.first_name.clone_from(&self.first_name);
            user.last_name.clone_from(&self.last_name);
        }
        // Otherwise the names are those of a record that orders know, until it is confirmed whose it is.
        user.second_factor = None;
        user.touch(cx.now);
        user
    }

    /// Gives an account the latest address back that it has proved, and that nobody has now.
    fn send_back(mut user: User, cx: &Context<'_>, view: &mut View) -> Result<(), Refusal> {
        let is_free = |email: &&Email| view.user_by_email(email).is_none();
        user.email = user.confirmed_emails().iter().rev().find(is_free).ok_or(Refusal::EmailTaken)?.clone();
        user.touch(cx.now);
        view.users.put(user);
        Ok(())
    }
}

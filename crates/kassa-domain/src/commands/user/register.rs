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
/// password, names, second factor and sessions end. If it manages partners, it goes on, and the new one waits beside it:
/// they are not for whoever comes next, but for who can read the mail. An account that moved here from an address that
/// it had proved goes back there. The outcome is the user as the registration shows it: nothing of what was there.
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
                Self::send_back(known, cx, view);
                self.new_account(cx)
            }
            Some(known) => self.replace(known, cx, view),
        };
        user.expect_confirmation(cx.now);
        view.users.put(user.clone());
        queue_email_confirmation(&user, cx, view);
        user.created_at = cx.now;
        Ok(user)
    }
}

impl RegisterUser {
    fn new_account(&self, cx: &mut Context<'_>) -> User {
        let password_hash = self.password_hash.clone();
        let account = Account::Open {
            password_hash,
            waiting_password_hash: None,
            confirmed_emails: Vec::new(),
            session_cutoff: None,
        };
        let (first_name, last_name) = (self.first_name.clone(), self.last_name.clone());
        User { first_name, last_name, ..User::new(cx.root_id(), self.email.clone(), account, cx.now) }
    }

    /// Registers in place of somebody who has proved no address.
    fn replace(&self, mut user: User, cx: &Context<'_>, view: &View) -> User {
        user.touch(cx.now);
        let is_open = matches!(user.account, Account::Open { .. });
        if is_open && !view.partners_of(user.id).is_empty() {
            user.let_wait(self.password_hash.clone());
            return user;
        }
        if is_open {
            user.first_name.clone_from(&self.first_name);
            user.last_name.clone_from(&self.last_name);
        }
        // Otherwise the names are those of a record that orders know, until it is confirmed whose it is.
        user.set_password(self.password_hash.clone(), None, cx.now);
        user.drop_waiting_registration();
        user.second_factor = None;
        user.created_at = cx.now;
        user
    }

    /// Gives an account the latest address back that it has proved and nobody else has. Whoever has that one without a
    /// proof has no claim to it, and makes room. If there is none, the account does: only who has proved the address
    /// that somebody registers stays there.
    fn send_back(mut user: User, cx: &Context<'_>, view: &mut View) {
        let is_proved = |email: &Email| view.user_by_email(email).is_some_and(User::is_email_confirmed);
        let own = user.confirmed_emails().iter().rev().find(|email| !is_proved(email)).cloned();
        let holder = own.as_ref().and_then(|own| view.user_by_email(own)).cloned();
        // A row gives its address up before another takes it.
        if let Some(mut holder) = holder {
            holder.move_to(Email::displaced(holder.id));
            holder.touch(cx.now);
            view.users.put(holder);
        }
        user.move_to(own.unwrap_or_else(|| Email::displaced(user.id)));
        user.touch(cx.now);
        view.users.put(user);
    }
}

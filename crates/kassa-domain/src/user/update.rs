//! Changes to an account.

use super::{Account, Email, User, UserId};
use crate::command::Command;
use crate::context::Context;
use crate::id::Tag;
use crate::mail;
use crate::patch::Patch;
use crate::permission;
use crate::refusal::Refusal;
use crate::session::SessionHash;
use crate::view::{Needs, View};

/// Changes one's own data. E-mail and password change only with the current password. Whether a new
/// e-mail is the user's is asked by mail. A new password ends all other sessions.
#[derive(Debug)]
pub struct UpdateUser {
    /// Whose.
    pub user: UserId,
    /// First name.
    pub first_name: Patch<String>,
    /// Last name.
    pub last_name: Patch<String>,
    /// A new address; it is unconfirmed.
    pub email: Option<Email>,
    /// The Argon2 hash of a new password.
    pub password: Option<String>,
    /// The stored hash that the given `current_password` was found to fit.
    pub verified: Option<String>,
    /// The session that asks for it.
    pub session: Option<SessionHash>,
}

impl Command for UpdateUser {
    type Outcome = User;

    fn shard(&self) -> Tag {
        self.user.tag()
    }

    fn needs(&self, needs: &mut Needs) {
        needs.users.push(self.user);
        needs.partners_of.push(self.user);
        needs.emails.extend(self.email.clone());
    }

    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<User, Refusal> {
        permission::write_user(cx.actor, self.user)?;
        let mut user = view.users.get(self.user).ok_or(Refusal::NotFound("user"))?.clone();
        let Account::Open { password, proved, cut } = user.account.clone() else {
            return Err(Refusal::Forbidden);
        };
        if self.email.is_some() || self.password.is_some() {
            // The password was verified before the batch; it must still be the same one.
            match &self.verified {
                None => return Err(Refusal::CurrentPasswordRequired),
                Some(hash) if *hash != password => return Err(Refusal::CurrentPasswordWrong),
                Some(_) => {}
            }
        }
        let moved = self.email.as_ref().filter(|email| **email != user.email);
        if let Some(email) = moved {
            if view.user_by_email(email).is_some() {
                return Err(Refusal::EmailTaken);
            }
            user.email = email.clone();
        }
        let ends = user.cut(cx.now, self.session);
        user.account = match self.password.clone() {
            Some(password) => Account::Open { password, proved, cut: Some(ends) },
            None => Account::Open { password, proved, cut },
        };
        self.first_name.clone().apply(&mut user.first_name);
        self.last_name.clone().apply(&mut user.last_name);
        user.edited(cx.now);
        view.users.put(user.clone());
        if moved.is_some() || self.password.is_some() {
            mail::ask_to_confirm(&user, cx, view);
        }
        Ok(user)
    }
}

/// Sets a password, as the operator, and ends all sessions of the user; a customer record becomes an account by it.
#[derive(Debug)]
pub struct SetPassword {
    /// Whose.
    pub user: UserId,
    /// The Argon2 hash of the new password.
    pub password: String,
}

impl Command for SetPassword {
    type Outcome = User;

    fn shard(&self) -> Tag {
        self.user.tag()
    }

    fn needs(&self, needs: &mut Needs) {
        needs.users.push(self.user);
    }

    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<User, Refusal> {
        permission::operate(cx.actor)?;
        let mut user = view.users.get(self.user).ok_or(Refusal::NotFound("user"))?.clone();
        let (password, ends) = (self.password.clone(), user.cut(cx.now, None));
        user.account = match user.account {
            Account::Customer | Account::Pending { .. } => Account::Pending { password },
            Account::Open { proved, .. } => Account::Open { password, proved, cut: Some(ends) },
        };
        user.edited(cx.now);
        view.users.put(user.clone());
        mail::ask_to_confirm(&user, cx, view);
        Ok(user)
    }
}

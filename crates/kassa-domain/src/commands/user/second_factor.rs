//! The second factor of an account: begun, activated, removed.

use crate::context::Context;
use crate::context::command::Command;
use crate::model::second_factor::{RecoveryCodeHash, SecondFactor, SecondFactorProof};
use crate::model::session::SessionHash;
use crate::model::user::{Account, User};
use crate::permission;
use crate::refusal::{ForbiddenReason, Refusal};
use crate::values::id::ShardTag;
use crate::values::resource_ids::UserId;
use crate::view::{ReadSet, View};

/// Begins a second factor, in place of one that was begun before and not activated. Needs the current password.
#[derive(Debug)]
pub struct ProposeSecondFactor {
    /// Whose.
    pub user: UserId,
    /// The stored hash that the given `current_password` was found to fit.
    pub verified_password_hash: Option<String>,
    /// The new secret, encrypted.
    pub encrypted_secret: String,
}

impl Command for ProposeSecondFactor {
    type Outcome = User;

    const SILENT: Option<&'static str> = Some("users' accounts are nobody else's");

    fn shard(&self) -> ShardTag {
        self.user.tag()
    }

    fn read_set(&self, read_set: &mut ReadSet) {
        read_set.users.push(self.user);
    }

    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<User, Refusal> {
        permission::write_user(cx.actor, self.user)?;
        let mut user = open_account(self.user, view)?;
        user.require_verified_password(self.verified_password_hash.as_deref())?;
        if user.has_second_factor() {
            return Err(Refusal::SecondFactorActive);
        }
        user.second_factor = Some(SecondFactor::Proposed { encrypted_secret: self.encrypted_secret.clone() });
        view.users.put(user.clone());
        Ok(user)
    }
}

/// Activates the second factor that was begun, with a first code. All other sessions end: they have shown none.
#[derive(Debug)]
pub struct ActivateSecondFactor {
    /// Whose.
    pub user: UserId,
    /// The stored secret that the code was found to be of, and its time step; `None` where it was not.
    pub code: Option<(String, i64)>,
    /// The new recovery codes.
    pub recovery_codes: Vec<RecoveryCodeHash>,
    /// The session that asks for it.
    pub session: Option<SessionHash>,
}

impl Command for ActivateSecondFactor {
    type Outcome = ();

    const SILENT: Option<&'static str> = Some("users' accounts are nobody else's");

    fn shard(&self) -> ShardTag {
        self.user.tag()
    }

    fn read_set(&self, read_set: &mut ReadSet) {
        read_set.users.push(self.user);
    }

    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<(), Refusal> {
        permission::write_user(cx.actor, self.user)?;
        let mut user = open_account(self.user, view)?;
        let encrypted_secret = match &user.second_factor {
            Some(SecondFactor::Proposed { encrypted_secret }) => encrypted_secret.clone(),
            Some(SecondFactor::Active { .. }) => return Err(Refusal::SecondFactorActive),
            None => return Err(Refusal::NotFound("second factor")),
        };
        let code = self.code.as_ref().filter(|(of, _)| *of == encrypted_secret);
        let &(_, last_step) = code.ok_or(Refusal::SecondFactorCodeWrong)?;
        let recovery_codes = self.recovery_codes.clone();
        user.second_factor = Some(SecondFactor::Active { encrypted_secret, last_step, recovery_codes });
        user.end_sessions(self.session, cx.now);
        user.touch(cx.now);
        view.users.put(user);
        Ok(())
    }
}

/// Removes the second factor: by the user with password and code, or by the operator. One that was only begun needs no
/// code.
#[derive(Debug)]
pub struct RemoveSecondFactor {
    /// Whose.
    pub user: UserId,
    /// The stored hash that the given `current_password` was found to fit.
    pub verified_password_hash: Option<String>,
    /// The code that was given.
    pub code: Option<SecondFactorProof>,
}

impl Command for RemoveSecondFactor {
    type Outcome = User;

    const SILENT: Option<&'static str> = Some("users' accounts are nobody else's");

    fn shard(&self) -> ShardTag {
        self.user.tag()
    }

    fn read_set(&self, read_set: &mut ReadSet) {
        read_set.users.push(self.user);
    }

    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<User, Refusal> {
        permission::write_user(cx.actor, self.user)?;
        let mut user = view.users.get(self.user).ok_or(Refusal::NotFound("user"))?.clone();
        if user.second_factor.is_none() {
            return Err(Refusal::NotFound("second factor"));
        }
        if permission::require_operator(cx.actor).is_err() {
            user.require_verified_password(self.verified_password_hash.as_deref())?;
            if user.has_second_factor() {
                let code = self.code.as_ref().ok_or(Refusal::SecondFactorCodeWrong)?;
                user.use_second_factor(code).map_err(|_| Refusal::SecondFactorCodeWrong)?;
            }
        }
        user.second_factor = None;
        user.touch(cx.now);
        view.users.put(user.clone());
        Ok(user)
    }
}

/// An account that somebody can log in to.
fn open_account(user: UserId, view: &View) -> Result<User, Refusal> {
    let user = view.users.get(user).ok_or(Refusal::NotFound("user"))?;
    if let Account::Open { .. } = user.account { Ok(user.clone()) } else { Err(ForbiddenReason::AccountNotOpen.into()) }
}

//! Log-in.

use super::shard::session_tag;
use crate::context::Context;
use crate::context::command::Command;
use crate::model::second_factor::SecondFactorProof;
use crate::model::session::{SESSIONS_PER_USER_MAX, Session, SessionHash};
use crate::model::user::{Account, User};
use crate::permission;
use crate::refusal::{CredentialFault, Refusal};
use crate::values::id::ShardTag;
use crate::values::resource_ids::UserId;
use crate::view::{ReadSet, View};

/// Begins a session. The password has been verified against `password` before the batch.
#[derive(Debug)]
pub struct StartSession {
    /// Who logs in.
    pub user: UserId,
    /// The stored hash that the given password was found to fit.
    pub password_hash: String,
    /// The hash of the new token.
    pub hash: SessionHash,
    /// The code of the second factor, if one was given.
    pub second_factor: Option<SecondFactorProof>,
}

impl Command for StartSession {
    type Outcome = User;

    const SILENT: Option<&'static str> = Some("sessions are nobody's but their users'");

    fn shard(&self) -> ShardTag {
        session_tag(&self.hash)
    }

    fn read_set(&self, read_set: &mut ReadSet) {
        read_set.users.push(self.user);
        read_set.partners_of.push(self.user);
        read_set.all_sessions_of.push(self.user);
    }

    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<User, Refusal> {
        let mut user =
            view.users.get(self.user).ok_or(Refusal::CredentialInvalid(CredentialFault::WrongPassword))?.clone();
        if user.password_hash() != Some(self.password_hash.as_str()) {
            return Err(CredentialFault::WrongPassword.into());
        }
        permission::admit_user(Some(&user))?;
        match user.account {
            Account::Customer => return Err(CredentialFault::WrongPassword.into()),
            Account::Pending { .. } => return Err(Refusal::EmailUnconfirmed),
            Account::Open { .. } => {}
        }
        if user.has_second_factor() {
            let proof = self.second_factor.as_ref().ok_or(Refusal::SecondFactorRequired)?;
            user.use_second_factor(proof).map_err(|_| CredentialFault::WrongSecondFactor)?;
            view.users.put(user.clone());
        }
        make_room(self.user, view);
        view.sessions.put(Session {
            hash: self.hash,
            user: self.user,
            password_since: user.password_since(),
            created_at: Some(cx.now),
            expires_at: Session::expiry_from(cx.now),
        });
        Ok(user)
    }
}

/// Ends the sessions of a user that would end first, so that one more can begin.
fn make_room(user: UserId, view: &mut View) {
    let sessions = view.sessions.rows().filter(|session| session.user == user);
    let mut oldest_first: Vec<_> = sessions.map(|session| (session.expires_at, session.hash)).collect();
    oldest_first.sort_unstable();
    let surplus = (oldest_first.len() + 1).saturating_sub(SESSIONS_PER_USER_MAX);
    for (_, hash) in oldest_first.into_iter().take(surplus) {
        view.sessions.remove(hash);
    }
}

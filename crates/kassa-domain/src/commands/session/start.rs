//! Log-in.

use super::shard::session_tag;
use crate::context::Context;
use crate::context::command::Command;
use crate::model::session::{Session, SessionHash};
use crate::model::user::{Account, User};
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
}

impl Command for StartSession {
    type Outcome = User;

    fn shard(&self) -> ShardTag {
        session_tag(&self.hash)
    }

    fn read_set(&self, read_set: &mut ReadSet) {
        read_set.users.push(self.user);
        read_set.partners_of.push(self.user);
    }

    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<User, Refusal> {
        let user = view.users.get(self.user).ok_or(Refusal::CredentialInvalid(CredentialFault::WrongPassword))?.clone();
        if user.password_hash() != Some(self.password_hash.as_str()) {
            return Err(CredentialFault::WrongPassword.into());
        }
        match user.account {
            Account::Customer => return Err(CredentialFault::WrongPassword.into()),
            Account::Pending { .. } => return Err(Refusal::EmailUnconfirmed),
            Account::Open { .. } => {}
        }
        view.sessions.put(Session {
            hash: self.hash,
            user: self.user,
            password_since: user.password_since(),
            expires_at: Session::expiry_from(cx.now),
        });
        Ok(user)
    }
}

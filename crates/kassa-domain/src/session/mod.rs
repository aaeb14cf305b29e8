//! Cookie sessions (decisions §4): 256 random bits, of which the database holds only a hash.

use crate::command::Command;
use crate::context::Context;
use crate::id::ShardTag;
use crate::refusal::Refusal;
use crate::time::Timestamp;
use crate::user::{Account, User, UserId};
use crate::view::{ReadSet, Row, View};

/// Days that a session lasts after its last extension.
pub const SESSION_DAYS: i64 = 30;
const DAY_MS: i64 = 24 * 60 * 60 * 1000;

/// The hash of a session's token.
pub type SessionHash = [u8; 32];

/// A user who is logged in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    /// The hash of its token.
    pub hash: SessionHash,
    /// Whose.
    pub user: UserId,
    /// Since when the user has the password that it was begun with, as the user's own row says.
    pub password_since: Timestamp,
    /// When it ends.
    pub expires_at: Timestamp,
}

impl Session {
    /// Whether it has been used for so long that it should be extended: at most once a day.
    pub fn is_extension_due(&self, now: Timestamp) -> bool {
        self.expires_at.ms() - now.ms() < (SESSION_DAYS - 1) * DAY_MS
    }

    fn expiry_from(now: Timestamp) -> Timestamp {
        now.plus_ms(SESSION_DAYS * DAY_MS)
    }
}

impl Row for Session {
    type Key = SessionHash;

    fn key(&self) -> SessionHash {
        self.hash
    }
}

fn session_tag(hash: &SessionHash) -> ShardTag {
    ShardTag::of_key(hash.iter().take(8).fold(0, |key, byte| (key << 8) | i64::from(*byte)))
}

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
        let user = view.users.get(self.user).ok_or(Refusal::CredentialInvalid)?.clone();
        if user.password_hash() != Some(self.password_hash.as_str()) {
            return Err(Refusal::CredentialInvalid);
        }
        match user.account {
            Account::Customer => return Err(Refusal::CredentialInvalid),
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

/// Makes a session that is in use last longer.
#[derive(Debug)]
pub struct ExtendSession {
    /// Which.
    pub hash: SessionHash,
}

impl Command for ExtendSession {
    type Outcome = ();

    fn shard(&self) -> ShardTag {
        session_tag(&self.hash)
    }

    fn read_set(&self, read_set: &mut ReadSet) {
        read_set.sessions.push(self.hash);
    }

    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<(), Refusal> {
        let Some(session) = view.sessions.get(self.hash) else { return Ok(()) };
        if session.expires_at > cx.now && session.is_extension_due(cx.now) {
            let expires_at = Session::expiry_from(cx.now);
            let extended = Session { expires_at, ..session.clone() };
            view.sessions.put(extended);
        }
        Ok(())
    }
}

/// Ends a session, if there is one.
#[derive(Debug)]
pub struct EndSession {
    /// Which.
    pub hash: SessionHash,
}

impl Command for EndSession {
    type Outcome = ();

    fn shard(&self) -> ShardTag {
        session_tag(&self.hash)
    }

    fn read_set(&self, read_set: &mut ReadSet) {
        read_set.sessions.push(self.hash);
    }

    fn decide(&self, _: &mut Context<'_>, view: &mut View) -> Result<(), Refusal> {
        if view.sessions.get(self.hash).is_some() {
            view.sessions.remove(self.hash);
        }
        Ok(())
    }
}

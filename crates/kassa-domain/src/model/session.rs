//! Cookie sessions: 256 random bits, of which the database holds only a hash.

use super::row::Row;
use crate::values::hex128::Hex128;
use crate::values::resource_ids::UserId;
use crate::values::time::{DAY_MS, Timestamp};

/// Days that a session lasts after its last extension.
pub const SESSION_DAYS: i64 = 30;

/// Sessions that one user can have at a time: one more ends the one that would end first.
pub const SESSIONS_PER_USER_MAX: usize = 100;

/// The hash of a session's token.
pub type SessionHash = [u8; 32];

/// Names a session to its user: the beginning of the hash, from which nobody gets the token.
pub type SessionId = Hex128;

/// A user who is logged in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    /// The hash of its token.
    pub hash: SessionHash,
    /// Whose.
    pub user: UserId,
    /// Since when the user has the password that it was begun with, as the user's own row says.
    pub password_since: Timestamp,
    /// When the user logged in; `None` where an earlier release has not noted it.
    pub created_at: Option<Timestamp>,
    /// When it ends.
    pub expires_at: Timestamp,
}

impl Session {
    /// Its name.
    pub fn id(&self) -> SessionId {
        session_id(&self.hash)
    }

    /// When it was last extended: it was used then, and not on a later day.
    pub fn used_at(&self) -> Timestamp {
        self.expires_at.plus_ms(-SESSION_DAYS * DAY_MS)
    }

    /// Whether it has been used for so long that it should be extended: at most once a day.
    pub fn is_extension_due(&self, now: Timestamp) -> bool {
        self.expires_at.ms() - now.ms() < (SESSION_DAYS - 1) * DAY_MS
    }

    pub(crate) fn expiry_from(now: Timestamp) -> Timestamp {
        now.plus_ms(SESSION_DAYS * DAY_MS)
    }
}

/// The name of the session with this hash.
pub fn session_id(hash: &SessionHash) -> SessionId {
    Hex128(std::array::from_fn(|at| hash[at]))
}

impl Row for Session {
    type Key = SessionHash;

    fn key(&self) -> SessionHash {
        self.hash
    }
}

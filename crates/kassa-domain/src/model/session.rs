//! Cookie sessions: 256 random bits, of which the database holds only a hash.

use super::row::Row;
use crate::values::resource_ids::UserId;
use crate::values::time::{DAY_MS, Timestamp};

/// Days that a session lasts after its last extension.
pub const SESSION_DAYS: i64 = 30;

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

    pub(crate) fn expiry_from(now: Timestamp) -> Timestamp {
        now.plus_ms(SESSION_DAYS * DAY_MS)
    }
}

impl Row for Session {
    type Key = SessionHash;

    fn key(&self) -> SessionHash {
        self.hash
    }
}

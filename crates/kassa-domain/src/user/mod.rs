//! Users: people with their own credentials, and the customers of orders (decisions §4).

mod confirm;
mod ensure;
mod register;
mod update;

pub use confirm::ConfirmEmail;
pub use ensure::EnsureUser;
pub use register::RegisterUser;
pub use update::{SetPassword, UpdateUser};

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::id::{Id, ShardTag};
use crate::session::{Session, SessionHash};
use crate::time::Timestamp;
use crate::view::Row;

/// The id of a user.
pub type UserId = Id<User>;

/// An e-mail address, in lower case: addresses compare without case.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Email(String);

/// The text is not an e-mail address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("must be an e-mail address of at most 254 characters")]
pub struct MalformedEmail;

impl FromStr for Email {
    type Err = MalformedEmail;

    fn from_str(text: &str) -> Result<Self, MalformedEmail> {
        let text = text.trim();
        let (local, domain) = text.rsplit_once('@').ok_or(MalformedEmail)?;
        let plain = |c: char| !c.is_whitespace() && !c.is_control() && !"<>(),;:\"\\[]".contains(c);
        let label = |label: &str| {
            !label.is_empty()
                && !label.starts_with('-')
                && !label.ends_with('-')
                && label.chars().all(|c| c.is_alphanumeric() || c == '-')
        };
        let sound = (1..=64).contains(&local.len())
            && text.len() <= 254
            && local.chars().all(|c| plain(c) && c != '@')
            && domain.split('.').count() >= 2
            && domain.split('.').all(label);
        if sound { Ok(Self(text.to_lowercase())) } else { Err(MalformedEmail) }
    }
}

impl Email {
    /// The address.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Where commands about this address meet: a hash of it.
    pub fn tag(&self) -> ShardTag {
        let folded = self.0.bytes().fold(0_i64, |hash, byte| (hash ^ i64::from(byte)).wrapping_mul(0x0100_0000_01b3));
        ShardTag::of_key(folded)
    }
}

impl fmt::Display for Email {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What stands behind a user record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "is")]
pub enum Account {
    /// An order's customer: nobody has registered this e-mail.
    Customer,
    /// Registered over a customer record: no log-in until the e-mail is confirmed.
    Pending {
        /// The Argon2 hash of the password.
        password_hash: String,
    },
    /// An account. Orders follow its e-mail once that is confirmed.
    Open {
        /// The Argon2 hash of the password.
        password_hash: String,
        /// The addresses that the user has proved to be its own, present and past. Orders follow
        /// these only: who registers an e-mail that is not its own, and moves on to another, does
        /// not take along what was ordered under the first.
        confirmed_emails: Vec<Email>,
        /// Which sessions a new password has ended; none, where the password is the first.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        session_cutoff: Option<SessionCutoff>,
    },
}

/// What a new password does to the sessions that were begun with an older one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionCutoff {
    /// Sessions of passwords that the user has had since then, or longer, are ended.
    pub at: Timestamp,
    /// But not the one that the password was changed in.
    pub kept_session: Option<SessionHash>,
}

/// A user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct User {
    /// The id.
    pub id: UserId,
    /// Unique among users.
    pub email: Email,
    /// What stands behind it.
    pub account: Account,
    /// First name.
    pub first_name: Option<String>,
    /// Last name.
    pub last_name: Option<String>,
    /// When the record was made.
    pub created_at: Timestamp,
    /// When it was last edited.
    pub updated_at: Timestamp,
    /// Counts edits.
    pub revision: i64,
}

impl User {
    fn new(id: UserId, email: Email, account: Account, now: Timestamp) -> Self {
        Self { id, email, account, first_name: None, last_name: None, created_at: now, updated_at: now, revision: 1 }
    }

    /// The password's hash, for accounts that can log in once confirmed or at once.
    pub fn password_hash(&self) -> Option<&str> {
        match &self.account {
            Account::Customer => None,
            Account::Pending { password_hash: password } | Account::Open { password_hash: password, .. } => {
                Some(password)
            }
        }
    }

    /// Whether the e-mail is known to be the user's.
    pub fn is_email_confirmed(&self) -> bool {
        self.confirmed_emails().contains(&self.email)
    }

    /// The addresses that the user has proved to be its own.
    pub fn confirmed_emails(&self) -> &[Email] {
        match &self.account {
            Account::Customer | Account::Pending { .. } => &[],
            Account::Open { confirmed_emails: proved, .. } => proved,
        }
    }

    /// Whether a session of this user is still good.
    pub fn admits_session(&self, session: &Session) -> bool {
        match &self.account {
            Account::Customer | Account::Pending { .. } => false,
            Account::Open { session_cutoff: None, .. } => true,
            Account::Open { session_cutoff: Some(cut), .. } => {
                session.password_since > cut.at || cut.kept_session == Some(session.hash)
            }
        }
    }

    /// Since when the user has this password, as its sessions note it. No clock says when they begin: those of several
    /// servers differ.
    pub(crate) fn password_since(&self) -> Timestamp {
        match &self.account {
            Account::Open { session_cutoff: Some(cut), .. } => cut.at.plus_ms(1),
            Account::Open { session_cutoff: None, .. } | Account::Customer | Account::Pending { .. } => self.created_at,
        }
    }

    /// What a new password ends: each is later than the one before, whatever the clocks say. Sessions of servers before
    /// this rule have noted the time of the log-in instead; now is later than these.
    fn session_cutoff(&self, now: Timestamp, kept: Option<SessionHash>) -> SessionCutoff {
        SessionCutoff { at: now.max(self.password_since()), kept_session: kept }
    }

    fn touch(&mut self, now: Timestamp) {
        self.updated_at = now;
        self.revision += 1;
    }
}

impl Row for User {
    type Key = UserId;

    fn key(&self) -> UserId {
        self.id
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn emails_compare_without_case() {
        assert_eq!("Ann@Example.ORG".parse::<Email>(), "ann@example.org".parse());
    }

    #[test]
    fn invalid_emails_are_refused() {
        for text in [
            "",
            "ann",
            "@example.org",
            "ann@",
            "ann@localhost",
            "a b@example.org",
            "ann@example..org",
            "ann@-a.org",
            "ann@exa mple.org",
            "ann\u{0}@example.org",
            "<ann@example.org>",
        ] {
            assert_eq!(text.parse::<Email>(), Err(MalformedEmail), "{text:?}");
        }
    }
}

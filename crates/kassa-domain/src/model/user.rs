//! Users: people with their own credentials, and the customers of orders.

use serde::{Deserialize, Serialize};

use super::row::Row;
use super::session::{Session, SessionHash};
use crate::values::email::Email;
use crate::values::resource_ids::UserId;
use crate::values::time::Timestamp;

/// Whether somebody can log in as a user, and how.
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
    /// Whether somebody can log in as it, and how.
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
    pub(crate) fn new(id: UserId, email: Email, account: Account, now: Timestamp) -> Self {
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

    /// Since when the user has this password, as its sessions note it. No clock says when they begin: those
    /// of several servers differ.
    pub(crate) fn password_since(&self) -> Timestamp {
        match &self.account {
            Account::Open { session_cutoff: Some(cut), .. } => cut.at.plus_ms(1),
            Account::Open { session_cutoff: None, .. } | Account::Customer | Account::Pending { .. } => self.created_at,
        }
    }

    /// What a new password ends: each is later than the one before, whatever the clocks say. Sessions of
    /// servers before this rule have noted the time of the log-in instead; now is later than these.
    pub(crate) fn session_cutoff(&self, now: Timestamp, kept: Option<SessionHash>) -> SessionCutoff {
        SessionCutoff { at: now.max(self.password_since()), kept_session: kept }
    }

    pub(crate) fn touch(&mut self, now: Timestamp) {
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

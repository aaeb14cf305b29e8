//! Mails. A command that has something to report by e-mail puts a row into its transaction,
//! so that no mail is lost and none reports what did not happen.
//! The row goes when the mail has been sent.

use serde::{Deserialize, Serialize};

use super::order::ExportFilter;
use super::row::Row;
use crate::values::email::Email;
use crate::values::resource_ids::{EventId, MailId, OrderId, UserId};
use crate::values::time::Timestamp;

/// What a mail says: what it takes to write it. What is secret in it is made when it is sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum MailContent {
    /// Asks whether an account's e-mail is its user's, with a token that says yes.
    ConfirmEmail {
        /// Whose account.
        user: UserId,
    },
    /// The tickets of a paid order.
    Tickets {
        /// The order's event.
        event: EventId,
        /// The order.
        order: OrderId,
    },
    /// A list of a partner's orders.
    Export(ExportFilter),
}

impl MailContent {
    /// Its name, as operators see it and as it is stored.
    pub fn name(&self) -> &'static str {
        match self {
            Self::ConfirmEmail { .. } => "confirm_email",
            Self::Tickets { .. } => "tickets",
            Self::Export(_) => "export",
        }
    }
}

/// Where a mail is in its life. One that was sent has no row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MailState {
    /// To be sent.
    Waiting,
    /// Given up.
    Failed,
}

impl MailState {
    /// Its name, as operators see it and as it is stored.
    pub fn name(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Failed => "failed",
        }
    }
}

/// A mail that was not sent yet, or could not be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mail {
    /// The id; that of a mail about an order has the tag of the order's event.
    pub id: MailId,
    /// Who gets it.
    pub to: Email,
    /// What it says.
    pub content: MailContent,
    /// The language that its reader wants.
    pub lang: Option<String>,
    /// Where it is in its life.
    pub state: MailState,
    /// Tries that have begun.
    pub attempts: u32,
    /// When it is due: for the next attempt, also if an attempt has not ended by then, or to be deleted
    /// when it has failed.
    pub due_at: Timestamp,
    /// Why the last try came to nothing.
    pub error: Option<String>,
    /// When it was written.
    pub created_at: Timestamp,
}

impl Mail {
    pub(crate) fn new(id: MailId, to: Email, letter: MailContent, lang: Option<String>, now: Timestamp) -> Self {
        let state = MailState::Waiting;
        Self { id, to, content: letter, lang, state, attempts: 0, due_at: now, error: None, created_at: now }
    }
}

impl Row for Mail {
    type Key = MailId;

    fn key(&self) -> MailId {
        self.id
    }
}

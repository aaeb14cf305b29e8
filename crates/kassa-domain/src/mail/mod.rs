//! Mails (decisions §4, §9): what is told to people by e-mail. A command that has something to tell
//! puts a row into its transaction, so that no mail is lost and none is sent of what did not happen.
//! The row goes when the mail has been sent.

mod claim;
mod record_delivery;

pub use claim::ClaimMail;
pub use record_delivery::{DeliveryResult, MailDisposition, RecordDelivery};

use serde::{Deserialize, Serialize};

use crate::context::Context;
use crate::event::EventId;
use crate::id::Id;
use crate::order::{ExportFilter, Order, OrderId};
use crate::time::Timestamp;
use crate::user::{Email, User, UserId};
use crate::view::{Row, View};

/// The id of a mail.
pub type MailId = Id<Mail>;

const MINUTE_MS: i64 = 60_000;
const HOUR_MS: i64 = 60 * MINUTE_MS;
const DAY_MS: i64 = 24 * HOUR_MS;

/// How long a node may take for one try before the next one, on whatever node, begins.
const ATTEMPT_LEASE_MS: i64 = 5 * MINUTE_MS;
/// The pause after the first try; each further one doubles it, up to the longest.
const RETRY_DELAY_MIN_MS: i64 = MINUTE_MS;
const RETRY_DELAY_MAX_MS: i64 = 6 * HOUR_MS;
/// How long it is tried.
const RETRY_WINDOW_MS: i64 = 3 * DAY_MS;
/// How long a mail that was given up is kept, for the operator to see.
const FAILED_RETENTION_MS: i64 = 30 * DAY_MS;
/// The longest text of an error that is kept, in characters.
const ERROR_CHARS_MAX: usize = 300;

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
    /// When the house looks at it next: to try it, once more if a try has come to no end by then, or
    /// to throw a failed one away.
    pub due_at: Timestamp,
    /// Why the last try came to nothing.
    pub error: Option<String>,
    /// When it was written.
    pub created_at: Timestamp,
}

impl Mail {
    fn new(id: MailId, to: Email, letter: MailContent, lang: Option<String>, now: Timestamp) -> Self {
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

/// Asks for the confirmation of an account's e-mail, unless that is known to be the user's. A token is
/// good for one password, so that a new password asks anew.
pub(crate) fn queue_email_confirmation(user: &User, cx: &mut Context<'_>, view: &mut View) {
    if user.password_hash().is_some() && !user.is_email_confirmed() {
        let letter = MailContent::ConfirmEmail { user: user.id };
        view.mails.put(Mail::new(cx.root_id(), user.email.clone(), letter, None, cx.now));
    }
}

/// Sends the tickets of an order to its customer.
pub(crate) fn queue_tickets_mail(order: &Order, cx: &mut Context<'_>, view: &mut View) {
    if let Some(email) = &order.customer.email {
        let letter = MailContent::Tickets { event: order.event, order: order.id };
        let (id, lang) = (cx.id_with_tag(order.event.tag()), order.customer.lang.clone());
        view.mails.put(Mail::new(id, email.clone(), letter, lang, cx.now));
    }
}

/// Sends a list of a partner's orders to an address.
pub(crate) fn queue_export_mail(to: Email, exported: ExportFilter, cx: &mut Context<'_>, view: &mut View) {
    view.mails.put(Mail::new(cx.root_id(), to, MailContent::Export(exported), None, cx.now));
}

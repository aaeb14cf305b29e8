//! Mails. A command that has something to report by e-mail puts a row into its transaction,
//! so that no mail is lost and none reports what did not happen.
//! The row goes when the mail has been sent.

use serde::{Deserialize, Serialize};

use super::order::ExportFilter;
use super::row::Row;
use super::webhook::WebhookNotice;
use crate::values::email::Email;
use crate::values::resource_ids::{EventId, MailId, OrderId, PartnerId, PaymentId, UserId, WebhookId};
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
    /// A token that sets a new password for the account with this address, if there is one.
    ResetPassword,
    /// Asks whether a user will manage a partner; from the operator, whether somebody will register.
    Invitation {
        /// The partner; `None` where the operator invites.
        partner: Option<PartnerId>,
        /// Who is invited.
        user: UserId,
        /// The user that invites: who asked for it or, where that was a key, who has made the partner.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        inviter: Option<UserId>,
    },
    /// The tickets of a paid order.
    Tickets {
        /// The order's event.
        event: EventId,
        /// The order.
        order: OrderId,
    },
    /// How an order is paid by transfer or at the door.
    PaymentInstructions {
        /// The order's event.
        event: EventId,
        /// The order.
        order: OrderId,
        /// The payment that waits for its money.
        payment: PaymentId,
    },
    /// The links of the orders that were made with this address, if there are any.
    OrderLinks,
    /// A list of a partner's orders.
    Export(ExportFilter),
    /// Tells how an endpoint of webhooks does.
    Webhook {
        /// The endpoint.
        webhook: WebhookId,
        /// What is told.
        notice: WebhookNotice,
    },
}

impl MailContent {
    /// Its name, as operators see it and as it is stored.
    pub fn name(&self) -> &'static str {
        match self {
            Self::ConfirmEmail { .. } => "confirm_email",
            Self::ResetPassword => "reset_password",
            Self::Invitation { .. } => "invitation",
            Self::Tickets { .. } => "tickets",
            Self::PaymentInstructions { .. } => "payment_instructions",
            Self::OrderLinks => "order_links",
            Self::Export(_) => "export",
            Self::Webhook { .. } => "webhook",
        }
    }

    /// How soon it must be there: decided here for every kind.
    pub fn priority(&self) -> MailPriority {
        match self {
            Self::ConfirmEmail { .. }
            | Self::ResetPassword
            | Self::Tickets { .. }
            | Self::PaymentInstructions { .. }
            | Self::OrderLinks => MailPriority::Awaited,
            Self::Invitation { .. } | Self::Export(_) | Self::Webhook { .. } => MailPriority::Bulk,
        }
    }
}

/// How soon a mail must be there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MailPriority {
    /// Somebody looks into the mailbox for it.
    Awaited,
    /// It may be long, and takes the time that it takes.
    Bulk,
}

/// Where a mail waits. Each queue is sent by itself, so that none holds up another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MailQueue {
    /// Awaited ones that were never tried.
    Awaited,
    /// Bulk ones that were never tried.
    Bulk,
    /// Awaited ones that were tried, or given up.
    AwaitedRetries,
    /// Bulk ones that were tried, or given up.
    BulkRetries,
}

impl MailQueue {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Awaited, Self::Bulk, Self::AwaitedRetries, Self::BulkRetries];

    /// Its number, as it is stored.
    pub fn number(self) -> i64 {
        match self {
            Self::Awaited => 0,
            Self::Bulk => 1,
            Self::AwaitedRetries => 2,
            Self::BulkRetries => 3,
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
    /// The partner for which it is sent: the vendor of the order, or who asked for the list; `None` is the platform. In a
    /// queue, partners take turns.
    pub partner: Option<PartnerId>,
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
    /// A mail of the platform, in no particular language, that is due now.
    pub(crate) fn new(id: MailId, to: Email, content: MailContent, now: Timestamp) -> Self {
        let (state, partner, lang) = (MailState::Waiting, None, None);
        Self { id, to, content, partner, lang, state, attempts: 0, due_at: now, error: None, created_at: now }
    }

    /// Where it waits.
    pub fn queue(&self) -> MailQueue {
        let was_tried = self.attempts > 0 || self.state == MailState::Failed;
        match (self.content.priority(), was_tried) {
            (MailPriority::Awaited, false) => MailQueue::Awaited,
            (MailPriority::Bulk, false) => MailQueue::Bulk,
            (MailPriority::Awaited, true) => MailQueue::AwaitedRetries,
            (MailPriority::Bulk, true) => MailQueue::BulkRetries,
        }
    }

    /// The number of the turn that it has in its queue: the key of its partner; 0 is the platform.
    pub fn turn(&self) -> i64 {
        self.partner.map_or(0, PartnerId::key)
    }
}

impl Row for Mail {
    type Key = MailId;

    fn key(&self) -> MailId {
        self.id
    }
}

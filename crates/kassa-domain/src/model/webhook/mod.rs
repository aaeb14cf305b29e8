//! Webhooks: servers to which changes are posted.
//!
//! An endpoint follows the feed. Before the cursor in its row, every change that it wants was taken by the receiver, or
//! has a row of its own because it is held back. One node at a time sends to an endpoint: whoever has claimed it.

mod attempt;
mod delivery;
mod health;
mod schedule;
mod selection;

pub use attempt::{ATTEMPTS_KEPT_MAX, ATTEMPTS_KEPT_MS, Unanswered, WebhookAttempt, WebhookMessage, WebhookResult};
pub use delivery::{DELIVERIES_WAITING_MAX, DeliveryState, WebhookDelivery};
pub use health::{EndpointHealth, WebhookNotice};
pub(crate) use schedule::SPREAD_PARTS;
pub use selection::{SELECTION_MAX, TypePattern, UnknownType, WebhookPayload, WebhookSelection};

use super::row::Row;
use crate::values::feed_cursor::FeedCursor;
use crate::values::resource_ids::{PartnerId, WebhookId};
use crate::values::revision::Revision;
use crate::values::time::{DAY_MS, Timestamp};

/// How long the secret before a rotation signs, too.
pub const SECRET_OVERLAP_MS: i64 = DAY_MS;

/// An endpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Webhook {
    /// The id.
    pub id: WebhookId,
    /// Who is told: what it may see is what the endpoint gets.
    pub partner: PartnerId,
    /// Where changes are posted to.
    pub url: String,
    /// What it is for, in words.
    pub description: Option<String>,
    /// Which changes it wants.
    pub selection: WebhookSelection,
    /// What a message has besides its type.
    pub payload: WebhookPayload,
    /// Whether messages have the data of customers.
    pub has_customers: bool,
    /// Whether anything is sent.
    pub status: WebhookStatus,
    /// The secret that signs, encrypted with the server's.
    pub encrypted_secret: Vec<u8>,
    /// The secret that it has replaced.
    pub replaced_secret: Option<ReplacedSecret>,
    /// Whether it was removed: nothing is sent any more.
    pub removed: bool,
    /// The first change that was not looked at: every one before it was taken, is held back, or is not wanted.
    pub read_from: FeedCursor,
    /// How it does.
    pub health: EndpointHealth,
    /// Who sends.
    pub claim: WebhookClaim,
    /// When somebody must look at it who does not know of new changes: for the next try, or when a claim has lapsed.
    /// `None` while only a change is a reason.
    pub due_at: Option<Timestamp>,
    /// How many attempts there were.
    pub attempts: i64,
    /// When it was enabled last.
    pub enabled_at: Timestamp,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was last edited.
    pub updated_at: Timestamp,
    /// Counts edits.
    pub revision: Revision,
}

/// Whether anything is sent to an endpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WebhookStatus {
    /// It is.
    Enabled,
    /// It is not, for this reason.
    Disabled(DisabledReason),
}

/// Why nothing is sent to an endpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DisabledReason {
    /// Its partner said so.
    Asked,
    /// It has taken nothing for days.
    Failing,
    /// It has answered that it wants no more: 410.
    Gone,
}

impl WebhookStatus {
    /// Its name, as clients see it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Enabled => "enabled",
            Self::Disabled(_) => "disabled",
        }
    }

    /// Why it is disabled.
    pub fn reason(self) -> Option<DisabledReason> {
        match self {
            Self::Enabled => None,
            Self::Disabled(reason) => Some(reason),
        }
    }
}

impl DisabledReason {
    /// Its name, as clients see it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Asked => "asked",
            Self::Failing => "failing",
            Self::Gone => "gone",
        }
    }
}

/// A secret that was replaced, and still signs for a while.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplacedSecret {
    /// The secret, encrypted with the server's.
    pub encrypted: Vec<u8>,
    /// Until when it signs.
    pub signs_till: Timestamp,
}

/// Who sends to an endpoint. Nobody has claimed it when the time is over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WebhookClaim {
    /// How often it was claimed, or taken away: who claimed it last sends.
    pub number: i64,
    /// Until when; 0 is nobody.
    pub till_ms: i64,
}

impl Webhook {
    /// Whether anything is sent.
    pub fn is_active(&self) -> bool {
        !self.removed && self.status == WebhookStatus::Enabled
    }

    /// Whether somebody sends now.
    pub fn is_claimed(&self, now: Timestamp) -> bool {
        self.claim.till_ms > now.ms()
    }

    /// Takes it away from whoever sends, and has it looked at. Attempts that are under way are recorded, and what they
    /// delivered may be delivered again.
    pub(crate) fn revoke_claim(&mut self, now: Timestamp) {
        self.claim = WebhookClaim { number: self.claim.number + 1, till_ms: 0 };
        self.due_at = self.is_active().then_some(now);
    }

    /// When somebody must be told of something, it must be disabled, a secret must go, or what a removed one has left.
    pub fn watch_at(&self) -> Option<Timestamp> {
        if self.removed {
            return self.due_at;
        }
        let health = self.health.watch_at().filter(|_| self.is_active());
        let secret = self.replaced_secret.as_ref().map(|secret| secret.signs_till);
        [health, secret].into_iter().flatten().min()
    }
}

impl Row for Webhook {
    type Key = WebhookId;

    fn key(&self) -> WebhookId {
        self.id
    }
}

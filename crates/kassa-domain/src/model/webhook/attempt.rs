//! Attempts to send messages.

use serde::{Deserialize, Serialize};

use crate::model::change::{ChangeType, Subject};
use crate::model::row::Row;
use crate::values::feed_cursor::FeedCursor;
use crate::values::resource_ids::WebhookId;
use crate::values::time::{DAY_MS, Timestamp};

/// Attempts of an endpoint that are kept at most: the newest.
pub const ATTEMPTS_KEPT_MAX: i64 = 20_000;

/// How long attempts, and messages that were parked, are kept.
pub const ATTEMPTS_KEPT_MS: i64 = 30 * DAY_MS;

/// An attempt to send a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebhookAttempt {
    /// The endpoint.
    pub endpoint: WebhookId,
    /// Which of the endpoint's attempts, from 1 on.
    pub number: i64,
    /// What was sent; `None` is a test.
    pub message: Option<WebhookMessage>,
    /// When it began.
    pub sent_at: Timestamp,
    /// How long it took, in milliseconds.
    pub duration_ms: u32,
    /// What came of it.
    pub result: WebhookResult,
}

impl Row for WebhookAttempt {
    type Key = (WebhookId, i64);

    fn key(&self) -> Self::Key {
        (self.endpoint, self.number)
    }
}

/// A change that is sent to an endpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct WebhookMessage {
    /// Where the change is in the feed.
    pub position: FeedCursor,
    /// What it happened to.
    pub subject: Subject,
    /// Which change of that it is.
    pub version: i64,
    /// What happened.
    pub kind: ChangeType,
}

/// What came of an attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WebhookResult {
    /// There was an answer.
    Answered {
        /// Its status.
        status: u16,
        /// The first kilobyte of its body.
        excerpt: String,
    },
    /// There was none.
    Unanswered(Unanswered),
}

/// Why there was no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unanswered {
    /// No request is sent to such a URL; the operator may have allowed it before.
    UrlForbidden,
    /// The name does not resolve.
    NameUnknown,
    /// The name resolves to an address that is not of the internet.
    AddressForbidden,
    /// No connection could be made.
    NotConnected,
    /// The certificate is not valid for the name, or there is no TLS.
    TlsFailed,
    /// It took too long.
    TimedOut,
    /// The connection ended without an answer.
    Broken,
}

impl Unanswered {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::UrlForbidden,
        Self::NameUnknown,
        Self::AddressForbidden,
        Self::NotConnected,
        Self::TlsFailed,
        Self::TimedOut,
        Self::Broken,
    ];

    /// Its name, as clients see it and as it is stored.
    pub fn name(self) -> &'static str {
        match self {
            Self::UrlForbidden => "url_forbidden",
            Self::NameUnknown => "name_unknown",
            Self::AddressForbidden => "address_forbidden",
            Self::NotConnected => "not_connected",
            Self::TlsFailed => "tls_failed",
            Self::TimedOut => "timed_out",
            Self::Broken => "broken",
        }
    }

    /// The one with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|cause| cause.name() == name)
    }
}

impl WebhookResult {
    /// The status of the answer.
    pub fn status(&self) -> Option<u16> {
        match self {
            Self::Answered { status, .. } => Some(*status),
            Self::Unanswered(_) => None,
        }
    }

    /// Whether the receiver has taken the message.
    pub fn is_success(&self) -> bool {
        matches!(self.status(), Some(200..=299))
    }

    /// Whether the receiver, or what stands before it, has too much to do.
    pub fn asks_for_less(&self) -> bool {
        matches!(self.status(), Some(429 | 502 | 504))
    }

    /// Whether the receiver says that it wants no more messages.
    pub fn is_gone(&self) -> bool {
        self.status() == Some(410)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_says_what_to_do() {
        let answered = |status| WebhookResult::Answered { status, excerpt: String::new() };
        let flags = |result: &WebhookResult| (result.is_success(), result.asks_for_less(), result.is_gone());
        for status in [200, 201, 202, 204, 299] {
            assert_eq!(flags(&answered(status)), (true, false, false), "{status}");
        }
        for status in [100, 199, 300, 301, 307, 308, 400, 401, 404, 500, 503] {
            assert_eq!(flags(&answered(status)), (false, false, false), "{status}");
        }
        for status in [429, 502, 504] {
            assert_eq!(flags(&answered(status)), (false, true, false), "{status}");
        }
        assert_eq!(flags(&answered(410)), (false, false, true));
        assert_eq!(flags(&WebhookResult::Unanswered(Unanswered::TimedOut)), (false, false, false));
    }

    #[test]
    fn causes_have_names() {
        for cause in Unanswered::ALL {
            assert_eq!(Unanswered::from_name(cause.name()), Some(cause));
        }
        assert_eq!(Unanswered::from_name("other"), None);
    }
}

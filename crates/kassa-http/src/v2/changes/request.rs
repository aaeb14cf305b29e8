//! Which changes are asked for, and from where on.

use std::fmt;
use std::str::FromStr;

use kassa_domain::change::{Change, FeedCursor, MalformedCursor};
use kassa_domain::webhook::{TypePattern, WebhookPayload, WebhookSelection};
use kassa_engine::Engine;

use super::feed_error;
use crate::error::ApiError;
use crate::input::{Problems, Query};
use crate::openapi::params::{parameters, single_value, value_list, words};
use crate::openapi::schema;

/// The payloads by their words.
const PAYLOADS: &[(&str, WebhookPayload)] = &[("full", WebhookPayload::Full), ("thin", WebhookPayload::Thin)];
/// Where the feed is read from, in a query.
pub(super) const AFTER: &str = "after";

parameters! {
    /// Which changes are wanted.
    pub(crate) struct SelectionParameters:
        value_list(
            "types", schema::text(),
            "Only changes of these types: `order.paid`, `order.*` for all of orders, or `*` for all, which is the default.",
        ),
        single_value("event", schema::id(), "Only changes of what hangs on this event."),
        words(
            "payload", PAYLOADS,
            "With `full`, which is the default, changes have the resource as it is now; with `thin` they do not.",
        ),
}

/// Where somebody begins to read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FeedStart {
    /// At the oldest change that is kept.
    Oldest,
    /// Behind the last change.
    End,
    /// Where somebody has read to.
    At(FeedCursor),
}

/// The text says nowhere where one could begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MalformedStart;

impl fmt::Display for MalformedStart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{MalformedCursor}, start or end")
    }
}

impl FromStr for FeedStart {
    type Err = MalformedStart;

    fn from_str(text: &str) -> Result<Self, MalformedStart> {
        match text {
            "start" => Ok(Self::Oldest),
            "end" => Ok(Self::End),
            cursor => cursor.parse().map(Self::At).map_err(|MalformedCursor| MalformedStart),
        }
    }
}

/// Where somebody begins to read, and what of the request says so.
#[derive(Clone, Copy, Debug)]
pub(super) struct NamedStart {
    pub(super) start: FeedStart,
    field: &'static str,
}

impl NamedStart {
    /// As a query says it, or else.
    pub(super) fn read(query: &Query, default: FeedStart, problems: &mut Problems) -> Self {
        Self { start: query.value(AFTER, problems).unwrap_or(default), field: AFTER }
    }

    /// As this header says it.
    pub(super) fn of_header(field: &'static str, text: &str, problems: &mut Problems) -> Option<Self> {
        let start = text.parse().map_err(|error: MalformedStart| problems.add_parameter(field, error.to_string()));
        start.ok().map(|start| Self { start, field })
    }

    /// The cursor, if it can be read from there.
    pub(super) async fn resolve(self, engine: &Engine) -> Result<FeedCursor, ApiError> {
        match self.start {
            FeedStart::At(cursor) => {
                let checked = engine.check_feed_cursor(cursor).await;
                checked.map(|()| cursor).map_err(|error| feed_error(error, self.field))
            }
            FeedStart::Oldest => Ok(engine.feed_bounds().await?.oldest),
            FeedStart::End => Ok(engine.feed_bounds().await?.end),
        }
    }
}

/// Which changes are asked for, and what they have.
#[derive(Clone, Debug)]
pub(super) struct WantedChanges {
    selection: WebhookSelection,
    pub(super) payload: WebhookPayload,
}

impl WantedChanges {
    pub(super) fn read(query: &Query, problems: &mut Problems) -> Self {
        let types: Option<Vec<TypePattern>> = query.values("types", problems);
        let payload = query.words("payload", PAYLOADS, problems).and_then(|words| words.last().copied());
        Self {
            selection: WebhookSelection {
                types: types.unwrap_or_else(|| vec![TypePattern::any()]),
                events: query.id("event", problems).into_iter().collect(),
            },
            payload: payload.unwrap_or(WebhookPayload::Full),
        }
    }

    pub(super) fn wants(&self, change: &Change) -> bool {
        self.selection.wants(change.kind, change.event)
    }
}

//! Which changes are asked for, and from where on.

use std::fmt;
use std::str::FromStr;

use kassa_domain::change::{Change, FeedCursor, MalformedCursor};
use kassa_domain::webhook::{TypePattern, WebhookPayload, WebhookSelection};
use kassa_engine::Engine;
use utoipa::openapi::ObjectBuilder;

use super::feed_error;
use crate::error::ApiError;
use crate::input::{Problems, Query};
use crate::openapi::params::{parameters, single_value, value_list};
use crate::openapi::schema;

/// Where the feed is read from, in a query.
pub(super) const AFTER: &str = "after";

parameters! {
    /// Which changes are wanted.
    pub(crate) struct SelectionParameters:
        value_list(
            "types", type_pattern_schema(),
            "Only changes of these types: `order.paid`, `order.*` for all of orders, or `*` for all, which is the default.",
        ),
        single_value("event", schema::id(), "Only changes of what hangs on this event."),
        single_value(
            "payload", schema::words(["full", "thin"]),
            "With `full`, which is the default, changes have the resource as it is now; with `thin` they do not.",
        ),
}

/// All types of changes, and the patterns that stand for several.
pub(in crate::v2) fn type_pattern_schema() -> ObjectBuilder {
    let names: Vec<String> = TypePattern::all().iter().map(ToString::to_string).collect();
    schema::words(names.iter().map(String::as_str))
}

/// How a cursor, and what stands for one, is written.
pub(super) fn start_schema() -> ObjectBuilder {
    schema::text().pattern(Some("^(start|end|[1-9][0-9]{0,18}-[0-9]{1,10})$"))
}

struct PayloadWord(WebhookPayload);

impl FromStr for PayloadWord {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, &'static str> {
        match text {
            "full" => Ok(Self(WebhookPayload::Full)),
            "thin" => Ok(Self(WebhookPayload::Thin)),
            _ => Err("must be full or thin"),
        }
    }
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
        let payload = query.value("payload", problems).map(|PayloadWord(payload)| payload);
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

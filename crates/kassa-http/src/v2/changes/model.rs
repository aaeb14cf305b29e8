//! A change as v2 shows it.

use std::fmt;
use std::str::FromStr;

use kassa_domain::change::{Author, Change, FeedCursor, Subject};
use kassa_domain::id::ResourceId;
use kassa_domain::partner::PartnerId;
use kassa_domain::webhook::WebhookMessage;
use kassa_engine::Failure;
use kassa_engine::feed::FeedChange;
use serde::{Serialize, Serializer};
use serde_json::Value;
use utoipa::ToSchema;
use utoipa::openapi::{RefOr, Schema};

use super::facts::FactsBody;
use crate::openapi::schema;
use crate::wire::{EventRef, IdRef, PartnerRef, TimeV2};

/// What ids of changes begin with.
const PREFIX: &str = "chg_";

/// The id of a change: where it is in the feed. It is the same for all who see the change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::v2) struct ChangeRef(pub(in crate::v2) FeedCursor);

impl fmt::Display for ChangeRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{PREFIX}{}", self.0)
    }
}

impl Serialize for ChangeRef {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// The text is not the id of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("must be the id of a change, such as chg_1200-3")]
pub(in crate::v2) struct MalformedChangeRef;

impl FromStr for ChangeRef {
    type Err = MalformedChangeRef;

    fn from_str(text: &str) -> Result<Self, MalformedChangeRef> {
        let cursor = text.strip_prefix(PREFIX).and_then(|cursor| cursor.parse().ok());
        cursor.map(Self).ok_or(MalformedChangeRef)
    }
}

/// Who is told of a change.
#[derive(Clone, Copy)]
pub(super) enum ChangeReader<'a> {
    /// Who runs the installation.
    Operator,
    /// Partners that see it.
    Partners(&'a [PartnerId]),
}

impl ChangeReader<'_> {
    /// Whether it is told which user or key that was: who works for the other side of a row is not its business.
    fn knows(self, author: Author) -> bool {
        match self {
            Self::Operator => true,
            Self::Partners(partners) => author.partner().is_some_and(|partner| partners.contains(&partner)),
        }
    }
}

/// A change.
#[derive(Serialize, ToSchema)]
#[schema(as = Change)]
pub(super) struct ChangeBody<'a> {
    /// The id of the change: the same for all who see it.
    #[schema(value_type = String, example = "chg_1200-3")]
    id: ChangeRef,
    /// From where one reads on who has seen it: `after` of the feed, and of a replay of a webhook.
    #[schema(example = "1200-4")]
    cursor: String,
    /// What happened. Others than those that you know may come: ignore them.
    #[serde(rename = "type")]
    #[schema(example = "order.paid")]
    kind: &'static str,
    /// When it happened; missing where the feed does not have it any more.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    timestamp: Option<TimeV2>,
    /// What has changed.
    resource: ChangedResource,
    /// The event that the resource hangs on; missing if it hangs on none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    event: Option<EventRef>,
    /// Who has changed it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    actor: Option<ActorBody>,
    /// What is said of it, by name: a value, `{"from": …, "to": …}`, or `{"changed": true}` where the value is not told.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Object, nullable = false, example = json!({"status": {"from": "executed", "to": "done"}}))]
    facts: Option<FactsBody<'a>>,
    /// The resource as it is now, in its form of version 2; missing if that is not wanted, if there is none, and where
    /// it is too long.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Object, nullable = false)]
    data: Option<Value>,
}

/// What has changed.
#[derive(Serialize, ToSchema)]
struct ChangedResource {
    /// Of which kind it is.
    #[serde(rename = "type")]
    #[schema(example = "order")]
    kind: &'static str,
    #[schema(schema_with = resource_schema)]
    id: ResourceId,
    /// Which of its changes this is, from 1 on: a reader drops what is older than what it has.
    version: i64,
}

/// Who has changed it.
#[derive(Serialize, ToSchema)]
#[schema(as = ChangeActor)]
struct ActorBody {
    /// `user`, `api_key`, `customer`, `anonymous`, `operator` or `system`.
    #[serde(rename = "type")]
    #[schema(example = "api_key")]
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(schema_with = actor_schema, required = false)]
    id: Option<ResourceId>,
    /// The partner for which it was done; missing if that was none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    partner: Option<PartnerRef>,
}

fn resource_schema() -> RefOr<Schema> {
    schema::id().description(Some("Its id.")).into()
}

fn actor_schema() -> RefOr<Schema> {
    schema::id().description(Some("The user, or the key, of the reader's own partner; missing for others.")).into()
}

impl ActorBody {
    fn new(author: Author, reader: ChangeReader<'_>) -> Self {
        let id = |tag, key| Some(ResourceId::with_tag(tag, key));
        let (kind, id) = match author {
            Author::Anonymous => ("anonymous", None),
            Author::User(user) | Author::Manager { user, .. } => ("user", id(user.tag(), user.key())),
            Author::ApiKey { key, .. } => ("api_key", key.and_then(|key| id(key.tag(), key.key()))),
            Author::Customer => ("customer", None),
            Author::Operator => ("operator", None),
            Author::System => ("system", None),
        };
        Self { kind, id: id.filter(|_| reader.knows(author)), partner: author.partner().map(IdRef) }
    }
}

impl<'a> ChangeBody<'a> {
    /// A change of the feed.
    pub(super) fn of(found: &'a FeedChange, reader: ChangeReader<'_>) -> Self {
        let position = FeedCursor { place: found.batch.place, index: found.index };
        let Change { subject, version, kind, .. } = *found.change();
        Self::new(&WebhookMessage { position, subject, version, kind }, Some(found), reader)
    }

    /// Of what is known of a change: all, while the feed has it.
    pub(super) fn new(message: &WebhookMessage, found: Option<&'a FeedChange>, reader: ChangeReader<'_>) -> Self {
        let FeedCursor { place, index } = message.position;
        let change = found.map(FeedChange::change);
        Self {
            id: ChangeRef(message.position),
            cursor: found.map_or(FeedCursor { place, index: index + 1 }, FeedChange::cursor).to_string(),
            kind: message.kind.name(),
            timestamp: found.map(|found| TimeV2(found.batch.committed_at)),
            resource: ChangedResource::new(message.subject, message.version),
            event: change.and_then(|change| change.event).map(IdRef),
            actor: change.map(|change| ActorBody::new(change.attribution.author, reader)),
            facts: change.map(|change: &Change| FactsBody(&change.facts)),
            data: None,
        }
    }

    /// The same with the resource as it is now.
    pub(super) fn with_data(self, data: Option<Value>) -> Self {
        Self { data, ..self }
    }

    /// As JSON of at most so many bytes: one that would be longer leaves the resource out, whose id says where it is.
    pub(super) fn into_json(mut self, bytes_max: usize) -> Result<String, Failure> {
        let json = json_of(&self)?;
        if json.len() > bytes_max && self.data.take().is_some() { json_of(&self) } else { Ok(json) }
    }
}

pub(super) fn json_of(body: &impl Serialize) -> Result<String, Failure> {
    serde_json::to_string(body).map_err(|error| Failure::internal(&error.to_string()))
}

impl ChangedResource {
    fn new(subject: Subject, version: i64) -> Self {
        Self { kind: subject.type_name(), id: subject.id(), version }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_id_of_a_change_says_where_it_is() {
        let id = ChangeRef(FeedCursor { place: 1200, index: 3 });
        assert_eq!((id.to_string().as_str(), "chg_1200-3".parse()), ("chg_1200-3", Ok(id)));
        for text in ["", "chg_", "1200-3", "chg_1200", "chg_1200-3-4", "CHG_1200-3"] {
            assert_eq!(text.parse::<ChangeRef>(), Err(MalformedChangeRef), "{text}");
        }
    }
}

//! The history of a resource as v2 shows it.

use kassa_domain::change::{AddressClass, ChangeType, FeedCursor};
use kassa_engine::history::{HistoryChange, HistoryPage, HistoryRest};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa::openapi::schema::Type;
use utoipa::openapi::{ObjectBuilder, RefOr, Schema};

use super::super::changes::{ChangeRef, FactsBody};
use super::actors::{ActorBody, KnownActors};
use crate::openapi::schema;
use crate::wire::{EmptyBody, TimeV2};

/// What happened to a resource.
#[derive(Serialize, ToSchema)]
#[schema(as = HistoryAnswer)]
pub(super) struct HistoryResponse<'a> {
    /// The changes of this page, the newest first.
    data: Vec<HistoryChangeBody<'a>>,
    /// Always empty.
    refs: EmptyBody,
    /// Where the next page begins.
    pagination: HistoryPagination,
    /// How often the resource was changed in all.
    total_count: u64,
}

impl<'a> HistoryResponse<'a> {
    pub(super) fn new(page: &'a HistoryPage, known: &'a KnownActors, limit: u32, total_count: u64) -> Self {
        Self {
            data: page.changes.iter().map(|change| HistoryChangeBody::new(change, known)).collect(),
            refs: EmptyBody {},
            pagination: HistoryPagination::new(limit, page.rest),
            total_count,
        }
    }
}

/// Where a history goes on, or ends.
#[derive(Serialize, ToSchema)]
#[schema(as = HistoryPagination)]
struct HistoryPagination {
    /// How many changes a page has at most.
    #[schema(example = 50)]
    limit: u32,
    /// The `cursor` of the next page; `null` on the last one.
    #[schema(example = "4-0.12.3071")]
    next: Option<String>,
    /// On the last page, how many older changes there were that are not kept any more: 0 if the list goes back to the
    /// beginning. `null` on other pages.
    #[schema(example = json!(null))]
    forgotten: Option<i64>,
}

impl HistoryPagination {
    fn new(limit: u32, rest: HistoryRest) -> Self {
        match rest {
            HistoryRest::From(cursor) => Self { limit, next: Some(cursor.to_string()), forgotten: None },
            HistoryRest::Forgotten(count) => Self { limit, next: None, forgotten: Some(count) },
        }
    }
}

/// A change of the resource.
#[derive(Serialize, ToSchema)]
#[schema(as = HistoryChange)]
struct HistoryChangeBody<'a> {
    /// The id of the change in the feed; `null` for the moment until it has its place there.
    #[schema(value_type = Option<String>, example = "chg_1200-3")]
    id: Option<ChangeRef>,
    /// Which change of the resource it is, from 1.
    version: i64,
    /// What happened.
    #[serde(rename = "type")]
    #[schema(schema_with = type_schema)]
    kind: &'static str,
    /// When it happened.
    timestamp: TimeV2,
    /// Who did it.
    actor: ActorBody<'a>,
    /// From where.
    origin: OriginBody,
    /// What it was about, by name: what it is now, `{"from": …, "to": …}` where it was something else before, or
    /// `{"changed": true}` where the values are not told.
    #[schema(schema_with = facts_schema)]
    facts: FactsBody<'a>,
}

impl<'a> HistoryChangeBody<'a> {
    fn new(told: &'a HistoryChange, known: &'a KnownActors) -> Self {
        let change = told.change();
        let position = told.batch.place.map(|place| FeedCursor { place, index: told.index });
        Self {
            id: position.map(ChangeRef),
            version: change.version,
            kind: change.kind.name(),
            timestamp: TimeV2(told.batch.committed_at),
            actor: known.actor_of(change),
            origin: OriginBody { node: told.batch.id.node, address: known.address_of(change).map(AddressClass::name) },
            facts: FactsBody(&change.facts),
        }
    }
}

/// From where a change was made.
#[derive(Serialize, ToSchema)]
#[schema(as = HistoryOrigin)]
struct OriginBody {
    /// The writer that decided it: the number of a lane of a server.
    #[schema(example = 0)]
    node: u16,
    #[schema(schema_with = address_schema)]
    address: Option<&'static str>,
}

fn type_schema() -> RefOr<Schema> {
    schema::words(ChangeType::ALL.iter().map(|kind| kind.name())).description(Some("What happened.")).into()
}

fn address_schema() -> RefOr<Schema> {
    let about = "What kind of address the request came from: of the same machine, of a private network, or of the \
        internet. `null` if there was no request, and if it is not yours to know.";
    schema::nullable(schema::words(["loopback", "private", "public"]).description(Some(about)).into())
}

fn facts_schema() -> RefOr<Schema> {
    let about = "What it was about, by name: what it is now, `{\"from\": …, \"to\": …}` where it was something else \
        before, or `{\"changed\": true}` where the values are not told.";
    ObjectBuilder::new().schema_type(Type::Object).description(Some(about)).into()
}

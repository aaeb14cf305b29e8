//! Deals.

use kassa_domain::Id;
use kassa_domain::deal::{Deal, DealStatus};

use super::system::{read_tag, read_time};
use super::table;
use crate::cell::json_cell;
use crate::error::StoreError;

table! { Deal, "deals", |row, source| {
    Key Int "id": key = source.int()?, row.id.key();
    Tag Int "tag": tag = read_tag(source)?, row.id.tag().to_i64();
    Immutable Int "event": event = Id::root(source.int()?), row.event.key();
    Immutable Int "agent": agent = Id::root(source.int()?), row.agent.key();
    Immutable Int "organizer": organizer = Id::root(source.int()?), row.organizer.key();
    Mutable Text "status": status = read_deal_status(&source.text()?)?, row.status.name();
    Immutable Int "proposed_by_agent": proposed_by_agent = source.flag()?, row.proposed_by_agent;
    Immutable Text "message": message = source.text()?, row.message.as_str();
    Immutable Json "terms": terms = source.json()?, json_cell(&row.terms);
    Immutable Int "created_at": created_at = read_time(source)?, row.created_at.ms();
    Mutable Int "updated_at": updated_at = read_time(source)?, row.updated_at.ms();
    Mutable Int "revision": revision = source.int()?, row.revision;
} => Deal {
    id: Id::with_tag(tag, key),
    event,
    agent,
    organizer,
    status,
    proposed_by_agent,
    message,
    terms,
    created_at,
    updated_at,
    revision,
} }

fn read_deal_status(text: &str) -> Result<DealStatus, StoreError> {
    let status = DealStatus::ALL.into_iter().find(|status| status.name() == text);
    status.ok_or_else(|| StoreError::Corrupt(format!("deal status {text}")))
}

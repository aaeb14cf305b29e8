//! Deals.

use kassa_domain::change::Revision;
use kassa_domain::deal::{Deal, DealId, DealStatus, EffectiveDealStatus};
use kassa_domain::event::EventId;
use kassa_domain::partner::PartnerId;
use kassa_domain::view::Condition;
use kassa_domain::{Id, ShardTag, Timestamp};

use crate::cell::{Cell, json_cell};
use crate::error::StoreError;
use crate::lists::{Comparison, Conditions, Filter, NEWEST_FIRST, Predicate, SortKey, Visibility};
#[cfg(feature = "test-drivers")]
use crate::memory_tables::MemoryTables;
use crate::rows::{batch_id_cell, read_batch_id, read_tag, read_time, table};

table! { Deal, "deals", |row, source| {
    Key Int "id": key = source.int()?, row.id.key();
    Tag Int "tag": tag = read_tag(source)?, row.id.tag().to_i64();
    Immutable Int "event": event = Id::root(source.int()?), row.event.key();
    Immutable Int "agent": agent = Id::root(source.int()?), row.agent.key();
    Immutable Int "organizer": organizer = Id::root(source.int()?), row.organizer.key();
    Mutable Text "status": status = read_deal_status(&source.text()?)?, row.status.name();
    Immutable Int "proposed_by_agent": proposed_by_agent = source.flag()?, row.proposed_by_agent;
    Mutable Int "ended_by_organizer": ended_by_organizer = source.flag()?, row.ended_by_organizer;
    Immutable Text "message": message = source.text()?, row.message.as_str();
    Immutable Json "terms": terms = source.json()?, json_cell(&row.terms);
    Immutable Int "created_at": created_at = read_time(source)?, row.created_at.ms();
    Mutable Int "updated_at": updated_at = read_time(source)?, row.updated_at.ms();
    Mutable Int "revision": revision = source.int()?, row.revision.number();
    Mutable Blob "changed_in": changed_in = read_batch_id(source)?, batch_id_cell(row.revision.changed_in());
} => Deal {
    id: Id::with_tag(tag, key),
    event,
    agent,
    organizer,
    status,
    proposed_by_agent,
    ended_by_organizer,
    message,
    terms,
    created_at,
    updated_at,
    revision: Revision::stored(revision, changed_in),
} }

fn read_deal_status(text: &str) -> Result<DealStatus, StoreError> {
    let status = DealStatus::ALL.into_iter().find(|status| status.name() == text);
    status.ok_or_else(|| StoreError::Corrupt(format!("deal status {text}")))
}

/// Deals of the partners that the caller acts for, newest first.
#[derive(Clone, Debug)]
pub struct DealsFilter {
    /// The caller's partners: one of them is a side.
    pub caller_partners: Vec<PartnerId>,
    /// Only with this partner as a side.
    pub partner: Option<PartnerId>,
    /// Only for this event.
    pub event: Option<EventId>,
    /// Only these.
    pub ids: Option<Vec<DealId>>,
    /// Only in one of these states, as they are at `now`.
    pub status: Option<Vec<EffectiveDealStatus>>,
    /// The time of the request.
    pub now: Timestamp,
    /// Whether the oldest come first.
    pub oldest_first: bool,
}

/// As `permission::sees_deal` says.
impl Filter for DealsFilter {
    type Row = Deal;

    fn order(&self) -> &'static [SortKey] {
        if self.oldest_first { &[SortKey::Ascending("id")] } else { NEWEST_FIRST }
    }

    fn visibility(&self) -> Option<Visibility> {
        Some(Visibility::either_side(["organizer", "agent"], &self.caller_partners))
    }

    fn shard_tag(&self) -> Option<ShardTag> {
        self.event.map(Id::tag)
    }

    fn conditions(&self, conditions: &mut Conditions) {
        conditions.extend(self.partner.map(|partner| {
            Predicate::AnyOf(["agent", "organizer"].map(|side| vec![Predicate::names(side, partner)]).into())
        }));
        conditions.extend(self.event.map(|event| Predicate::names("event", event)));
        conditions.extend(self.ids.as_deref().map(|ids| Predicate::one_of_tagged("id", ids)));
        conditions.extend(self.status.as_deref().map(|list| has_status(list, self.now)));
    }

    #[cfg(feature = "test-drivers")]
    fn matches(&self, deal: &Deal, tables: &MemoryTables) -> bool {
        let stored = EffectiveDealStatus::Stored(deal.status);
        let shown = tables.events.get(deal.event).map_or(stored, |event| deal.effective_status(event, self.now));
        self.status.as_ref().is_none_or(|list| list.contains(&shown))
    }
}

/// The accepted deals under which an agent sells, the oldest first.
#[derive(Clone, Copy, Debug)]
pub struct AcceptedDeals {
    /// The agent.
    pub agent: PartnerId,
    /// Only those behind a deal with this key.
    pub after_key: i64,
}

impl Filter for AcceptedDeals {
    type Row = Deal;

    fn order(&self) -> &'static [SortKey] {
        &[SortKey::Ascending("id")]
    }

    fn conditions(&self, conditions: &mut Conditions) {
        conditions.add(Predicate::names("agent", self.agent));
        conditions.add(Predicate::compare("id", Comparison::Above, self.after_key));
        conditions.add(Condition::ACCEPTED);
    }
}

/// A deal has one of these states at `now`, as `Deal::effective_status` says.
fn has_status(list: &[EffectiveDealStatus], now: Timestamp) -> Predicate {
    let over = "EXISTS (SELECT 1 FROM events WHERE events.id = deals.event AND events.ends_at <= ?)";
    let in_force = format!("status = 'accepted' AND NOT {over}");
    let finished = format!("status = 'accepted' AND {over}");
    let mut any = vec!["1 = 0"];
    let mut args: Vec<Cell<'static>> = Vec::new();
    for status in list {
        let (condition, arg) = match status {
            EffectiveDealStatus::Stored(DealStatus::Accepted) => (in_force.as_str(), now.ms().into()),
            EffectiveDealStatus::Finished => (finished.as_str(), now.ms().into()),
            EffectiveDealStatus::Stored(status) => ("status = ?", status.name().into()),
        };
        any.push(condition);
        args.push(arg);
    }
    Predicate::sql(any.join(" OR "), args)
}

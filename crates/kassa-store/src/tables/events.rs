//! Events.

use kassa_domain::change::Revision;
use kassa_domain::event::{EffectiveEventStatus, Event, EventId, EventStatus};
use kassa_domain::partner::PartnerId;
use kassa_domain::view::Condition;
use kassa_domain::{Id, Timestamp, Window};

use super::partners::IS_ORGANIZER_ACTIVE;
use crate::cell::{Cell, json_cell};
use crate::error::StoreError;
use crate::lists::{Conditions, Filter, Predicate, root_keys};
#[cfg(feature = "test-drivers")]
use crate::memory_tables::MemoryTables;
use crate::rows::{batch_id_cell, read_batch_id, read_time, read_time_or_null, table};
use crate::tables::partners::media_token;

fn event_status_text(status: EventStatus) -> &'static str {
    match status {
        EventStatus::StandBy => "stand_by",
        EventStatus::Public => "public",
        EventStatus::Canceled => "canceled",
    }
}

/// Labels as they are searched: each between two line breaks, which none of them has.
pub(super) fn searchable_labels<T: AsRef<str>>(tags: impl IntoIterator<Item = T>) -> String {
    tags.into_iter().fold("\n".to_owned(), |list, tag| list + tag.as_ref() + "\n")
}

table! { Event, "events", |row, source| {
    Key Int "id": id = Id::root(source.int()?), row.id.key();
    Immutable Int "organizer": organizer = Id::root(source.int()?), row.organizer.key();
    Mutable Text "status": status = read_event_status(&source.text()?)?, event_status_text(row.status);
    Mutable Int "starts_at": start = read_time_or_null(source)?, row.lifetime.map(|lifetime| lifetime.start.ms());
    Mutable Int "ends_at": finish = read_time_or_null(source)?, row.ends_at().map(Timestamp::ms);
    Mutable Int "venue": venue = source.int_or_null()?.map(Id::root), row.venue.map(Id::key);
    Mutable Int "map": hall_map = source.int_or_null()?.map(Id::root), row.hall_map.map(Id::key);
    Mutable Int "removed": removed = source.flag()?, row.removed;
    Mutable Int "withdrawn": withdrawn = source.flag()?, row.withdrawn;
    Mutable Json "about": details = source.json()?, json_cell(&row.details);
    Mutable Text "tag_list": _tag_list = source.text()?, searchable_labels(&row.details.tags);
    Mutable Int "tickets_limit": tickets_limit = source.int_as()?, i64::from(row.tickets_limit);
    Mutable Int "hold_minutes": hold_minutes = source.int_as()?, i64::from(row.hold_minutes);
    Mutable Int "next_ticket": next_ticket_number = source.int()?, row.next_ticket_number;
    Immutable Int "created_at": created_at = read_time(source)?, row.created_at.ms();
    Mutable Int "updated_at": updated_at = read_time(source)?, row.updated_at.ms();
    Mutable Int "revision": revision = source.int()?, row.revision.number();
    Mutable Blob "changed_in": changed_in = read_batch_id(source)?, batch_id_cell(row.revision.changed_in());
    Mutable Text "cover": _cover = source.text_or_null()?, media_token(row.details.media.main.as_ref());
    Mutable Text "cover_small": _cover_small = source.text_or_null()?, media_token(row.details.media.small.as_ref());
    Mutable Text "cover_original": _cover_original = source.text_or_null()?, media_token(row.details.media.original.as_ref());
} => Event {
    id,
    organizer,
    status,
    lifetime: start.map(|start| Window { start, finish }),
    venue,
    hall_map,
    removed,
    withdrawn,
    details,
    tickets_limit,
    hold_minutes,
    next_ticket_number,
    created_at,
    updated_at,
    revision: Revision::stored(revision, changed_in),
} }

fn read_event_status(text: &str) -> Result<EventStatus, StoreError> {
    match text {
        "stand_by" => Ok(EventStatus::StandBy),
        "public" => Ok(EventStatus::Public),
        "canceled" => Ok(EventStatus::Canceled),
        other => Err(StoreError::Corrupt(format!("event status {other}"))),
    }
}

/// Events that a caller may see, newest first.
#[derive(Clone, Debug)]
pub struct EventsFilter {
    /// The partners that the caller acts for: it sees all of their events, those that they sell
    /// under an accepted deal, and public ones of others.
    pub caller_partners: Vec<PartnerId>,
    /// Only of this organizer.
    pub org: Option<PartnerId>,
    /// Only these.
    pub ids: Option<Vec<EventId>>,
    /// Only in one of these states, as they are at `now`.
    pub status: Option<Vec<EventStatusFilter>>,
    /// Whether removed ones are shown, too, where the caller may see them.
    pub include_removed: bool,
    /// The time of the request.
    pub now: Timestamp,
}

/// A status that a list of events can be filtered by.
pub type EventStatusFilter = EffectiveEventStatus;

/// As `permission::sees_event` says.
impl Filter for EventsFilter {
    type Row = Event;

    fn conditions(&self, conditions: &mut Conditions) {
        let is_public = format!("status = 'public' AND removed = 0 AND {IS_ORGANIZER_ACTIVE}");
        if self.caller_partners.is_empty() {
            conditions.add(Predicate::sql(is_public, []));
        } else {
            let marks = vec!["?"; self.caller_partners.len()].join(", ");
            let is_dealt = format!("id IN (SELECT event FROM deals WHERE agent IN ({marks}) AND status = 'accepted')");
            let args = root_keys(&self.caller_partners).chain(root_keys(&self.caller_partners));
            conditions.add(Predicate::sql(format!("({is_public}) OR organizer IN ({marks}) OR {is_dealt}"), args));
        }
        conditions.extend(self.org.map(|org| Predicate::names("organizer", org)));
        conditions.extend(self.ids.as_deref().map(|ids| Predicate::names_one_of("id", ids)));
        conditions.extend((!self.include_removed).then(|| Condition::NOT_REMOVED.into()));
        conditions.extend(self.status.as_deref().map(|wanted| has_status(wanted, self.now)));
    }

    #[cfg(feature = "test-drivers")]
    fn matches(&self, event: &Event, tables: &MemoryTables) -> bool {
        let is_public = event.is_public() && is_organizer_active(event, tables);
        (is_public || self.caller_partners.contains(&event.organizer) || is_dealt(event, &self.caller_partners, tables))
            && self.status.as_ref().is_none_or(|wanted| wanted.contains(&event.effective_status(self.now)))
    }
}

/// The organizer of an event may act.
#[cfg(feature = "test-drivers")]
pub(super) fn is_organizer_active(event: &Event, tables: &MemoryTables) -> bool {
    tables.partners.get(event.organizer).is_some_and(|organizer| organizer.inactivity().is_none())
}

/// One of these partners sells an event under an accepted deal.
#[cfg(feature = "test-drivers")]
pub(super) fn is_dealt(event: &Event, agents: &[PartnerId], tables: &MemoryTables) -> bool {
    tables.deals.rows().any(|deal| deal.event == event.id && deal.is_accepted() && agents.contains(&deal.agent))
}

/// An event has one of these states at `now`, as `Event::effective_status` says.
pub(super) fn has_status(wanted: &[EffectiveEventStatus], now: Timestamp) -> Predicate {
    let mut any = vec!["1 = 0"];
    let mut args: Vec<Cell<'static>> = Vec::new();
    for status in wanted {
        any.push(match status {
            EffectiveEventStatus::StandBy => "status = 'stand_by' AND (ends_at IS NULL OR ends_at > ?)",
            EffectiveEventStatus::Public => "status = 'public' AND (ends_at IS NULL OR ends_at > ?)",
            EffectiveEventStatus::Finished => "status <> 'canceled' AND ends_at <= ?",
            EffectiveEventStatus::Canceled => "status = 'canceled'",
        });
        if *status != EffectiveEventStatus::Canceled {
            args.push(now.ms().into());
        }
    }
    Predicate::sql(any.join(" OR "), args)
}

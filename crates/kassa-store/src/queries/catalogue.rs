//! Events.

use std::cmp::Ordering;

use kassa_domain::Timestamp;
use kassa_domain::deal::Deal;
use kassa_domain::event::{Event, EventId, EventStatus, ShownStatus};
use kassa_domain::partner::PartnerId;

use super::partners::{ids, root_key};
use super::{Conditions, Filter, newest_first};
use crate::cell::Cell;
use crate::memory::Tables;

/// Events that a caller may see, newest first.
#[derive(Clone, Debug)]
pub struct EventsFilter {
    /// The partners that the caller acts for: it sees all of their events, those that they sell
    /// under an accepted deal, and public ones of others.
    pub own: Vec<PartnerId>,
    /// Only of this organizer.
    pub org: Option<PartnerId>,
    /// Only these.
    pub ids: Option<Vec<EventId>>,
    /// Only in one of these states, as they are at `now`.
    pub status: Option<Vec<EventStatusFilter>>,
    /// Whether removed ones are shown, too, where the caller may see them.
    pub removed: bool,
    /// The time of the request.
    pub now: Timestamp,
}

/// A status that a list of events can be filtered by.
pub type EventStatusFilter = ShownStatus;

impl Filter for EventsFilter {
    type Row = Event;
    const ORDER: &'static str = "id DESC";

    fn conditions(&self, sql: &mut Conditions) {
        let public = "status = 'public' AND removed = 0";
        if self.own.is_empty() {
            sql.add(public, []);
        } else {
            let marks = vec!["?"; self.own.len()].join(", ");
            let dealt = format!("id IN (SELECT event FROM deals WHERE subj IN ({marks}) AND status = 'accepted')");
            let args = ids(&self.own).chain(ids(&self.own));
            sql.add(&format!("({public}) OR org IN ({marks}) OR {dealt}"), args);
        }
        if let Some(org) = self.org {
            sql.add("org = ?", [root_key(org).into()]);
        }
        if let Some(list) = &self.ids {
            sql.one_of("id", ids(list));
        }
        if !self.removed {
            sql.add("removed = 0", []);
        }
        if let Some(wanted) = &self.status {
            one_of_statuses(wanted, self.now, sql);
        }
    }

    fn passes(&self, event: &Event, tables: &Tables) -> bool {
        let public = event.status == EventStatus::Public && !event.removed;
        let dealt = |deal: &Deal| deal.event == event.id && deal.is_accepted() && self.own.contains(&deal.subj);
        (public || self.own.contains(&event.org) || tables.deals.rows().any(dealt))
            && self.org.is_none_or(|org| org == event.org)
            && self.ids.as_ref().is_none_or(|ids| ids.contains(&event.id))
            && (self.removed || !event.removed)
            && self.status.as_ref().is_none_or(|wanted| wanted.contains(&event.shown_status(self.now)))
    }

    fn compare(&self, one: &Event, other: &Event) -> Ordering {
        newest_first(&one.id, &other.id)
    }
}

/// Adds that an event is in one of these states at `now`.
pub(super) fn one_of_statuses(wanted: &[ShownStatus], now: Timestamp, sql: &mut Conditions) {
    let mut any = vec!["1 = 0"];
    let mut args: Vec<Cell<'static>> = Vec::new();
    for status in wanted {
        any.push(match status {
            ShownStatus::StandBy => "status = 'stand_by' AND (ends_at IS NULL OR ends_at > ?)",
            ShownStatus::Public => "status = 'public' AND (ends_at IS NULL OR ends_at > ?)",
            ShownStatus::Finished => "status <> 'canceled' AND ends_at <= ?",
            ShownStatus::Canceled => "status = 'canceled'",
        });
        if *status != ShownStatus::Canceled {
            args.push(now.ms().into());
        }
    }
    sql.add(&any.join(" OR "), args);
}

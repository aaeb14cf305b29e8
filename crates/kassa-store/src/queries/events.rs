//! Events.

use kassa_domain::Timestamp;
use kassa_domain::event::{EffectiveEventStatus, Event, EventId};
use kassa_domain::partner::PartnerId;

use super::partners::{root_key, root_keys};
use super::{Conditions, Filter};
use crate::cell::Cell;

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

impl Filter for EventsFilter {
    type Row = Event;
    const ORDER: &'static str = "id DESC";

    fn conditions(&self, sql: &mut Conditions) {
        let public = "status = 'public' AND removed = 0";
        if self.caller_partners.is_empty() {
            sql.add(public, []);
        } else {
            let marks = vec!["?"; self.caller_partners.len()].join(", ");
            let dealt = format!("id IN (SELECT event FROM deals WHERE agent IN ({marks}) AND status = 'accepted')");
            let args = root_keys(&self.caller_partners).chain(root_keys(&self.caller_partners));
            sql.add(&format!("({public}) OR organizer IN ({marks}) OR {dealt}"), args);
        }
        if let Some(org) = self.org {
            sql.add("organizer = ?", [root_key(org).into()]);
        }
        if let Some(list) = &self.ids {
            sql.one_of("id", root_keys(list));
        }
        if !self.include_removed {
            sql.add("removed = 0", []);
        }
        if let Some(wanted) = &self.status {
            add_status_condition(wanted, self.now, sql);
        }
    }
}

/// Adds that an event is in one of these states at `now`.
pub(super) fn add_status_condition(wanted: &[EffectiveEventStatus], now: Timestamp, sql: &mut Conditions) {
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
    sql.add(&any.join(" OR "), args);
}

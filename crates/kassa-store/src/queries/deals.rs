//! Deals.

use kassa_domain::Timestamp;
use kassa_domain::deal::{Deal, DealId, DealStatus, EffectiveDealStatus};
use kassa_domain::event::EventId;
use kassa_domain::partner::PartnerId;

use super::partners::{add_either_side, root_key, two_sided_branches};
use super::{Conditions, Filter, VisibilityBranch};
use crate::cell::Cell;

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
}

impl Filter for DealsFilter {
    type Row = Deal;
    const ORDER: &'static str = "id DESC";

    fn add_visibility(&self, sql: &mut Conditions) {
        add_either_side("organizer", "agent", &self.caller_partners, sql);
    }

    fn visibility_branches(&self) -> Vec<VisibilityBranch> {
        two_sided_branches("organizer", "agent", &self.caller_partners)
    }

    fn conditions(&self, sql: &mut Conditions) {
        if let Some(partner) = self.partner {
            sql.add("agent = ? OR organizer = ?", [root_key(partner).into(), root_key(partner).into()]);
        }
        if let Some(event) = self.event {
            sql.add("event = ?", [root_key(event).into()]);
        }
        if let Some(list) = &self.ids {
            sql.one_of_ids(list);
        }
        if let Some(list) = &self.status {
            let over = "EXISTS (SELECT 1 FROM events \
                WHERE events.id = deals.event AND events.ends_at <= ?)";
            let in_force = format!("status = 'accepted' AND NOT {over}");
            let finished = format!("status = 'accepted' AND {over}");
            let mut any = vec!["1 = 0"];
            let mut args: Vec<Cell<'static>> = Vec::new();
            for status in list {
                let (condition, arg) = match status {
                    EffectiveDealStatus::Stored(DealStatus::Accepted) => (in_force.as_str(), self.now.ms().into()),
                    EffectiveDealStatus::Finished => (finished.as_str(), self.now.ms().into()),
                    EffectiveDealStatus::Stored(status) => ("status = ?", status.name().into()),
                };
                any.push(condition);
                args.push(arg);
            }
            sql.add(&any.join(" OR "), args);
        }
    }
}

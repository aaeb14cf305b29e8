//! Deals.

use std::cmp::Ordering;

use kassa_domain::deal::{Deal, DealId, DealStatus};
use kassa_domain::event::EventId;
use kassa_domain::partner::PartnerId;

use super::partners::{ids, root_key};
use super::{Conditions, Filter, newest_first};
use crate::memory::Tables;

/// Deals of the partners that the caller acts for, newest first.
#[derive(Clone, Debug)]
pub struct DealsFilter {
    /// The caller's partners: one of them is a side.
    pub own: Vec<PartnerId>,
    /// Only with this partner as a side.
    pub partner: Option<PartnerId>,
    /// Only for this event.
    pub event: Option<EventId>,
    /// Only these.
    pub ids: Option<Vec<DealId>>,
    /// Only in one of these states.
    pub status: Option<Vec<DealStatus>>,
}

impl Filter for DealsFilter {
    type Row = Deal;
    const ORDER: &'static str = "id DESC";

    fn conditions(&self, sql: &mut Conditions) {
        if self.own.is_empty() {
            sql.add("1 = 0", []);
        } else {
            let marks = vec!["?"; self.own.len()].join(", ");
            sql.add(&format!("subj IN ({marks}) OR obj IN ({marks})"), ids(&self.own).chain(ids(&self.own)));
        }
        if let Some(partner) = self.partner {
            sql.add("subj = ? OR obj = ?", [root_key(partner).into(), root_key(partner).into()]);
        }
        if let Some(event) = self.event {
            sql.add("event = ?", [root_key(event).into()]);
        }
        if let Some(list) = &self.ids {
            sql.one_of_ids(list);
        }
        if let Some(list) = &self.status {
            sql.one_of("status", list.iter().map(|status| status.name().into()));
        }
    }

    fn passes(&self, deal: &Deal, _: &Tables) -> bool {
        let side = |partner: &PartnerId| deal.subj == *partner || deal.obj == *partner;
        self.own.iter().any(side)
            && self.partner.as_ref().is_none_or(side)
            && self.event.is_none_or(|event| event == deal.event)
            && self.ids.as_ref().is_none_or(|ids| ids.contains(&deal.id))
            && self.status.as_ref().is_none_or(|list| list.contains(&deal.status))
    }

    fn compare(&self, one: &Deal, other: &Deal) -> Ordering {
        newest_first(&one.id, &other.id)
    }
}

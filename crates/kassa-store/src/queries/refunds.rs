//! Refund requests.

use kassa_domain::Timestamp;
use kassa_domain::event::EventId;
use kassa_domain::order::OrderId;
use kassa_domain::partner::PartnerId;
use kassa_domain::refund::{RefundId, RefundRequest, RefundStatusKind};

use super::partners::{add_either_side, root_key, root_keys, two_sided_branches};
use super::{Conditions, Filter, VisibilityBranch};
use crate::cell::Cell;

/// How a list of refund requests is sorted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RefundsOrder {
    /// The newest first.
    #[default]
    Newest,
    /// The oldest first.
    Oldest,
    /// By what is given back; of equal ones the newest first.
    Value {
        /// From the largest down.
        descending: bool,
    },
}

/// Refund requests that a caller may see.
#[derive(Clone, Debug, Default)]
pub struct RefundsFilter {
    /// The partners that the caller acts for: it sees requests for what they sold or organize.
    pub partners: Vec<PartnerId>,
    /// Only these.
    pub ids: Option<Vec<RefundId>>,
    /// Only for these orders.
    pub orders: Option<Vec<OrderId>>,
    /// Only for one of these events.
    pub events: Option<Vec<EventId>>,
    /// Only in one of these states.
    pub status: Option<Vec<RefundStatusKind>>,
    /// Only of this vendor.
    pub vendor: Option<PartnerId>,
    /// Only of this organizer.
    pub org: Option<PartnerId>,
    /// Only made between these moments, both included.
    pub created_at: Option<(Timestamp, Timestamp)>,
    /// Only decided between these moments, both included.
    pub finished_at: Option<(Timestamp, Timestamp)>,
    /// In which order.
    pub order: RefundsOrder,
}

impl Filter for RefundsFilter {
    type Row = RefundRequest;
    const ORDER: &'static str = "id DESC";

    fn order(&self) -> &'static str {
        match self.order {
            RefundsOrder::Newest => Self::ORDER,
            RefundsOrder::Oldest => "id",
            RefundsOrder::Value { descending: false } => "value, id DESC",
            RefundsOrder::Value { descending: true } => "value DESC, id DESC",
        }
    }

    fn add_visibility(&self, sql: &mut Conditions) {
        add_either_side("organizer", "vendor", &self.partners, sql);
    }

    fn visibility_branches(&self) -> Vec<VisibilityBranch> {
        two_sided_branches("organizer", "vendor", &self.partners)
    }

    fn conditions(&self, sql: &mut Conditions) {
        if let Some(list) = &self.ids {
            sql.one_of_ids(list);
        }
        if let Some(list) = &self.orders {
            sql.one_of_tagged("order_id", list);
        }
        if let Some(list) = &self.events {
            sql.one_of("event", root_keys(list));
        }
        if let Some(list) = &self.status {
            sql.one_of("status", list.iter().map(|state| state.name().into()));
        }
        for (column, key) in [("vendor", self.vendor.map(root_key)), ("organizer", self.org.map(root_key))] {
            if let Some(key) = key {
                sql.add(&format!("{column} = ?"), [key.into()]);
            }
        }
        for (column, range) in [("created_at", self.created_at), ("finished_at", self.finished_at)] {
            if let Some((first, last)) = range {
                let args: [Cell<'static>; 2] = [first.ms().into(), last.ms().into()];
                sql.add(&format!("{column} BETWEEN ? AND ?"), args);
            }
        }
    }
}

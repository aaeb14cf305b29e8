//! What passes the filters of queries/refunds.rs, and in which order.

use std::cmp::Ordering;

use kassa_domain::Timestamp;
use kassa_domain::refund::RefundRequest;

use super::newest_first;
use crate::memory_tables::{FilterInMemory, MemoryTables};
use crate::queries::{RefundsFilter, RefundsOrder};

impl FilterInMemory<RefundRequest> for RefundsFilter {
    fn matches(&self, request: &RefundRequest, _: &MemoryTables) -> bool {
        let within = |range: Option<(Timestamp, Timestamp)>, at: Option<Timestamp>| {
            range.is_none_or(|(first, last)| at.is_some_and(|at| (first..=last).contains(&at)))
        };
        (self.partners.contains(&request.organizer) || self.partners.contains(&request.vendor))
            && self.ids.as_ref().is_none_or(|ids| ids.contains(&request.id))
            && self.orders.as_ref().is_none_or(|orders| orders.contains(&request.order))
            && self.events.as_ref().is_none_or(|events| events.contains(&request.event))
            && self.status.as_ref().is_none_or(|states| states.contains(&request.state()))
            && self.vendor.is_none_or(|vendor| vendor == request.vendor)
            && self.org.is_none_or(|org| org == request.organizer)
            && within(self.created_at, Some(request.created_at))
            && within(self.finished_at, request.finished_at())
    }

    fn compare(&self, one: &RefundRequest, other: &RefundRequest) -> Ordering {
        let by_value = || one.amounts().total().cmp(&other.amounts().total());
        let newest = newest_first(&one.id, &other.id);
        match self.order {
            RefundsOrder::Newest => newest,
            RefundsOrder::Oldest => newest.reverse(),
            RefundsOrder::Value { descending: false } => by_value().then(newest),
            RefundsOrder::Value { descending: true } => by_value().reverse().then(newest),
        }
    }
}

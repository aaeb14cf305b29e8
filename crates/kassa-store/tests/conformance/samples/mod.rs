//! Rows to write: of each kind a bare one and one with every field filled.

mod accounts;
mod catalogue;
mod discounts;
mod house;
mod orders;
mod sets;

pub(crate) use accounts::{attachment, full_partner, key, manager, partner, policy, session, user};
pub(crate) use catalogue::{deal, event, full_event, full_map, full_venue, map, venue};
pub(crate) use discounts::{full_promocode, full_promotion, promocode, promotion};
pub(crate) use house::{answer, counter, fact, full_mail, job, mail, node};
pub(crate) use orders::{done, full_order, full_refund, line, order, refund, refund_line, refunded};
pub(crate) use sets::{bench, chair, full_set, one_of_each_state, seated_set, set, ticket};

use kassa_domain::event::EventId;
use kassa_domain::{Id, Timestamp};

pub(crate) fn at(ms: i64) -> Timestamp {
    Timestamp::from_ms(1_767_225_600_000 + ms)
}

/// The id of something on the shard of an event.
pub(crate) fn on<K>(event: EventId, key: i64) -> Id<K> {
    Id::under(event.tag(), key)
}

//! Rows to write: of each kind a bare one and one with every field filled.

mod accounts;
mod catalogue;
mod discounts;
mod orders;
mod sets;
mod system;

pub(crate) use accounts::{api_key, attachment, full_partner, manager, partner, policy, session, user};
pub(crate) use catalogue::{deal, event, full_event, full_hall_map, full_venue, hall_map, venue};
pub(crate) use discounts::{full_promocode, full_promotion, promocode, promotion};
pub(crate) use orders::{full_order, full_refund, line, order, paid_status, refund, refund_line, refunded_status};
pub(crate) use sets::{full_set, one_of_each_state, seat_row_inventory, seated_set, seated_ticket, set, ticket};
pub(crate) use system::{counter, full_mail, idempotency_record, installation_setting, job, mail, node};

use kassa_domain::event::EventId;
use kassa_domain::{Id, Timestamp};

pub(crate) fn at(ms: i64) -> Timestamp {
    Timestamp::from_ms(1_767_225_600_000 + ms)
}

/// The id of something on the shard of an event.
pub(crate) fn id_in_event<K>(event: EventId, key: i64) -> Id<K> {
    Id::with_tag(event.tag(), key)
}

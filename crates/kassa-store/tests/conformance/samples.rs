//! Rows to write: of each kind a bare one and one with every field filled. They are made in `tables/`.

pub(crate) use crate::tables::changes::{audience_entry, change_batch, feed_head, placed_batch, revision};
pub(crate) use crate::tables::deals::deal;
pub(crate) use crate::tables::discounts::{full_promocode, full_promotion, promocode, promotion};
pub(crate) use crate::tables::events::{event, full_event};
pub(crate) use crate::tables::invitations::invitation;
pub(crate) use crate::tables::orders::{full_order, line, line_of, order, paid_status, put_holders};
pub(crate) use crate::tables::partners::{
    api_key, attachment, full_partner, manager, media, partner, policy, suspension,
};
pub(crate) use crate::tables::payments::{full_payment, payment};
pub(crate) use crate::tables::refunds::{full_refund, refund, refund_line, refunded_status};
pub(crate) use crate::tables::sales::{daily_sales, indexed_order};
pub(crate) use crate::tables::sets::{
    full_set, given_a_catalogue, one_of_each_state, seat_of_event, seat_row_inventory, seated_set, seated_ticket, set,
    set_of, sold_ticket, ticket, ticket_keys,
};
pub(crate) use crate::tables::system::{counter, full_mail, idempotency_record, installation_setting, job, mail, node};
pub(crate) use crate::tables::users::{session, user};
pub(crate) use crate::tables::venues::{full_hall_map, full_venue, hall_map, venue};
pub(crate) use crate::tables::webhooks::{webhook, webhook_attempt, webhook_delivery};

use kassa_domain::event::{Event, EventId};
use kassa_domain::user::Email;
use kassa_domain::{Id, Timestamp};

/// The event of most rows, and another.
pub(crate) const HERE: i64 = 1;
pub(crate) const ELSEWHERE: i64 = 2;

pub(crate) fn at(ms: i64) -> Timestamp {
    Timestamp::from_ms(1_767_225_600_000 + ms)
}

/// The id of something on the shard of an event.
pub(crate) fn id_in_event<K>(event: EventId, key: i64) -> Id<K> {
    Id::with_tag(event.tag(), key)
}

pub(crate) fn event_id(key: i64) -> EventId {
    event(key).id
}

/// The event of examples.
pub(crate) fn party() -> Event {
    event(1 << 40)
}

pub(crate) fn confirmed_emails() -> Vec<Email> {
    vec!["ann@example.org".parse().unwrap(), "ann@example.com".parse().unwrap()]
}

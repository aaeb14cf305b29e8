//! Orders.

use kassa_domain::Id;
use kassa_domain::deal::DealId;
use kassa_domain::order::{
    Customer, Order, OrderLine, OrderNotes, OrderOrigin, OrderStatus, Payment, PromotionGrant, RefundTotals,
};
use kassa_domain::price::Terms;
use kassa_domain::promocode::PromocodeId;
use kassa_domain::refund::RefundPolicy;
use kassa_domain::user::Email;
use serde::{Deserialize, Serialize};

use super::system::{read_tag, read_time};
use super::table;
use crate::cell::{RowReader, json_cell};
use crate::error::StoreError;

/// What of an order nothing filters by.
#[derive(Serialize, Deserialize)]
struct OrderBody {
    status: OrderStatus,
    lines: Vec<OrderLine>,
    #[serde(default)]
    promocodes: Vec<PromocodeId>,
    #[serde(default)]
    promotion_grants: Vec<PromotionGrant>,
    #[serde(default)]
    deal: Option<DealId>,
    terms: Terms,
    #[serde(default)]
    refund_policy: RefundPolicy,
    #[serde(default)]
    refunded: RefundTotals,
    #[serde(default)]
    customer: Customer,
    #[serde(default)]
    payment: Payment,
    #[serde(default)]
    origin: OrderOrigin,
    #[serde(default)]
    notes: OrderNotes,
}

/// The same, without a copy.
#[derive(Serialize)]
struct OrderBodyRef<'a> {
    status: &'a OrderStatus,
    lines: &'a [OrderLine],
    #[serde(skip_serializing_if = "<[PromocodeId]>::is_empty")]
    promocodes: &'a [PromocodeId],
    #[serde(skip_serializing_if = "<[PromotionGrant]>::is_empty")]
    promotion_grants: &'a [PromotionGrant],
    #[serde(skip_serializing_if = "Option::is_none")]
    deal: Option<DealId>,
    terms: &'a Terms,
    #[serde(skip_serializing_if = "is_default_refund_policy")]
    refund_policy: &'a RefundPolicy,
    #[serde(skip_serializing_if = "RefundTotals::is_zero")]
    refunded: &'a RefundTotals,
    #[serde(skip_serializing_if = "Customer::is_empty")]
    customer: &'a Customer,
    payment: &'a Payment,
    origin: OrderOrigin,
    #[serde(skip_serializing_if = "OrderNotes::is_empty")]
    notes: &'a OrderNotes,
}

fn is_default_refund_policy(policy: &RefundPolicy) -> bool {
    *policy == RefundPolicy::default()
}

impl<'a> From<&'a Order> for OrderBodyRef<'a> {
    fn from(order: &'a Order) -> Self {
        Self {
            status: &order.status,
            lines: &order.lines,
            promocodes: &order.promocodes,
            promotion_grants: &order.promotion_grants,
            deal: order.deal,
            terms: &order.terms,
            refund_policy: &order.refund_policy,
            refunded: &order.refunded,
            customer: &order.customer,
            payment: &order.payment,
            origin: order.origin,
            notes: &order.notes,
        }
    }
}

table! { Order, "orders", |row, source| {
    Key Int "id": key = source.int()?, row.id.key();
    Tag Int "tag": tag = read_tag(source)?, row.id.tag().to_i64();
    Immutable Int "event": event = Id::root(source.int()?), row.event.key();
    Immutable Int "organizer": organizer = Id::root(source.int()?), row.organizer.key();
    Immutable Int "vendor": vendor = Id::root(source.int()?), row.vendor.key();
    Immutable Int "number": number = source.int()?, row.number;
    Mutable Text "status": state = source.text()?, row.state().name();
    Mutable Int "reserved_till": reserved_till = read_time(source)?, row.reserved_till.ms();
    Mutable Int "user_id": user = source.int_or_null()?.map(Id::root), row.customer.user.map(Id::key);
    Mutable Text "email": email = read_email(key, source)?, row.customer.email.as_ref().map(Email::as_str);
    Mutable Int "value": _value = source.int()?, row.totals().full.minor();
    Mutable Int "retained": _retained = source.int()?, row.refunded.retained().minor();
    Mutable Int "ticket_count": _count = source.int()?, i64::try_from(row.lines.len()).unwrap_or(i64::MAX);
    Mutable Json "body": body = source.json::<OrderBody>()?, json_cell(&OrderBodyRef::from(row));
    Immutable Int "created_at": created_at = read_time(source)?, row.created_at.ms();
    Mutable Int "updated_at": updated_at = read_time(source)?, row.updated_at.ms();
    Mutable Int "revision": revision = source.int()?, row.revision;
} => checked_state(&state, Order {
    id: Id::with_tag(tag, key),
    event,
    organizer,
    vendor,
    number,
    status: body.status,
    reserved_till,
    lines: body.lines,
    promocodes: body.promocodes,
    promotion_grants: body.promotion_grants,
    deal: body.deal,
    terms: body.terms,
    refund_policy: body.refund_policy,
    refunded: body.refunded,
    customer: Customer { user, email, ..body.customer },
    payment: body.payment,
    origin: body.origin,
    notes: body.notes,
    created_at,
    updated_at,
    revision,
})? }

/// An order, whose state must be that of the column.
fn checked_state(state: &str, order: Order) -> Result<Order, StoreError> {
    let found = order.state();
    if found.name() == state {
        return Ok(order);
    }
    Err(StoreError::Corrupt(format!("order {} is {state} in one place and {found} in another", order.id)))
}

fn read_email(key: i64, source: &mut dyn RowReader) -> Result<Option<Email>, StoreError> {
    let corrupt = |_| StoreError::Corrupt(format!("the e-mail of order {key}"));
    source.text_or_null()?.map(|text| text.parse().map_err(corrupt)).transpose()
}

//! Orders.

use kassa_domain::Id;
use kassa_domain::deal::DealId;
use kassa_domain::order::{
    Customer, Order, OrderLine, OrderNotes, OrderOrigin, OrderStatus, OrderStatusKind, Payment, PromotionGrant,
    RefundTotals,
};
use kassa_domain::price::Terms;
use kassa_domain::promocode::PromocodeId;
use kassa_domain::refund::RefundPolicy;
use kassa_domain::user::Email;
use serde::{Deserialize, Serialize};

use super::system::{read_tag, read_time};
use super::{Column, MappedRow, RowKey as _, columns};
use crate::cell::{Cell, RowReader, json_cell};
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

impl MappedRow for Order {
    const TABLE: &'static str = "orders";
    const COLUMNS: &'static [Column] = columns![
        Key Int "id",
        Tag Int "tag",
        Immutable Int "event",
        Immutable Int "organizer",
        Immutable Int "vendor",
        Immutable Int "number",
        Mutable Text "status",
        Mutable Int "reserved_till",
        Mutable Int "user_id",
        Mutable Text "email",
        Mutable Int "value",
        Mutable Int "retained",
        Mutable Int "ticket_count",
        Mutable Json "body",
        Immutable Int "created_at",
        Mutable Int "updated_at",
        Mutable Int "revision",
    ];

    fn write<'a>(&'a self, out: &mut Vec<Cell<'a>>) {
        let body = OrderBodyRef {
            status: &self.status,
            lines: &self.lines,
            promocodes: &self.promocodes,
            promotion_grants: &self.promotion_grants,
            deal: self.deal,
            terms: &self.terms,
            refund_policy: &self.refund_policy,
            refunded: &self.refunded,
            customer: &self.customer,
            payment: &self.payment,
            origin: self.origin,
            notes: &self.notes,
        };
        self.id.write(out);
        out.extend(
            [self.id.tag().to_i64(), self.event.key(), self.organizer.key(), self.vendor.key(), self.number]
                .map(Cell::from),
        );
        out.extend([self.state().name().into(), self.reserved_till.ms().into()]);
        out.push(self.customer.user.map(Id::key).into());
        out.push(self.customer.email.as_ref().map(Email::as_str).into());
        out.extend([self.totals().full.minor(), self.refunded.retained().minor()].map(Cell::from));
        out.push(i64::try_from(self.lines.len()).unwrap_or(i64::MAX).into());
        out.push(json_cell(&body));
        out.extend([self.created_at.ms(), self.updated_at.ms(), self.revision].map(Cell::from));
    }

    fn read(source: &mut dyn RowReader) -> Result<Self, StoreError> {
        let key = source.int()?;
        let tag = read_tag(source)?;
        let (event, org, vendor) = (Id::root(source.int()?), Id::root(source.int()?), Id::root(source.int()?));
        let number = source.int()?;
        let state = source.text()?;
        let reserved_till = read_time(source)?;
        let user = source.int_or_null()?.map(Id::root);
        let email = match source.text_or_null()? {
            Some(text) => Some(text.parse().map_err(|_| StoreError::Corrupt(format!("the e-mail of order {key}")))?),
            None => None,
        };
        let (_value, _kept, _tickets) = (source.int()?, source.int()?, source.int()?);
        let body: OrderBody = source.json()?;
        let order = Self {
            id: Id::with_tag(tag, key),
            event,
            organizer: org,
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
            created_at: read_time(source)?,
            updated_at: read_time(source)?,
            revision: source.int()?,
        };
        if order.state().name() != state {
            return Err(StoreError::Corrupt(format!(
                "order {} is {state} in one place and {} in another",
                order.id,
                order.state()
            )));
        }
        Ok(order)
    }

    fn unique_values(&self) -> Vec<String> {
        vec![self.number.to_string()]
    }
}

/// The states whose holds end.
pub(crate) const LIVE_ORDER_STATES: [OrderStatusKind; 2] =
    [OrderStatusKind::Reserved, OrderStatusKind::AwaitingPayment];

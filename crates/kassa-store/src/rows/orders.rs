//! Orders.

use kassa_domain::Id;
use kassa_domain::deal::DealId;
use kassa_domain::order::{Customer, Line, Notes, Order, OrderState, OrderStatus, Origin, Payment, Promise, Refunded};
use kassa_domain::price::Terms;
use kassa_domain::promocode::PromocodeId;
use kassa_domain::refund::RefundPolicy;
use kassa_domain::user::Email;
use serde::{Deserialize, Serialize};

use super::house::{read_tag, read_time};
use super::{Column, Key as _, Mapped, columns};
use crate::cell::{Cell, Source, json};
use crate::error::StoreError;

/// What of an order nothing filters by.
#[derive(Serialize, Deserialize)]
struct Body {
    status: OrderStatus,
    lines: Vec<Line>,
    #[serde(default)]
    promocodes: Vec<PromocodeId>,
    #[serde(default)]
    promises: Vec<Promise>,
    #[serde(default)]
    deal: Option<DealId>,
    terms: Terms,
    #[serde(default)]
    refund_policy: RefundPolicy,
    #[serde(default)]
    refunded: Refunded,
    #[serde(default)]
    customer: Customer,
    #[serde(default)]
    payment: Payment,
    #[serde(default)]
    origin: Origin,
    #[serde(default)]
    notes: Notes,
}

/// The same, without a copy.
#[derive(Serialize)]
struct BodyRef<'a> {
    status: &'a OrderStatus,
    lines: &'a [Line],
    #[serde(skip_serializing_if = "<[PromocodeId]>::is_empty")]
    promocodes: &'a [PromocodeId],
    #[serde(skip_serializing_if = "<[Promise]>::is_empty")]
    promises: &'a [Promise],
    #[serde(skip_serializing_if = "Option::is_none")]
    deal: Option<DealId>,
    terms: &'a Terms,
    #[serde(skip_serializing_if = "is_usual")]
    refund_policy: &'a RefundPolicy,
    #[serde(skip_serializing_if = "Refunded::is_zero")]
    refunded: &'a Refunded,
    #[serde(skip_serializing_if = "Customer::is_empty")]
    customer: &'a Customer,
    payment: &'a Payment,
    origin: Origin,
    #[serde(skip_serializing_if = "Notes::is_empty")]
    notes: &'a Notes,
}

fn is_usual(policy: &RefundPolicy) -> bool {
    *policy == RefundPolicy::default()
}

impl Mapped for Order {
    const TABLE: &'static str = "orders";
    const COLUMNS: &'static [Column] = columns![
        Key Int "id",
        Tag Int "tag",
        Fixed Int "event",
        Fixed Int "org",
        Fixed Int "vendor",
        Fixed Int "number",
        Free Text "status",
        Free Int "reserved_till",
        Free Int "user_id",
        Free Text "email",
        Free Int "value",
        Free Int "kept",
        Free Int "tickets",
        Free Json "body",
        Fixed Int "created_at",
        Free Int "updated_at",
        Free Int "revision",
    ];

    fn write<'a>(&'a self, out: &mut Vec<Cell<'a>>) {
        let body = BodyRef {
            status: &self.status,
            lines: &self.lines,
            promocodes: &self.promocodes,
            promises: &self.promises,
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
            [self.id.tag().to_i64(), self.event.key(), self.org.key(), self.vendor.key(), self.number].map(Cell::from),
        );
        out.extend([self.state().name().into(), self.reserved_till.ms().into()]);
        out.push(self.customer.user.map(Id::key).into());
        out.push(self.customer.email.as_ref().map(Email::as_str).into());
        out.extend([self.values().full.minor(), self.refunded.kept().minor()].map(Cell::from));
        out.push(i64::try_from(self.lines.len()).unwrap_or(i64::MAX).into());
        out.push(json(&body));
        out.extend([self.created_at.ms(), self.updated_at.ms(), self.revision].map(Cell::from));
    }

    fn read(source: &mut dyn Source) -> Result<Self, StoreError> {
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
        let body: Body = source.json()?;
        let order = Self {
            id: Id::under(tag, key),
            event,
            org,
            vendor,
            number,
            status: body.status,
            reserved_till,
            lines: body.lines,
            promocodes: body.promocodes,
            promises: body.promises,
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

    fn uniques(&self) -> Vec<String> {
        vec![self.number.to_string()]
    }
}

/// The states whose holds end.
pub(crate) const LIVE: [OrderState; 2] = [OrderState::Executed, OrderState::InProgress];

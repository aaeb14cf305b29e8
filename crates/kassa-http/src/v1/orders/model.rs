//! An order as v1 shows it.

use std::collections::BTreeMap;

use kassa_domain::order::{Customer, Order, OrderId, OrderLine, OrderStatusKind, PaymentSystem};
use kassa_domain::refusal::Shortfall;
use kassa_domain::set::{PriceRuleId, SetId, TicketSet};
use kassa_domain::ticket::Ticket;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa::openapi::{RefOr, Schema};

use crate::openapi::schema;
use crate::v1::partners::model::EmptyBody;
use crate::v1::refund_requests::policy::RefundPolicyBody;
use crate::v1::tickets::model::SeatBody;
use crate::wire::{
    DealRef, EventRef, IdRef, MoneyBody, OrderRef, PartnerRef, PromocodeRef, PromotionRef, RuleRef, SetRef, TicketRef,
    Time, UserRef, shortfall_reason_name, shortfall_reasons_schema,
};

/// An order.
// seed, Order; api-facts §3.10
#[derive(Serialize, ToSchema)]
#[schema(as = Order)]
pub(crate) struct OrderBody<'a> {
    id: OrderRef,
    event: EventRef,
    /// The organizer.
    org: PartnerRef,
    /// Who sells.
    vendor: PartnerRef,
    deal: Option<DealRef>,
    number: i64,
    #[schema(schema_with = status_schema)]
    status: &'static str,
    tickets: Vec<TicketRef>,
    customer: CustomerBody<'a>,
    payment: PaymentBody<'a>,
    promocodes: Vec<PromocodeRef>,
    /// Those that act on its tickets.
    promotions: Vec<PromotionRef>,
    /// The price rule that was in force, by set.
    #[schema(value_type = BTreeMap<SetRef, RuleRef>)]
    rules: BTreeMap<SetId, PriceRuleId>,
    reserved_till: Time,
    value: MoneyBody,
    value_extra: MoneyBody,
    values: OrderValuesBody,
    /// What is kept of tickets that the customer gives back: as it was when the order was made.
    refund_policy: RefundPolicyBody,
    /// What was given back for tickets that have left the order.
    refunded: MoneyBody,
    created_at: Time,
    updated_at: Time,
    /// In answers to writes: what was asked for and could not be had.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    details: Option<Vec<ShortfallBody>>,
}

/// A ticket of an order.
// api-facts §3.2
#[derive(Serialize, ToSchema)]
#[schema(as = OrderTicket)]
pub(crate) struct OrderTicketBody<'a> {
    id: TicketRef,
    /// Of a ticket that was paid for.
    barcode: Option<&'a str>,
    number: i64,
    serial: &'a str,
    seat: SeatBody<'a>,
    set: SetRef,
}

impl<'a> OrderTicketBody<'a> {
    /// `set` is the line's own, and `ticket` the line's ticket, as long as there is one; `order` has
    /// the barcode of what it has paid for.
    pub(crate) fn new(line: &OrderLine, set: &'a TicketSet, ticket: Option<&'a Ticket>, order: OrderId) -> Self {
        Self {
            id: IdRef(line.ticket),
            barcode: ticket.filter(|ticket| ticket.holder() == Some(order)).and_then(Ticket::barcode),
            number: line.number,
            serial: &set.serial,
            seat: SeatBody::new(ticket.and_then(|ticket| ticket.seat.as_deref())),
            set: IdRef(line.set),
        }
    }
}

/// Empty until something is known of the customer.
#[derive(Serialize, ToSchema)]
#[schema(as = OrderCustomer)]
#[serde(untagged)]
enum CustomerBody<'a> {
    Unknown(EmptyBody),
    Known {
        email: Option<&'a str>,
        first_name: Option<&'a str>,
        last_name: Option<&'a str>,
        mobile: Option<&'a str>,
        lang: Option<&'a str>,
        user: Option<UserRef>,
    },
}

#[derive(Serialize, ToSchema)]
#[schema(as = OrderPayment)]
struct PaymentBody<'a> {
    #[schema(schema_with = payment_system_schema)]
    system: Option<&'static str>,
    success_url: Option<&'a str>,
    failure_url: Option<&'a str>,
    send_tickets: bool,
}

/// Sums over the tickets.
#[derive(Serialize, ToSchema)]
#[schema(as = OrderValues)]
struct OrderValuesBody {
    full: MoneyBody,
    nominal: MoneyBody,
    extra: MoneyBody,
    discount: MoneyBody,
    sets: Vec<SetValuesBody>,
}

/// Prices of one ticket of a set: `d` discount, `p` price after it, `ps` the promocode or `promotion` the
/// promotion that acts on it.
#[derive(Serialize, ToSchema)]
#[schema(as = OrderSetValues)]
struct SetValuesBody {
    id: SetRef,
    d: MoneyBody,
    p: MoneyBody,
    ps: Vec<PromocodeRef>,
    promotion: Option<PromotionRef>,
}

/// What could not be had: a ticket, or some of a set.
#[derive(Serialize, ToSchema)]
#[schema(as = OrderDetail)]
#[serde(untagged)]
enum ShortfallBody {
    Ticket {
        ticket: TicketRef,
        #[schema(schema_with = shortfall_reasons_schema)]
        reason: &'static str,
        reserved_till: Option<Time>,
    },
    Random {
        set: SetRef,
        wanted: u32,
        got: u32,
        #[schema(schema_with = shortfall_reasons_schema)]
        reason: &'static str,
    },
}

impl SetValuesBody {
    fn new(line: &OrderLine) -> Self {
        let ps = line.promocode.into_iter().map(IdRef).collect();
        Self {
            id: IdRef(line.set),
            d: MoneyBody(line.price.discount),
            p: MoneyBody(line.price.nominal()),
            ps,
            promotion: line.promotion.map(IdRef),
        }
    }
}

impl<'a> OrderBody<'a> {
    pub(crate) fn new(order: &'a Order) -> Self {
        let values = order.totals();
        // Of two rules of one set, the newer: lines are in the order in which they were taken.
        let rules = order.lines.iter().map(|line| (line.set, line.rule)).collect();
        let sets: BTreeMap<SetId, SetValuesBody> =
            order.lines.iter().map(|line| (line.set, SetValuesBody::new(line))).collect();
        Self {
            id: IdRef(order.id),
            event: IdRef(order.event),
            org: IdRef(order.organizer),
            vendor: IdRef(order.vendor),
            deal: order.deal.map(IdRef),
            number: order.number,
            status: order.state().name(),
            tickets: order.lines.iter().map(|line| IdRef(line.ticket)).collect(),
            customer: CustomerBody::new(&order.customer),
            payment: PaymentBody {
                system: order.payment.system.map(PaymentSystem::name),
                success_url: order.payment.success_url.as_deref(),
                failure_url: order.payment.failure_url.as_deref(),
                send_tickets: order.payment.send_tickets,
            },
            promocodes: order.promocodes.iter().copied().map(IdRef).collect(),
            promotions: order.applied_promotions().into_iter().map(IdRef).collect(),
            rules,
            reserved_till: Time(order.reserved_till),
            value: MoneyBody(values.full),
            value_extra: MoneyBody(values.surcharge),
            values: OrderValuesBody {
                full: MoneyBody(values.full),
                nominal: MoneyBody(values.nominal),
                extra: MoneyBody(values.surcharge),
                discount: MoneyBody(values.discount),
                sets: sets.into_values().collect(),
            },
            refund_policy: order.refund_policy.into(),
            refunded: MoneyBody(order.refunded.returned),
            created_at: Time(order.created_at),
            updated_at: Time(order.updated_at),
            details: None,
        }
    }

    /// As the answer to a write.
    pub(crate) fn with_shortfalls(self, details: &[Shortfall]) -> Self {
        Self { details: Some(details.iter().map(ShortfallBody::new).collect()), ..self }
    }
}

impl<'a> CustomerBody<'a> {
    fn new(customer: &'a Customer) -> Self {
        if customer.is_empty() {
            return Self::Unknown(EmptyBody {});
        }
        Self::Known {
            email: customer.email.as_ref().map(kassa_domain::user::Email::as_str),
            first_name: customer.first_name.as_deref(),
            last_name: customer.last_name.as_deref(),
            mobile: customer.mobile.as_deref(),
            lang: customer.lang.as_deref(),
            user: customer.user.map(IdRef),
        }
    }
}

impl ShortfallBody {
    fn new(shortfall: &Shortfall) -> Self {
        match *shortfall {
            Shortfall::Ticket { ticket, reason, reserved_till } => Self::Ticket {
                ticket: IdRef(ticket),
                reason: shortfall_reason_name(reason),
                reserved_till: reserved_till.map(Time),
            },
            Shortfall::AnyOfSet { set, requested: wanted, granted: got, reason } => {
                Self::Random { set: IdRef(set), wanted, got, reason: shortfall_reason_name(reason) }
            }
        }
    }
}

fn status_schema() -> RefOr<Schema> {
    schema::words(OrderStatusKind::ALL.map(OrderStatusKind::name)).into()
}

pub(crate) fn payment_system_schema() -> RefOr<Schema> {
    let names = [PaymentSystem::CollectedByVendor, PaymentSystem::Invitation].map(PaymentSystem::name);
    schema::nullable(schema::words(names).into())
}

//! An order as v1 shows it.

use std::collections::BTreeMap;

use kassa_domain::order::{Customer, Order, OrderId, OrderLine};
use kassa_domain::refusal::Shortfall;
use kassa_domain::set::{PriceRuleId, SetId, TicketSet};
use kassa_domain::ticket::Ticket;
use serde::Serialize;
use utoipa::ToSchema;

use super::statuses::{ORDER_STATUSES, payment_system_schema, status_schema};
use crate::route::{FieldKind, ResourceKind};
use crate::v1::refund_policy::RefundPolicyBody;
use crate::v1::tickets::model::SeatBody;
use crate::wire::{
    DealRef, EmptyBody, EventRef, IdRef, MoneyBody, OrderRef, PAYMENT_SYSTEMS, PartnerRef, PromocodeRef, PromotionRef,
    Referenced, RuleRef, SetRef, TicketRef, Time, UserRef, WireField, shortfall_body, wire_form,
};

wire_form! {
    /// An order.
    #[schema(as = Order)]
    pub(crate) struct OrderBody<'a> {
        /// The id of the order.
        id: OrderRef,
        /// The event that its tickets are for.
        event: EventRef,
        /// The organizer of the event.
        org: PartnerRef,
        /// The partner that sells: the organizer or an agent.
        vendor: PartnerRef,
        /// The deal that an agent sells under; `null` if the organizer sells.
        deal: Option<DealRef>,
        /// The number of the order, for people: unique and growing.
        number: i64,
        #[schema(schema_with = status_schema)]
        status: &'static str,
        /// Its tickets. An order that has ended shows those that it held.
        tickets: Vec<TicketRef>,
        /// Who buys; `{}` until something is known.
        customer: CustomerBody<'a>,
        /// How it is paid.
        payment: PaymentBody<'a>,
        /// The promocodes that it uses.
        promocodes: Vec<PromocodeRef>,
        /// The promotions that discount its tickets.
        promotions: Vec<PromotionRef>,
        /// The price rule of each set: from the id of the set to the id of the rule.
        #[schema(value_type = BTreeMap<SetRef, RuleRef>)]
        rules: BTreeMap<SetId, PriceRuleId>,
        /// Until when it holds its tickets, or held them.
        reserved_till: Time,
        /// What the customer pays; the same as `values.full`.
        value: MoneyBody,
        /// How much of that the agent adds; the same as `values.extra`.
        value_extra: MoneyBody,
        /// Totals over its tickets.
        values: OrderValuesBody,
        /// What is kept of the price when tickets are returned, as it was when the order was made.
        refund_policy: RefundPolicyBody,
        /// What was paid back for tickets that have left the order.
        refunded: MoneyBody,
        /// When it was created.
        created_at: Time,
        /// When it was last changed.
        updated_at: Time,
        /// In responses to writes: what was asked for and is not available, and why.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schema(nullable = false)]
        details: Option<Vec<ShortfallBody>>,
    }
}

pub(crate) static ORDER: ResourceKind = ResourceKind::new("order", OrderBody::KIND);

impl Referenced for Order {
    fn kind() -> &'static ResourceKind {
        &ORDER
    }
}

/// A ticket of an order.
#[derive(Serialize, ToSchema)]
#[schema(as = OrderTicket)]
pub(crate) struct OrderTicketBody<'a> {
    /// The id of the ticket.
    id: TicketRef,
    /// 16 digits, unique within the event; `null` until the ticket is paid.
    barcode: Option<&'a str>,
    /// The number of the ticket, unique within the event.
    number: i64,
    /// Three letters that all tickets of the set share.
    serial: &'a str,
    /// The seat; `{}` for a ticket without one.
    seat: SeatBody<'a>,
    /// The set that the ticket is in.
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

/// Who buys; `{}` until something is known.
#[derive(Serialize, ToSchema)]
#[schema(as = OrderCustomer)]
#[serde(untagged)]
enum CustomerBody<'a> {
    Unknown(EmptyBody),
    Known {
        /// The e-mail address; `null` if it is not known.
        email: Option<&'a str>,
        /// The first name; `null` if it is not known.
        first_name: Option<&'a str>,
        /// The last name; `null` if it is not known.
        last_name: Option<&'a str>,
        /// The phone number, as it was entered; `null` if it is not known.
        mobile: Option<&'a str>,
        /// The preferred language, such as `en`; `null` if it is not known.
        lang: Option<&'a str>,
        /// The user with this e-mail; `null` without an e-mail.
        user: Option<UserRef>,
    },
}

impl WireField for CustomerBody<'_> {
    const KIND: FieldKind = FieldKind::Object(&[
        ("email", FieldKind::Scalar),
        ("first_name", FieldKind::Scalar),
        ("last_name", FieldKind::Scalar),
        ("mobile", FieldKind::Scalar),
        ("lang", FieldKind::Scalar),
        ("user", UserRef::KIND),
    ]);
}

wire_form! {
    #[schema(as = OrderPayment)]
    struct PaymentBody<'a> {
        #[schema(schema_with = payment_system_schema)]
        system: Option<&'static str>,
        /// Where the customer goes after paying; `null` if it is not set.
        success_url: Option<&'a str>,
        /// Where the customer goes if the payment fails; `null` if it is not set.
        failure_url: Option<&'a str>,
        /// Whether the tickets are mailed to the customer once the order is paid.
        send_tickets: bool,
    }
}

wire_form! {
    /// Totals over the tickets.
    #[schema(as = OrderValues)]
    struct OrderValuesBody {
        /// What the customer pays: `nominal` and `extra`.
        full: MoneyBody,
        /// The prices of the tickets after discounts.
        nominal: MoneyBody,
        /// What the agent adds to them.
        extra: MoneyBody,
        /// What promocodes and promotions take off.
        discount: MoneyBody,
        /// Prices of one ticket of each set.
        sets: Vec<SetValuesBody>,
    }
}

wire_form! {
    /// Prices of one ticket of a set.
    #[schema(as = OrderSetValues)]
    struct SetValuesBody {
        /// The id of the set.
        id: SetRef,
        /// The discount on one ticket.
        d: MoneyBody,
        /// The price of one ticket after the discount, without the agent's extra.
        p: MoneyBody,
        /// The promocode that gives the discount; empty if there is none.
        ps: Vec<PromocodeRef> => Scalar,
        /// The promotion that gives the discount; `null` if there is none.
        promotion: Option<PromotionRef> => Scalar,
    }
}

shortfall_body! {
    enum ShortfallBody with Time;
}

impl WireField for ShortfallBody {
    const KIND: FieldKind = FieldKind::Object(&[
        ("ticket", FieldKind::Scalar),
        ("reason", FieldKind::Scalar),
        ("reserved_till", FieldKind::Scalar),
        ("set", FieldKind::Scalar),
        ("wanted", FieldKind::Scalar),
        ("got", FieldKind::Scalar),
    ]);
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
            status: ORDER_STATUSES.name(order.state()),
            tickets: order.lines.iter().map(|line| IdRef(line.ticket)).collect(),
            customer: CustomerBody::new(&order.customer),
            payment: PaymentBody {
                system: order.payment.system.map(|system| PAYMENT_SYSTEMS.name(system)),
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
        Self { details: Some(ShortfallBody::all(details)), ..self }
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

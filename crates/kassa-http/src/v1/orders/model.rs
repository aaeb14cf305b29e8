//! An order as v1 shows it.

use std::collections::BTreeMap;

use kassa_domain::deal::DealId;
use kassa_domain::event::EventId;
use kassa_domain::order::{Customer, Line, Order, OrderId};
use kassa_domain::partner::PartnerId;
use kassa_domain::refusal::{Reason, Shortfall};
use kassa_domain::set::{RuleId, Set, SetId};
use kassa_domain::ticket::TicketId;
use kassa_domain::user::UserId;
use serde::Serialize;

use crate::v1::partners::model::Empty;
use crate::wire::{Price, Time};

/// An order (seed, Order; api-facts §3.10).
#[derive(Serialize)]
pub(crate) struct OrderBody<'a> {
    id: OrderId,
    event: EventId,
    org: PartnerId,
    vendor: PartnerId,
    deal: Option<DealId>,
    number: i64,
    status: &'static str,
    tickets: Vec<TicketId>,
    customer: CustomerBody<'a>,
    payment: PaymentBody<'a>,
    promocodes: [String; 0],
    rules: BTreeMap<SetId, RuleId>,
    reserved_till: Time,
    value: Price,
    value_extra: Price,
    values: ValuesBody,
    created_at: Time,
    updated_at: Time,
    /// In answers to writes: what was asked for and could not be had.
    #[serde(skip_serializing_if = "Option::is_none")]
    details: Option<Vec<DetailBody>>,
}

/// A ticket of an order (api-facts §3.2).
#[derive(Serialize)]
pub(crate) struct OrderTicketBody<'a> {
    id: TicketId,
    barcode: Option<&'a str>,
    number: i64,
    serial: &'a str,
    seat: Empty,
    set: SetId,
}

impl<'a> OrderTicketBody<'a> {
    /// `set` is the line's own; the barcode is that of a ticket that the order has paid for.
    pub(crate) fn new(line: &Line, set: &'a Set, barcode: Option<&'a str>) -> Self {
        Self { id: line.ticket, barcode, number: line.number, serial: &set.serial, seat: Empty {}, set: line.set }
    }
}

/// Empty until something is known of the customer.
#[derive(Serialize)]
#[serde(untagged)]
enum CustomerBody<'a> {
    Unknown {},
    Known {
        email: Option<&'a str>,
        first_name: Option<&'a str>,
        last_name: Option<&'a str>,
        mobile: Option<&'a str>,
        lang: Option<&'a str>,
        user: Option<UserId>,
    },
}

#[derive(Serialize)]
struct PaymentBody<'a> {
    system: Option<&'static str>,
    success_url: Option<&'a str>,
    failure_url: Option<&'a str>,
    send_tickets: bool,
}

#[derive(Serialize)]
struct ValuesBody {
    full: Price,
    nominal: Price,
    extra: Price,
    discount: Price,
    sets: Vec<SetValues>,
}

/// Prices of one ticket of a set: `d` discount, `p` price after it, `ps` the promocodes.
#[derive(Serialize)]
struct SetValues {
    id: SetId,
    d: Price,
    p: Price,
    ps: [String; 0],
}

#[derive(Serialize)]
#[serde(untagged)]
enum DetailBody {
    Ticket { ticket: TicketId, reason: &'static str, reserved_till: Option<Time> },
    Random { set: SetId, wanted: u32, got: u32, reason: &'static str },
}

impl<'a> OrderBody<'a> {
    pub(crate) fn new(order: &'a Order) -> Self {
        let values = order.values();
        // Of two rules of one set, the newer: lines are in the order in which they were taken.
        let rules = order.lines.iter().map(|line| (line.set, line.rule)).collect();
        let sets: BTreeMap<SetId, SetValues> = order
            .lines
            .iter()
            .map(|line| {
                (
                    line.set,
                    SetValues { id: line.set, d: Price(line.price.discount), p: Price(line.price.nominal()), ps: [] },
                )
            })
            .collect();
        Self {
            id: order.id,
            event: order.event,
            org: order.org,
            vendor: order.vendor,
            deal: order.deal,
            number: order.number,
            status: order.state().name(),
            tickets: order.lines.iter().map(|line| line.ticket).collect(),
            customer: CustomerBody::new(&order.customer),
            payment: PaymentBody {
                system: order.payment.system.map(kassa_domain::order::PaymentSystem::name),
                success_url: order.payment.success_url.as_deref(),
                failure_url: order.payment.failure_url.as_deref(),
                send_tickets: order.payment.send_tickets,
            },
            promocodes: [],
            rules,
            reserved_till: Time(order.reserved_till),
            value: Price(values.full),
            value_extra: Price(values.extra),
            values: ValuesBody {
                full: Price(values.full),
                nominal: Price(values.nominal),
                extra: Price(values.extra),
                discount: Price(values.discount),
                sets: sets.into_values().collect(),
            },
            created_at: Time(order.created_at),
            updated_at: Time(order.updated_at),
            details: None,
        }
    }

    /// As the answer to a write.
    pub(crate) fn with_details(self, details: &[Shortfall]) -> Self {
        Self { details: Some(details.iter().map(DetailBody::new).collect()), ..self }
    }
}

impl<'a> CustomerBody<'a> {
    fn new(customer: &'a Customer) -> Self {
        if customer.is_empty() {
            return Self::Unknown {};
        }
        Self::Known {
            email: customer.email.as_ref().map(kassa_domain::user::Email::as_str),
            first_name: customer.first_name.as_deref(),
            last_name: customer.last_name.as_deref(),
            mobile: customer.mobile.as_deref(),
            lang: customer.lang.as_deref(),
            user: customer.user,
        }
    }
}

impl DetailBody {
    fn new(shortfall: &Shortfall) -> Self {
        match *shortfall {
            Shortfall::Ticket { ticket, reason, reserved_till } => {
                Self::Ticket { ticket, reason: reason_name(reason), reserved_till: reserved_till.map(Time) }
            }
            Shortfall::Random { set, wanted, got, reason } => {
                Self::Random { set, wanted, got, reason: reason_name(reason) }
            }
        }
    }
}

fn reason_name(reason: Reason) -> &'static str {
    match reason {
        Reason::Sold => "sold",
        Reason::Reserved => "reserved",
        Reason::Blocked => "blocked",
        Reason::NotOnSale => "not_on_sale",
    }
}

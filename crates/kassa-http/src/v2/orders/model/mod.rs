//! An order as v2 shows it.

mod answers;
mod response;
mod ticket;
mod values;
mod vendor_data;

pub(super) use response::{OrderListResponse, OrderResponse};
pub(in crate::v2) use ticket::OrderTicketV2Body;
pub(super) use values::OrderValuesV2Body;

use kassa_domain::order::{Customer, Order, OrderOrigin, OrderStatus};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa::openapi::{RefOr, Schema};

use super::super::order_status::{ORDER_STATUSES, order_status_name};
use crate::related::RelatedRowsLookup;
use crate::v1::refund_policy::RefundPolicyBody;
use crate::wire::{EventRef, IdRef, MoneyBody, OrderRef, PartnerRef, PromocodeRef, TimeV2, enum_names};
use answers::{AcceptedTermsBody, AnswersBody};
use vendor_data::VendorDataBody;

/// An order.
#[derive(Serialize, ToSchema)]
#[schema(as = Order)]
pub(in crate::v2) struct OrderV2Body<'a> {
    /// The id of the order.
    id: OrderRef,
    #[schema(schema_with = status_schema)]
    status: &'static str,
    /// When it was created.
    created_at: TimeV2,
    /// Until when it holds its tickets, or held them.
    expired_after: TimeV2,
    /// When it was paid; missing until then.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    done_at: Option<TimeV2>,
    /// Eight letters and digits that the customer can show at the door; missing until the order is paid.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    code: Option<&'a str>,
    /// The event that its tickets are for.
    event: EventRef,
    /// The number of the order, for people: unique and growing.
    number: i64,
    /// The organizer of the event.
    org: PartnerRef,
    /// The partner that sells: the organizer or an agent.
    vendor: PartnerRef,
    #[schema(schema_with = origin_schema)]
    origin: &'static str,
    /// The promocodes that it uses.
    promocodes: Vec<PromocodeRef>,
    /// What was agreed with the customer.
    settings: SettingsBody<'a>,
    /// Its tickets. An order that has ended shows those that it held.
    tickets: Vec<OrderTicketV2Body<'a>>,
    /// Totals over its tickets, and prices by set.
    values: OrderValuesV2Body,
    /// What is kept of the price when the customer gives tickets back, and until when that can be asked for.
    refund_policy: RefundPolicyBody,
    /// What was paid back for tickets that have left the order. One that has lost all of them is still `done`.
    refunded: MoneyBody,
    /// Answers to the questions of the event that are asked for each order, by the ids of the questions; missing if there
    /// are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    answers: Option<AnswersBody<'a>>,
    /// What the vendor stores with the order; `{}` if nothing.
    vendor_data: VendorDataBody<'a>,
}

impl<'a> OrderV2Body<'a> {
    pub(in crate::v2) fn new(order: &'a Order, related: RelatedRowsLookup<'a>) -> Self {
        let (done_at, code) = match &order.status {
            OrderStatus::Paid { at, code } | OrderStatus::Refunded { paid_at: at, code, .. } => {
                (Some(TimeV2(*at)), Some(code.as_str()))
            }
            OrderStatus::Reserved | OrderStatus::AwaitingPayment | OrderStatus::Canceled | OrderStatus::Expired => {
                (None, None)
            }
        };
        Self {
            id: IdRef(order.id),
            status: order_status_name(order.state()),
            created_at: TimeV2(order.created_at),
            expired_after: TimeV2(order.reserved_till),
            done_at,
            code,
            event: IdRef(order.event),
            number: order.number,
            org: IdRef(order.organizer),
            vendor: IdRef(order.vendor),
            origin: ORDER_ORIGINS.name(order.origin),
            promocodes: order.promocodes.iter().copied().map(IdRef).collect(),
            settings: SettingsBody::new(order),
            tickets: order.lines.iter().map(|line| OrderTicketV2Body::new(order, line, related)).collect(),
            values: OrderValuesV2Body::new(order, related),
            refund_policy: order.refund_policy.into(),
            refunded: MoneyBody(order.refunded.returned),
            answers: AnswersBody::of(&order.notes, None),
            vendor_data: VendorDataBody::new(&order.notes),
        }
    }
}

enum_names! {
    static ORDER_ORIGINS: OrderOrigin {
        Api => "api",
        ControlPanel => "control_panel",
        Widget => "widget",
    }
}

fn status_schema() -> RefOr<Schema> {
    let about =
        "`executed` and `in_progress` orders hold tickets until `expired_after`; `done` is paid; others hold none.";
    ORDER_STATUSES.schema().description(Some(about)).into()
}

fn origin_schema() -> RefOr<Schema> {
    let about = "`api` if it was made with a key, `control_panel` if by a user, `widget` if by the customer in a shop.";
    ORDER_ORIGINS.schema().description(Some(about)).into()
}

/// What was agreed with the customer.
#[derive(Serialize, ToSchema)]
#[schema(as = OrderSettings)]
struct SettingsBody<'a> {
    /// Whether the tickets are free.
    invitation: bool,
    /// Whether the tickets are mailed to the customer once the order is paid.
    send_tickets: bool,
    /// Whether the customer agreed to receive news.
    subscribe_agree: bool,
    /// The terms of the seller that the customer accepted; missing if there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    accepted_terms: Option<AcceptedTermsBody>,
    /// Who buys; missing until something is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    customer: Option<CustomerBody<'a>>,
}

/// Who buys.
#[derive(Serialize, ToSchema)]
#[schema(as = OrderCustomer)]
struct CustomerBody<'a> {
    /// The full name; `null` if it is not known. Version 1 splits it into `first_name` and `last_name`.
    name: Option<String>,
    /// The e-mail address; `null` if it is not known.
    email: Option<&'a str>,
    /// The phone number, as it was entered; `null` if it is not known.
    phone: Option<&'a str>,
    /// The preferred language, such as `en`; `null` if it is not known.
    lang: Option<&'a str>,
}

impl<'a> SettingsBody<'a> {
    fn new(order: &'a Order) -> Self {
        Self {
            invitation: order.payment.is_invitation(),
            send_tickets: order.payment.send_tickets,
            subscribe_agree: order.notes.subscribe_agree,
            accepted_terms: order.notes.accepted_terms.map(AcceptedTermsBody::from),
            customer: (!order.customer.is_empty()).then(|| CustomerBody::new(&order.customer)),
        }
    }
}

impl<'a> CustomerBody<'a> {
    fn new(customer: &'a Customer) -> Self {
        Self {
            name: customer.full_name(),
            email: customer.email.as_ref().map(kassa_domain::user::Email::as_str),
            phone: customer.mobile.as_deref(),
            lang: customer.lang.as_deref(),
        }
    }
}

//! An order as v2 shows it.

use std::collections::BTreeMap;

use kassa_domain::order::{
    Customer, CutPrice, Line, Notes, Order, OrderOutcome, OrderState, OrderStatus, Origin, Scalar,
};
use kassa_domain::refusal::Shortfall;
use kassa_domain::seating::Seat;
use kassa_domain::set::SetId;
use serde::{Serialize, Serializer};
use utoipa::openapi::schema::Type;
use utoipa::openapi::{ObjectBuilder, RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use super::super::around::Around;
use super::super::errors::LeftOutBody;
use super::super::page::Pagination;
use super::super::refs::RefsBody;
use crate::openapi::schema;
use crate::wire::{
    EventRef, Moment, OrderRef, PartnerRef, Price, PromocodeRef, PromotionRef, Ref, SetRef, TicketRef, reason_name,
    reasons,
};

/// An order.
// api-facts §5.1
#[derive(Serialize, ToSchema)]
#[schema(as = Order)]
pub(in crate::v2) struct OrderBody<'a> {
    id: OrderRef,
    #[schema(schema_with = status)]
    status: &'static str,
    created_at: Moment,
    /// Until when it holds its tickets, or held them.
    expired_after: Moment,
    /// Once it is paid.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    done_at: Option<Moment>,
    /// What its customer can show, once it is paid: eight letters and digits.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    code: Option<&'a str>,
    event: EventRef,
    number: i64,
    /// The organizer.
    org: PartnerRef,
    /// Who sells.
    vendor: PartnerRef,
    /// `api` if it was made with a key, `control_panel` if by a user.
    #[schema(schema_with = origin)]
    origin: &'static str,
    promocodes: Vec<PromocodeRef>,
    settings: SettingsBody<'a>,
    tickets: Vec<TicketBody<'a>>,
    values: ValuesBody,
    vendor_data: VendorDataBody<'a>,
}

impl<'a> OrderBody<'a> {
    pub(in crate::v2) fn new(order: &'a Order, around: Around<'a>) -> Self {
        let (done_at, code) = match &order.status {
            OrderStatus::Done { at, code } | OrderStatus::Refunded { paid_at: at, code, .. } => {
                (Some(Moment(*at)), Some(code.as_str()))
            }
            OrderStatus::Executed | OrderStatus::InProgress | OrderStatus::Canceled | OrderStatus::Expired => {
                (None, None)
            }
        };
        Self {
            id: Ref(order.id),
            status: order.state().name_in_v2(),
            created_at: Moment(order.created_at),
            expired_after: Moment(order.reserved_till),
            done_at,
            code,
            event: Ref(order.event),
            number: order.number,
            org: Ref(order.org),
            vendor: Ref(order.vendor),
            origin: order.origin.name(),
            promocodes: order.promocodes.iter().copied().map(Ref).collect(),
            settings: SettingsBody::new(order),
            tickets: order.lines.iter().map(|line| TicketBody::new(order, line, around)).collect(),
            values: ValuesBody::new(order, around),
            vendor_data: VendorDataBody::new(&order.notes),
        }
    }
}

fn status() -> RefOr<Schema> {
    schema::words(OrderState::ALL.map(OrderState::name_in_v2)).into()
}

fn origin() -> RefOr<Schema> {
    schema::words([Origin::Api, Origin::ControlPanel].map(Origin::name)).into()
}

/// What was agreed with the customer.
#[derive(Serialize, ToSchema)]
#[schema(as = OrderSettings)]
struct SettingsBody<'a> {
    /// Whether the tickets are given away.
    invitation: bool,
    /// Whether they are mailed to the customer once the order is done.
    send_tickets: bool,
    subscribe_agree: bool,
    /// Once something is known of the customer.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    customer: Option<CustomerBody<'a>>,
}

/// Who buys.
#[derive(Serialize, ToSchema)]
#[schema(as = OrderCustomer)]
struct CustomerBody<'a> {
    /// First and last name of version 1.
    name: Option<String>,
    email: Option<&'a str>,
    phone: Option<&'a str>,
    lang: Option<&'a str>,
}

impl<'a> SettingsBody<'a> {
    fn new(order: &'a Order) -> Self {
        Self {
            invitation: order.payment.invites(),
            send_tickets: order.payment.send_tickets,
            subscribe_agree: order.notes.subscribe_agree,
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

/// A ticket of an order, with its price as it was when it was reserved.
#[derive(Serialize, ToSchema)]
#[schema(as = OrderTicket)]
pub(in crate::v2) struct TicketBody<'a> {
    id: TicketRef,
    set: SetRef,
    serial: &'a str,
    number: i64,
    /// Once it is paid.
    barcode: Option<&'a str>,
    #[schema(schema_with = ticket_status)]
    status: &'static str,
    /// Of the price rule.
    price: Price,
    discount: Price,
    /// `price - discount`
    nominal: Price,
    extra: Price,
    /// `nominal + extra`: what the customer pays.
    full: Price,
    #[schema(value_type = Option<String>)]
    tariff: Option<()>,
    /// Of a ticket that has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    seat: Option<SeatBody<'a>>,
    /// Who comes with it, once that was said.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    user_data: Option<VisitorBody<'a>>,
}

/// A chair.
#[derive(Serialize, ToSchema)]
#[schema(as = Seat)]
struct SeatBody<'a> {
    row: &'a str,
    number: String,
    /// As its set names it.
    sector: Option<&'a str>,
}

/// Who comes with a ticket.
#[derive(Serialize, ToSchema)]
#[schema(as = Visitor)]
struct VisitorBody<'a> {
    user_id: &'a str,
    name: &'a str,
    surname: &'a str,
    middle_name: Option<&'a str>,
}

impl<'a> TicketBody<'a> {
    pub(in crate::v2) fn new(order: &'a Order, line: &Line, around: Around<'a>) -> Self {
        let ticket = around.ticket(line.ticket);
        let visitor = order.notes.visitor_of(line.ticket);
        Self {
            id: Ref(line.ticket),
            set: Ref(line.set),
            serial: around.set(line.set).map_or("", |set| &set.serial),
            number: line.number,
            barcode: ticket.filter(|ticket| ticket.holder() == Some(order.id)).and_then(|ticket| ticket.barcode()),
            status: match order.state() {
                OrderState::Executed | OrderState::InProgress => RESERVED,
                OrderState::Done => SOLD,
                OrderState::Canceled | OrderState::Expired | OrderState::Refunded => VACANT,
            },
            price: Price(line.price.price),
            discount: Price(line.price.discount),
            nominal: Price(line.price.nominal()),
            extra: Price(line.price.extra),
            full: Price(line.price.full()),
            tariff: None,
            seat: ticket.and_then(|ticket| ticket.seat.as_deref()).map(SeatBody::new),
            user_data: visitor.map(|visitor| VisitorBody {
                user_id: &visitor.user_id,
                name: &visitor.name,
                surname: &visitor.surname,
                middle_name: visitor.middle_name.as_deref(),
            }),
        }
    }

    /// As one that the order does not have.
    pub(in crate::v2) fn unheld(self) -> Self {
        Self { status: VACANT, ..self }
    }
}

const RESERVED: &str = "reserved";
const SOLD: &str = "sold";
/// What the order gave back: whatever has become of the ticket since, the order does not have it.
const VACANT: &str = "vacant";

fn ticket_status() -> RefOr<Schema> {
    schema::words([RESERVED, SOLD, VACANT]).into()
}

impl<'a> SeatBody<'a> {
    fn new(seat: &'a Seat) -> Self {
        Self {
            row: seat.row.as_str(),
            number: seat.number.to_string(),
            sector: Some(seat.sector.as_str()).filter(|sector| !sector.is_empty()),
        }
    }
}

/// Sums over the tickets, and what one ticket of each set costs.
#[derive(Serialize, ToSchema)]
#[schema(as = OrderValues)]
pub(super) struct ValuesBody {
    price: Price,
    discount: Price,
    nominal: Price,
    extra: Price,
    full: Price,
    /// For each set of the event: one ticket as the order has it, else as it would be now.
    #[schema(value_type = BTreeMap<SetRef, SetValuesBody>)]
    sets_values: BTreeMap<SetId, SetValuesBody>,
    /// Always empty.
    viral_promocodes: Vec<PromocodeRef>,
}

/// What one ticket of a set costs.
#[derive(Serialize, ToSchema)]
#[schema(as = OrderSetValues)]
struct SetValuesBody {
    id: SetRef,
    price: Price,
    discount: Price,
    nominal: Price,
    /// The one that acts on it.
    promocode: Option<PromocodeRef>,
    /// The promotion that acts on it.
    promotion: Option<PromotionRef>,
}

impl ValuesBody {
    pub(super) fn new(order: &Order, around: Around<'_>) -> Self {
        let sums = order.values();
        let is_shown =
            |set: &&kassa_domain::set::Set| !set.removed || order.lines.iter().any(|line| line.set == set.id);
        let values = |set: &kassa_domain::set::Set| {
            let CutPrice { price, promocode, promotion } = around.price_in(order, set);
            SetValuesBody {
                id: Ref(set.id),
                price: Price(price.price),
                discount: Price(price.discount),
                nominal: Price(price.nominal()),
                promocode: promocode.map(Ref),
                promotion: promotion.map(Ref),
            }
        };
        let sets = around.sets_of(order.event).into_iter().filter(is_shown);
        Self {
            price: Price(sums.price),
            discount: Price(sums.discount),
            nominal: Price(sums.nominal),
            extra: Price(sums.extra),
            full: Price(sums.full),
            sets_values: sets.map(|set| (set.id, values(set))).collect(),
            viral_promocodes: Vec::new(),
        }
    }
}

/// What the vendor keeps with the order: `{}` if nothing.
#[derive(Serialize, ToSchema)]
#[schema(as = VendorData)]
struct VendorDataBody<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    order_id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<BTreeMap<String, ScalarBody>>, nullable = false)]
    raw: Option<BTreeMap<&'a str, ScalarBody<'a>>>,
}

impl<'a> VendorDataBody<'a> {
    fn new(notes: &'a Notes) -> Self {
        let data = &notes.vendor_data;
        let raw = || data.raw.iter().map(|(key, value)| (key.as_str(), ScalarBody(value))).collect();
        Self { order_id: data.order_id.as_deref(), raw: (!data.is_empty()).then(raw) }
    }
}

/// A text, a whole number, or true or false.
struct ScalarBody<'a>(&'a Scalar);

impl Serialize for ScalarBody<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Scalar::Flag(flag) => serializer.serialize_bool(*flag),
            Scalar::Number(number) => serializer.serialize_i64(*number),
            Scalar::Text(text) => serializer.serialize_str(text),
        }
    }
}

impl PartialSchema for ScalarBody<'_> {
    fn schema() -> RefOr<Schema> {
        let flag = ObjectBuilder::new().schema_type(Type::Boolean);
        schema::any_of([schema::text().into(), schema::number().into(), flag.into()])
    }
}

impl ToSchema for ScalarBody<'_> {
    fn name() -> std::borrow::Cow<'static, str> {
        "Scalar".into()
    }
}

/// What could not be had: a ticket, or some of a set.
#[derive(Serialize, ToSchema)]
#[schema(as = OrderDetail)]
#[serde(untagged)]
pub(super) enum DetailBody {
    Ticket {
        ticket: TicketRef,
        #[schema(schema_with = reasons)]
        reason: &'static str,
        reserved_till: Option<Moment>,
    },
    Random {
        set: SetRef,
        wanted: u32,
        got: u32,
        #[schema(schema_with = reasons)]
        reason: &'static str,
    },
}

impl DetailBody {
    pub(super) fn all(details: &[Shortfall]) -> Vec<Self> {
        details.iter().map(Self::new).collect()
    }

    fn new(shortfall: &Shortfall) -> Self {
        match *shortfall {
            Shortfall::Ticket { ticket, reason, reserved_till } => Self::Ticket {
                ticket: Ref(ticket),
                reason: reason_name(reason),
                reserved_till: reserved_till.map(Moment),
            },
            Shortfall::Random { set, wanted, got, reason } => {
                Self::Random { set: Ref(set), wanted, got, reason: reason_name(reason) }
            }
        }
    }
}

/// An order, and what it refers to.
#[derive(Serialize, ToSchema)]
#[schema(as = OrderAnswer)]
pub(super) struct OrderAnswer<'a> {
    data: OrderBody<'a>,
    refs: RefsBody<'a>,
    /// In answers to writes: what was asked for and could not be had.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    details: Option<Vec<DetailBody>>,
    /// Promocodes that were asked for and left out; missing if none was.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    errors: Option<Vec<LeftOutBody>>,
}

impl<'a> OrderAnswer<'a> {
    pub(super) fn new(order: &'a Order, around: Around<'a>) -> Self {
        let (data, refs) = (OrderBody::new(order, around), RefsBody::of([order], around));
        Self { data, refs, details: None, errors: None }
    }

    /// As the answer to a write.
    pub(super) fn of_write(outcome: &'a OrderOutcome, around: Around<'a>) -> Self {
        let (details, errors) = (Some(DetailBody::all(&outcome.details)), LeftOutBody::all(&outcome.left_out));
        Self { details, errors, ..Self::new(&outcome.order, around) }
    }
}

/// Orders, and what they refer to.
#[derive(Serialize, ToSchema)]
#[schema(as = OrdersAnswer)]
pub(super) struct OrdersAnswer<'a> {
    data: Vec<OrderBody<'a>>,
    refs: RefsBody<'a>,
    pagination: Pagination,
    /// How many orders there are on all pages.
    total_count: u64,
}

impl<'a> OrdersAnswer<'a> {
    pub(super) fn new(orders: &'a [Order], around: Around<'a>, pagination: Pagination, total_count: u64) -> Self {
        let data = orders.iter().map(|order| OrderBody::new(order, around)).collect();
        Self { data, refs: RefsBody::of(orders, around), pagination, total_count }
    }
}

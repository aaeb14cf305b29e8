//! An order as v2 shows it.

use std::collections::BTreeMap;

use kassa_domain::order::{
    Customer, DiscountedPrice, Order, OrderLine, OrderNotes, OrderOrigin, OrderOutcome, OrderStatus, OrderStatusKind,
    VendorDataValue,
};
use kassa_domain::seating::Seat;
use kassa_domain::set::SetId;
use serde::{Serialize, Serializer};
use utoipa::openapi::schema::Type;
use utoipa::openapi::{ObjectBuilder, RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use super::super::errors::SkippedPromocodeBody;
use super::super::order_status::ORDER_STATUSES;
use super::super::pagination::Pagination;
use super::super::refs::RefsBody;
use super::super::related::RelatedRowsLookup;
use super::shortfall::ShortfallV2Body;
use crate::openapi::schema;
use crate::wire::{
    EventRef, IdRef, MoneyBody, OrderRef, PartnerRef, PromocodeRef, PromotionRef, SetRef, TICKET_STATUSES, TicketRef,
    TicketStatus, TimeV2, enum_names,
};

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
    /// What the vendor stores with the order; `{}` if nothing.
    vendor_data: VendorDataBody<'a>,
}

impl<'a> OrderV2Body<'a> {
    pub(in crate::v2) fn new(order: &'a Order, around: RelatedRowsLookup<'a>) -> Self {
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
            status: ORDER_STATUSES.name(order.state()),
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
            tickets: order.lines.iter().map(|line| OrderTicketV2Body::new(order, line, around)).collect(),
            values: OrderValuesV2Body::new(order, around),
            vendor_data: VendorDataBody::new(&order.notes),
        }
    }
}

enum_names! {
    static ORDER_ORIGINS: OrderOrigin {
        Api => "api",
        ControlPanel => "control_panel",
    }
}

fn status_schema() -> RefOr<Schema> {
    let about =
        "`executed` and `in_progress` orders hold tickets until `expired_after`; `done` is paid; others hold none.";
    ORDER_STATUSES.schema().description(Some(about)).into()
}

fn origin_schema() -> RefOr<Schema> {
    let about = "`api` if it was made with a key, `control_panel` if by a user.";
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
pub(in crate::v2) struct OrderTicketV2Body<'a> {
    /// The id of the ticket.
    id: TicketRef,
    /// The set that the ticket is in.
    set: SetRef,
    /// Three letters that all tickets of the set share.
    serial: &'a str,
    /// The number of the ticket, unique within the event.
    number: i64,
    /// 16 digits, unique within the event; `null` until the ticket is paid.
    barcode: Option<&'a str>,
    #[schema(schema_with = ticket_status_schema)]
    status: &'static str,
    /// The price of the rule that was in force.
    price: MoneyBody,
    /// What promocodes and promotions take off.
    discount: MoneyBody,
    /// The price after the discount: `price - discount`.
    nominal: MoneyBody,
    /// What the agent adds.
    extra: MoneyBody,
    /// What the customer pays: `nominal + extra`.
    full: MoneyBody,
    /// Always `null`.
    #[schema(value_type = Option<String>)]
    tariff: Option<()>,
    /// The seat; missing for a ticket without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    seat: Option<SeatV2Body<'a>>,
    /// Who comes with the ticket; missing until it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    user_data: Option<VisitorBody<'a>>,
}

/// A seat.
#[derive(Serialize, ToSchema)]
#[schema(as = Seat)]
struct SeatV2Body<'a> {
    /// The name of the row.
    row: &'a str,
    /// The number of the seat in the row.
    number: String,
    /// The sector of its set; `null` if that is not set.
    sector: Option<&'a str>,
}

/// Who comes with a ticket.
#[derive(Serialize, ToSchema)]
#[schema(as = Visitor)]
struct VisitorBody<'a> {
    /// The visitor's id in the vendor's own system.
    user_id: &'a str,
    /// The first name.
    name: &'a str,
    /// The last name.
    surname: &'a str,
    /// The middle name or patronymic; `null` if there is none.
    middle_name: Option<&'a str>,
}

impl<'a> OrderTicketV2Body<'a> {
    pub(in crate::v2) fn new(order: &'a Order, line: &OrderLine, around: RelatedRowsLookup<'a>) -> Self {
        let ticket = around.ticket(line.ticket);
        Self {
            id: IdRef(line.ticket),
            set: IdRef(line.set),
            serial: around.set(line.set).map_or("", |set| &set.serial),
            number: line.number,
            barcode: ticket.filter(|ticket| ticket.holder() == Some(order.id)).and_then(|ticket| ticket.barcode()),
            status: TICKET_STATUSES.name(match order.state() {
                OrderStatusKind::Reserved | OrderStatusKind::AwaitingPayment => TicketStatus::Reserved,
                OrderStatusKind::Paid => TicketStatus::Sold,
                // What the order gave back: whatever has become of the ticket since, the order does not have it.
                OrderStatusKind::Canceled | OrderStatusKind::Expired | OrderStatusKind::Refunded => {
                    TicketStatus::Vacant
                }
            }),
            price: MoneyBody(line.price.price),
            discount: MoneyBody(line.price.discount),
            nominal: MoneyBody(line.price.nominal()),
            extra: MoneyBody(line.price.surcharge),
            full: MoneyBody(line.price.full()),
            tariff: None,
            seat: ticket.and_then(|ticket| ticket.seat.as_deref()).map(SeatV2Body::new),
            user_data: order.notes.visitor_of(line.ticket).map(|visitor| VisitorBody {
                user_id: &visitor.user_id,
                name: &visitor.name,
                surname: &visitor.surname,
                middle_name: visitor.middle_name.as_deref(),
            }),
        }
    }

    /// As one that the order does not have.
    pub(in crate::v2) fn into_vacant(self) -> Self {
        Self { status: TICKET_STATUSES.name(TicketStatus::Vacant), ..self }
    }
}

fn ticket_status_schema() -> RefOr<Schema> {
    let about = "`reserved` is held by this order, `sold` is paid; `vacant` if the order does not have it.";
    let all = [TicketStatus::Reserved, TicketStatus::Sold, TicketStatus::Vacant];
    schema::words(all.map(|status| TICKET_STATUSES.name(status))).description(Some(about)).into()
}

impl<'a> SeatV2Body<'a> {
    fn new(seat: &'a Seat) -> Self {
        Self {
            row: seat.row.as_str(),
            number: seat.number.to_string(),
            sector: Some(seat.sector.as_str()).filter(|sector| !sector.is_empty()),
        }
    }
}

/// Totals over the tickets, and prices by set.
#[derive(Serialize, ToSchema)]
#[schema(as = OrderValues)]
pub(super) struct OrderValuesV2Body {
    /// The prices of the tickets, before discounts.
    price: MoneyBody,
    /// What promocodes and promotions take off.
    discount: MoneyBody,
    /// The prices after discounts: `price - discount`.
    nominal: MoneyBody,
    /// What the agent adds.
    extra: MoneyBody,
    /// What the customer pays: `nominal + extra`.
    full: MoneyBody,
    /// For each set of the event, by its id, the prices of one ticket: as the order has it, else as it would be now.
    #[schema(value_type = BTreeMap<SetRef, SetValuesV2Body>)]
    sets_values: BTreeMap<SetId, SetValuesV2Body>,
    /// Always empty.
    viral_promocodes: Vec<PromocodeRef>,
}

/// What one ticket of a set costs.
#[derive(Serialize, ToSchema)]
#[schema(as = OrderSetValues)]
struct SetValuesV2Body {
    /// The id of the set.
    id: SetRef,
    /// The price of one ticket, before the discount.
    price: MoneyBody,
    /// The discount on one ticket.
    discount: MoneyBody,
    /// The price after the discount: `price - discount`.
    nominal: MoneyBody,
    /// The promocode that gives the discount; `null` if there is none.
    promocode: Option<PromocodeRef>,
    /// The promotion that gives the discount; `null` if there is none.
    promotion: Option<PromotionRef>,
}

impl OrderValuesV2Body {
    pub(super) fn new(order: &Order, around: RelatedRowsLookup<'_>) -> Self {
        let sums = order.totals();
        let is_shown =
            |set: &&kassa_domain::set::TicketSet| !set.removed || order.lines.iter().any(|line| line.set == set.id);
        let values = |set: &kassa_domain::set::TicketSet| {
            let DiscountedPrice { price, promocode, promotion } = around.price_in(order, set);
            SetValuesV2Body {
                id: IdRef(set.id),
                price: MoneyBody(price.price),
                discount: MoneyBody(price.discount),
                nominal: MoneyBody(price.nominal()),
                promocode: promocode.map(IdRef),
                promotion: promotion.map(IdRef),
            }
        };
        let sets = around.sets_of(order.event).into_iter().filter(is_shown);
        Self {
            price: MoneyBody(sums.price),
            discount: MoneyBody(sums.discount),
            nominal: MoneyBody(sums.nominal),
            extra: MoneyBody(sums.surcharge),
            full: MoneyBody(sums.full),
            sets_values: sets.map(|set| (set.id, values(set))).collect(),
            viral_promocodes: Vec::new(),
        }
    }
}

/// What the vendor keeps with the order: `{}` if nothing.
#[derive(Serialize, ToSchema)]
#[schema(as = VendorData)]
struct VendorDataBody<'a> {
    /// The vendor's own number of the order; missing if it is not set.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    order_id: Option<&'a str>,
    /// Further data of the vendor: texts, whole numbers and flags by key; missing if nothing is stored.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<BTreeMap<String, ScalarBody>>, nullable = false)]
    raw: Option<BTreeMap<&'a str, ScalarBody<'a>>>,
}

impl<'a> VendorDataBody<'a> {
    fn new(notes: &'a OrderNotes) -> Self {
        let data = &notes.vendor_data;
        let raw = || data.raw.iter().map(|(key, value)| (key.as_str(), ScalarBody(value))).collect();
        Self { order_id: data.order_id.as_deref(), raw: (!data.is_empty()).then(raw) }
    }
}

/// A text, a whole number, or true or false.
struct ScalarBody<'a>(&'a VendorDataValue);

impl Serialize for ScalarBody<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            VendorDataValue::Flag(flag) => serializer.serialize_bool(*flag),
            VendorDataValue::Number(number) => serializer.serialize_i64(*number),
            VendorDataValue::Text(text) => serializer.serialize_str(text),
        }
    }
}

impl PartialSchema for ScalarBody<'_> {
    fn schema() -> RefOr<Schema> {
        let flag = ObjectBuilder::new().schema_type(Type::Boolean);
        schema::any_of([schema::text().into(), schema::integer().into(), flag.into()])
    }
}

impl ToSchema for ScalarBody<'_> {
    fn name() -> std::borrow::Cow<'static, str> {
        "Scalar".into()
    }
}

/// An order, and what it refers to.
#[derive(Serialize, ToSchema)]
#[schema(as = OrderAnswer)]
pub(super) struct OrderResponse<'a> {
    /// The order.
    data: OrderV2Body<'a>,
    /// What the order refers to by id.
    refs: RefsBody<'a>,
    /// In responses to writes: what was asked for and is not available, and why.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    details: Option<Vec<ShortfallV2Body>>,
    /// Promocodes that were asked for and left out; missing if there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    errors: Option<Vec<SkippedPromocodeBody>>,
}

impl<'a> OrderResponse<'a> {
    pub(super) fn new(order: &'a Order, around: RelatedRowsLookup<'a>) -> Self {
        Self { data: OrderV2Body::new(order, around), refs: RefsBody::of([order], around), details: None, errors: None }
    }

    /// As the answer to a write.
    pub(super) fn for_write(outcome: &'a OrderOutcome, around: RelatedRowsLookup<'a>) -> Self {
        let details = Some(ShortfallV2Body::from_shortfalls(&outcome.shortfalls));
        let errors = SkippedPromocodeBody::all(&outcome.refused_promocodes);
        Self { details, errors, ..Self::new(&outcome.order, around) }
    }
}

/// Orders, and what they refer to.
#[derive(Serialize, ToSchema)]
#[schema(as = OrdersAnswer)]
pub(super) struct OrderListResponse<'a> {
    /// The orders of this page.
    data: Vec<OrderV2Body<'a>>,
    /// What these orders refer to by id.
    refs: RefsBody<'a>,
    /// Which page this is.
    pagination: Pagination,
    /// How many orders there are on all pages.
    total_count: u64,
}

impl<'a> OrderListResponse<'a> {
    pub(super) fn new(
        orders: &'a [Order],
        around: RelatedRowsLookup<'a>,
        pagination: Pagination,
        total_count: u64,
    ) -> Self {
        let data = orders.iter().map(|order| OrderV2Body::new(order, around)).collect();
        Self { data, refs: RefsBody::of(orders, around), pagination, total_count }
    }
}

//! A ticket of an order as v2 shows it.

use kassa_domain::order::{Order, OrderLine, OrderStatusKind};
use kassa_domain::seating::Seat;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa::openapi::{RefOr, Schema};

use super::answers::AnswersBody;
use crate::openapi::schema;
use crate::related::RelatedRowsLookup;
use crate::wire::{IdRef, MoneyBody, SetRef, TICKET_STATUSES, TicketRef, TicketStatus};

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
    /// The name on the ticket, as whoever bought it gave it; missing if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    holder: Option<&'a str>,
    /// Answers to the questions of the event that are asked for each ticket, by the ids of the questions; missing if there
    /// are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    answers: Option<AnswersBody<'a>>,
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
    pub(in crate::v2) fn new(order: &'a Order, line: &OrderLine, related: RelatedRowsLookup<'a>) -> Self {
        let ticket = related.ticket(line.ticket);
        Self {
            id: IdRef(line.ticket),
            set: IdRef(line.set),
            serial: related.set(line.set).map_or("", |set| &set.serial),
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
            holder: order.notes.holder_of(line.ticket),
            answers: AnswersBody::of(&order.notes, Some(line.ticket)),
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

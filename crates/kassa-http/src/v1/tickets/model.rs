//! A ticket as v1 shows it.

use kassa_domain::seating::Seat;
use kassa_domain::set::TicketSet;
use kassa_domain::ticket::Ticket;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa::openapi::{RefOr, Schema};

use crate::route::{FieldKind, ResourceKind};
use crate::wire::{
    EmptyBody, IdRef, Referenced, RowNameBody, SetRef, TICKET_STATUSES, TicketRef, TicketStatus, Time, WireField,
    wire_form,
};

wire_form! {
    /// A ticket.
    #[derive(Debug)]
    #[schema(as = Ticket)]
    pub(crate) struct TicketBody<'a> {
        /// The id of the ticket.
        id: TicketRef,
        /// The number of the ticket, unique within the event.
        number: i64,
        /// Three letters that all tickets of the set share.
        serial: &'a str,
        /// 16 digits, unique within the event. `null` until the ticket is sold, and for everyone but the organizer, the
        /// vendor and the customer.
        barcode: Option<&'a str>,
        /// The seat; `{}` for a ticket without one.
        seat: SeatBody<'a>,
        /// The set that the ticket is in.
        set: SetRef,
        #[schema(schema_with = status_schema)]
        status: &'static str,
        /// Until when an order holds it; `null` unless it is reserved.
        reserved_till: Option<Time>,
        /// In reads by id: whether its set is removed.
        // Where one ticket is shown alone.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schema(nullable = false)]
        removed: Option<bool>,
        /// In reads by id: when it was created.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schema(nullable = false)]
        created_at: Option<Time>,
        /// In reads by id: the same as `created_at`.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schema(nullable = false)]
        updated_at: Option<Time>,
    }
}

pub(crate) static TICKET: ResourceKind = ResourceKind::new("ticket", TicketBody::KIND);

impl Referenced for Ticket {
    fn kind() -> &'static ResourceKind {
        &TICKET
    }
}

fn status_schema() -> RefOr<Schema> {
    let about = "`reserved` is held by an unpaid order; `blocked` is held back by the organizer.";
    TICKET_STATUSES.schema().description(Some(about)).into()
}

impl<'a> TicketBody<'a> {
    /// `set` is the ticket's own; `with_barcode` says whether the caller may see it.
    pub(crate) fn new(ticket: &'a Ticket, set: &'a TicketSet, with_barcode: bool) -> Self {
        Self {
            id: IdRef(ticket.id),
            number: ticket.number,
            serial: &set.serial,
            barcode: ticket.barcode().filter(|_| with_barcode),
            seat: SeatBody::new(ticket.seat.as_deref()),
            set: IdRef(ticket.set),
            status: TICKET_STATUSES.name(TicketStatus::from(&ticket.state)),
            reserved_till: ticket.reserved_till().map(Time),
            removed: None,
            created_at: None,
            updated_at: None,
        }
    }

    /// As one ticket is shown by its id. It is removed with its set. The row does not say when it
    /// last changed: `updated_at` is when it was made.
    pub(crate) fn into_single(self, set: &TicketSet) -> Self {
        let made = Time(self.id.0.created_at());
        Self { removed: Some(set.removed), created_at: Some(made), updated_at: Some(made), ..self }
    }
}

/// The seat of a ticket; empty where it has none.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Seat)]
#[serde(untagged)]
pub(crate) enum SeatBody<'a> {
    Unseated(EmptyBody),
    Seated {
        /// The sector of its set; `null` if that is not set.
        sector: Option<&'a str>,
        /// The name of the row.
        row: RowNameBody<'a>,
        /// The number of the seat in the row.
        number: u16,
    },
}

/// `map` is no longer shown; clients may still ask for it.
impl WireField for SeatBody<'_> {
    const KIND: FieldKind = FieldKind::Object(&[
        ("map", FieldKind::Scalar),
        ("sector", FieldKind::Scalar),
        ("row", FieldKind::Scalar),
        ("number", FieldKind::Scalar),
    ]);
}

impl<'a> SeatBody<'a> {
    pub(crate) fn new(seat: Option<&'a Seat>) -> Self {
        seat.map_or(Self::Unseated(EmptyBody {}), |seat| Self::Seated {
            sector: Some(seat.sector.as_str()).filter(|sector| !sector.is_empty()),
            row: RowNameBody(&seat.row),
            number: seat.number,
        })
    }
}

//! A ticket as v1 shows it.

use kassa_domain::set::{Set, SetId};
use kassa_domain::ticket::{Ticket, TicketId, TicketState};
use serde::Serialize;

use crate::v1::partners::model::Empty;
use crate::wire::Time;

/// A ticket (api-facts §3.2).
#[derive(Debug, Serialize)]
pub(crate) struct TicketBody<'a> {
    id: TicketId,
    number: i64,
    serial: &'a str,
    barcode: Option<&'a str>,
    seat: Empty,
    set: SetId,
    status: &'static str,
    reserved_till: Option<Time>,
    // Where one ticket is shown alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    removed: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    created_at: Option<Time>,
    #[serde(skip_serializing_if = "Option::is_none")]
    updated_at: Option<Time>,
}

impl<'a> TicketBody<'a> {
    /// `set` is the ticket's own; `with_barcode` says whether the caller may see it.
    pub(crate) fn new(ticket: &'a Ticket, set: &'a Set, with_barcode: bool) -> Self {
        Self {
            id: ticket.id,
            number: ticket.number,
            serial: &set.serial,
            barcode: ticket.barcode().filter(|_| with_barcode),
            seat: Empty {},
            set: ticket.set,
            status: match ticket.state {
                TicketState::Vacant => "vacant",
                TicketState::Held { .. } => "reserved",
                TicketState::Sold { .. } => "sold",
                TicketState::Blocked => "blocked",
            },
            reserved_till: ticket.reserved_till().map(Time),
            removed: None,
            created_at: None,
            updated_at: None,
        }
    }

    /// As one ticket is shown by its id. It is removed with its set. The row does not say when it
    /// last changed: `updated_at` is when it was made.
    pub(crate) fn alone(self, set: &Set) -> Self {
        let made = Time(self.id.made_at());
        Self { removed: Some(set.removed), created_at: Some(made), updated_at: Some(made), ..self }
    }
}

//! Seats by their names, as orders ask for them: the tickets that they stand for.

use kassa_domain::seating::Seating;
use kassa_domain::set::{SeatSelector, SetId, TicketSet};
use kassa_domain::ticket::{Ticket, TicketId};
use kassa_domain::{ReadSet, Refusal, View};
use kassa_engine::Engine;
use utoipa::PartialSchema as _;
use utoipa::openapi::{RefOr, Schema};

use crate::error::{ApiError, ErrorDetail};
use crate::input::{FromJson, IdMap};
use crate::wire::{Seats, SeatsInput};

/// The seats of each set, as sets name them.
pub(super) type SeatsOfSets = IdMap<TicketSet, SeatsOfSet>;

/// The seats of a set.
pub(super) struct SeatsOfSet(pub(super) SeatsInput);

impl FromJson for SeatsOfSet {
    fn from_json(json: &str) -> Result<Self, Vec<ErrorDetail>> {
        SeatsInput::from_json(json).map(Self)
    }

    fn json_schema() -> RefOr<Schema> {
        // Sets, which share it in version 1, are not in the document of version 2.
        Seats::schema()
    }
}

/// The tickets of some seats, in their order. Which ticket a seat has changes only when the organizer takes the seat away
/// and makes it again: the order then finds the old one no longer.
pub(super) async fn tickets_of_seats(wanted: &[(SetId, Seating)], engine: &Engine) -> Result<Vec<TicketId>, ApiError> {
    let sets = wanted.iter().map(|(set, _)| *set).collect();
    let view = engine.view(&ReadSet { sets, ..ReadSet::default() }).await?;
    let mut selectors = Vec::new();
    for (set, seats) in wanted {
        let set = view.sets.get(*set).ok_or(Refusal::SetUnknown(*set))?;
        let selector = |(row, range)| SeatSelector {
            set: set.id,
            event: set.event,
            sector: set.sector.clone(),
            row: Clone::clone(row),
            range,
        };
        selectors.extend(seats.ranges().map(selector));
    }
    let view = engine.view(&ReadSet { seats: selectors, ..ReadSet::default() }).await?;
    let (mut tickets, mut problems) = (Vec::new(), Vec::new());
    for (set, seats) in wanted {
        for (row, number) in seats.seats() {
            if let Some(ticket) = find_ticket(*set, row.as_str(), number, &view) {
                tickets.push(ticket);
            } else {
                let field = format!("$.seats.{set}.{row}");
                problems.push(ErrorDetail::new(field, format!("names seat {number}, which the set does not have")));
            }
        }
    }
    if problems.is_empty() { Ok(tickets) } else { Err(ApiError::invalid(problems)) }
}

fn find_ticket(set: SetId, row: &str, number: u16, view: &View) -> Option<TicketId> {
    let mut of_set = view.tickets.rows().filter(|ticket| ticket.set == set);
    let is_here =
        |ticket: &&Ticket| ticket.seat.as_deref().is_some_and(|seat| seat.row.as_str() == row && seat.number == number);
    of_set.find(is_here).map(|ticket| ticket.id)
}

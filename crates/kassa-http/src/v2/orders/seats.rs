//! Seats by their names, as orders ask for them: the tickets that they stand for.

use kassa_domain::event::DEFAULT_TICKETS_LIMIT;
use kassa_domain::seating::Seating;
use kassa_domain::set::{SeatSelector, SetId, TicketSet};
use kassa_domain::ticket::{Ticket, TicketId};
use kassa_domain::{ReadSet, Refusal, View};
use kassa_engine::Engine;
use utoipa::PartialSchema as _;
use utoipa::openapi::{RefOr, Schema};

use super::input::OrderInput;
use crate::error::{ApiError, ErrorDetail};
use crate::input::{FromJson, IdMap, Input, List};
use crate::wire::{IdOrObject, Seats, SeatsInput};

/// The seats of each set, as sets name them.
pub(super) type SeatsOfSets = IdMap<TicketSet, SeatsOfSet>;

/// The seats of a set.
pub(super) struct SeatsOfSet(SeatsInput);

impl FromJson for SeatsOfSet {
    fn from_json(json: &str) -> Result<Self, Vec<ErrorDetail>> {
        SeatsInput::from_json(json).map(Self)
    }

    fn json_schema() -> RefOr<Schema> {
        // Sets, which share it in version 1, are not in the document of version 2.
        Seats::schema()
    }
}

impl OrderInput {
    /// The same by the ids of the tickets: a name that is wrong is left for whoever reads the rest.
    pub(super) async fn with_tickets_of_seats(mut self, engine: &Engine) -> Result<Self, ApiError> {
        let IdMap(wanted) = match std::mem::take(&mut self.seats) {
            Input::Given(wanted) => wanted,
            other => {
                self.seats = other;
                return Ok(self);
            }
        };
        if !matches!((&self.tickets, &self.random), (Input::Absent, Input::Absent)) {
            let detail = ErrorDetail::new("$.seats", "must not be given together with tickets or random");
            return Err(ApiError::invalid(vec![detail]));
        }
        let wanted: Vec<(SetId, Seating)> = wanted.into_iter().map(|(set, seats)| (set, seats.0.0)).collect();
        let count: i64 = wanted.iter().map(|(_, seats)| seats.count()).sum();
        if count > i64::from(DEFAULT_TICKETS_LIMIT) {
            return Err(Refusal::TicketsLimit(DEFAULT_TICKETS_LIMIT).into());
        }
        let tickets = tickets_of_seats(&wanted, engine).await?;
        self.tickets = Input::Given(List(tickets.into_iter().map(IdOrObject).collect()));
        Ok(self)
    }
}

/// The tickets of some seats, in their order. Which ticket a seat has changes only when the organizer takes the seat away
/// and makes it again: the order then finds the old one no longer.
async fn tickets_of_seats(wanted: &[(SetId, Seating)], engine: &Engine) -> Result<Vec<TicketId>, ApiError> {
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
            match find_ticket(*set, row.as_str(), number, &view) {
                Some(ticket) => tickets.push(ticket),
                None => {
                    let field = format!("$.seats.{set}.{row}");
                    problems.push(ErrorDetail::new(field, format!("names seat {number}, which the set does not have")));
                }
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

//! Sets of the house that have seats.

use kassa_domain::seating::{Seating, SeatingJson};
use kassa_domain::set::{CreateSet, SetId, SetSeats, TicketSet, UpdateSet};
use kassa_domain::ticket::{TicketId, TicketState};
use kassa_domain::{Money, Patch, Refusal};

use super::House;

/// Seats as they are written: `{"1": [[1, 20]]}`.
pub(crate) fn seating(json: &str) -> Seating {
    serde_json::from_str(json).expect("a seating")
}

impl House {
    /// A set of these seats in no sector, which sells to the end of the event.
    pub(crate) fn hall(&mut self, seats: &str) -> SetId {
        self.try_hall("", seats).expect("a set is made").id
    }

    /// The same in a sector.
    pub(crate) fn try_hall(&mut self, sector: &str, seats: &str) -> Result<TicketSet, Refusal> {
        let (sector, seats, price) = (sector.to_owned(), Some(seating(seats)), Some(Money::from_minor(1000)));
        self.give(&self.organizer(), &CreateSet { sector, seats, price, ..CreateSet::empty(self.event) })
    }

    /// Gives a set these seats and no others.
    pub(crate) fn reseat(&mut self, set: SetId, seats: &str) -> Result<TicketSet, Refusal> {
        let command = self.reseating(set, &seating(seats));
        self.give(&self.organizer(), &command)
    }

    pub(crate) fn reseating(&self, set: SetId, seats: &Seating) -> UpdateSet {
        UpdateSet { seats: Patch::Set(seats.clone()), ..self.no_change(set) }
    }

    /// Leaves the change to a job, where it may be made at all.
    pub(crate) fn reseat_later(&mut self, set: SetId, wanted: &Seating) {
        let command = self.reseating(set, wanted);
        let made = self.row(set).seats.as_ref().map(SetSeats::created_seating);
        let (Ok(_), Some(made)) = (self.rehearse(&self.organizer(), &command), made) else { return };
        if (made.difference(wanted).count(), wanted.difference(&made).count()) == (0, 0) {
            return;
        }
        let mut row = self.row(set).clone();
        row.counts.amount -= row.counts.pending;
        row.counts.pending = wanted.difference(&made).count();
        row.counts.amount += row.counts.pending;
        row.pending_removal = made.difference(wanted).count();
        row.seats = Some(SetSeats { layout: SeatingJson::from(wanted), created: Some(SeatingJson::from(&made)) });
        self.leave_to_job(row);
    }

    /// The seats of a set that have tickets in a state, from the front on: `"1-1 1-2"`.
    pub(crate) fn chairs(&self, set: SetId, is: fn(&TicketState) -> bool) -> String {
        let tickets = self.view.tickets.rows().filter(|ticket| ticket.set == set && is(&ticket.state));
        let mut seats: Vec<_> = tickets.filter_map(|ticket| ticket.seat.as_deref()).collect();
        seats.sort_unstable_by_key(|seat| (&seat.row, seat.number));
        seats.iter().map(|seat| format!("{}-{}", seat.row, seat.number)).collect::<Vec<_>>().join(" ")
    }

    /// The ticket of a seat.
    pub(crate) fn at(&self, set: SetId, row: &str, number: u16) -> TicketId {
        let row = row.parse().expect("a row");
        let here = |seat: &kassa_domain::seating::Seat| (&seat.row, seat.number) == (&row, number);
        let mut tickets = self.view.tickets.rows().filter(|ticket| ticket.set == set);
        tickets.find(|ticket| ticket.seat.as_deref().is_some_and(here)).expect("the chair is there").id
    }
}

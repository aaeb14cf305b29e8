//! The seats of a set: those that it shall have, those that it has, and the way from the one to the
//! other. Up to 10,000 are made or taken away in the command itself, the rest by a job.

use rustc_hash::FxHashMap;

use crate::context::Context;
use crate::context::command::COMMAND_ROWS_MAX;
use crate::model::event::Event;
use crate::model::hall_map::{HallMap, Sector};
use crate::model::seat_row_inventory::{SeatRowInventory, UNRANKED_ROW};
use crate::model::set::{SeatSelector, SetSeats, TicketSet};
use crate::model::ticket::{Ticket, TicketState};
use crate::refusal::{Refusal, SeatsRefusal};
use crate::values::resource_ids::{SeatRowInventoryId, TicketId};
use crate::values::seat_numbers::SeatNumbers;
use crate::values::seating::{RowName, Seat, SeatRange, Seating, SeatingJson};
use crate::view::View;

/// The most spans of seats in the sets of one event together: every sale in it carries them along.
pub const SEAT_RANGES_MAX: u32 = 20_000;

/// Refuses sets in sectors, or with seats, that the event's map does not have. Tickets with neither are
/// anywhere.
pub(crate) fn check_seats_on_map<'a>(
    sets: impl IntoIterator<Item = &'a TicketSet>,
    map: &HallMap,
) -> Result<(), SeatsRefusal> {
    let mut sectors: FxHashMap<&str, Seating> = FxHashMap::default();
    for set in sets {
        let sector = map.sector(&set.sector);
        if sector.is_none() && !set.sector.is_empty() {
            return Err(SeatsRefusal::SectorUnknown(set.sector.clone()));
        }
        let wanted = set.seats.as_ref().map_or_else(Seating::default, SetSeats::target_seating);
        let there = sectors.entry(&set.sector).or_insert_with(|| sector.map_or_else(Seating::default, Sector::seating));
        if let Some((row, number)) = wanted.difference(there).seats().next() {
            return Err(SeatsRefusal::SeatsNotOnMap { row: row.clone(), number });
        }
    }
    Ok(())
}

impl TicketSet {
    /// Seats that it would give up if it came to have those that are wanted, as many as one command
    /// takes away.
    pub fn seats_leaving(&self, wanted: &Seating) -> Vec<SeatSelector> {
        self.to_selectors(&self.leaving_seating(wanted))
    }

    /// Seats that a job has still to take away, as many as one step takes.
    pub fn seats_pending_removal(&self) -> Vec<SeatSelector> {
        match &self.seats {
            Some(seats) if self.pending_removal > 0 => {
                self.to_selectors(&seats.created_seating().difference(&seats.target_seating()))
            }
            Some(_) | None => Vec::new(),
        }
    }

    fn to_selectors(&self, chairs: &Seating) -> Vec<SeatSelector> {
        let named = |(row, span): (&RowName, SeatRange)| SeatSelector {
            set: self.id,
            event: self.event,
            sector: self.sector.clone(),
            row: row.clone(),
            range: span,
        };
        chairs.take_first_matching(COMMAND_ROWS_MAX as usize, |_, _| true).ranges().map(named).collect()
    }

    /// Makes these the seats that the set shall have. None may be another set's, and none that it
    /// gives up may be held, sold or blocked.
    pub(super) fn set_target_seats(&mut self, wanted: &Seating, view: &View) -> Result<(), Refusal> {
        if self.seats.is_none() && self.counts.amount > 0 {
            return Err(SeatsRefusal::SetWithoutSeats.into());
        }
        self.check_seats_unclaimed(wanted, view)?;
        self.check_leaving_seats_vacant(wanted, view)?;
        self.retarget_seats(wanted);
        Ok(())
    }

    /// Sets the wanted seats. What is to be made is `pending` at once, and what is to go is not for
    /// sale any more.
    pub(super) fn retarget_seats(&mut self, wanted: &Seating) {
        let made = self.seats.as_ref().map_or_else(Seating::default, SetSeats::created_seating);
        self.recount(SeatingJson::from(wanted), wanted, &made);
    }

    fn check_seats_unclaimed(&self, wanted: &Seating, view: &View) -> Result<(), Refusal> {
        let others = view.sets_of(self.event).into_iter().filter(|other| other.id != self.id);
        let others: Vec<(&TicketSet, &SetSeats, Seating)> = others
            .filter_map(|other| other.seats.as_ref().map(|seats| (other, seats, seats.target_seating())))
            .collect();
        let spans: usize = others.iter().map(|(_, _, theirs)| theirs.ranges().count()).sum();
        if spans + wanted.ranges().count() > SEAT_RANGES_MAX as usize {
            return Err(Refusal::TooMany { what: "ranges of seats in one set", max: SEAT_RANGES_MAX });
        }
        for (other, seats, theirs) in others.iter().filter(|(other, ..)| other.sector == self.sector) {
            if let Some((row, number)) = wanted.first_common_seat(theirs) {
                return Err(SeatsRefusal::SeatTaken { row: row.clone(), number }.into());
            }
            if other.pending_removal > 0 && wanted.first_common_seat(&seats.created_seating()).is_some() {
                // A seat that the other gives up is free once its ticket is gone.
                return Err(Refusal::SetBusy);
            }
        }
        Ok(())
    }

    /// What leaves is known to be vacant, for nobody may have it from here on: because all is vacant,
    /// or because each ticket was looked at.
    fn check_leaving_seats_vacant(&self, wanted: &Seating, view: &View) -> Result<(), Refusal> {
        let taken = self.counts.in_orders() + self.counts.blocked;
        if taken == 0 {
            return Ok(());
        }
        if wanted.count() < taken {
            return Err(Refusal::AmountBelowSold);
        }
        let leaving = self.leaving_seating(wanted);
        if leaving.count() > i64::from(COMMAND_ROWS_MAX) {
            return Err(SeatsRefusal::SeatRemovalLimit(COMMAND_ROWS_MAX).into());
        }
        let here = self.tickets_by_seat(view);
        for chair in leaving.seats() {
            match here.get(&chair).map(|ticket| &ticket.state) {
                Some(TicketState::Vacant) => {}
                Some(TicketState::Held { .. } | TicketState::Sold { .. } | TicketState::Blocked) => {
                    return Err(Refusal::AmountBelowSold);
                }
                // The set has other seats than when the request looked.
                None => return Err(Refusal::Stale),
            }
        }
        Ok(())
    }

    /// Seats with tickets that the set was to keep until now.
    fn leaving_seating(&self, wanted: &Seating) -> Seating {
        let Some(seats) = &self.seats else { return Seating::default() };
        let (made, before) = (seats.created_seating(), seats.target_seating());
        made.difference(&made.difference(&before)).difference(wanted)
    }

    /// Its tickets in the view by seat.
    fn tickets_by_seat<'a>(&self, view: &'a View) -> FxHashMap<(&'a RowName, u16), &'a Ticket> {
        let own = view.tickets.rows().filter(|ticket| ticket.set == self.id);
        own.filter_map(|ticket| ticket.seat.as_ref().map(|seat| ((&seat.row, seat.number), ticket))).collect()
    }

    /// One bounded step towards the wanted seats: first away with the others, as far as they are in
    /// the view, then from the front on.
    pub(super) fn advance_seats(
        &mut self,
        event: &mut Event,
        cx: &mut Context<'_>,
        view: &mut View,
    ) -> Result<(), Refusal> {
        self.update_row_ranks(event, view);
        let Some(SetSeats { layout, created: Some(made) }) = self.seats.clone() else { return Ok(()) };
        let (wanted, made) = (layout.seating(), made.seating());
        let gone = self.remove_seats(&made.difference(&wanted), view)?;
        let room = i64::from(COMMAND_ROWS_MAX) - gone.count();
        let new = wanted.difference(&made).take_first_matching(usize::try_from(room).unwrap_or(0), |_, _| true);
        self.create_seats(&new, event, cx, view)?;
        self.recount(layout, &wanted, &made.difference(&gone).union(&new));
        Ok(())
    }

    fn remove_seats(&mut self, pending_removal: &Seating, view: &mut View) -> Result<Seating, Refusal> {
        let here = self.tickets_by_seat(view);
        let goes = |ticket: &&Ticket| match ticket.state {
            TicketState::Vacant => true,
            // With a set that is removed goes what its organizer held back.
            TicketState::Blocked => self.removed,
            TicketState::Held { .. } | TicketState::Sold { .. } => false,
        };
        let gone = pending_removal
            .take_first_matching(COMMAND_ROWS_MAX as usize, |row, number| here.get(&(row, number)).is_some_and(goes));
        let tickets: Vec<TicketId> =
            gone.seats().filter_map(|chair| here.get(&chair)).map(|ticket| ticket.id).collect();
        tickets.into_iter().try_for_each(|ticket| self.remove_ticket(ticket, view))?;
        Ok(gone)
    }

    fn create_seats(
        &mut self,
        new: &Seating,
        event: &mut Event,
        cx: &mut Context<'_>,
        view: &mut View,
    ) -> Result<(), Refusal> {
        let ranks = self.row_ranks(event, view);
        let mut inventories: FxHashMap<RowName, SeatRowInventoryId> =
            self.row_inventories(view).map(|b| (b.row.clone(), b.id)).collect();
        for (row, span) in new.ranges() {
            let inventory = inventories.get(row).copied().unwrap_or_else(|| cx.id_with_tag(event.id.tag()));
            if inventories.insert(row.clone(), inventory).is_none() {
                let rank = ranks.get(row).copied().unwrap_or(UNRANKED_ROW);
                let vacant = SeatNumbers::default();
                view.seat_row_inventories.put(SeatRowInventory {
                    id: inventory,
                    set: self.id,
                    row: row.clone(),
                    rank,
                    seats: 0,
                    vacant,
                });
            }
            for number in span.from..=span.to {
                let seat = Seat { sector: self.sector.clone(), row: row.clone(), number, row_inventory: inventory };
                self.create_ticket(Some(Box::new(seat)), event, cx, view)?;
            }
        }
        Ok(())
    }

    /// Its row inventories in the view.
    fn row_inventories<'a>(&self, view: &'a View) -> impl Iterator<Item = &'a SeatRowInventory> + use<'a> {
        let id = self.id;
        view.seat_row_inventories.rows().filter(move |inventory| inventory.set == id)
    }

    /// How good the event's map says that the rows of its sector are. Of a row in pieces, the best counts.
    fn row_ranks(&self, event: &Event, view: &View) -> FxHashMap<RowName, u32> {
        let sector = view.hall_map_of(event).and_then(|map| map.sector(&self.sector));
        let mut ranks = FxHashMap::default();
        for (row, rank) in sector.into_iter().flat_map(|s| &s.rows).filter_map(|row| Some((&row.row, row.rank?))) {
            let best = ranks.entry(row.clone()).or_insert(rank);
            *best = rank.min(*best);
        }
        ranks
    }

    /// Gives its row inventories the ranks that the map has now.
    fn update_row_ranks(&self, event: &Event, view: &mut View) {
        if self.removed {
            return;
        }
        let ranks = self.row_ranks(event, view);
        let rank = |inventory: &SeatRowInventory| ranks.get(&inventory.row).copied().unwrap_or(UNRANKED_ROW);
        let others = self.row_inventories(view).filter(|inventory| inventory.rank != rank(inventory)).cloned();
        let ranked: Vec<SeatRowInventory> =
            others.map(|inventory| SeatRowInventory { rank: rank(&inventory), ..inventory }).collect();
        for inventory in ranked {
            view.seat_row_inventories.put(inventory);
        }
    }

    /// The layout, what is there of it, and the counters of what is still to be done.
    fn recount(&mut self, layout: SeatingJson, wanted: &Seating, made: &Seating) {
        let tickets = self.counts.amount - self.counts.pending;
        self.counts.pending = wanted.difference(made).count();
        self.counts.amount = tickets + self.counts.pending;
        self.pending_removal = made.difference(wanted).count();
        let there = self.counts.pending == 0 && self.pending_removal == 0;
        self.seats = Some(SetSeats { layout, created: (!there).then(|| SeatingJson::from(made)) });
    }
}

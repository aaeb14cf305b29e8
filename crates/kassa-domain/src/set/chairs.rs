//! The chairs of a set: those that it shall have, those that it has, and the way from the one to the
//! other. Up to 10,000 are made or taken away in the command itself, the rest by a job.

use rustc_hash::FxHashMap;

use super::{Set, SetId};
use crate::bench::{Bench, BenchId, Numbers, UNRANKED};
use crate::command::ROWS_MAX;
use crate::context::Context;
use crate::event::{Event, EventId};
use crate::hall::{HallMap, Sector};
use crate::refusal::{Refusal, SeatsRefusal};
use crate::seating::{Layout, RowName, Seat, Seating, Span};
use crate::ticket::{Ticket, TicketId, TicketState};
use crate::view::View;

/// The most spans of seats in the sets of one event together: every sale in it carries them along.
pub const SPANS_MAX: u32 = 20_000;

/// What a set with seats knows of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seats {
    /// The chairs that it shall have, as the organizer wrote them.
    pub layout: Layout,
    /// The chairs that have tickets, while a job makes them those of the layout.
    pub made: Option<Layout>,
}

impl Seats {
    /// The chairs that the set shall have.
    pub fn wanted(&self) -> Seating {
        self.layout.seating()
    }

    /// The chairs that have tickets.
    pub fn made(&self) -> Seating {
        self.made.as_ref().unwrap_or(&self.layout).seating()
    }
}

/// Neighbouring chairs of a set, by name: says which tickets to load.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Chairs {
    /// The set.
    pub set: SetId,
    /// Its event.
    pub event: EventId,
    /// Its sector.
    pub sector: String,
    /// The row.
    pub row: RowName,
    /// The numbers in the row.
    pub span: Span,
}

/// Refuses sets in sectors, or with chairs, that the event's map does not have. Tickets with neither are
/// anywhere.
pub(crate) fn check_places<'a>(sets: impl IntoIterator<Item = &'a Set>, map: &HallMap) -> Result<(), SeatsRefusal> {
    let mut sectors: FxHashMap<&str, Seating> = FxHashMap::default();
    for set in sets {
        let sector = map.sector(&set.sector);
        if sector.is_none() && !set.sector.is_empty() {
            return Err(SeatsRefusal::SectorUnknown(set.sector.clone()));
        }
        let wanted = set.seats.as_ref().map_or_else(Seating::default, Seats::wanted);
        let there = sectors.entry(&set.sector).or_insert_with(|| sector.map_or_else(Seating::default, Sector::seating));
        if let Some((row, number)) = wanted.minus(there).seats().next() {
            return Err(SeatsRefusal::SeatsNotOnMap { row: row.clone(), number });
        }
    }
    Ok(())
}

impl Set {
    /// Tells of its tickets which ones stay: not those whose chairs a job is taking away.
    pub fn staying(&self) -> impl Fn(&Ticket) -> bool + use<> {
        let wanted = self.seats.as_ref().filter(|_| self.doomed > 0).map(Seats::wanted);
        move |ticket| match (&wanted, &ticket.seat) {
            (Some(wanted), Some(seat)) => wanted.has(&seat.row, seat.number),
            (None, _) | (_, None) => true,
        }
    }

    /// Chairs that it would give up if it came to have those that are wanted, as many as one command
    /// takes away.
    pub fn chairs_leaving(&self, wanted: &Seating) -> Vec<Chairs> {
        self.some_of(&self.leaving(wanted))
    }

    /// Chairs that a job has still to take away, as many as one step takes.
    pub fn chairs_doomed(&self) -> Vec<Chairs> {
        match &self.seats {
            Some(seats) if self.doomed > 0 => self.some_of(&seats.made().minus(&seats.wanted())),
            Some(_) | None => Vec::new(),
        }
    }

    fn some_of(&self, chairs: &Seating) -> Vec<Chairs> {
        let named = |(row, span): (&RowName, Span)| Chairs {
            set: self.id,
            event: self.event,
            sector: self.sector.clone(),
            row: row.clone(),
            span,
        };
        chairs.first(ROWS_MAX as usize, |_, _| true).spans().map(named).collect()
    }

    /// Makes these the chairs that the set shall have. None may be another set's, and none that it
    /// gives up may be held, sold or blocked.
    pub(super) fn give_seats(&mut self, wanted: &Seating, view: &View) -> Result<(), Refusal> {
        if self.seats.is_none() && self.counts.amount > 0 {
            return Err(SeatsRefusal::SetWithoutSeats.into());
        }
        self.check_room(wanted, view)?;
        self.check_leaving(wanted, view)?;
        self.aim_at(wanted);
        Ok(())
    }

    /// Sets the wanted chairs. What is to be made is `pending` at once, and what is to go is not for
    /// sale any more.
    pub(super) fn aim_at(&mut self, wanted: &Seating) {
        let made = self.seats.as_ref().map_or_else(Seating::default, Seats::made);
        self.stand(Layout::from(wanted), wanted, &made);
    }

    fn check_room(&self, wanted: &Seating, view: &View) -> Result<(), Refusal> {
        let others = view.sets_of(self.event).into_iter().filter(|other| other.id != self.id);
        let others: Vec<(&Set, &Seats, Seating)> =
            others.filter_map(|other| other.seats.as_ref().map(|seats| (other, seats, seats.wanted()))).collect();
        let spans: usize = others.iter().map(|(_, _, theirs)| theirs.spans().count()).sum();
        if spans + wanted.spans().count() > SPANS_MAX as usize {
            return Err(Refusal::TooMany(SPANS_MAX));
        }
        for (other, seats, theirs) in others.iter().filter(|(other, ..)| other.sector == self.sector) {
            if let Some((row, number)) = wanted.meets(theirs) {
                return Err(SeatsRefusal::SeatTaken { row: row.clone(), number }.into());
            }
            if other.doomed > 0 && wanted.meets(&seats.made()).is_some() {
                // A chair that the other gives up is free once its ticket is gone.
                return Err(Refusal::SetBusy);
            }
        }
        Ok(())
    }

    /// What leaves is known to be vacant, for nobody may have it from here on: because all is vacant,
    /// or because each ticket was looked at.
    fn check_leaving(&self, wanted: &Seating, view: &View) -> Result<(), Refusal> {
        let taken = self.counts.in_orders() + self.counts.blocked;
        if taken == 0 {
            return Ok(());
        }
        if wanted.count() < taken {
            return Err(Refusal::AmountBelowSold);
        }
        let leaving = self.leaving(wanted);
        if leaving.count() > i64::from(ROWS_MAX) {
            return Err(SeatsRefusal::SeatsLeavingLimit(ROWS_MAX).into());
        }
        let here = self.chairs_in(view);
        for chair in leaving.seats() {
            match here.get(&chair).map(|ticket| &ticket.state) {
                Some(TicketState::Vacant) => {}
                Some(TicketState::Held { .. } | TicketState::Sold { .. } | TicketState::Blocked) => {
                    return Err(Refusal::AmountBelowSold);
                }
                // The set has other chairs than when the request looked.
                None => return Err(Refusal::Stale),
            }
        }
        Ok(())
    }

    /// Chairs with tickets that the set was to keep until now.
    fn leaving(&self, wanted: &Seating) -> Seating {
        let Some(seats) = &self.seats else { return Seating::default() };
        let (made, before) = (seats.made(), seats.wanted());
        made.minus(&made.minus(&before)).minus(wanted)
    }

    /// Its tickets in the view by chair.
    fn chairs_in<'a>(&self, view: &'a View) -> FxHashMap<(&'a RowName, u16), &'a Ticket> {
        let own = view.tickets.rows().filter(|ticket| ticket.set == self.id);
        own.filter_map(|ticket| ticket.seat.as_ref().map(|seat| ((&seat.row, seat.number), ticket))).collect()
    }

    /// One bounded step towards the wanted chairs: first away with the others, as far as they are in
    /// the view, then from the front on.
    pub(super) fn move_chairs(
        &mut self,
        event: &mut Event,
        cx: &mut Context<'_>,
        view: &mut View,
    ) -> Result<(), Refusal> {
        self.rank_benches(event, view);
        let Some(Seats { layout, made: Some(made) }) = self.seats.clone() else { return Ok(()) };
        let (wanted, made) = (layout.seating(), made.seating());
        let gone = self.take_chairs_away(&made.minus(&wanted), view)?;
        let room = i64::from(ROWS_MAX) - gone.count();
        let new = wanted.minus(&made).first(usize::try_from(room).unwrap_or(0), |_, _| true);
        self.make_chairs(&new, event, cx, view)?;
        self.stand(layout, &wanted, &made.minus(&gone).plus(&new));
        Ok(())
    }

    fn take_chairs_away(&mut self, doomed: &Seating, view: &mut View) -> Result<Seating, Refusal> {
        let here = self.chairs_in(view);
        let goes = |ticket: &&Ticket| match ticket.state {
            TicketState::Vacant => true,
            // With a set that is removed goes what its organizer held back.
            TicketState::Blocked => self.removed,
            TicketState::Held { .. } | TicketState::Sold { .. } => false,
        };
        let gone = doomed.first(ROWS_MAX as usize, |row, number| here.get(&(row, number)).is_some_and(goes));
        let tickets: Vec<TicketId> =
            gone.seats().filter_map(|chair| here.get(&chair)).map(|ticket| ticket.id).collect();
        tickets.into_iter().try_for_each(|ticket| self.take_out(ticket, view))?;
        Ok(gone)
    }

    fn make_chairs(
        &mut self,
        new: &Seating,
        event: &mut Event,
        cx: &mut Context<'_>,
        view: &mut View,
    ) -> Result<(), Refusal> {
        let ranks = self.ranks(event, view);
        let mut benches: FxHashMap<RowName, BenchId> = self.benches(view).map(|b| (b.row.clone(), b.id)).collect();
        for (row, span) in new.spans() {
            let bench = benches.get(row).copied().unwrap_or_else(|| cx.id_under(event.id.tag()));
            if benches.insert(row.clone(), bench).is_none() {
                let rank = ranks.get(row).copied().unwrap_or(UNRANKED);
                let vacant = Numbers::default();
                view.benches.put(Bench { id: bench, set: self.id, row: row.clone(), rank, chairs: 0, vacant });
            }
            for number in span.from..=span.to {
                let seat = Seat { sector: self.sector.clone(), row: row.clone(), number, bench };
                self.make_ticket(Some(Box::new(seat)), event, cx, view)?;
            }
        }
        Ok(())
    }

    /// Its benches in the view.
    fn benches<'a>(&self, view: &'a View) -> impl Iterator<Item = &'a Bench> + use<'a> {
        let id = self.id;
        view.benches.rows().filter(move |bench| bench.set == id)
    }

    /// How good the event's map says that the rows of its sector are. Of a row in pieces, the best counts.
    fn ranks(&self, event: &Event, view: &View) -> FxHashMap<RowName, u32> {
        let sector = view.map_of(event).and_then(|map| map.sector(&self.sector));
        let mut ranks = FxHashMap::default();
        for (row, rank) in sector.into_iter().flat_map(|s| &s.rows).filter_map(|row| Some((&row.row, row.rank?))) {
            let best = ranks.entry(row.clone()).or_insert(rank);
            *best = rank.min(*best);
        }
        ranks
    }

    /// Gives its benches the ranks that the map has now.
    fn rank_benches(&self, event: &Event, view: &mut View) {
        if self.removed {
            return;
        }
        let ranks = self.ranks(event, view);
        let rank = |bench: &Bench| ranks.get(&bench.row).copied().unwrap_or(UNRANKED);
        let others = self.benches(view).filter(|bench| bench.rank != rank(bench)).cloned();
        let ranked: Vec<Bench> = others.map(|bench| Bench { rank: rank(&bench), ..bench }).collect();
        for bench in ranked {
            view.benches.put(bench);
        }
    }

    /// The layout, what is there of it, and the books of what is still to be done.
    fn stand(&mut self, layout: Layout, wanted: &Seating, made: &Seating) {
        let tickets = self.counts.amount - self.counts.pending;
        self.counts.pending = wanted.minus(made).count();
        self.counts.amount = tickets + self.counts.pending;
        self.doomed = made.minus(wanted).count();
        let there = self.counts.pending == 0 && self.doomed == 0;
        self.seats = Some(Seats { layout, made: (!there).then(|| Layout::from(made)) });
    }
}

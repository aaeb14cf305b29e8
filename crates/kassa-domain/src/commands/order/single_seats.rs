//! Orders that would leave single seats, where the event does not have that.

use std::collections::BTreeMap;

use crate::context::Context;
use crate::model::event::Event;
use crate::model::order::Order;
use crate::model::seat_row_inventory::SeatRowInventory;
use crate::permission;
use crate::refusal::{Refusal, SeatsRefusal, SingleSeat};
use crate::values::resource_ids::{SeatRowInventoryId, SetId, TicketId};
use crate::values::seat_numbers::SeatNumbers;
use crate::values::single_seats::{ChosenRow, SingleSeatRule, avoidable_singles};
use crate::view::View;

/// Seats by their row inventories.
type SeatsByRow = BTreeMap<SeatRowInventoryId, SeatNumbers>;

impl Order {
    /// Refuses a choice of seats that leaves single ones where they need not be. What it keeps is chosen, too, and what it
    /// gives back is free.
    pub(super) fn check_single_seats(
        &self,
        keep: &[TicketId],
        take: &[TicketId],
        event: &Event,
        cx: &Context<'_>,
        view: &mut View,
    ) -> Result<(), Refusal> {
        let is_bound = event.details.single_seats == SingleSeatRule::Forbid
            && !take.is_empty()
            && !permission::chooses_any_seats(cx.actor, event);
        if !is_bound {
            return Ok(());
        }
        let chosen: Vec<TicketId> = keep.iter().chain(take).copied().collect();
        let mut seats: BTreeMap<SetId, SeatsByRow> = BTreeMap::new();
        for ticket in chosen.iter().filter_map(|ticket| view.tickets.get(*ticket)) {
            if let Some(seat) = &ticket.seat {
                seats.entry(ticket.set).or_default().entry(seat.row_inventory).or_default().insert(seat.number);
            }
        }
        let own = self.held_seats(view);
        let (mut singles, mut is_stale) = (Vec::new(), false);
        for (set, chosen) in seats {
            match singles_of_set(set, &chosen, &own, view)? {
                Some(found) => singles.extend(found),
                // What the other sets miss is named in the same run.
                None => is_stale = true,
            }
        }
        if is_stale {
            Err(Refusal::Stale)
        } else if singles.is_empty() {
            Ok(())
        } else {
            Err(SeatsRefusal::SinglesLeft(singles).into())
        }
    }

    /// The seats that it holds.
    fn held_seats(&self, view: &View) -> SeatsByRow {
        let mut own = SeatsByRow::new();
        for seat in self.held_tickets(view).iter().filter_map(|ticket| ticket.seat.as_deref()) {
            own.entry(seat.row_inventory).or_default().insert(seat.number);
        }
        own
    }
}

/// The single seats that a choice leaves in a set; `None` if rows are missing in the view. The other rows are asked for
/// only where it leaves some.
fn singles_of_set(
    set: SetId,
    chosen: &SeatsByRow,
    own: &SeatsByRow,
    view: &mut View,
) -> Result<Option<Vec<SingleSeat>>, Refusal> {
    let choice = |inventory: &SeatRowInventory| {
        let mut free = inventory.vacant.clone();
        free.insert_all(own.get(&inventory.id).into_iter().flat_map(SeatNumbers::iter));
        ChosenRow { free, chosen: chosen.get(&inventory.id).cloned().unwrap_or_default() }
    };
    let rows = chosen.keys().filter_map(|inventory| view.seat_row_inventories.get(*inventory));
    if rows.map(choice).all(|row| row.singles().count() == 0) {
        return Ok(Some(Vec::new()));
    }
    let set = view.sets.get(set).ok_or(Refusal::Stale)?.clone();
    let Some(inventories) = view.require_row_inventories(&set) else { return Ok(None) };
    let rows: Vec<ChosenRow> = inventories.iter().map(|inventory| choice(inventory)).collect();
    let singles =
        avoidable_singles(&rows).into_iter().filter_map(|(at, numbers)| Some((inventories.get(at)?, numbers)));
    let single = |(inventory, numbers): (&&SeatRowInventory, SeatNumbers)| {
        let (set, row) = (set.id, inventory.row.clone());
        numbers.iter().map(|number| SingleSeat { set, row: row.clone(), number }).collect::<Vec<_>>()
    };
    Ok(Some(singles.flat_map(single).collect()))
}

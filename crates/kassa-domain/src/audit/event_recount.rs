//! What adds up over an event: the counters and row inventories of its sets are a recount of its tickets, and the
//! uses of its promocodes one of its orders.

use rustc_hash::{FxHashMap, FxHashSet};

use super::Findings;
use super::finding::FindingChecker;
use crate::commands::set::check_price_rules;
use crate::model::event::Event;
use crate::model::job::Job;
use crate::model::order::{Order, OrderStatusKind};
use crate::model::promocode::{Promocode, PromocodeUses};
use crate::model::seat_row_inventory::SeatRowInventory;
use crate::model::set::{TicketCounts, TicketSet};
use crate::model::ticket::{Ticket, TicketState};
use crate::values::resource_ids::{EventId, JobId, PromocodeId, SeatRowInventoryId, SetId};
use crate::values::seat_numbers::SeatNumbers;
use crate::values::seating::{RowName, Seat, Seating};
use crate::view::View;

/// Counts events again. Rows are added one by one, as of one moment, and kept no longer than a count needs them: an
/// event may have more tickets than fit into memory. First come events, jobs, sets, row inventories and
/// promocodes, then tickets by event and number, and orders.
#[derive(Default)]
pub struct EventRecount {
    events: FxHashMap<EventId, TicketNumbering>,
    jobs: FxHashSet<JobId>,
    sets: FxHashMap<SetId, SetRecount>,
    inventories: FxHashMap<SeatRowInventoryId, SeatRowRecount>,
    promocodes: FxHashMap<PromocodeId, (Promocode, PromocodeUses)>,
    findings: Findings,
}

/// The numbers of an event's tickets.
struct TicketNumbering {
    next_number: i64,
    last_number: i64,
}

/// A set, and a recount of its tickets.
struct SetRecount {
    set: TicketSet,
    counts: TicketCounts,
    /// The seats that it shall have, and those that it has.
    expected_and_created_seats: Option<(Seating, Seating)>,
    seated_tickets: i64,
}

/// A row inventory, and a recount of its seats.
struct SeatRowRecount {
    inventory: SeatRowInventory,
    all: SeatNumbers,
    vacant: SeatNumbers,
}

impl EventRecount {
    /// Counts all that there is in a view.
    pub fn of_view(view: &View) -> Self {
        let mut recount = Self::default();
        view.events.rows().for_each(|event| recount.add_event(event));
        view.jobs.rows().for_each(|job| recount.add_job(job));
        view.sets.rows().for_each(|set| recount.add_set(set.clone()));
        view.seat_row_inventories.rows().for_each(|inventory| recount.add_inventory(inventory.clone()));
        view.promocodes.rows().for_each(|promocode| recount.add_promocode(promocode.clone()));
        let mut tickets: Vec<&Ticket> = view.tickets.rows().collect();
        tickets.sort_unstable_by_key(|ticket| (ticket.event, ticket.number));
        for ticket in tickets {
            recount.add_ticket(ticket);
        }
        view.orders.rows().for_each(|order| recount.add_order(order));
        recount
    }

    /// Adds an event.
    pub fn add_event(&mut self, event: &Event) {
        self.events.insert(event.id, TicketNumbering { next_number: event.next_ticket_number, last_number: i64::MIN });
    }

    /// Adds a job.
    pub fn add_job(&mut self, job: &Job) {
        self.jobs.insert(job.id);
    }

    /// Adds a set.
    pub fn add_set(&mut self, set: TicketSet) {
        // What is pending has no ticket yet: nothing else says how many those are.
        let counts =
            TicketCounts { pending: set.counts.pending, amount: set.counts.pending, ..TicketCounts::default() };
        let seatings = set.seats.as_ref().map(|seats| (seats.target_seating(), seats.created_seating()));
        self.sets.insert(set.id, SetRecount { set, counts, expected_and_created_seats: seatings, seated_tickets: 0 });
    }

    /// Adds a row inventory.
    pub fn add_inventory(&mut self, inventory: SeatRowInventory) {
        self.inventories.insert(
            inventory.id,
            SeatRowRecount { inventory, all: SeatNumbers::default(), vacant: SeatNumbers::default() },
        );
    }

    /// Adds a promocode.
    pub fn add_promocode(&mut self, promocode: Promocode) {
        let uses = PromocodeUses { reserved: 0, used: 0, ..promocode.uses };
        self.promocodes.insert(promocode.id, (promocode, uses));
    }

    /// Counts a ticket; those of an event come by their numbers.
    pub fn add_ticket(&mut self, ticket: &Ticket) {
        let mut about = self.findings.checker_for("ticket", &ticket.id);
        if let Some(numbering) = self.events.get_mut(&ticket.event) {
            let is_new = numbering.last_number < ticket.number && ticket.number < numbering.next_number;
            let range = format!("a number of its own, below {}", numbering.next_number);
            about.expect("number", is_new, &range, &ticket.number);
            numbering.last_number = ticket.number;
        }
        let count = self.sets.get_mut(&ticket.set).filter(|count| count.set.event == ticket.event);
        let Some(count) = count else {
            about.expect("set", false, "a set of its event", &ticket.set);
            return;
        };
        count.counts.amount += 1;
        *count.counts.counter_of(&ticket.state) += 1;
        match (&count.expected_and_created_seats, ticket.seat.as_deref()) {
            (None, None) => {}
            (Some((wanted, made)), Some(seat)) => {
                count.seated_tickets += 1;
                let is_there = seat.sector == count.set.sector && made.contains(&seat.row, seat.number);
                about.expect("seat", is_there, "a seat of its set", seat);
                let stays = wanted.contains(&seat.row, seat.number) || count.set.removed;
                let may_go = stays || ticket.state == TicketState::Vacant;
                about.expect("seat", may_go, "a seat that is not to go", seat);
                recount_seat(self.inventories.get_mut(&seat.row_inventory), ticket, seat, &mut about);
            }
            (None, Some(_)) | (Some(_), None) => {
                about.expect("seat", false, "one just where the set has seats", ticket);
            }
        }
    }

    /// Counts an order.
    pub fn add_order(&mut self, order: &Order) {
        let is_paid = matches!(order.state(), OrderStatusKind::Paid | OrderStatusKind::Refunded);
        for id in &order.promocodes {
            let Some((_, uses)) = self.promocodes.get_mut(id) else { continue };
            uses.reserved += i64::from(order.is_live());
            uses.used += i64::from(is_paid);
        }
    }

    /// Compares what was counted with what the counters say.
    pub fn finish(mut self) -> Findings {
        let mut hall_rows: FxHashMap<(EventId, &str, &RowName), (SeatNumbers, u32)> = FxHashMap::default();
        let mut rows: FxHashSet<(SetId, &RowName)> = FxHashSet::default();
        for SeatRowRecount { inventory, all, vacant } in self.inventories.values() {
            let mut about = self.findings.checker_for("seat_row_inventory", &inventory.id);
            about.expect_equal("seats", &all.count(), &inventory.seats);
            about.expect_equal("vacant", vacant, &inventory.vacant);
            about.expect(
                "row",
                rows.insert((inventory.set, &inventory.row)),
                "the only inventory of its set and row",
                &inventory.row,
            );
            let Some(count) = self.sets.get(&inventory.set) else {
                about.expect("set", false, "a set of the event", &inventory.set);
                continue;
            };
            let row = hall_rows.entry((count.set.event, &count.set.sector, &inventory.row)).or_default();
            row.0.insert_all(all.iter());
            row.1 += all.count();
        }
        for ((event, sector, row), (numbers, count)) in hall_rows {
            let place = (sector, row);
            let is_single = numbers.count() == count;
            self.findings.checker_for("event", &event).expect("seats", is_single, "each seat in one set", &place);
        }
        for count in self.sets.values() {
            count.check(&self.jobs, self.findings.checker_for("set", &count.set.id));
        }
        for (promocode, uses) in self.promocodes.values() {
            let mut about = self.findings.checker_for("promocode", &promocode.id);
            about.expect_equal("uses", uses, &promocode.uses);
            about.expect("uses", promocode.uses.is_balanced(), "no more than there are", &promocode.uses);
        }
        self.findings
    }
}

impl SetRecount {
    fn check(&self, jobs: &FxHashSet<JobId>, mut about: FindingChecker<'_>) {
        let Self { set, counts, expected_and_created_seats: seatings, seated_tickets: seated } = self;
        about.expect_equal("counters", counts, &set.counts);
        about.expect("counters", set.counts.is_balanced(), "parts that add up", &set.counts);
        // Only what nobody has is taken away.
        let going = set.counts.vacant + if set.removed { set.counts.blocked } else { 0 };
        about.expect(
            "pending_removal",
            (0..=going).contains(&set.pending_removal),
            &format!("0 to {going}"),
            &set.pending_removal,
        );
        if let Some((wanted, made)) = seatings {
            about.expect_equal("pending", &wanted.difference(made).count(), &set.counts.pending);
            about.expect_equal("pending_removal", &made.difference(wanted).count(), &set.pending_removal);
            about.expect_equal("seats", seated, &made.count());
        }
        let is_done = set.counts.pending == 0 && set.pending_removal == 0;
        about.expect("job", is_done || set.job.is_some(), "one for the work that is left", &set.job);
        about.expect("job", set.job.is_none_or(|job| jobs.contains(&job)), "one that is there", &set.job);
        about.expect("rules", check_price_rules(&set.rules) == Ok(()), "one price at a time", &set.rules);
    }
}

/// A ticket takes its seat on its row inventory.
fn recount_seat(count: Option<&mut SeatRowRecount>, ticket: &Ticket, seat: &Seat, about: &mut FindingChecker<'_>) {
    let own = |count: &&mut SeatRowRecount| count.inventory.set == ticket.set && count.inventory.row == seat.row;
    let Some(SeatRowRecount { all, vacant, .. }) = count.filter(own) else {
        about.expect("row_inventory", false, "that of its set and row", &seat.row_inventory);
        return;
    };
    about.expect("seat", !all.contains(seat.number), "a seat of its own", seat);
    all.insert(seat.number);
    if ticket.state == TicketState::Vacant {
        vacant.insert(seat.number);
    }
}

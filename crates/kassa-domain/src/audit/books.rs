//! What adds up over an event: the counters and benches of its sets are a recount of its tickets, and the uses of its
//! promocodes one of its orders.

use rustc_hash::{FxHashMap, FxHashSet};

use super::Findings;
use super::finding::About;
use crate::bench::{Bench, BenchId, Numbers};
use crate::event::{Event, EventId};
use crate::job::{Job, JobId};
use crate::order::{Order, OrderState};
use crate::promocode::{Promocode, PromocodeId, Uses};
use crate::seating::{RowName, Seat, Seating};
use crate::set::{Counts, Set, SetId, check_rules};
use crate::ticket::{Ticket, TicketState};
use crate::view::View;

/// Counts events again. Rows are added one by one, as of one moment, and kept no longer than a count needs them: an
/// event may have more tickets than fit into memory. First come events, jobs, sets, benches and promocodes, then
/// tickets by event and number, and orders.
#[derive(Default)]
pub struct Books {
    events: FxHashMap<EventId, Numbering>,
    jobs: FxHashSet<JobId>,
    sets: FxHashMap<SetId, SetCount>,
    benches: FxHashMap<BenchId, BenchCount>,
    promocodes: FxHashMap<PromocodeId, (Promocode, Uses)>,
    findings: Findings,
}

/// The numbers of an event's tickets.
struct Numbering {
    next: i64,
    last: i64,
}

/// A set, and a recount of its tickets.
struct SetCount {
    set: Set,
    counts: Counts,
    /// The chairs that it shall have, and those that it has.
    chairs: Option<(Seating, Seating)>,
    seated: i64,
}

/// A bench, and a recount of its chairs.
struct BenchCount {
    bench: Bench,
    all: Numbers,
    vacant: Numbers,
}

impl Books {
    /// Counts all that there is in a view.
    pub fn of(view: &View) -> Self {
        let mut books = Self::default();
        view.events.rows().for_each(|event| books.event(event));
        view.jobs.rows().for_each(|job| books.job(job));
        view.sets.rows().for_each(|set| books.set(set.clone()));
        view.benches.rows().for_each(|bench| books.bench(bench.clone()));
        view.promocodes.rows().for_each(|promocode| books.promocode(promocode.clone()));
        let mut tickets: Vec<&Ticket> = view.tickets.rows().collect();
        tickets.sort_unstable_by_key(|ticket| (ticket.event, ticket.number));
        for ticket in tickets {
            books.ticket(ticket);
        }
        view.orders.rows().for_each(|order| books.order(order));
        books
    }

    /// Adds an event.
    pub fn event(&mut self, event: &Event) {
        self.events.insert(event.id, Numbering { next: event.next_ticket, last: i64::MIN });
    }

    /// Adds a job.
    pub fn job(&mut self, job: &Job) {
        self.jobs.insert(job.id);
    }

    /// Adds a set.
    pub fn set(&mut self, set: Set) {
        // What is pending has no ticket yet: nothing else tells how many those are.
        let counts = Counts { pending: set.counts.pending, amount: set.counts.pending, ..Counts::default() };
        let chairs = set.seats.as_ref().map(|seats| (seats.wanted(), seats.made()));
        self.sets.insert(set.id, SetCount { set, counts, chairs, seated: 0 });
    }

    /// Adds a bench.
    pub fn bench(&mut self, bench: Bench) {
        self.benches.insert(bench.id, BenchCount { bench, all: Numbers::default(), vacant: Numbers::default() });
    }

    /// Adds a promocode.
    pub fn promocode(&mut self, promocode: Promocode) {
        let uses = Uses { reserved: 0, used: 0, ..promocode.uses };
        self.promocodes.insert(promocode.id, (promocode, uses));
    }

    /// Counts a ticket; those of an event come by their numbers.
    pub fn ticket(&mut self, ticket: &Ticket) {
        let mut about = self.findings.about("ticket", &ticket.id);
        if let Some(numbering) = self.events.get_mut(&ticket.event) {
            let is_new = numbering.last < ticket.number && ticket.number < numbering.next;
            let range = format!("a number of its own, below {}", numbering.next);
            about.holds("number", is_new, &range, &ticket.number);
            numbering.last = ticket.number;
        }
        let count = self.sets.get_mut(&ticket.set).filter(|count| count.set.event == ticket.event);
        let Some(count) = count else {
            about.holds("set", false, "a set of its event", &ticket.set);
            return;
        };
        count.counts.amount += 1;
        *count.counts.of(&ticket.state) += 1;
        match (&count.chairs, ticket.seat.as_deref()) {
            (None, None) => {}
            (Some((wanted, made)), Some(seat)) => {
                count.seated += 1;
                let is_there = seat.sector == count.set.sector && made.has(&seat.row, seat.number);
                about.holds("seat", is_there, "a chair of its set", seat);
                let stays = wanted.has(&seat.row, seat.number) || count.set.removed;
                let may_go = stays || ticket.state == TicketState::Vacant;
                about.holds("seat", may_go, "a chair that is not to go", seat);
                sit(self.benches.get_mut(&seat.bench), ticket, seat, &mut about);
            }
            (None, Some(_)) | (Some(_), None) => about.holds("seat", false, "one just where the set has seats", ticket),
        }
    }

    /// Counts an order.
    pub fn order(&mut self, order: &Order) {
        let is_paid = matches!(order.state(), OrderState::Done | OrderState::Refunded);
        for id in &order.promocodes {
            let Some((_, uses)) = self.promocodes.get_mut(id) else { continue };
            uses.reserved += i64::from(order.is_live());
            uses.used += i64::from(is_paid);
        }
    }

    /// Compares what was counted with what the counters say.
    pub fn close(mut self) -> Findings {
        let mut chairs: FxHashMap<(EventId, &str, &RowName), (Numbers, u32)> = FxHashMap::default();
        let mut rows: FxHashSet<(SetId, &RowName)> = FxHashSet::default();
        for BenchCount { bench, all, vacant } in self.benches.values() {
            let mut about = self.findings.about("bench", &bench.id);
            about.same("chairs", &all.count(), &bench.chairs);
            about.same("vacant", vacant, &bench.vacant);
            about.holds("row", rows.insert((bench.set, &bench.row)), "one bench of a set in it", &bench.row);
            let Some(count) = self.sets.get(&bench.set) else {
                about.holds("set", false, "a set of the event", &bench.set);
                continue;
            };
            let row = chairs.entry((count.set.event, &count.set.sector, &bench.row)).or_default();
            row.0.extend(all.iter());
            row.1 += all.count();
        }
        for ((event, sector, row), (numbers, count)) in chairs {
            let place = (sector, row);
            let is_single = numbers.count() == count;
            self.findings.about("event", &event).holds("seats", is_single, "each chair in one set", &place);
        }
        for count in self.sets.values() {
            count.compare(&self.jobs, self.findings.about("set", &count.set.id));
        }
        for (promocode, uses) in self.promocodes.values() {
            let mut about = self.findings.about("promocode", &promocode.id);
            about.same("uses", uses, &promocode.uses);
            about.holds("uses", promocode.uses.balance(), "no more than there are", &promocode.uses);
        }
        self.findings
    }
}

impl SetCount {
    fn compare(&self, jobs: &FxHashSet<JobId>, mut about: About<'_>) {
        let Self { set, counts, chairs, seated } = self;
        about.same("counters", counts, &set.counts);
        about.holds("counters", set.counts.balance(), "parts that add up", &set.counts);
        // Only what nobody has is taken away.
        let going = set.counts.vacant + if set.removed { set.counts.blocked } else { 0 };
        about.holds("doomed", (0..=going).contains(&set.doomed), &format!("0 to {going}"), &set.doomed);
        if let Some((wanted, made)) = chairs {
            about.same("pending", &wanted.minus(made).count(), &set.counts.pending);
            about.same("doomed", &made.minus(wanted).count(), &set.doomed);
            about.same("chairs", seated, &made.count());
        }
        let is_done = set.counts.pending == 0 && set.doomed == 0;
        about.holds("job", is_done || set.job.is_some(), "one for the work that is left", &set.job);
        about.holds("job", set.job.is_none_or(|job| jobs.contains(&job)), "one that is there", &set.job);
        about.holds("rules", check_rules(&set.rules) == Ok(()), "one price at a time", &set.rules);
    }
}

/// A ticket takes its chair on its bench.
fn sit(count: Option<&mut BenchCount>, ticket: &Ticket, seat: &Seat, about: &mut About<'_>) {
    let own = |count: &&mut BenchCount| count.bench.set == ticket.set && count.bench.row == seat.row;
    let Some(BenchCount { all, vacant, .. }) = count.filter(own) else {
        about.holds("bench", false, "that of its set and row", &seat.bench);
        return;
    };
    about.holds("seat", !all.has(seat.number), "a chair of its own", seat);
    all.insert(seat.number);
    if ticket.state == TicketState::Vacant {
        vacant.insert(seat.number);
    }
}

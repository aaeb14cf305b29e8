//! Sets and events of the house.

use kassa_domain::event::{Event, EventId, EventPatch, EventStatus, UpdateEvent};
use kassa_domain::job::{Job, JobId, JobKind};
use kassa_domain::price::Share;
use kassa_domain::promocode::{CreatePromocode, LifetimePatch, PromocodeId};
use kassa_domain::promotion::{
    CreatePromotion, DiscountKind, LevelMeasure, PromotionId, RequestedLevel, RequestedLevelValue,
};
use kassa_domain::set::{AdvanceSetResize, CreateSet, RemoveSet, SetId, TicketSet, UpdateSet};
use kassa_domain::ticket::{Ticket, TicketId};
use kassa_domain::{Actor, Money, Patch, Percent, Refusal};

use super::House;

impl House {
    /// A set that sells from now to the end of the event.
    pub(crate) fn set(&mut self, amount: u32, price: i64) -> SetId {
        self.set_of(self.event, amount, price)
    }

    /// The same for another event.
    pub(crate) fn set_of(&mut self, event: EventId, amount: u32, price: i64) -> SetId {
        let actor = Actor::Partner(self.view.events.get(event).expect("the event is there").organizer);
        let price = Some(Money::from_minor(price));
        let set = self.give(&actor, &CreateSet { amount, price, ..CreateSet::empty(event) });
        set.expect("a set is made").id
    }

    /// A change to a set, as the organizer.
    pub(crate) fn change_set(&mut self, set: SetId, change: impl FnOnce(&mut UpdateSet)) -> Result<TicketSet, Refusal> {
        let mut command = self.no_change(set);
        change(&mut command);
        self.give(&self.organizer(), &command)
    }

    /// A change to a set that changes nothing yet.
    pub(crate) fn no_change(&self, set: SetId) -> UpdateSet {
        let row = self.view.sets.get(set).expect("the set is there");
        UpdateSet { observed_amount: row.counts.amount, ..UpdateSet::unchanged(row.event, set) }
    }

    pub(crate) fn reprice(&mut self, set: SetId, price: i64) -> TicketSet {
        self.change_set(set, |change| change.price = Some(Money::from_minor(price))).expect("the price changes")
    }

    pub(crate) fn block(&mut self, set: SetId, tickets: &[TicketId]) -> Result<TicketSet, Refusal> {
        self.change_set(set, |change| change.blocked = Some(tickets.to_vec()))
    }

    pub(crate) fn resize(&mut self, set: SetId, amount: u32) -> Result<TicketSet, Refusal> {
        self.change_set(set, |change| change.amount = Some(amount))
    }

    /// A change to the event, as the organizer.
    pub(crate) fn change_event(&mut self, change: impl FnOnce(&mut EventPatch)) -> Result<Event, Refusal> {
        let mut patch = EventPatch::default();
        change(&mut patch);
        let command = UpdateEvent { event: self.event, patch };
        self.give(&self.organizer(), &command).map(|(event, _)| event)
    }

    pub(crate) fn switch(&mut self, status: EventStatus) {
        self.change_event(|event| event.status = Patch::Set(status)).expect("the status changes");
    }

    /// The next step of the job that works on a set.
    pub(crate) fn next_step(&self, set: SetId) -> Option<AdvanceSetResize> {
        let row = self.row(set);
        row.job.map(|job| AdvanceSetResize::from_view(job, row.event, set, &self.view))
    }

    /// Leaves `count` vacant tickets of a set to a job that will take them away.
    pub(crate) fn doom(&mut self, set: SetId, count: i64) {
        let mut row = self.row(set).clone();
        row.pending_removal = count;
        self.leave_to_job(row);
    }

    /// Leaves `count` more tickets of a set to a job that will make them.
    pub(crate) fn promise(&mut self, set: SetId, count: i64) {
        let mut row = self.row(set).clone();
        row.counts.pending += count;
        row.counts.amount += count;
        self.leave_to_job(row);
    }

    pub(super) fn leave_to_job(&mut self, mut set: TicketSet) {
        let id = JobId::with_tag(set.event.tag(), self.node.next_key(self.now));
        let work = JobKind::Resize { event: set.event, set: set.id };
        let job = Job::new(*set.job.get_or_insert(id), work);
        self.arrange(|view| {
            view.jobs.put(job);
            view.sets.put(set);
        });
    }

    /// A promocode of the event, unlike others as far as a test says.
    pub(crate) fn promocode(&mut self, code: &str, change: impl FnOnce(&mut CreatePromocode)) -> PromocodeId {
        let mut command = new_promocode(self.event, code);
        change(&mut command);
        self.give(&self.organizer(), &command).expect("a promocode is made").id
    }

    /// The uses of a promocode, as text: `"1 reserved, 2 used"`.
    pub(crate) fn uses(&self, promocode: PromocodeId) -> String {
        let uses = self.view.promocodes.get(promocode).expect("the promocode is there").uses;
        format!("{} reserved, {} used", uses.reserved, uses.used)
    }

    /// A promotion of the event with these levels, unlike others as far as a test says.
    pub(crate) fn promotion(&mut self, steps: &[(i64, i64)], change: impl FnOnce(&mut CreatePromotion)) -> PromotionId {
        let mut command = new_promotion(self.event, steps);
        change(&mut command);
        self.give(&self.organizer(), &command).expect("a promotion is made").id
    }

    pub(crate) fn row(&self, set: SetId) -> &TicketSet {
        self.view.sets.get(set).expect("the set is there")
    }

    /// The counters of a set that are not zero, as text: `"3 vacant, 2 held"`.
    pub(crate) fn books(&self, set: SetId) -> String {
        let counts = self.row(set).counts;
        let parts = [
            (counts.vacant, "vacant"),
            (counts.held, "held"),
            (counts.sold, "sold"),
            (counts.blocked, "blocked"),
            (counts.pending, "pending"),
        ];
        let said: Vec<String> =
            parts.iter().filter(|(count, _)| *count > 0).map(|(count, name)| format!("{count} {name}")).collect();
        said.join(", ")
    }

    /// The tickets of a set, by id.
    pub(crate) fn tickets(&self, set: SetId) -> Vec<TicketId> {
        let mut tickets: Vec<TicketId> =
            self.view.tickets.rows().filter(|ticket| ticket.set == set).map(|ticket| ticket.id).collect();
        tickets.sort_unstable();
        tickets
    }

    pub(crate) fn ticket(&self, ticket: TicketId) -> &Ticket {
        self.view.tickets.get(ticket).expect("the ticket is there")
    }
}

/// A promocode that takes 30 % off any ticket, at any time and any number of times.
pub(crate) fn new_promocode(event: EventId, code: &str) -> CreatePromocode {
    let thirty = Share::Percent(Percent::from_percent(30));
    CreatePromocode::unlimited(event, code.parse().expect("a code"), thirty)
}

/// A promotion for all tickets, from now on: with `[(2, 10)]` it takes 10 % off each of two tickets or more.
pub(crate) fn new_promotion(event: EventId, steps: &[(i64, i64)]) -> CreatePromotion {
    CreatePromotion {
        event,
        lifetime: LifetimePatch::default(),
        sets: Vec::new(),
        measure: LevelMeasure::Count,
        kind: DiscountKind::Percentage,
        levels: levels(steps),
    }
}

/// Levels as plain numbers: tickets or whole units of money, and percents or whole units of money.
pub(crate) fn levels(steps: &[(i64, i64)]) -> Vec<RequestedLevel> {
    let value = |value: i64| RequestedLevelValue {
        percent: (value <= 100).then(|| Percent::from_percent(value)),
        amount: Some(Money::from_minor(value * 100)),
    };
    let level = |(from, off): &(i64, i64)| RequestedLevel { from: Money::from_minor(from * 100), value: value(*off) };
    steps.iter().map(level).collect()
}

/// The removal of a set.
pub(crate) fn remove_set(event: EventId, set: SetId) -> RemoveSet {
    RemoveSet { event, set, observed_seats: Vec::new() }
}

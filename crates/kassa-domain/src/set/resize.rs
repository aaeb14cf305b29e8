//! How a set comes to have as many tickets as it should: in the command itself up to 10,000, then
//! by a job in steps of as many.

use super::{Chairs, Set, SetId};
use crate::command::{Command, ROWS_MAX};
use crate::context::Context;
use crate::event::{Event, EventId};
use crate::id::Tag;
use crate::job::{Job, JobId, Progress, Work};
use crate::refusal::Refusal;
use crate::seating::Seat;
use crate::ticket::{Ticket, TicketState};
use crate::view::{Needs, View};

impl Set {
    /// Sets the wanted number of tickets. What is to be made is `pending` at once, so that the
    /// books balance at every moment.
    pub(super) fn aim(&mut self, amount: i64) -> Result<(), Refusal> {
        let counts = &mut self.counts;
        if amount < counts.in_orders() + counts.blocked {
            return Err(Refusal::AmountBelowSold);
        }
        let made = counts.amount - counts.pending;
        counts.pending = (amount - made).max(0);
        counts.amount = made + counts.pending;
        self.doomed = (made - amount).max(0);
        Ok(())
    }

    /// Takes one bounded step towards the wanted number, and keeps a job for the rest. The caller
    /// stores `event` and `self`.
    pub(super) fn advance(&mut self, event: &mut Event, cx: &mut Context<'_>, view: &mut View) -> Result<(), Refusal> {
        if self.seats.is_some() {
            self.move_chairs(event, cx, view)?;
        } else if self.counts.pending > 0 {
            self.make_tickets(event, cx, view)?;
        } else {
            self.take_tickets_away(view)?;
        }
        let there = self.counts.pending == 0 && self.doomed == 0;
        if there {
            // A job that a set does not name any more has nothing to do: its next step removes it.
            self.job = None;
        } else if self.job.is_none() {
            let work = Work::Resize { event: event.id, set: self.id };
            let id = cx.id_under(event.id.tag());
            view.jobs.put(Job::new(id, work));
            self.job = Some(id);
        }
        Ok(())
    }

    fn make_tickets(&mut self, event: &mut Event, cx: &mut Context<'_>, view: &mut View) -> Result<(), Refusal> {
        let count = self.counts.pending.min(i64::from(ROWS_MAX));
        (0..count).try_for_each(|_| self.make_ticket(None, event, cx, view))
    }

    /// Makes one of the tickets that are pending.
    pub(super) fn make_ticket(
        &mut self,
        seat: Option<Box<Seat>>,
        event: &mut Event,
        cx: &mut Context<'_>,
        view: &mut View,
    ) -> Result<(), Refusal> {
        let ticket = Ticket {
            id: cx.id_under(event.id.tag()),
            event: event.id,
            set: self.id,
            number: event.next_ticket,
            seat,
            state: TicketState::Vacant,
        };
        event.next_ticket += 1;
        self.put_in(ticket, view)
    }

    fn take_tickets_away(&mut self, view: &mut View) -> Result<(), Refusal> {
        let count = self.doomed.min(i64::from(ROWS_MAX));
        for ticket in view.pick_vacant(self, usize::try_from(count).unwrap_or(0)) {
            self.take_out(ticket, view)?;
            self.doomed -= 1;
        }
        Ok(())
    }
}

/// One step of a resizing job.
#[derive(Debug)]
pub struct ResizeStep {
    /// The job.
    pub job: JobId,
    /// The set's event.
    pub event: EventId,
    /// The set.
    pub set: SetId,
    /// How many tickets without seats were too many when the engine looked: so many vacant ones are
    /// loaded.
    pub surplus_seen: u32,
    /// The chairs that were too many.
    pub chairs_seen: Vec<Chairs>,
}

impl ResizeStep {
    /// The next step of a job for a set, as the set is when the engine looks.
    pub fn seen(job: JobId, (event, set): (EventId, SetId), view: &View) -> Self {
        let found = view.sets.get(set);
        let surplus = found.filter(|set| set.seats.is_none()).map_or(0, |set| set.doomed);
        let surplus_seen = u32::try_from(surplus).unwrap_or(u32::MAX);
        let chairs_seen = found.map_or_else(Vec::new, Set::chairs_doomed);
        Self { job, event, set, surplus_seen, chairs_seen }
    }
}

impl Command for ResizeStep {
    type Outcome = Progress;

    fn shard(&self) -> Tag {
        self.event.tag()
    }

    fn needs(&self, needs: &mut Needs) {
        needs.jobs.push(self.job);
        needs.events.push(self.event);
        needs.sets_of.push(self.event);
        if self.surplus_seen > 0 {
            needs.vacant.push((self.set, self.surplus_seen.min(ROWS_MAX)));
        }
        needs.chairs.extend_from_slice(&self.chairs_seen);
        needs.benches_of.push(self.set);
        needs.map_of.push(self.event);
    }

    fn weight(&self) -> u32 {
        ROWS_MAX
    }

    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<Progress, Refusal> {
        let Some(job) = view.jobs.get(self.job) else { return Ok(Progress::Done) };
        let Some(job) = job.leased(cx.node.node, cx.now) else { return Ok(Progress::Elsewhere) };
        let set = view.sets.get(self.set).filter(|set| set.job == Some(job.id));
        let (Some(event), Some(set)) = (view.events.get(self.event), set) else {
            // The set came to its number without this job, or has another one.
            view.jobs.remove(job.id);
            return Ok(Progress::Done);
        };
        let (mut event, mut set) = (event.clone(), set.clone());
        if set.removed && set.seats.is_none() {
            set.aim(set.counts.amount - set.counts.pending)?;
        }
        set.advance(&mut event, cx, view)?;
        let progress = if set.job.is_some() { Progress::More } else { Progress::Done };
        match progress {
            Progress::More | Progress::Elsewhere => view.jobs.put(job),
            Progress::Done => view.jobs.remove(job.id),
        }
        view.events.put(event);
        view.sets.put(set);
        Ok(progress)
    }
}

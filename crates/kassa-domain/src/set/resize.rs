//! How a set comes to have as many tickets as it should: in the command itself up to 10,000, then
//! by a job in steps of as many.

use super::{SeatSelector, SetId, TicketSet};
use crate::command::{COMMAND_ROWS_MAX, Command};
use crate::context::Context;
use crate::event::{Event, EventId};
use crate::id::ShardTag;
use crate::job::{Job, JobId, JobKind, JobProgress};
use crate::refusal::Refusal;
use crate::seating::Seat;
use crate::ticket::{Ticket, TicketState};
use crate::view::{ReadSet, View};

impl TicketSet {
    /// Sets the wanted number of tickets. What is to be made is `pending` at once, so that the
    /// books balance at every moment.
    pub(super) fn set_target(&mut self, amount: i64) -> Result<(), Refusal> {
        let counts = &mut self.counts;
        if amount < counts.in_orders() + counts.blocked {
            return Err(Refusal::AmountBelowSold);
        }
        let made = counts.amount - counts.pending;
        counts.pending = (amount - made).max(0);
        counts.amount = made + counts.pending;
        self.pending_removal = (made - amount).max(0);
        Ok(())
    }

    /// Takes one bounded step towards the wanted number, and keeps a job for the rest. The caller
    /// stores `event` and `self`.
    pub(super) fn advance(&mut self, event: &mut Event, cx: &mut Context<'_>, view: &mut View) -> Result<(), Refusal> {
        if self.seats.is_some() {
            self.advance_seats(event, cx, view)?;
        } else if self.counts.pending > 0 {
            self.create_tickets(event, cx, view)?;
        } else {
            self.remove_tickets(view)?;
        }
        let there = self.counts.pending == 0 && self.pending_removal == 0;
        if there {
            // A job that a set does not name any more has nothing to do: its next step removes it.
            self.job = None;
        } else if self.job.is_none() {
            let work = JobKind::Resize { event: event.id, set: self.id };
            let id = cx.id_with_tag(event.id.tag());
            view.jobs.put(Job::new(id, work));
            self.job = Some(id);
        }
        Ok(())
    }

    fn create_tickets(&mut self, event: &mut Event, cx: &mut Context<'_>, view: &mut View) -> Result<(), Refusal> {
        let count = self.counts.pending.min(i64::from(COMMAND_ROWS_MAX));
        (0..count).try_for_each(|_| self.create_ticket(None, event, cx, view))
    }

    /// Makes one of the tickets that are pending.
    pub(super) fn create_ticket(
        &mut self,
        seat: Option<Box<Seat>>,
        event: &mut Event,
        cx: &mut Context<'_>,
        view: &mut View,
    ) -> Result<(), Refusal> {
        let ticket = Ticket {
            id: cx.id_with_tag(event.id.tag()),
            event: event.id,
            set: self.id,
            number: event.next_ticket_number,
            seat,
            state: TicketState::Vacant,
        };
        event.next_ticket_number += 1;
        self.add_ticket(ticket, view)
    }

    fn remove_tickets(&mut self, view: &mut View) -> Result<(), Refusal> {
        let count = self.pending_removal.min(i64::from(COMMAND_ROWS_MAX));
        for ticket in view.pick_vacant(self, usize::try_from(count).unwrap_or(0)) {
            self.remove_ticket(ticket, view)?;
            self.pending_removal -= 1;
        }
        Ok(())
    }
}

/// One step of a resizing job.
#[derive(Debug)]
pub struct AdvanceSetResize {
    /// The job.
    pub job: JobId,
    /// The set's event.
    pub event: EventId,
    /// The set.
    pub set: SetId,
    /// How many tickets without seats were too many when the engine looked: so many vacant ones are
    /// loaded.
    pub observed_surplus: u32,
    /// The seats that were too many.
    pub observed_seats: Vec<SeatSelector>,
}

impl AdvanceSetResize {
    /// The next step of a job for a set, as the set is when the engine looks.
    pub fn from_view(job: JobId, (event, set): (EventId, SetId), view: &View) -> Self {
        let found = view.sets.get(set);
        let surplus = found.filter(|set| set.seats.is_none()).map_or(0, |set| set.pending_removal);
        let surplus_seen = u32::try_from(surplus).unwrap_or(u32::MAX);
        let chairs_seen = found.map_or_else(Vec::new, TicketSet::seats_pending_removal);
        Self { job, event, set, observed_surplus: surplus_seen, observed_seats: chairs_seen }
    }
}

impl Command for AdvanceSetResize {
    type Outcome = JobProgress;

    fn shard(&self) -> ShardTag {
        self.event.tag()
    }

    fn read_set(&self, read_set: &mut ReadSet) {
        read_set.jobs.push(self.job);
        read_set.events.push(self.event);
        read_set.sets_of.push(self.event);
        if self.observed_surplus > 0 {
            read_set.vacant.push((self.set, self.observed_surplus.min(COMMAND_ROWS_MAX)));
        }
        read_set.seats.extend_from_slice(&self.observed_seats);
        read_set.seat_row_inventories_of.push(self.set);
        read_set.hall_map_of.push(self.event);
    }

    fn weight(&self) -> u32 {
        COMMAND_ROWS_MAX
    }

    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<JobProgress, Refusal> {
        let Some(job) = view.jobs.get(self.job) else { return Ok(JobProgress::Done) };
        let Some(job) = job.with_lease(cx.node.number, cx.now) else { return Ok(JobProgress::LeasedElsewhere) };
        let set = view.sets.get(self.set).filter(|set| set.job == Some(job.id));
        let (Some(event), Some(set)) = (view.events.get(self.event), set) else {
            // The set came to its number without this job, or has another one.
            view.jobs.remove(job.id);
            return Ok(JobProgress::Done);
        };
        let (mut event, mut set) = (event.clone(), set.clone());
        if set.removed && set.seats.is_none() {
            set.set_target(set.counts.amount - set.counts.pending)?;
        }
        set.advance(&mut event, cx, view)?;
        let progress = if set.job.is_some() { JobProgress::HasMore } else { JobProgress::Done };
        match progress {
            JobProgress::HasMore | JobProgress::LeasedElsewhere => view.jobs.put(job),
            JobProgress::Done => view.jobs.remove(job.id),
        }
        view.events.put(event);
        view.sets.put(set);
        Ok(progress)
    }
}

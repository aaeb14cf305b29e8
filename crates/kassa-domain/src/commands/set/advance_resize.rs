//! One step of the job that makes or takes away tickets of a set.

use super::resize::charge_tickets;
use crate::context::Context;
use crate::context::command::{COMMAND_ROWS_MAX, Command};
use crate::model::change::ChangeType;
use crate::model::job::JobProgress;
use crate::model::set::{SeatSelector, TicketSet};
use crate::refusal::Refusal;
use crate::values::id::ShardTag;
use crate::values::resource_ids::{EventId, JobId, SetId};
use crate::view::{ReadSet, View};

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
    pub fn from_view(job: JobId, event: EventId, set: SetId, view: &View) -> Self {
        let found = view.sets.get(set);
        let surplus = found.filter(|set| set.seats.is_none()).map_or(0, |set| set.pending_removal);
        let surplus_seen = u32::try_from(surplus).unwrap_or(u32::MAX);
        let seats_seen = found.map_or_else(Vec::new, TicketSet::seats_pending_removal);
        Self { job, event, set, observed_surplus: surplus_seen, observed_seats: seats_seen }
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
        let (was, numbered) = (set.clone(), event.next_ticket_number);
        if set.removed && set.seats.is_none() {
            let amount_before = set.target_amount();
            set.set_target(set.counts.amount - set.counts.pending)?;
            charge_tickets(amount_before, &set, &event, cx, view)?;
        }
        set.advance(&mut event, cx, view)?;
        let progress = if set.job.is_some() { JobProgress::HasMore } else { JobProgress::Done };
        match progress {
            JobProgress::HasMore | JobProgress::LeasedElsewhere => view.jobs.put(job),
            JobProgress::Done => view.jobs.remove(job.id),
        }
        if event.next_ticket_number != numbered {
            view.events.put(event);
        }
        if set != was {
            let facts = set.edit_facts(&was, cx.now);
            cx.state(&mut set, ChangeType::SetChanged, facts, view);
            view.sets.put(set);
        }
        Ok(progress)
    }
}

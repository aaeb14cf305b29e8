//! How a set comes to have as many tickets as it should: in the command itself up to 10,000, then
//! by a job in steps of as many.

use crate::commands::usage::charge;
use crate::context::Context;
use crate::context::command::COMMAND_ROWS_MAX;
use crate::model::event::Event;
use crate::model::job::{Job, JobKind};
use crate::model::quota::QuotaKind;
use crate::model::set::TicketSet;
use crate::refusal::Refusal;
use crate::view::View;

/// Counts the tickets that a set shall have from now on with those that its organizer stores; it had so many before.
pub(super) fn charge_tickets(
    before: i64,
    set: &TicketSet,
    event: &Event,
    cx: &Context<'_>,
    view: &mut View,
) -> Result<(), Refusal> {
    charge(event.organizer, QuotaKind::Tickets, set.target_amount() - before, &cx.settings.quotas, view)
}

impl TicketSet {
    /// Sets the wanted number of tickets. What is to be made is `pending` at once, so that the
    /// counters add up at every moment.
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
            view.jobs.put(Job::new(id, event.organizer, work));
            self.job = Some(id);
        }
        Ok(())
    }

    fn create_tickets(&mut self, event: &mut Event, cx: &mut Context<'_>, view: &mut View) -> Result<(), Refusal> {
        let count = self.counts.pending.min(i64::from(COMMAND_ROWS_MAX));
        (0..count).try_for_each(|_| self.create_ticket(None, event, cx, view))
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

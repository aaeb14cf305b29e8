//! Sets: what has to be looked up before their commands.

use kassa_domain::event::EventId;
use kassa_domain::seating::Seating;
use kassa_domain::set::{RemoveSet, SetId, TicketSet, UpdateSet};
use kassa_domain::{Actor, Patch, ReadSet, Refusal, View, permission};

use crate::caller::CallerRef;
use crate::engine::{Engine, STALE_RETRIES_MAX};
use crate::failure::Failure;

impl Engine {
    /// Changes a set. What `command` has observed is filled in here.
    pub async fn update_set<R: Send + 'static>(
        &self,
        by: impl Into<CallerRef<'_>>,
        mut command: UpdateSet,
        render: impl Fn(&View, &TicketSet) -> R + Clone + Send + 'static,
    ) -> Result<R, Failure> {
        let by = by.into();
        for _ in 0..STALE_RETRIES_MAX {
            let set = self.writable_set(by.actor, command.event, command.set).await?;
            command.observed_amount = set.counts.amount;
            command.observed_seats = match &command.seats {
                Patch::Set(seats) => set.seats_leaving(seats),
                Patch::Clear => set.seats_leaving(&Seating::default()),
                Patch::Keep => Vec::new(),
            };
            command.observed_rows = command.rows_on(&set);
            match self.execute(by, command.clone(), render.clone()).await {
                Err(Failure::Refused(Refusal::Stale)) => {}
                result => return result,
            }
        }
        Err(Failure::Busy)
    }

    /// Removes a set.
    pub async fn remove_set<R: Send + 'static>(
        &self,
        by: impl Into<CallerRef<'_>>,
        event: EventId,
        set: SetId,
        render: impl Fn(&View, &TicketSet) -> R + Send + 'static,
    ) -> Result<R, Failure> {
        let by = by.into();
        let found = self.writable_set(by.actor, event, set).await?;
        let command = RemoveSet { event, set, observed_seats: found.seats_leaving(&Seating::default()) };
        self.execute(by, command, render).await
    }

    /// The set as it is now. A caller who may not change it cannot make a lane load its tickets.
    async fn writable_set(&self, actor: &Actor, event: EventId, set: SetId) -> Result<TicketSet, Failure> {
        let deals_of = actor.acting_partners().into_iter().map(|partner| (event, partner)).collect();
        let (events, organizers_of, sets_of) = (vec![event], vec![event], vec![event]);
        let read_set = ReadSet { events, organizers_of, sets_of, deals_of, ..ReadSet::default() };
        let view = self.view(&read_set).await?;
        permission::write_event(actor, view.events.get(event).ok_or(Refusal::NotFound("event"))?, &view)?;
        Ok(view.sets.get(set).ok_or(Refusal::NotFound("set"))?.clone())
    }
}

//! Sets: what has to be looked up before their commands.

use kassa_domain::event::EventId;
use kassa_domain::seating::Seating;
use kassa_domain::set::{RemoveSet, Set, SetId, UpdateSet};
use kassa_domain::{Actor, Needs, Patch, Refusal, View, permission};

use crate::orders::LOOKS_MAX;
use crate::{By, Engine, Failure};

impl Engine {
    /// Changes a set. `command.amount_seen` and `command.chairs_seen` are filled in here.
    pub async fn update_set<R: Send + 'static>(
        &self,
        by: impl Into<By<'_>>,
        mut command: UpdateSet,
        render: impl Fn(&View, &Set) -> R + Clone + Send + 'static,
    ) -> Result<R, Failure> {
        let by = by.into();
        for _ in 0..LOOKS_MAX {
            let set = self.set_to_change(by.actor, command.event, command.set).await?;
            command.amount_seen = set.counts.amount;
            command.chairs_seen = match &command.seats {
                Patch::Set(seats) => set.chairs_leaving(seats),
                Patch::Clear => set.chairs_leaving(&Seating::default()),
                Patch::Keep => Vec::new(),
            };
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
        by: impl Into<By<'_>>,
        (event, set): (EventId, SetId),
        render: impl Fn(&View, &Set) -> R + Send + 'static,
    ) -> Result<R, Failure> {
        let by = by.into();
        let found = self.set_to_change(by.actor, event, set).await?;
        let command = RemoveSet { event, set, chairs_seen: found.chairs_leaving(&Seating::default()) };
        self.execute(by, command, render).await
    }

    /// The set as it is now: who may not change it shall not make the writer load its tickets.
    async fn set_to_change(&self, actor: &Actor, event: EventId, set: SetId) -> Result<Set, Failure> {
        let deals_of = actor.partners().into_iter().map(|partner| (event, partner)).collect();
        let needs = Needs { events: vec![event], sets_of: vec![event], deals_of, ..Needs::default() };
        let view = self.view(&needs).await?;
        permission::write_event(actor, view.events.get(event).ok_or(Refusal::NotFound("event"))?, &view)?;
        Ok(view.sets.get(set).ok_or(Refusal::NotFound("set"))?.clone())
    }
}

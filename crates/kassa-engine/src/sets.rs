//! Sets: what has to be looked up before their commands.

use kassa_domain::event::EventId;
use kassa_domain::set::{Set, SetId, UpdateSet};
use kassa_domain::{Actor, Needs, Refusal, View, permission};

use crate::{Engine, Failure};

impl Engine {
    /// Changes a set. `command.amount_seen` is filled in here.
    pub async fn update_set<R: Send + 'static>(
        &self,
        actor: &Actor,
        mut command: UpdateSet,
        render: impl Fn(&View, &Set) -> R + Send + 'static,
    ) -> Result<R, Failure> {
        let (event, set): (EventId, SetId) = (command.event, command.set);
        let deals_of = actor.partners().into_iter().map(|partner| (event, partner)).collect();
        let needs = Needs { events: vec![event], sets_of: vec![event], deals_of, ..Needs::default() };
        let view = self.view(&needs).await?;
        // Who may not change it shall not make the writer load its tickets.
        permission::write_event(actor, view.events.get(event).ok_or(Refusal::NotFound("event"))?, &view)?;
        command.amount_seen = view.sets.get(set).ok_or(Refusal::NotFound("set"))?.counts.amount;
        self.execute(actor, command, render).await
    }
}

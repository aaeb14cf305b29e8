//! Sets: what has to be looked up before their commands.

use kassa_domain::event::EventId;
use kassa_domain::set::{Set, SetId, UpdateSet};
use kassa_domain::{Actor, Needs, Refusal, View};

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
        let view = self.view(&Needs { sets_of: vec![event], ..Needs::default() }).await?;
        command.amount_seen = view.sets.get(set).ok_or(Refusal::NotFound("set"))?.counts.amount;
        self.execute(actor, command, render).await
    }
}

//! The sets that a request names.

use crate::context::Context;
use crate::model::event::Event;
use crate::model::set::TicketSet;
use crate::permission;
use crate::refusal::Refusal;
use crate::values::resource_ids::{EventId, SetId};
use crate::view::View;

/// Sets that a request names, each once: those of an event that are there.
pub(crate) fn resolve_sets(event: EventId, named: &[SetId], view: &View) -> Result<Vec<SetId>, Refusal> {
    let mut sets: Vec<SetId> = Vec::with_capacity(named.len());
    for id in named {
        let set = view.sets.get(*id).filter(|set| set.event == event && !set.removed);
        let set = set.ok_or(Refusal::SetUnknown(*id))?;
        if !sets.contains(&set.id) {
            sets.push(set.id);
        }
    }
    Ok(sets)
}

/// The set, if it is this event's and the caller's to change.
pub(super) fn set_for_write(
    cx: &Context<'_>,
    view: &View,
    event: EventId,
    set: SetId,
) -> Result<(Event, TicketSet), Refusal> {
    let event = view.events.get(event).ok_or(Refusal::NotFound("event"))?;
    permission::write_event(cx.actor, event, view)?;
    let set = view.sets.get(set).filter(|set| set.event == event.id);
    Ok((event.clone(), set.ok_or(Refusal::NotFound("set"))?.clone()))
}

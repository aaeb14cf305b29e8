//! `/v1/services/simple/events`: the events that a partner may sell, each with all that belongs to it
//! (api-facts §4.1).

mod around;
pub(super) mod get;
pub(super) mod list;
mod model;
mod order;
mod stream;
mod wanted;

use kassa_domain::event::Event;
use kassa_domain::{Actor, Needs, permission};
use kassa_engine::Engine;

use crate::base::Base;

/// Who asks, and of whom.
struct Asker {
    engine: Engine,
    actor: Actor,
    base: Base,
}

/// The sets of events, and the deals under which the actor sells them.
fn needs_of(actor: &Actor, events: &[Event]) -> Needs {
    let own = actor.partners();
    let foreign = events.iter().filter(|event| !permission::organizes(actor, event));
    Needs {
        sets_of: events.iter().map(|event| event.id).collect(),
        deals_of: foreign.flat_map(|event| own.iter().map(|partner| (event.id, *partner))).collect(),
        ..Needs::default()
    }
}

//! `/v1/services/simple/events`: the events that a partner may sell, each with all that belongs to it.

mod get;
mod list;
mod list_query;
mod model;
mod related;
mod sorting;
mod stream;

use kassa_domain::event::Event;
use kassa_domain::{Actor, ReadSet, permission};
use kassa_engine::Engine;

use crate::app::AppState;
use crate::base_url::BaseUrl;
use crate::related::deals_of;
use crate::route::{ApiRoutes, endpoints};

/// Adds these endpoints.
pub(super) fn routes(routes: ApiRoutes<AppState>) -> ApiRoutes<AppState> {
    endpoints!(routes, "/v1/services", [list, get])
}

/// Who asks, and of whom.
struct CallerContext {
    engine: Engine,
    actor: Actor,
    base: BaseUrl,
}

/// The sets of events, and the deals under which the actor sells them.
fn sets_and_deals_read_set(actor: &Actor, events: &[Event]) -> ReadSet {
    let foreign = events.iter().filter(|event| !permission::organizes(actor, event));
    ReadSet {
        sets_of: events.iter().map(|event| event.id).collect(),
        deals_of: deals_of(actor, foreign.map(|event| event.id)),
        ..ReadSet::default()
    }
}

//! `/v1/services/simple/events`: the events that a partner may sell, each with all that belongs to it.

mod get;
mod list;
mod list_query;
mod model;
mod related;
mod sorting;
mod stream;

use kassa_domain::Actor;
use kassa_engine::Engine;

use crate::app::AppState;
use crate::base_url::BaseUrl;
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

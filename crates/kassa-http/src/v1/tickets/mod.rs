//! Tickets of an event, and of one of its sets.

mod get;
mod list;
mod list_of_set;
pub(super) mod model;
mod stream;

use crate::app::AppState;
use crate::route::{ApiRoutes, endpoints};

/// Adds these endpoints.
pub(super) fn routes(routes: ApiRoutes<AppState>) -> ApiRoutes<AppState> {
    endpoints!(routes, "/v1/resources", [list_of_set, get, list])
}

//! `/v1/resources/orders`

mod create;
mod delete;
mod get;
mod input;
mod list;
pub(super) mod model;
pub(super) mod statuses;
mod tickets;
mod update;

use crate::app::AppState;
use crate::route::{ApiRoutes, endpoints};

/// Adds these endpoints.
pub(super) fn routes(routes: ApiRoutes<AppState>) -> ApiRoutes<AppState> {
    endpoints!(routes, "/v1/resources", [list, create, get, update, delete, tickets])
}

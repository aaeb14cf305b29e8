//! `/v1/resources/refund_requests`

mod create;
mod decide;
mod get;
mod list;
pub(super) mod model;
mod update;

use crate::app::AppState;
use crate::route::{ApiRoutes, endpoints};

/// Adds these endpoints.
pub(super) fn routes(routes: ApiRoutes<AppState>) -> ApiRoutes<AppState> {
    endpoints!(routes, "/v1/resources", [list, create, get, update, decide])
}

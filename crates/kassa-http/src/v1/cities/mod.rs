//! `/v1/resources/cities`

mod list;
pub(super) mod model;

use crate::app::AppState;
use crate::route::{ApiRoutes, endpoints};

/// Adds these endpoints.
pub(super) fn routes(routes: ApiRoutes<AppState>) -> ApiRoutes<AppState> {
    endpoints!(routes, "/v1/resources", [list])
}

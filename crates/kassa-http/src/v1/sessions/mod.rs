//! `/v1/resources/users/{user}/sessions`: where a user is logged in.

mod delete;
mod delete_all;
mod list;
mod model;

use crate::app::AppState;
use crate::route::{ApiRoutes, endpoints};

/// Adds these endpoints.
pub(super) fn routes(routes: ApiRoutes<AppState>) -> ApiRoutes<AppState> {
    endpoints!(routes, "/v1/resources", [list, delete_all, delete])
}

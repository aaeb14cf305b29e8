//! `/v1/resources/users/{user}/second_factor`: one-time codes, and codes for recovery.

mod confirm;
mod create;
mod delete;

use crate::app::AppState;
use crate::route::{ApiRoutes, endpoints};

/// Adds these endpoints.
pub(super) fn routes(routes: ApiRoutes<AppState>) -> ApiRoutes<AppState> {
    endpoints!(routes, "/v1/resources", [create, confirm, delete])
}

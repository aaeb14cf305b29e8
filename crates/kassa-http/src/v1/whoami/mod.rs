//! `/v1/services/whoami`: the session of a user.

mod get;
mod log_in;
mod log_out;

use crate::app::AppState;
use crate::route::{ApiRoutes, endpoints};

/// Adds these endpoints.
pub(super) fn routes(routes: ApiRoutes<AppState>) -> ApiRoutes<AppState> {
    endpoints!(routes, "/v1/services", [get, log_in, log_out])
}

//! `/v1/services/password_reset`: a new password by mail.

mod confirm;
mod create;

use crate::app::AppState;
use crate::route::{ApiRoutes, endpoints};

/// Adds these endpoints.
pub(super) fn routes(routes: ApiRoutes<AppState>) -> ApiRoutes<AppState> {
    endpoints!(routes, "/v1/services", [create, confirm])
}

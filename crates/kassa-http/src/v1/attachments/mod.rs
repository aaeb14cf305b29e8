//! `/v1/resources/attachments`

mod create;
mod delete;
mod get;
mod get_singular;
mod list;
pub(super) mod model;
mod multipart;
mod upload_body;

use crate::app::AppState;
use crate::route::{ApiRoutes, endpoints};

/// Adds these endpoints.
pub(super) fn routes(routes: ApiRoutes<AppState>) -> ApiRoutes<AppState> {
    endpoints!(routes, "/v1/resources", [list, create, get, get_singular, delete])
}

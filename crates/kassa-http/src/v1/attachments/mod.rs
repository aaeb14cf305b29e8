//! `/v1/resources/attachments`

mod create;
mod delete;
mod get;
mod list;
pub(super) mod model;
mod multipart;
mod upload_body;

use axum::http::Method;

use crate::app::AppState;
use crate::route::{ApiRoutes, endpoints};

/// Adds these endpoints.
pub(super) fn routes(routes: ApiRoutes<AppState>) -> ApiRoutes<AppState> {
    // An old form of the path, which the OpenAPI document does not name.
    let old = (Method::GET, axum::routing::get(get::handle));
    let routes = routes.undocumented("/v1/resources/attachment/{attachment}", old, &get::ROUTE);
    endpoints!(routes, "/v1/resources", [list, create, get, delete])
}

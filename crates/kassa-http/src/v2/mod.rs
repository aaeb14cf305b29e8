//! Version 2. Each endpoint is a file; what several of them show or read stands beside them. It shares
//! no answer with version 1: both show one domain, each in its own form.

mod errors;
mod order_status;
mod orders;
mod pagination;
mod promocodes;
mod refs;
mod refund_requests;
mod related;

/// Where promocodes are checked.
pub(crate) const PROMOCODE_CHECK_PATH: &str = "/v2/services/promocodes/check";

pub(crate) use errors::{ErrorV2Body, add_error_texts, has_error_texts, refusal_text};

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::AppState;
use crate::paths;

pub(crate) fn routes() -> OpenApiRouter<AppState> {
    let resource = |operations| paths::with_prefix("/v2/resources", operations);
    let service = |operations| paths::with_prefix("/v2/services", operations);
    OpenApiRouter::new()
        .routes(resource(routes!(orders::list::handle, orders::create::handle)))
        .routes(resource(routes!(orders::get::handle, orders::update::handle)))
        .routes(resource(routes!(orders::export::handle)))
        .routes(resource(routes!(refund_requests::list::handle, refund_requests::create::handle)))
        .routes(resource(routes!(refund_requests::get::handle, refund_requests::update::handle)))
        .routes(service(routes!(orders::quote::handle)))
        .routes(service(routes!(orders::user_data::handle)))
        .routes(service(routes!(promocodes::check::handle)))
}

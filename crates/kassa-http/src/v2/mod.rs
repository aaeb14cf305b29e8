//! Version 2. Each endpoint is a file; what several of them show or read stands beside them. It shares
//! no answer with version 1: both show one domain, each in its own form.

mod around;
mod errors;
mod orders;
mod page;
mod promocodes;
mod refs;
mod refund_requests;

/// Where promocodes are checked.
pub(crate) const CHECK: &str = "/v2/services/promocodes/check";

pub(crate) use errors::{Body, has_texts, say_texts, text_of};

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::paths;

pub(crate) fn routes() -> OpenApiRouter<App> {
    let resource = |operations| paths::below("/v2/resources", operations);
    let service = |operations| paths::below("/v2/services", operations);
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

//! Version 2. Each endpoint is a file; what several of them show or read stands beside them. It shares
//! no answer with version 1: both show one domain, each in its own form.

mod around;
mod errors;
mod orders;
mod page;
mod promocodes;
mod refs;
mod refund_requests;

pub(crate) use errors::{Body, say_texts, text_of};

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;

/// Paths below `/v2`.
pub(crate) fn routes() -> OpenApiRouter<App> {
    let resources = OpenApiRouter::new()
        .routes(routes!(orders::list::handle, orders::create::handle))
        .routes(routes!(orders::get::handle, orders::update::handle))
        .routes(routes!(orders::export::handle))
        .routes(routes!(refund_requests::list::handle, refund_requests::create::handle))
        .routes(routes!(refund_requests::get::handle, refund_requests::update::handle));
    let services = OpenApiRouter::new()
        .routes(routes!(orders::quote::handle))
        .routes(routes!(orders::user_data::handle))
        .routes(routes!(promocodes::check::handle));
    OpenApiRouter::new().nest("/resources", resources).nest("/services", services)
}

//! Version 1. Each endpoint is a file; each resource's wire form is its `model.rs`.

mod api_keys;
mod attachments;
mod cities;
mod confirm;
mod countries;
mod deals;
mod events;
mod maps;
mod orders;
mod partners;
mod promocodes;
mod promotions;
mod refund_requests;
pub(crate) mod schema;
mod sets;
mod simple;
mod tickets;
mod users;
mod venues;
mod whoami;

use axum::routing::get;
use utoipa::OpenApi;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;

/// What the OpenAPI document names besides the routes: the other form of a path that one of them takes.
#[derive(OpenApi)]
#[openapi(paths(maps::get::drawing))]
struct Drawings;

/// Paths below `/v1`.
pub(crate) fn routes() -> OpenApiRouter<App> {
    let resources = OpenApiRouter::with_openapi(Drawings::openapi())
        .routes(routes!(users::list::handle, users::create::handle))
        .routes(routes!(users::get::handle, users::update::handle))
        .routes(routes!(users::orders::handle))
        .routes(routes!(partners::list::handle, partners::create::handle))
        .routes(routes!(partners::get::handle, partners::update::handle))
        .routes(routes!(api_keys::list::handle, api_keys::create::handle))
        .routes(routes!(api_keys::get::handle, api_keys::update::handle, api_keys::delete::handle))
        .routes(routes!(countries::list::handle))
        .routes(routes!(cities::list::handle))
        .routes(routes!(venues::list::handle, venues::create::handle))
        .routes(routes!(venues::get::handle, venues::update::handle, venues::delete::handle))
        .routes(routes!(maps::list::handle, maps::create::handle))
        .routes(routes!(maps::get::handle, maps::update::handle))
        .routes(routes!(events::list::handle, events::create::handle))
        .routes(routes!(events::get::handle, events::update::handle, events::delete::handle))
        .routes(routes!(sets::list::handle, sets::create::handle))
        .routes(routes!(sets::get::handle, sets::update::handle, sets::delete::handle))
        .routes(routes!(tickets::list_of_set::handle))
        .routes(routes!(tickets::get::handle))
        .routes(routes!(tickets::list::handle))
        .routes(routes!(promocodes::list::handle, promocodes::create::handle))
        .routes(routes!(promocodes::get::handle, promocodes::update::handle))
        .routes(routes!(promotions::list::handle, promotions::create::handle))
        .routes(routes!(promotions::get::handle, promotions::update::handle, promotions::delete::handle))
        .routes(routes!(deals::list::handle, deals::create::handle))
        .routes(routes!(deals::get::handle, deals::update::handle))
        .routes(routes!(orders::list::handle, orders::create::handle))
        .routes(routes!(orders::get::handle, orders::update::handle, orders::delete::handle))
        .routes(routes!(orders::tickets::handle))
        .routes(routes!(refund_requests::list::handle, refund_requests::create::handle))
        .routes(routes!(
            refund_requests::get::handle,
            refund_requests::update::handle,
            refund_requests::update::by_post
        ))
        .routes(routes!(attachments::list::handle, attachments::create::handle))
        .routes(routes!(attachments::get::handle))
        // An old form of the path, which the OpenAPI document does not name.
        .route("/attachment/{attachment}", get(attachments::get::handle));
    let services = OpenApiRouter::new()
        .routes(routes!(confirm::create::handle))
        .routes(routes!(simple::list::handle))
        .routes(routes!(simple::get::handle))
        .routes(routes!(whoami::show::handle, whoami::start::handle, whoami::end::handle));
    OpenApiRouter::new().nest("/resources", resources).nest("/services", services)
}

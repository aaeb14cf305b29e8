//! Version 1. Each endpoint is a file; each resource's wire form is its `model.rs`.

mod api_keys;
mod attachments;
mod cities;
mod confirm;
mod countries;
mod deals;
mod events;
pub(crate) mod fields_schema;
mod maps;
mod orders;
mod partners;
mod promocodes;
mod promotions;
mod refund_requests;
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

use crate::app::AppState;
use crate::paths;

/// What the OpenAPI document names besides the routes: the other form of a path that one of them takes.
#[derive(OpenApi)]
#[openapi(paths(maps::get::drawing))]
struct DrawingPaths;

pub(crate) fn routes() -> OpenApiRouter<AppState> {
    let resource = |operations| paths::with_prefix("/v1/resources", operations);
    let service = |operations| paths::with_prefix("/v1/services", operations);
    OpenApiRouter::with_openapi(DrawingPaths::openapi())
        .routes(resource(routes!(users::list::handle, users::create::handle)))
        .routes(resource(routes!(users::get::handle, users::update::handle)))
        .routes(resource(routes!(users::orders::handle)))
        .routes(resource(routes!(partners::list::handle, partners::create::handle)))
        .routes(resource(routes!(partners::get::handle, partners::update::handle)))
        .routes(resource(routes!(api_keys::list::handle, api_keys::create::handle)))
        .routes(resource(routes!(api_keys::get::handle, api_keys::update::handle, api_keys::delete::handle)))
        .routes(resource(routes!(countries::list::handle)))
        .routes(resource(routes!(cities::list::handle)))
        .routes(resource(routes!(venues::list::handle, venues::create::handle)))
        .routes(resource(routes!(venues::get::handle, venues::update::handle, venues::delete::handle)))
        .routes(resource(routes!(maps::list::handle, maps::create::handle)))
        .routes(resource(routes!(maps::get::handle, maps::update::handle)))
        .routes(resource(routes!(events::list::handle, events::create::handle)))
        .routes(resource(routes!(events::get::handle, events::update::handle, events::delete::handle)))
        .routes(resource(routes!(sets::list::handle, sets::create::handle)))
        .routes(resource(routes!(sets::get::handle, sets::update::handle, sets::delete::handle)))
        .routes(resource(routes!(tickets::list_of_set::handle)))
        .routes(resource(routes!(tickets::get::handle)))
        .routes(resource(routes!(tickets::list::handle)))
        .routes(resource(routes!(promocodes::list::handle, promocodes::create::handle)))
        .routes(resource(routes!(promocodes::get::handle, promocodes::update::handle)))
        .routes(resource(routes!(promotions::list::handle, promotions::create::handle)))
        .routes(resource(routes!(promotions::get::handle, promotions::update::handle, promotions::delete::handle)))
        .routes(resource(routes!(deals::list::handle, deals::create::handle)))
        .routes(resource(routes!(deals::get::handle, deals::update::handle)))
        .routes(resource(routes!(orders::list::handle, orders::create::handle)))
        .routes(resource(routes!(orders::get::handle, orders::update::handle, orders::delete::handle)))
        .routes(resource(routes!(orders::tickets::handle)))
        .routes(resource(routes!(refund_requests::list::handle, refund_requests::create::handle)))
        .routes(resource(routes!(
            refund_requests::get::handle,
            refund_requests::update::handle,
            refund_requests::update::by_post
        )))
        .routes(resource(routes!(attachments::list::handle, attachments::create::handle)))
        .routes(resource(routes!(attachments::get::handle)))
        // An old form of the path, which the OpenAPI document does not name.
        .route("/v1/resources/attachment/{attachment}", get(attachments::get::handle))
        .routes(service(routes!(confirm::create::handle)))
        .routes(service(routes!(simple::list::handle)))
        .routes(service(routes!(simple::get::handle)))
        .routes(service(routes!(whoami::get::handle, whoami::log_in::handle, whoami::log_out::handle)))
}

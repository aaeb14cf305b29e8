//! Version 1. Each endpoint is a file; each resource's wire form is its `model.rs`.

mod api_keys;
mod attachments;
mod cities;
mod confirm;
mod countries;
mod deals;
mod events;
mod loaders;
mod maps;
mod orders;
mod partners;
mod promocodes;
mod promotions;
mod refund_policy;
mod refund_requests;
pub(crate) mod resource_kinds;
mod sets;
mod simple;
mod tickets;
mod users;
mod venues;
mod whoami;

use axum::http::Method;
use axum::routing::get;
use utoipa::OpenApi as _;
use utoipa::openapi::OpenApi;

use crate::app::AppState;
use crate::fields_schema::Loader;
use crate::route::{ApiRoutes, ResourceKind, endpoints};

/// Loaders of what resources refer to.
pub(crate) const LOADERS: &[(&ResourceKind, Loader)] = loaders::LOADERS;

/// What the OpenAPI document names besides the routes: the other form of a path that one of them takes.
#[derive(utoipa::OpenApi)]
#[openapi(paths(maps::get::drawing))]
struct DrawingPaths;

pub(crate) fn routes(mut document: OpenApi) -> ApiRoutes<AppState> {
    document.merge(DrawingPaths::openapi());
    let routes = order_routes(event_routes(account_routes(ApiRoutes::with_document(document))));
    // An old form of the path, which the OpenAPI document does not name.
    let old = (Method::GET, get(attachments::get::handle));
    let routes = routes.undocumented("/v1/resources/attachment/{attachment}", old, &attachments::get::ROUTE);
    endpoints!(
        routes,
        "/v1/services",
        [confirm::create, simple::list, simple::get, whoami::get, whoami::log_in, whoami::log_out,]
    )
}

fn account_routes(routes: ApiRoutes<AppState>) -> ApiRoutes<AppState> {
    endpoints!(
        routes,
        "/v1/resources",
        [
            users::list,
            users::create,
            users::get,
            users::update,
            users::orders,
            partners::list,
            partners::create,
            partners::get,
            partners::update,
            api_keys::list,
            api_keys::create,
            api_keys::get,
            api_keys::update,
            api_keys::delete,
            countries::list,
            cities::list,
            venues::list,
            venues::create,
            venues::get,
            venues::update,
            venues::delete,
            maps::list,
            maps::create,
            maps::get,
            maps::update,
            attachments::list,
            attachments::create,
            attachments::get,
        ]
    )
}

fn event_routes(routes: ApiRoutes<AppState>) -> ApiRoutes<AppState> {
    endpoints!(
        routes,
        "/v1/resources",
        [
            events::list,
            events::create,
            events::get,
            events::update,
            events::delete,
            sets::list,
            sets::create,
            sets::get,
            sets::update,
            sets::delete,
            tickets::list_of_set,
            tickets::get,
            tickets::list,
            promocodes::list,
            promocodes::create,
            promocodes::get,
            promocodes::update,
            promotions::list,
            promotions::create,
            promotions::get,
            promotions::update,
            promotions::delete,
        ]
    )
}

fn order_routes(routes: ApiRoutes<AppState>) -> ApiRoutes<AppState> {
    endpoints!(
        routes,
        "/v1/resources",
        [
            deals::list,
            deals::create,
            deals::get,
            deals::update,
            orders::list,
            orders::create,
            orders::get,
            orders::update,
            orders::delete,
            orders::tickets,
            refund_requests::list,
            refund_requests::create,
            refund_requests::get,
            refund_requests::update,
            refund_requests::decide,
        ]
    )
}

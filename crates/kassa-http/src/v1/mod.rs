//! Version 1. Each endpoint is a file; each resource's wire form is its `model.rs`.

mod api_keys;
mod attachments;
mod cities;
mod confirm;
mod countries;
mod deals;
mod events;
mod invitations;
mod loaders;
mod maps;
mod orders;
mod partners;
mod password_reset;
mod promocodes;
mod promotions;
pub(crate) mod refund_policy;
mod refund_requests;
pub(crate) mod resource_kinds;
mod second_factor;
mod sessions;
mod sets;
mod simple;
mod tickets;
mod users;
mod venues;
mod whoami;

use utoipa::OpenApi as _;
use utoipa::openapi::OpenApi;

use crate::app::AppState;
use crate::fields_schema::Loader;
use crate::route::{ApiRoutes, ResourceKind};

/// Loaders of what resources refer to.
pub(crate) const LOADERS: &[(&ResourceKind, Loader)] = loaders::LOADERS;

/// What the OpenAPI document names besides the routes: the other form of a path that one of them takes.
#[derive(utoipa::OpenApi)]
#[openapi(paths(maps::get::drawing))]
struct DrawingPaths;

/// Adds the endpoints of a resource.
type AddRoutes = fn(ApiRoutes<AppState>) -> ApiRoutes<AppState>;

/// All of them, in the order in which the OpenAPI document names them.
const RESOURCES: &[AddRoutes] = &[
    users::routes,
    second_factor::routes,
    sessions::routes,
    invitations::routes,
    partners::routes,
    api_keys::routes,
    countries::routes,
    cities::routes,
    venues::routes,
    maps::routes,
    attachments::routes,
    events::routes,
    sets::routes,
    tickets::routes,
    promocodes::routes,
    promotions::routes,
    deals::routes,
    orders::routes,
    refund_requests::routes,
    confirm::routes,
    password_reset::routes,
    simple::routes,
    whoami::routes,
];

pub(crate) fn routes(mut document: OpenApi) -> ApiRoutes<AppState> {
    document.merge(DrawingPaths::openapi());
    RESOURCES.iter().fold(ApiRoutes::with_document(document), |routes, add| add(routes))
}

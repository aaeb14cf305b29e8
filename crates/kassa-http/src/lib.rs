//! The HTTP interface of Kassa.
//!
//! Each endpoint is one file whose path is the URL's: `POST /v1/resources/orders` is
//! `v1/orders/create.rs`. Requests are parsed into types here (`input`), and answers are shaped
//! here (`wire`, and the `model.rs` beside the endpoints); what is decided is decided in
//! `kassa-domain`. Nothing outside this crate names the HTTP framework.

mod answer;
mod app;
mod base;
mod caller;
mod cookie;
mod cors;
pub mod echo;
mod error;
mod files;
mod input;
pub mod local;
mod openapi;
pub mod ops;
pub mod paths;
mod server;
mod stream;
mod under_way;
mod unread;
mod v1;
mod v2;
mod wire;

pub use app::{App, Config};
pub use server::serve;

use openapi::Version;

use axum::Router;
use axum::middleware;
use axum::routing::get;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::SizeAbove;
use utoipa_axum::router::OpenApiRouter;

/// Bytes from which an answer is compressed for a client that asks for it: what fits one packet is as
/// fast without.
const COMPRESSED_FROM: u64 = 1_400;

/// The whole interface as a router; [`serve`] puts it on a socket, tests call it in process.
/// Paths must have been made plain before ([`paths::plain`]), which [`service`] does.
fn router(app: App) -> Router {
    let v1 = v1::routes()
        .route_layer(middleware::from_fn_with_state(app.clone(), v1::schema::shape))
        .route_layer(middleware::from_fn(input::well_formed));
    let (first, v1) = OpenApiRouter::with_openapi(Version::V1.begun()).nest("/v1", v1).split_for_parts();
    let v2 = v2::routes().route_layer(middleware::from_fn(input::well_formed));
    let (second, v2) = OpenApiRouter::with_openapi(Version::V2.begun()).nest("/v2", v2).split_for_parts();
    first
        .merge(second)
        .merge(openapi::routes([(Version::V1, v1), (Version::V2, v2)], &app.config))
        .layer(CompressionLayer::new().gzip(true).compress_when(SizeAbove::new(COMPRESSED_FROM)))
        .route("/files/{token}", get(files::handle))
        .fallback(error::no_such_path)
        .method_not_allowed_fallback(error::no_such_method)
        .layer(middleware::from_fn_with_state(app.clone(), caller::recognize))
        .layer(middleware::from_fn(v2::say_texts))
        .layer(middleware::from_fn(cors::open))
        .layer(CatchPanicLayer::custom(error::panicked))
        .layer(middleware::from_fn(unread::drain))
        .with_state(app)
}

/// The interface as a service, as clients meet it.
pub fn service(app: App) -> tower::util::MapRequest<Router, paths::MakePlain> {
    tower::util::MapRequest::new(router(app), paths::plain)
}

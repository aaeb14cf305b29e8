//! The OpenAPI document, and the page that shows it. Both are for everybody: no credential is looked
//! at.

mod document;
pub(crate) mod errors;
mod page;
pub(crate) mod params;
pub(crate) mod schema;

use std::sync::{Arc, LazyLock};

use axum::Router;
use axum::body::Bytes;
use axum::http::{HeaderValue, header};
use axum::routing::get;
use utoipa::openapi::{ComponentsBuilder, OpenApi, OpenApiBuilder};

use crate::answer::JSON;
use crate::app::{App, Config};
use crate::error;

/// Where the document is.
const DOCUMENT: &str = "/openapi.json";
/// Where the page is; below it is what it is made of.
const PAGE: &str = "/docs";

/// What clients may keep for so long: it changes with the program only.
const FOR_AN_HOUR: HeaderValue = HeaderValue::from_static("public, max-age=3600");

/// Whether this is a path of the document or of the page.
pub(crate) fn is_at(path: &str) -> bool {
    path == DOCUMENT || path.strip_prefix(PAGE).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// A document with the schemas that its frame names.
pub(crate) fn begun() -> OpenApi {
    let schemas = ComponentsBuilder::new().schema_from::<error::Body<'_>>().schema_from::<error::Detail>().build();
    OpenApiBuilder::new().components(Some(schemas)).build()
}

/// The document of these operations, and the page that shows it.
pub(crate) fn routes(api: OpenApi, config: &Config) -> Router<App> {
    let servers = config.public_url.clone();
    // Most routers, those of tests, are never asked for it.
    let document = LazyLock::new(move || Bytes::from(document::complete(&api, servers.as_ref()).to_string()));
    let document = Arc::new(document);
    let headers = [(header::CONTENT_TYPE, JSON), (header::CACHE_CONTROL, FOR_AN_HOUR)];
    let answer = move || {
        let document = Bytes::clone(&document);
        std::future::ready((headers.clone(), document))
    };
    Router::new().route(DOCUMENT, get(answer)).route(PAGE, get(page::show)).route("/docs/{file}", get(page::file))
}

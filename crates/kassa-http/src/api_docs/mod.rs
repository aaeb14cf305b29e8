//! The OpenAPI document, and the page that shows it. Both are for everybody: no credential is looked
//! at.

mod docs_page;
mod document;

use std::sync::{Arc, LazyLock};

use axum::Router;
use axum::body::Bytes;
use axum::http::{HeaderValue, header};
use axum::routing::get;
use utoipa::openapi::{ComponentsBuilder, OpenApi, OpenApiBuilder};

use crate::app::{AppState, HttpConfig};
use crate::error;
use crate::response::JSON_TYPE;
use crate::route::{Access, Route, RouteTable};
use crate::v2;
use crate::wire::PartnerRef;

/// Where the page is; below it is what it is made of.
const DOCS_PATH: &str = "/docs";
const DOCS_FILE_PATH: &str = "/docs/{file}";

/// What clients may keep for so long: it changes with the program only.
const CACHE_FOR_AN_HOUR: HeaderValue = HeaderValue::from_static("public, max-age=3600");

pub(crate) static ROUTE: Route = Route::new().access(Access::Public);

/// The paths of the documents and of the page.
pub(crate) fn paths() -> impl Iterator<Item = &'static str> {
    ApiVersion::ALL.into_iter().map(ApiVersion::document_path).chain([DOCS_PATH, DOCS_FILE_PATH])
}

/// A version of the interface. Each has its own document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ApiVersion {
    V1,
    V2,
}

impl ApiVersion {
    const ALL: [Self; 2] = [Self::V1, Self::V2];

    /// Where its document is.
    fn document_path(self) -> &'static str {
        match self {
            Self::V1 => "/openapi.json",
            Self::V2 => "/v2/openapi.json",
        }
    }

    /// A document with the schemas that its frame names.
    pub(crate) fn new_document(self) -> OpenApi {
        let schemas = ComponentsBuilder::new().schema_from::<error::ErrorDetail>();
        let schemas = match self {
            Self::V1 => schemas.schema_from::<error::ErrorBody<'_>>(),
            Self::V2 => schemas.schema_from::<v2::ErrorV2Body<'_>>().schema_from::<PartnerRef>(),
        };
        OpenApiBuilder::new().components(Some(schemas.build())).build()
    }
}

/// The documents of these operations, and the page that shows them.
pub(crate) fn routes(
    apis: [(ApiVersion, OpenApi); 2],
    table: &Arc<RouteTable>,
    config: &HttpConfig,
) -> Router<AppState> {
    let page = Router::new().route(DOCS_PATH, get(docs_page::show)).route(DOCS_FILE_PATH, get(docs_page::file));
    apis.into_iter().fold(page, |router, (version, api)| {
        let (server, table) = (config.public_url.clone(), Arc::clone(table));
        // Most routers, those of tests, are never asked for it.
        let document = LazyLock::new(move || {
            Bytes::from(document::build_document(&api, version, &table, server.as_ref()).to_string())
        });
        let document = Arc::new(document);
        let headers = [(header::CONTENT_TYPE, JSON_TYPE), (header::CACHE_CONTROL, CACHE_FOR_AN_HOUR)];
        let answer = move || {
            let document = Bytes::clone(&document);
            std::future::ready((headers.clone(), document))
        };
        router.route(version.document_path(), get(answer))
    })
}

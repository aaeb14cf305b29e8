//! The OpenAPI document, and the page that shows it. Both are for everybody: no credential is looked
//! at.

mod docs_page;
mod document;
mod kept_document;

use std::io;
use std::sync::{Arc, LazyLock};

use axum::Router;
use axum::http::HeaderMap;
use axum::response::Response;
use axum::routing::get;
use kassa_engine::Failure;
use utoipa::openapi::{ComponentsBuilder, OpenApi, OpenApiBuilder};

use crate::app::{AppState, HttpConfig};
use crate::error::{self, ApiError};
use crate::response::JSON_TYPE;
use crate::route::{Access, Route, RouteTable};
use crate::v2;
use crate::wire::PartnerRef;
use kept_document::KeptDocument;

/// Where the page is; below it is what it is made of.
const DOCS_PATH: &str = "/docs";
const DOCS_FILE_PATH: &str = "/docs/{file}";

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

    /// That of a path.
    pub(crate) fn of_path(path: &str) -> Self {
        if path.starts_with("/v2/") { Self::V2 } else { Self::V1 }
    }

    /// Where the page is that shows its document.
    pub(crate) fn page_path(self) -> &'static str {
        match self {
            Self::V1 => DOCS_PATH,
            Self::V2 => "/docs?version=2",
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
            let document = document::build_document(&api, version, &table, server.as_ref());
            KeptDocument::from_plain(JSON_TYPE, document.to_string())
        });
        let document = Arc::new(document);
        let answer = move |headers: HeaderMap| std::future::ready(respond_with(&document, &headers));
        router.route(version.document_path(), get(answer))
    })
}

/// A document that was made, or the failure to make it.
fn respond_with(kept: &io::Result<KeptDocument>, asked: &HeaderMap) -> Result<Response, ApiError> {
    match kept {
        Ok(document) => Ok(document.response(asked)),
        Err(error) => Err(Failure::internal(&error.to_string()).into()),
    }
}

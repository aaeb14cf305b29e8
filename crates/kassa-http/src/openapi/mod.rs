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
use crate::v2;
use crate::wire::PartnerRef;

/// Where the page is; below it is what it is made of.
const PAGE: &str = "/docs";

/// What clients may keep for so long: it changes with the program only.
const FOR_AN_HOUR: HeaderValue = HeaderValue::from_static("public, max-age=3600");

/// Whether this is a path of the document or of the page.
pub(crate) fn is_at(path: &str) -> bool {
    Version::ALL.iter().any(|version| version.document() == path)
        || path.strip_prefix(PAGE).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// A version of the interface. Each has its own document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Version {
    V1,
    V2,
}

impl Version {
    const ALL: [Self; 2] = [Self::V1, Self::V2];

    /// Where its document is.
    fn document(self) -> &'static str {
        match self {
            Self::V1 => "/openapi.json",
            Self::V2 => "/v2/openapi.json",
        }
    }

    /// A document with the schemas that its frame names.
    pub(crate) fn begun(self) -> OpenApi {
        let schemas = ComponentsBuilder::new().schema_from::<error::Detail>();
        let schemas = match self {
            Self::V1 => schemas.schema_from::<error::Body<'_>>(),
            Self::V2 => schemas.schema_from::<v2::Body<'_>>().schema_from::<PartnerRef>(),
        };
        OpenApiBuilder::new().components(Some(schemas.build())).build()
    }
}

/// The documents of these operations, and the page that shows them.
pub(crate) fn routes(apis: [(Version, OpenApi); 2], config: &Config) -> Router<App> {
    let page = Router::new().route(PAGE, get(page::show)).route("/docs/{file}", get(page::file));
    apis.into_iter().fold(page, |router, (version, api)| {
        let server = config.public_url.clone();
        // Most routers, those of tests, are never asked for it.
        let document =
            LazyLock::new(move || Bytes::from(document::complete(&api, version, server.as_ref()).to_string()));
        let document = Arc::new(document);
        let headers = [(header::CONTENT_TYPE, JSON), (header::CACHE_CONTROL, FOR_AN_HOUR)];
        let answer = move || {
            let document = Bytes::clone(&document);
            std::future::ready((headers.clone(), document))
        };
        router.route(version.document(), get(answer))
    })
}

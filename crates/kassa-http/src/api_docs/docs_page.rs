//! The page at `/docs`: Swagger UI, whose files are inside the program. `xtask/docs/prepare.sh` brings
//! them.

use std::io;
use std::sync::LazyLock;

use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderValue, Uri, header};
use axum::response::Response;
use url::Url;

use super::kept_document::KeptDocument;
use super::respond_with;
use crate::app::AppState;
use crate::error::{ApiError, no_such_path};

const HTML: &str = include_str!("page/index.html");
const SCRIPT: &str = include_str!("page/page.js");
const LICENCES: &str = include_str!("page/swagger-ui-bundle.js.LICENSE.txt");
const BUNDLE: &[u8] = include_bytes!("page/swagger-ui-bundle.js.gz");
const STYLE: &[u8] = include_bytes!("page/swagger-ui.css.gz");

const HTML_TYPE: HeaderValue = HeaderValue::from_static("text/html; charset=UTF-8");
const SCRIPT_TYPE: HeaderValue = HeaderValue::from_static("text/javascript; charset=UTF-8");
const STYLE_TYPE: HeaderValue = HeaderValue::from_static("text/css; charset=UTF-8");
const TEXT_TYPE: HeaderValue = HeaderValue::from_static("text/plain; charset=UTF-8");

type Kept = LazyLock<io::Result<KeptDocument>>;

static KEPT_SCRIPT: Kept = LazyLock::new(|| KeptDocument::from_plain(SCRIPT_TYPE, SCRIPT));
static KEPT_LICENCES: Kept = LazyLock::new(|| KeptDocument::from_plain(TEXT_TYPE, LICENCES));
static KEPT_BUNDLE: Kept = LazyLock::new(|| KeptDocument::from_gzip(SCRIPT_TYPE, BUNDLE));
static KEPT_STYLE: Kept = LazyLock::new(|| KeptDocument::from_gzip(STYLE_TYPE, STYLE));

/// The page itself, which is short.
pub(super) async fn show(State(app): State<AppState>, headers: HeaderMap) -> Result<Response, ApiError> {
    let url = app.config.public_url.as_ref();
    let root = url.map_or("", |url| url.path().trim_end_matches('/'));
    let mut response = respond_with(&KeptDocument::from_plain(HTML_TYPE, HTML.replace("{root}", root)), &headers)?;
    response.headers_mut().extend(
        HeaderValue::from_str(&content_security_policy(url))
            .ok()
            .map(|policy| (header::CONTENT_SECURITY_POLICY, policy)),
    );
    Ok(response)
}

/// Browsers load nothing from elsewhere for this page, and it speaks to this server only.
fn content_security_policy(url: Option<&Url>) -> String {
    let server = url.map(|url| format!(" {}", url.origin().ascii_serialization())).unwrap_or_default();
    format!(
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; \
         connect-src 'self'{server}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
}

/// What the page is made of.
pub(super) async fn file(Path(name): Path<String>, headers: HeaderMap, uri: Uri) -> Result<Response, ApiError> {
    let kept = match name.as_str() {
        "page.js" => &KEPT_SCRIPT,
        "swagger-ui-bundle.js" => &KEPT_BUNDLE,
        "swagger-ui-bundle.js.LICENSE.txt" => &KEPT_LICENCES,
        "swagger-ui.css" => &KEPT_STYLE,
        _ => return Err(no_such_path(uri).await),
    };
    respond_with(kept, &headers)
}

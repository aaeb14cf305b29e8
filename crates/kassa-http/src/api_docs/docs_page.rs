//! The page at `/docs`: Swagger UI, whose files are inside the program. `xtask/docs/prepare.sh` brings
//! them.

use std::io::Read;

use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderValue, Uri, header};
use axum::response::{IntoResponse, Response};
use flate2::read::GzDecoder;
use kassa_engine::Failure;
use url::Url;

use super::CACHE_FOR_AN_HOUR;
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
const GZIP: HeaderValue = HeaderValue::from_static("gzip");

/// The page itself.
pub(super) async fn show(State(app): State<AppState>) -> Response {
    let url = app.config.public_url.as_ref();
    let root = url.map_or("", |url| url.path().trim_end_matches('/'));
    let mut response = cached_response(HTML_TYPE, HTML.replace("{root}", root));
    response.headers_mut().extend(
        HeaderValue::from_str(&content_security_policy(url))
            .ok()
            .map(|policy| (header::CONTENT_SECURITY_POLICY, policy)),
    );
    response
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
    match name.as_str() {
        "page.js" => Ok(cached_response(SCRIPT_TYPE, SCRIPT)),
        "swagger-ui-bundle.js" => Ok(gzip_response(SCRIPT_TYPE, BUNDLE, &headers)),
        "swagger-ui-bundle.js.LICENSE.txt" => Ok(cached_response(TEXT_TYPE, LICENCES)),
        "swagger-ui.css" => Ok(gzip_response(STYLE_TYPE, STYLE, &headers)),
        _ => Err(no_such_path(uri).await),
    }
}

fn cached_response(content_type: HeaderValue, body: impl IntoResponse) -> Response {
    let headers = [(header::CONTENT_TYPE, content_type), (header::CACHE_CONTROL, CACHE_FOR_AN_HOUR)];
    (headers, body).into_response()
}

/// A file that is kept packed, for a client that may take it so or not.
fn gzip_response(content_type: HeaderValue, gzip: &'static [u8], asked: &HeaderMap) -> Response {
    let mut response = if accepts_gzip(asked) {
        let mut response = cached_response(content_type, gzip);
        response.headers_mut().insert(header::CONTENT_ENCODING, GZIP);
        response
    } else {
        let mut plain = Vec::new();
        match GzDecoder::new(gzip).read_to_end(&mut plain) {
            Ok(_) => cached_response(content_type, plain),
            Err(error) => ApiError::from(Failure::internal(&error.to_string())).into_response(),
        }
    };
    response.headers_mut().insert(header::VARY, header::ACCEPT_ENCODING.into());
    response
}

fn accepts_gzip(asked: &HeaderMap) -> bool {
    let lists = asked.get_all(header::ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
    lists.flat_map(|list| list.split(',')).any(|coding| {
        let (name, weight) = coding.split_once(';').unwrap_or((coding, ""));
        let refused = weight.trim().strip_prefix("q=").is_some_and(|weight| weight.trim().parse() == Ok(0.0));
        name.trim().eq_ignore_ascii_case("gzip") && !refused
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gzip_is_sent_only_to_clients_that_accept_it() {
        let asked =
            |value: &'static str| HeaderMap::from_iter([(header::ACCEPT_ENCODING, HeaderValue::from_static(value))]);
        for value in ["gzip", "deflate, GZIP", "br;q=1.0, gzip;q=0.8"] {
            assert!(accepts_gzip(&asked(value)), "{value}");
        }
        for value in ["", "identity", "gzip;q=0", "gzip; q=0.0", "br"] {
            assert!(!accepts_gzip(&asked(value)), "{value}");
        }
        assert!(!accepts_gzip(&HeaderMap::new()));
    }
}

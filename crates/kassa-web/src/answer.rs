//! Answers: pages, files, and ways to other addresses.

use bytes::Bytes;
use flate2::Compression;
use kassa_http::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use kassa_http::http::{Response, StatusCode};

use crate::assets::{Asset, gzip, short_digest};
use crate::request::PageRequest;

/// A page runs and loads what the server itself sends, and nothing that stands in the page. Nobody frames it.
const CONTENT_POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
);
/// Whoever has it asks each time whether it is still the same.
const REVALIDATE: HeaderValue = HeaderValue::from_static("no-cache");
/// No other site hears of the address of a page; forms say that they come from this one.
const REFERRER_POLICY: HeaderValue = HeaderValue::from_static("same-origin");
const PRIVATE: HeaderValue = HeaderValue::from_static("private, no-store");
const NOT_STORED: HeaderValue = HeaderValue::from_static("no-store");
const CACHE_FOREVER: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");
/// A new version of a script is everywhere within five minutes.
const CACHE_SHORTLY: HeaderValue = HeaderValue::from_static("public, max-age=300");
const HTML: &str = "text/html; charset=utf-8";
/// Shorter bodies are not worth packing, in bytes.
const PACKED_BYTES_MIN: usize = 860;

/// What a page is sent as, in both forms.
#[derive(Clone, Debug)]
pub(crate) struct Rendered {
    pub(crate) status: StatusCode,
    content_type: &'static str,
    /// Headers of its own.
    headers: HeaderMap,
    tag: String,
    plain: Bytes,
    gzipped: Option<Bytes>,
}

impl Rendered {
    /// A page.
    pub(crate) fn html(status: StatusCode, html: String) -> Self {
        let headers = HeaderMap::from_iter([
            (header::CONTENT_SECURITY_POLICY, CONTENT_POLICY),
            (header::REFERRER_POLICY, REFERRER_POLICY),
        ]);
        Self::new(status, HTML, headers, html.into_bytes())
    }

    /// A file that is made from rows, such as a calendar entry.
    pub(crate) fn file(content_type: &'static str, file_name: &str, contents: String) -> Self {
        let disposition = HeaderValue::try_from(format!("inline; filename=\"{file_name}\""));
        let headers = disposition.ok().map(|value| (header::CONTENT_DISPOSITION, value));
        Self::new(StatusCode::OK, content_type, headers.into_iter().collect(), contents.into_bytes())
    }

    /// A style sheet that is made from its name.
    pub(crate) fn style(contents: String) -> Self {
        Self::new(StatusCode::OK, "text/css; charset=utf-8", HeaderMap::new(), contents.into_bytes())
    }

    /// What pages of other sites read.
    pub(crate) fn for_others(value: &serde_json::Value) -> Self {
        let headers = HeaderMap::from_iter([(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"))]);
        Self::new(StatusCode::OK, "application/json; charset=utf-8", headers, value.to_string().into_bytes())
    }

    fn new(status: StatusCode, content_type: &'static str, headers: HeaderMap, body: Vec<u8>) -> Self {
        let tag = short_digest(&body);
        let gzipped = (body.len() >= PACKED_BYTES_MIN).then(|| gzip(&body, Compression::fast()));
        Self { status, content_type, headers, tag, plain: body.into(), gzipped }
    }

    /// How much memory it takes, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.plain.len() + self.gzipped.as_ref().map_or(0, Bytes::len)
    }

    /// The answer to a request for it.
    pub(crate) fn answer(&self, request: &PageRequest) -> Response<Bytes> {
        let packed = self.gzipped.as_ref().filter(|_| request.takes_gzip);
        let tag = format!("\"{}{}\"", self.tag, if packed.is_some() { "-gzip" } else { "" });
        let mut headers = self.headers.clone();
        insert_text(&mut headers, header::ETAG, &tag);
        headers.insert(header::CACHE_CONTROL, if self.status.is_success() { REVALIDATE } else { NOT_STORED });
        let vary = if request.chose_language { "Accept-Encoding" } else { "Accept-Encoding, Accept-Language, Cookie" };
        headers.insert(header::VARY, HeaderValue::from_static(vary));
        if self.status.is_success() && knows(request.known_tags.as_deref(), &tag) {
            return respond(StatusCode::NOT_MODIFIED, headers, Bytes::new());
        }
        insert_text(&mut headers, header::CONTENT_TYPE, self.content_type);
        insert_text(&mut headers, header::CONTENT_LANGUAGE, request.language.code());
        if packed.is_some() {
            headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        }
        respond(self.status, headers, packed.unwrap_or(&self.plain).clone())
    }
}

impl Rendered {
    /// The answer where the address changes with what is in it.
    pub(crate) fn lasting_answer(&self, request: &PageRequest) -> Response<Bytes> {
        let mut response = self.answer(request);
        response.headers_mut().insert(header::CACHE_CONTROL, CACHE_FOREVER);
        response
    }
}

/// A file whose name changes with what is in it.
pub(crate) fn asset(asset: &Asset, request: &PageRequest) -> Response<Bytes> {
    file(asset, request, HeaderMap::from_iter([(header::CACHE_CONTROL, CACHE_FOREVER)]))
}

/// A script that pages of other sites load, whatever these allow: its name never changes.
pub(crate) fn script_for_others(asset: &Asset, request: &PageRequest) -> Response<Bytes> {
    let headers = HeaderMap::from_iter([
        (header::CACHE_CONTROL, CACHE_SHORTLY),
        (header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*")),
        (HeaderName::from_static("cross-origin-resource-policy"), HeaderValue::from_static("cross-origin")),
    ]);
    file(asset, request, headers)
}

fn file(asset: &Asset, request: &PageRequest, mut headers: HeaderMap) -> Response<Bytes> {
    let tag = format!("\"{}{}\"", asset.hash, if request.takes_gzip { "-gzip" } else { "" });
    insert_text(&mut headers, header::ETAG, &tag);
    headers.insert(header::VARY, HeaderValue::from_static("Accept-Encoding"));
    if knows(request.known_tags.as_deref(), &tag) {
        return respond(StatusCode::NOT_MODIFIED, headers, Bytes::new());
    }
    insert_text(&mut headers, header::CONTENT_TYPE, asset.content_type);
    if request.takes_gzip {
        headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        return respond(StatusCode::OK, headers, asset.gzipped.clone());
    }
    respond(StatusCode::OK, headers, asset.plain.clone())
}

/// The way to the address that a page has for good. It may change with the name of the thing, so it is asked for each time.
pub(crate) fn moved(location: &str) -> Response<Bytes> {
    let mut headers = HeaderMap::from_iter([(header::CACHE_CONTROL, REVALIDATE)]);
    insert_text(&mut headers, header::LOCATION, location);
    respond(StatusCode::MOVED_PERMANENTLY, headers, Bytes::new())
}

/// The way on after a form was taken: whoever loads that page again sends nothing again.
pub(crate) fn see_other(location: &str) -> Response<Bytes> {
    let mut headers = HeaderMap::from_iter([(header::CACHE_CONTROL, NOT_STORED)]);
    insert_text(&mut headers, header::LOCATION, location);
    respond(StatusCode::SEE_OTHER, headers, Bytes::new())
}

/// A page for one person: kept by nobody, and no page after it learns its address.
pub(crate) fn private_page(status: StatusCode, html: String) -> Response<Bytes> {
    let mut headers = HeaderMap::from_iter([
        (header::CACHE_CONTROL, PRIVATE),
        (header::CONTENT_SECURITY_POLICY, CONTENT_POLICY),
        (header::REFERRER_POLICY, REFERRER_POLICY),
    ]);
    insert_text(&mut headers, header::CONTENT_TYPE, HTML);
    respond(status, headers, html.into())
}

/// A file for one person, as the interface has answered it.
pub(crate) fn private_file(answered: &HeaderMap, bytes: Vec<u8>) -> Response<Bytes> {
    let named = |name: &HeaderName| answered.get(name).map(|value| (name.clone(), value.clone()));
    let kept = [header::CONTENT_TYPE, header::CONTENT_DISPOSITION];
    let mut headers: HeaderMap = kept.iter().filter_map(named).collect();
    headers.insert(header::CACHE_CONTROL, PRIVATE);
    respond(StatusCode::OK, headers, bytes.into())
}

/// An answer with a text of the program's own in a header.
pub(crate) fn insert_text(headers: &mut HeaderMap, name: HeaderName, text: &str) {
    let value = HeaderValue::from_str(text);
    debug_assert!(value.is_ok(), "{text:?} is no value of {name}");
    if let Ok(value) = value {
        headers.insert(name, value);
    }
}

fn respond(status: StatusCode, headers: HeaderMap, body: Bytes) -> Response<Bytes> {
    let mut response = Response::new(body);
    *response.status_mut() = status;
    *response.headers_mut() = headers;
    response
}

/// Whether an `If-None-Match` header has a tag.
fn knows(header: Option<&str>, tag: &str) -> bool {
    let has = |header: &str| {
        header.split(',').map(str::trim).any(|known| known.trim_start_matches("W/") == tag || known == "*")
    };
    header.is_some_and(has)
}

//! JSON bodies.

use axum::body::{Body, Bytes};
use axum::extract::{FromRequest, Request};
use axum::http::{HeaderMap, StatusCode, header};
use hyper::body::Body as _;
use kassa_store::memory_budget::MemoryMeter;
use serde::de::DeserializeOwned;

use super::body_chunks::BodyChunks;
use super::similar_names::{RequestNames, SimilarName, collect_similar_fields};
use crate::app::AppState;
use crate::body_memory::{BodyMemory, BodyMemoryPermit};
use crate::caller;
use crate::error::ApiError;
use crate::route::{BodyLimit, Route, has_field};

/// How deep JSON may nest.
const DEPTH_MAX: u32 = 64;
/// A body beyond the limit is read and dropped, so that the client hears the answer; beyond this
/// many times the limit, it is cut off.
const DISCARD_FACTOR_MAX: usize = 64;

/// A JSON body, as long as its route takes it. Order of refusals: 415, 413, 400.
pub(crate) struct Json<T>(pub(crate) T);

/// A JSON body that may be missing: then it says nothing.
pub(crate) struct OptionalJson<T>(pub(crate) T);

/// A body of JSON as it was sent, because somebody has signed it.
pub(crate) struct RawBody {
    bytes: Bytes,
    /// What it takes in memory.
    _taken: BodyMemoryPermit,
}

impl RawBody {
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

impl FromRequest<AppState> for RawBody {
    type Rejection = ApiError;

    async fn from_request(request: Request, app: &AppState) -> Result<Self, ApiError> {
        require_json(request.headers())?;
        let mut taken = BodyMemoryPermit::default();
        let bytes_max = app.config.bytes_max(BodyLimit::Json);
        let bytes = read_body(request.into_body(), bytes_max, &app.body_memory, &mut taken).await?;
        Ok(Self { bytes, _taken: taken })
    }
}

impl<T: DeserializeOwned + Default + Send + 'static> FromRequest<AppState> for OptionalJson<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, app: &AppState) -> Result<Self, ApiError> {
        if request.body().is_end_stream() {
            return Ok(Self(T::default()));
        }
        Json::from_request(request, app).await.map(|Json(body)| Self(body))
    }
}

impl<T: DeserializeOwned + Send + 'static> FromRequest<AppState> for Json<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, app: &AppState) -> Result<Self, ApiError> {
        let route = request.extensions().get::<&'static Route>();
        let bytes_max = app.config.bytes_max(route.map_or(BodyLimit::Json, |route| route.body_limit));
        let shown = route.and_then(|route| route.shows);
        let names = request.extensions().get::<RequestNames>().cloned();
        let (body, similar) = parse_json_body(request, app, bytes_max).await?;
        if let Some(names) = names {
            // Fields that are only shown are no mistake: clients send back what they got.
            let is_shown = |name: &str| shown.is_some_and(|kind| has_field(kind.fields, name));
            names.add_fields(similar.into_iter().filter(|found| !is_shown(found.unknown())));
        }
        Ok(Self(body))
    }
}

async fn parse_json_body<T: DeserializeOwned + Send + 'static>(
    request: Request,
    app: &AppState,
    bytes_max: usize,
) -> Result<(T, Vec<SimilarName>), ApiError> {
    require_json(request.headers())?;
    let caller = caller::payer(app, &request);
    let mut taken = BodyMemoryPermit::default();
    let bytes = read_body(request.into_body(), bytes_max, &app.body_memory, &mut taken).await?;
    let length = bytes.len();
    // What was made of the body takes memory until it is decided, while it waits in a lane, too.
    if let (Some(meter), Some(taken)) = (MemoryMeter::try_current(), taken) {
        meter.keep(taken);
    }
    app.body_parsers.run(&app.long_answers, caller, length, move || parse_json(&bytes)).await?
}

/// What a body says, and which of its names resemble those that are known.
fn parse_json<T: DeserializeOwned>(bytes: &[u8]) -> Result<(T, Vec<SimilarName>), ApiError> {
    let malformed = |reason: String| ApiError::new(StatusCode::BAD_REQUEST, "malformed_json", reason);
    let text = str::from_utf8(bytes).map_err(|_| malformed("The body is not UTF-8".to_owned()))?;
    if text.trim_ascii().is_empty() {
        return Err(malformed("The body is empty; it must be a JSON object".to_owned()));
    }
    if nesting_depth(text) > DEPTH_MAX {
        return Err(malformed(format!("The body nests deeper than {DEPTH_MAX} levels")));
    }
    if !text.trim_ascii_start().starts_with('{') {
        return Err(malformed("The body must be a JSON object".to_owned()));
    }
    let (body, similar) = collect_similar_fields(|| serde_json::from_str(text));
    let body = body.map_err(|error| malformed(format!("The body is not well-formed JSON: {error}")))?;
    Ok((body, similar))
}

/// A body without a type is taken for JSON, unless a page of another site sends it: a browser asks nobody whether it may
/// send that one.
fn require_json(headers: &HeaderMap) -> Result<(), ApiError> {
    let content_type = match headers.get(header::CONTENT_TYPE).filter(|value| !value.is_empty()) {
        Some(content_type) => content_type.to_str().unwrap_or_default(),
        None if !caller::is_same_origin(headers, None) => "",
        None => return Ok(()),
    };
    let mut parts = content_type.split(';').map(str::trim);
    let essence = parts.next().unwrap_or_default().to_ascii_lowercase();
    let charset = parts.find_map(|part| {
        let (name, value) = part.split_once('=')?;
        name.trim().eq_ignore_ascii_case("charset").then(|| value.trim().trim_matches('"').to_ascii_lowercase())
    });
    let utf8 = charset.is_none_or(|charset| matches!(charset.as_str(), "utf-8" | "utf8" | "us-ascii"));
    if essence == "application/json" && utf8 {
        return Ok(());
    }
    let reason = "The body must be application/json in UTF-8: Content-Type names something else";
    Err(ApiError::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "unsupported_media_type", reason))
}

/// Reads a body of at most `bytes_max`. What it needs in memory is noted in `taken`, for as long as that lives.
pub(crate) async fn read_body(
    body: Body,
    bytes_max: usize,
    room: &BodyMemory,
    taken: &mut BodyMemoryPermit,
) -> Result<Bytes, ApiError> {
    let said = body.size_hint().upper().and_then(|length| usize::try_from(length).ok());
    let expected = said.unwrap_or(bytes_max).min(bytes_max);
    let mut pieces = BodyChunks::of(body);
    let mut whole: Vec<u8> = Vec::new();
    let mut length: usize = 0;
    let mut first = None;
    while let Some(data) = pieces.next().await? {
        length = length.saturating_add(data.len());
        if exceeds_discard_limit(length, bytes_max) {
            break;
        }
        if length > bytes_max {
            (whole, *taken) = (Vec::new(), BodyMemoryPermit::default());
        } else if first.is_none() && whole.is_empty() {
            // Most bodies are one frame: no copy for them, and no more memory than the connection has.
            first = Some(data);
        } else {
            room.cover(length, taken)?;
            reserve_room(&mut whole, length, expected);
            whole.extend(first.take().as_deref().unwrap_or_default());
            whole.extend(&data);
        }
    }
    if length > bytes_max {
        return Err(body_too_large(bytes_max));
    }
    Ok(first.unwrap_or_else(|| whole.into()))
}

/// Sees that `length` bytes fit into a vector that shall hold `expected` at last. It is doubled when it is full, as
/// vectors are, but never beyond that. The system gives the memory only when something is written there.
fn reserve_room(whole: &mut Vec<u8>, length: usize, expected: usize) {
    if length > whole.capacity() {
        let capacity = (2 * whole.capacity()).min(expected).max(length);
        whole.reserve_exact(capacity - whole.len());
    }
}

/// Whether so much of a body came that the rest is not even read and dropped.
pub(crate) fn exceeds_discard_limit(length: usize, bytes_max: usize) -> bool {
    length > bytes_max.saturating_mul(DISCARD_FACTOR_MAX)
}

/// The answer to a body beyond its limit.
pub(crate) fn body_too_large(bytes_max: usize) -> ApiError {
    let reason = format!("The body is longer than {bytes_max} bytes");
    ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, "body_too_large", reason)
}

/// How deep the brackets of a JSON text nest; brackets inside strings do not count.
fn nesting_depth(text: &str) -> u32 {
    let (mut depth, mut deepest, mut in_string, mut escaped) = (0_u32, 0_u32, false, false);
    for byte in text.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            _ if in_string => {}
            b'{' | b'[' => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            b'}' | b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn depth_counts_brackets_outside_strings() {
        for (text, deep) in [("1", 0), ("{}", 1), (r#"{"a":[[1]],"b":[]}"#, 3), (r#"{"[[[\"{":"]]"}"#, 1), ("]]][", 1)]
        {
            assert_eq!(nesting_depth(text), deep, "{text}");
        }
    }

    proptest::proptest! {
        #[test]
        fn no_text_is_deeper_than_it_has_brackets(text in "[\\[\\]{}\"\\\\a]{0,60}") {
            let brackets = text.bytes().filter(|byte| matches!(byte, b'{' | b'[')).count();
            proptest::prop_assert!(nesting_depth(&text) as usize <= brackets);
        }
    }
}

//! `fields-schema`: the client says which fields of an answer it wants, and which
//! references it wants as objects. It works around the handlers, which know nothing of it: the route says which kind of
//! resource its answer shows, and whoever calls [`shape`] how references are loaded. A bad schema is refused before a
//! handler runs, and a good one is applied to what the handler has answered.
//!
//! References are loaded level by level, all of one kind at once, as the same caller would read them
//! by id; what it may not see stays an id.

mod json_parts;
mod projection;
mod references;
#[cfg(test)]
mod tests;
mod text_buffer;

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::extract::Request;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use futures_util::StreamExt as _;
use http_body_util::{BodyExt as _, Collected};
use hyper::body::Body as _;
use kassa_domain::field_selection::{FIELD_DEPTH_MAX, FieldSelection};
use kassa_domain::{Actor, Refusal};
use kassa_engine::metrics::Limit;
use kassa_engine::{Engine, Failure, ListTurn};
use kassa_store::memory_budget::{MemoryExceeded, MemoryMeter};
use serde_json::value::RawValue;

use crate::app::AppState;
use crate::base_url::BaseUrl;
use crate::caller::{self, AnyCaller};
use crate::error::ApiError;
use crate::input::{Query, RequestNames};
use crate::response::{ReplayedResponse, entity_tags};
use crate::route::ResourceKind;
use json_parts::ScanBudget;
use references::{EXPANDED_MAX, LoadedResources, missing_references};
use text_buffer::TextBuffer;

/// The name of the parameter.
const PARAMETER: &str = "fields-schema";
/// The longest answer to a read, in bytes, that a schema is applied to, and the longest that it makes. Lists that are
/// streamed can be longer.
const BYTES_MAX: usize = 32 * 1024 * 1024;

/// Who reads, from where, and how urls start.
#[derive(Clone)]
pub(crate) struct LoadContext {
    pub(crate) engine: Engine,
    pub(crate) actor: Actor,
    pub(crate) base_url: BaseUrl,
}

/// Resources by id, each as the reader would get it by that id. What it may not see is missing.
pub(crate) type LoadResult = Result<Vec<(String, Box<RawValue>)>, ApiError>;
/// Loads resources by their ids, all at once.
pub(crate) type Loader = fn(LoadContext, Vec<String>) -> Pin<Box<dyn Future<Output = LoadResult> + Send>>;

/// How answers of a kind are shaped.
#[derive(Clone, Copy)]
pub(crate) struct Shaping {
    /// What they show.
    pub(crate) kind: &'static ResourceKind,
    /// Loaders of what other resources refer to, by kind.
    pub(crate) loaders: &'static [(&'static ResourceKind, Loader)],
}

/// What the client wants to see of an answer.
struct RequestedFields {
    schema: FieldSelection,
    shaping: Shaping,
}

/// Lets `next` answer a request, and applies the schema of the request, if it has one.
pub(crate) async fn shape(
    app: &AppState,
    shaping: Shaping,
    request: Request,
    next: impl AsyncFnOnce(Request) -> Response,
) -> Response {
    let requested = match requested_fields(&request, shaping) {
        Ok(Some(requested)) => requested,
        Ok(None) => return next(request).await,
        Err(error) => return refuse(error, request, next).await,
    };
    let actor = request.extensions().get::<AnyCaller>().map_or(Actor::Anonymous, |AnyCaller(actor)| actor.clone());
    let base = BaseUrl::of(app, request.uri(), request.headers());
    let reads = request.method().is_safe();
    let payer = if reads { None } else { caller::payer(app, &request) };
    let response = next(request).await;
    let is_json = response.headers().get(header::CONTENT_TYPE) == Some(&crate::response::JSON_TYPE);
    let is_shaped = response.extensions().get::<ReplayedResponse>().is_some_and(|replayed| replayed.is_final);
    if !response.status().is_success() || !is_json || is_shaped {
        return response;
    }
    let reader = LoadContext { engine: app.engine.clone(), actor, base_url: base };
    let shaped = shape_response(response, &requested, reader, reads);
    // Long, and only for those who ask for it.
    let shaped = match payer {
        // What a write reads for its shape is read as a list is, as that of a read.
        Some(payer) => Box::pin(app.engine.read_as(payer, shaped)).await,
        None => Box::pin(shaped).await,
    };
    shaped.unwrap_or_else(IntoResponse::into_response)
}

/// The schema that a request gives.
fn requested_fields(request: &Request, shaping: Shaping) -> Result<Option<RequestedFields>, ApiError> {
    // Said also where the query has it not: it may be there under a name that only resembles it.
    if let Some(names) = request.extensions().get::<RequestNames>() {
        names.add_parameter(PARAMETER);
    }
    let Some(query) = request.uri().query().filter(|query| may_have_parameter(query)) else { return Ok(None) };
    let query = match Query::read(query) {
        Ok(query) => query,
        Err(error) if query.contains(PARAMETER) => return Err(error),
        Err(_) => return Ok(None),
    };
    let Some(text) = query.get(PARAMETER) else { return Ok(None) };
    let schema: FieldSelection = text.parse().map_err(|error| bad_schema(&format!("{error}")))?;
    projection::check_fields(&schema, shaping.kind.fields, "").map_err(|problem| bad_schema(&problem))?;
    Ok(Some(RequestedFields { schema, shaping }))
}

/// Most queries do not: they are not read twice. Any character can be escaped.
pub(crate) fn may_have_parameter(query: &str) -> bool {
    query.contains(PARAMETER) || query.contains('%')
}

fn bad_schema(problem: &str) -> ApiError {
    ApiError::new(StatusCode::BAD_REQUEST, "bad_fields_schema", format!("{PARAMETER}: {problem}"))
}

/// Why a schema is not applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ProjectionLimit {
    /// Too many resources in place of ids.
    References,
    /// Too much altogether.
    Bytes,
    /// Too much would have to be looked at.
    Scans,
    /// There is no memory for it.
    Memory(MemoryExceeded),
    /// What is to be shaped is no JSON.
    Malformed,
}

impl From<MemoryExceeded> for ProjectionLimit {
    fn from(exceeded: MemoryExceeded) -> Self {
        Self::Memory(exceeded)
    }
}

impl From<ProjectionLimit> for ApiError {
    fn from(limit: ProjectionLimit) -> Self {
        match limit {
            ProjectionLimit::References => {
                bad_schema(&format!("it asks for more than {EXPANDED_MAX} objects in place of ids"))
            }
            ProjectionLimit::Bytes | ProjectionLimit::Memory(MemoryExceeded::TooLarge) => {
                bad_schema(&format!("the answer would be longer than {BYTES_MAX} bytes; ask for less"))
            }
            ProjectionLimit::Scans => bad_schema("too much would have to be read for it; ask for less"),
            ProjectionLimit::Memory(exceeded @ MemoryExceeded::Spent) => Failure::from(exceeded).into(),
            ProjectionLimit::Malformed => Failure::internal("an answer is not JSON").into(),
        }
    }
}

/// Refuses a bad schema; but a credential that is missing is told first. Every write needs one, but
/// for those where credentials are not looked at. A read says by itself whether it does, and
/// changes nothing.
async fn refuse(error: ApiError, request: Request, next: impl AsyncFnOnce(Request) -> Response) -> Response {
    match request.extensions().get::<AnyCaller>() {
        Some(AnyCaller(Actor::Anonymous)) if request.method().is_safe() => {
            let response = next(request).await;
            if response.status() == StatusCode::UNAUTHORIZED { response } else { error.into_response() }
        }
        Some(AnyCaller(Actor::Anonymous)) => ApiError::from(Refusal::CredentialRequired).into_response(),
        Some(AnyCaller(_)) | None => error.into_response(),
    }
}

/// The answer with what is wanted of it; its headers stay. What was changed is never answered by an
/// error: if references cannot be loaded after a write, they stay ids.
async fn shape_response(
    response: Response,
    requested: &RequestedFields,
    reader: LoadContext,
    reads: bool,
) -> Result<Response, ApiError> {
    let meter = MemoryMeter::current();
    let (mut parts, body) = response.into_parts();
    let bytes = collect_body(body, if reads { BYTES_MAX } else { usize::MAX }, &meter).await?;
    // Its references are lists to the database, and to look at it all takes its time.
    let turn = ListTurn::begin().await;
    if reads {
        turn.clone()?;
    }
    let answer: &RawValue = serde_json::from_slice(&bytes).map_err(|error| Failure::internal(&error.to_string()))?;
    let (schema, fields, limit_hits) =
        (&requested.schema, requested.shaping.kind.fields, Arc::clone(reader.engine.limit_hits()));
    let expanded = match turn {
        Ok(()) => expand_references(answer, requested, reader, &meter).await,
        Err(failure) => Err(failure.into()),
    };
    let shaped = match expanded {
        Err(_) if !reads => {
            let unlimited = TextBuffer::new(usize::MAX, MemoryMeter::unlimited());
            projection::project(
                answer,
                schema,
                fields,
                &LoadedResources::default(),
                &mut ScanBudget::default(),
                unlimited,
            )?
        }
        shaped => shaped.inspect_err(|error| {
            if error.code() == "bad_fields_schema" {
                limit_hits.record(Limit::FieldsSchema);
            }
        })?,
    };
    meter.settle(shaped.capacity());
    parts.headers.insert(header::CONTENT_LENGTH, shaped.len().into());
    entity_tags::recompute(&mut parts.headers, &shaped);
    Ok(Response::from_parts(parts, Body::from(shaped)))
}

/// The answer with its references loaded.
async fn expand_references(
    answer: &RawValue,
    RequestedFields { schema, shaping: Shaping { kind, loaders } }: &RequestedFields,
    reader: LoadContext,
    meter: &Arc<MemoryMeter>,
) -> Result<Vec<u8>, ApiError> {
    let (mut found, mut scans) = (LoadedResources::default(), ScanBudget::default());
    // Each turn finds what the references of one level more mean.
    for _ in 0..=FIELD_DEPTH_MAX {
        let missing = missing_references(answer, schema, kind.fields, &found, &mut scans)?;
        if missing.is_empty() {
            break;
        }
        for (kind, ids) in missing.into_values() {
            let ids: Vec<String> = ids.into_iter().collect();
            let loader = loaders.iter().find(|(known, _)| std::ptr::eq(*known, kind)).map(|(_, loader)| loader);
            let resources = match loader {
                // Their rows are gone when they are loaded.
                Some(load) => meter.part().scope(load(reader.clone(), ids.clone())).await?,
                None => Vec::new(),
            };
            let bytes = resources.iter().map(|(_, resource)| resource.get().len()).sum();
            meter.charge(bytes).map_err(ProjectionLimit::from)?;
            found.add(kind, ids, resources);
        }
    }
    let text = TextBuffer::new(BYTES_MAX, Arc::clone(meter));
    Ok(projection::project(answer, schema, kind.fields, &found, &mut scans, text)?)
}

/// The whole body of an answer. One that is not streamed was charged to the meter when it was made.
async fn collect_body(body: Body, bytes_max: usize, meter: &Arc<MemoryMeter>) -> Result<Bytes, ApiError> {
    let too_long = || bad_schema(&format!("the whole list is longer than {bytes_max} bytes; ask for a part of it"));
    if let Some(length) = body.size_hint().exact() {
        let fits = usize::try_from(length).is_ok_and(|length| length <= bytes_max);
        let whole = if fits { body.collect().await.ok() } else { None };
        return whole.map(Collected::to_bytes).ok_or_else(too_long);
    }
    let (mut pieces, mut whole) = (body.into_data_stream(), TextBuffer::new(bytes_max, Arc::clone(meter)));
    while let Some(piece) = pieces.next().await {
        // Otherwise the handler could not go on.
        let piece = piece.map_err(|_| Failure::Unavailable)?;
        match whole.push_bytes(&piece) {
            Err(ProjectionLimit::Bytes) => return Err(too_long()),
            pushed => pushed?,
        }
    }
    Ok(whole.finish().into())
}

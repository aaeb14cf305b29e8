//! `GET /v2/resources/partners/{partner}/api_keys/{key}/requests`, newest first.

use axum::extract::State;
use kassa_domain::api_key::ApiKey;
use kassa_domain::partner::Partner;
use kassa_domain::{ReadSet, permission};

use super::super::pagination::{PageParameters, PageRequest};
use super::model::KeyRequestListResponse;
use crate::app::AppState;
use crate::caller::AuthenticatedCaller;
use crate::error::ApiError;
use crate::input::{PathId, Problems, Query};
use crate::openapi::error_responses;
use crate::openapi::params::{parameters, words};
use crate::response::ApiResponse;
use crate::route::Route;

/// Classes of statuses by their first digits.
const STATUS_CLASSES: &[(&str, u16)] = &[("2xx", 2), ("3xx", 3), ("4xx", 4), ("5xx", 5)];

parameters! {
    pub(crate) struct Filters: words("status", STATUS_CLASSES, "Only those that were answered with such statuses."),
}

pub(crate) static ROUTE: Route = Route::new().list();

#[utoipa::path(
    get, path = "/partners/{partner}/api_keys/{key}/requests", tag = "API keys", operation_id = "list_key_requests",
    summary = "List the requests of an API key",
    description = "What was asked with the key in the last day, newest first: up to the 1,000 newest requests that the \
                   server which answers this has itself answered since it started. Whoever manages keys sees them.",
    params(Filters, PageParameters),
    responses((status = 200, description = "Requests.", body = KeyRequestListResponse), error_responses::ReadErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(actor): AuthenticatedCaller,
    PathId(partner): PathId<Partner>,
    PathId(id): PathId<ApiKey, 1>,
    query: Query,
) -> Result<ApiResponse, ApiError> {
    let mut problems = Problems::default();
    let classes = query.words("status", STATUS_CLASSES, &mut problems);
    let wanted = PageRequest::read(&query, &mut problems);
    permission::read_key_requests(&actor, partner)?;
    problems.finish()?;
    let view = app.engine.view(&ReadSet { keys: vec![id], ..ReadSet::default() }).await?;
    let key = view.keys.get(id).filter(|key| key.partner == partner);
    let key = key.ok_or_else(|| ApiError::not_found("API key"))?;
    let found = app.request_log.page((partner, key.id), classes.as_deref(), app.engine.now(), wanted.slice());
    Ok(KeyRequestListResponse::new(&found, wanted).into_response())
}

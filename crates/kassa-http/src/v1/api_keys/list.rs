//! `GET /v1/resources/partners/{partner}/api_keys`, newest first.

use axum::extract::State;
use kassa_domain::api_key::ApiKey;
use kassa_domain::partner::Partner;
use kassa_domain::permission;
use kassa_store::queries::ApiKeysFilter;

use super::model::{API_KEY, ApiKeyBody};
use crate::app::AppState;
use crate::caller::AuthenticatedCaller;
use crate::error::ApiError;
use crate::input::{PathId, Problems, Query};
use crate::openapi::error_responses;
use crate::openapi::params::{LimitOffsetParameters, flag, ids, parameters};
use crate::response::ApiResponse;
use crate::route::Route;

parameters! {
    pub(crate) struct Filters: ids(), flag("removed", "Whether to include removed ones; `false` by default.")
}

pub(crate) static ROUTE: Route = Route::new().list().shows(&API_KEY);

#[utoipa::path(
    get, path = "/partners/{partner}/api_keys", tag = "API keys", operation_id = "list_api_keys",
    summary = "List the API keys of a partner",
    description = "Only for the partner's own users and keys; newest first.",
    params(Filters, LimitOffsetParameters),
    responses((status = 200, description = "Keys.", body = [ApiKeyBody]), error_responses::ReadErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(actor): AuthenticatedCaller,
    PathId(partner): PathId<Partner>,
    query: Query,
) -> Result<ApiResponse, ApiError> {
    let mut problems = Problems::default();
    let ids = query.ids("ids", &mut problems);
    let removed = query.flag("removed", &mut problems);
    let slice = query.slice(&mut problems);
    permission::manage_keys(&actor, partner)?;
    problems.finish()?;
    let page = app.engine.page(ApiKeysFilter { partner, ids, include_removed: removed }, slice).await?;
    let shown = |key: &ApiKey| app.engine.api_key_token(key).map(|token| ApiKeyBody::new(key, &token));
    let keys: Vec<ApiKeyBody> = page.rows.iter().map(shown).collect::<Result<_, _>>()?;
    Ok(ApiResponse::list(&keys, page.total))
}

//! `GET /v2/services/widget_tokens`, newest first.

use axum::extract::State;
use kassa_domain::{ReadSet, permission};

use super::super::pagination::{PageParameters, PageRequest};
use super::model::WidgetTokenListResponse;
use crate::app::AppState;
use crate::base_url::BaseUrl;
use crate::caller::AuthenticatedCaller;
use crate::error::ApiError;
use crate::input::{Problems, Query};
use crate::openapi::error_responses;
use crate::response::ApiResponse;
use crate::route::Route;

pub(crate) static ROUTE: Route = Route::new().list();

#[utoipa::path(
    get, path = "/widget_tokens", tag = "Shops", operation_id = "list_widget_tokens", summary = "List widget tokens",
    description = "Those of the partner that are good, newest first.",
    params(PageParameters),
    responses((status = 200, description = "Tokens.", body = WidgetTokenListResponse), error_responses::ListErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(actor): AuthenticatedCaller,
    base: BaseUrl,
    query: Query,
) -> Result<ApiResponse, ApiError> {
    let mut problems = Problems::default();
    let wanted = PageRequest::read(&query, &mut problems);
    let partner = actor.acting_partner()?;
    permission::manage_widget_tokens(&actor, partner)?;
    problems.finish()?;
    let view = app.engine.view(&ReadSet { partners: vec![partner], ..ReadSet::default() }).await?;
    let tokens = view.partners.get(partner).map(|partner| partner.profile.widget_tokens.as_slice()).unwrap_or_default();
    Ok(WidgetTokenListResponse::new(tokens, partner, &app.engine, &base, wanted).into_response())
}

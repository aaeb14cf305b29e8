//! `DELETE /v2/services/widget_tokens/{token}`: pages that say it sell nothing any more.

use axum::extract::State;
use kassa_domain::widget_token::{RevokeWidgetToken, WidgetToken};

use crate::app::AppState;
use crate::caller::AuthenticatedCaller;
use crate::error::ApiError;
use crate::input::PathId;
use crate::openapi::error_responses;
use crate::response::ApiResponse;
use crate::route::Route;
use crate::wire::EmptyBody;

pub(crate) static ROUTE: Route = Route::new();

#[utoipa::path(
    delete, path = "/widget_tokens/{token}", tag = "Shops", operation_id = "remove_widget_token",
    summary = "Remove a widget token",
    description = "Pages that say it sell nothing any more, from the next request on. Orders that are there stay.",
    responses((status = 200, description = "An empty object.", body = EmptyBody), error_responses::ReadErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(actor): AuthenticatedCaller,
    PathId(token): PathId<WidgetToken>,
) -> Result<ApiResponse, ApiError> {
    let partner = actor.acting_partner()?;
    Ok(app.engine.execute(&actor, RevokeWidgetToken { partner, token }, |_, ()| ApiResponse::removed()).await?)
}

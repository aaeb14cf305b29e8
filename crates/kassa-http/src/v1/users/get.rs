//! `GET /v1/resources/users/{user}`: oneself, or a customer of the partner that asks.

use axum::extract::State;
use kassa_domain::user::User;

use super::model::{USER, UserBody};
use super::visible_user_bodies;
use crate::app::AppState;
use crate::caller::AuthenticatedCaller;
use crate::error::ApiError;
use crate::input::PathId;
use crate::openapi::error_responses;
use crate::response::ApiResponse;
use crate::route::{ResourceType, Route};

pub(crate) static ROUTE: Route = Route::new().resource(ResourceType::User).shows(&USER);

#[utoipa::path(
    get, path = "/users/{user}", tag = "Users", operation_id = "get_user", summary = "Get a user",
    description = "Yourself, or a customer of your partner as its newest order with it says.",
    responses((status = 200, description = "The user.", body = UserBody), error_responses::ReadErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(actor): AuthenticatedCaller,
    PathId(id): PathId<User>,
) -> Result<ApiResponse, ApiError> {
    let found = visible_user_bodies(&app.engine, &actor, vec![id]).await?.into_iter().next();
    let (_, revision, body) = found.ok_or_else(|| ApiError::not_found("user"))?;
    Ok(ApiResponse::ok(&body).with_revision(revision))
}

//! `GET /v1/resources/users/{user}`: oneself, or a customer of the partner that asks.

use axum::extract::State;
use kassa_domain::user::User;
use kassa_domain::{ReadSet, permission};

use super::crm_sums_of_visible_user;
use super::model::{USER, UserBody};
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
    description = "Yourself, or a customer of your partner.",
    responses((status = 200, description = "The user.", body = UserBody), error_responses::ReadErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(actor): AuthenticatedCaller,
    PathId(id): PathId<User>,
) -> Result<ApiResponse, ApiError> {
    let sums = crm_sums_of_visible_user(&app, &actor, id).await?;
    let view = app.engine.view(&ReadSet { users: vec![id], partners_of: vec![id], ..ReadSet::default() }).await?;
    let user = view.users.get(id).ok_or_else(|| ApiError::not_found("user"))?;
    // Whom else a customer works for is its own affair.
    let partners = if permission::is_self(&actor, id) { view.partners_of(id) } else { Vec::new() };
    Ok(ApiResponse::ok(&UserBody::new(user, partners).with_crm(&sums)).with_revision(user.revision))
}

//! `DELETE /v2/resources/partners/{partner}/managers/{user}`: somebody manages the partner no longer.

use axum::extract::State;
use kassa_domain::partner::{Partner, RemoveManager};
use kassa_domain::user::User;

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
    delete, path = "/partners/{partner}/managers/{user}", tag = "Partners", operation_id = "remove_manager",
    summary = "Remove a manager",
    description = "The user manages the partner no longer, or its invitation is taken back. Owners remove anybody, and \
                   everybody may go; one owner stays.",
    responses((status = 200, description = "An empty object.", body = EmptyBody), error_responses::ReadErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(actor): AuthenticatedCaller,
    PathId(partner): PathId<Partner>,
    PathId(user): PathId<User, 1>,
) -> Result<ApiResponse, ApiError> {
    let command = RemoveManager { partner, user };
    Ok(app.engine.change_team(&actor, command, |_, ()| ApiResponse::removed()).await?)
}

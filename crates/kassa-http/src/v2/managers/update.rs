//! `PATCH /v2/resources/partners/{partner}/managers/{user}`: another role.

use axum::extract::State;
use kassa_domain::View;
use kassa_domain::partner::{ChangeManagerRole, Partner};
use kassa_domain::user::User;

use super::model::{ManagerChange, ManagerResponse, ManagerRoleInput};
use crate::app::AppState;
use crate::caller::AuthenticatedCaller;
use crate::error::ApiError;
use crate::input::{Json, PathId, Problems, required_value};
use crate::openapi::error_responses;
use crate::response::ApiResponse;
use crate::route::Route;

pub(crate) static ROUTE: Route = Route::new();

#[utoipa::path(
    patch, path = "/partners/{partner}/managers/{user}", tag = "Partners", operation_id = "change_manager",
    summary = "Change the role of a manager",
    description = "Of somebody who manages the partner or is invited to. Only owners can; one of them stays.",
    request_body(content = ManagerChange, example = json!({"role": "accountant"})),
    responses((status = 200, description = "The manager.", body = ManagerResponse), error_responses::ChangeErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(actor): AuthenticatedCaller,
    PathId(partner): PathId<Partner>,
    PathId(user): PathId<User, 1>,
    Json(body): Json<ManagerRoleInput>,
) -> Result<ApiResponse, ApiError> {
    let mut problems = Problems::default();
    let role = body.role.required("role", &mut problems);
    problems.finish()?;
    let command = ChangeManagerRole { partner, user, role: required_value(role)?.0 };
    let render = move |view: &View, (): &()| ApiResponse::ok(&ManagerResponse::new(partner, user, view));
    Ok(app.engine.change_team(&actor, command, render).await?)
}

//! `POST /v2/resources/partners/{partner}/managers`: somebody is asked to manage the partner.

use axum::extract::State;
use kassa_domain::View;
use kassa_domain::partner::{InviteManager, ManagerRef, Partner};
use kassa_domain::user::UserId;

use super::model::{ManagerResponse, NewManager, NewManagerInput};
use crate::app::AppState;
use crate::caller::AuthenticatedCaller;
use crate::error::ApiError;
use crate::input::{Json, PathId, Problems, required_value};
use crate::openapi::error_responses;
use crate::response::ApiResponse;
use crate::route::Route;

pub(crate) static ROUTE: Route = Route::new();

#[utoipa::path(
    post, path = "/partners/{partner}/managers", tag = "Partners", operation_id = "invite_manager",
    summary = "Invite a manager",
    description = "A mail goes to the address, and whoever accepts has the role. Whoever is invited already, or manages \
                   the partner, has that role from then on. Only owners can.",
    request_body(content = NewManager, example = json!({"email": "till@example.org", "role": "seller"})),
    responses((status = 200, description = "Who was invited.", body = ManagerResponse), error_responses::ChangeErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(actor): AuthenticatedCaller,
    PathId(partner): PathId<Partner>,
    Json(body): Json<NewManagerInput>,
) -> Result<ApiResponse, ApiError> {
    let mut problems = Problems::default();
    let (email, role) = (body.email.required("email", &mut problems), body.role.required("role", &mut problems));
    problems.finish()?;
    let user = ManagerRef::Email(required_value(email)?.0);
    let command = InviteManager { partner, user, role: required_value(role)?.0 };
    let render = move |view: &View, user: &UserId| ApiResponse::ok(&ManagerResponse::new(partner, *user, view));
    Ok(app.engine.change_team(&actor, command, render).await?)
}

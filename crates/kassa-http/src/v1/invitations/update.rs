//! `PATCH /v1/resources/users/{user}/invitations/{partner}`: the user accepts or declines.

use axum::extract::State;
use kassa_domain::View;
use kassa_domain::invitation::{AnswerInvitation, Invitation};
use kassa_domain::partner::Partner;
use kassa_domain::user::User;

use super::model::{INVITATION, InvitationBody, InvitationChange, InvitationInput};
use crate::app::AppState;
use crate::caller::AuthenticatedCaller;
use crate::error::ApiError;
use crate::input::{Json, PathId, Problems, required_value};
use crate::openapi::error_responses;
use crate::response::ApiResponse;
use crate::route::Route;

pub(crate) static ROUTE: Route = Route::new().shows(&INVITATION);

#[utoipa::path(
    patch, path = "/users/{user}/invitations/{partner}", tag = "Users", operation_id = "answer_invitation",
    summary = "Answer an invitation",
    description = "Only the user itself answers; to accept, it must have confirmed the e-mail that was invited. Who \
                   accepts manages the partner at once.",
    request_body(content = InvitationChange, example = json!({"status": "accepted"})),
    responses((status = 200, description = "The invitation.", body = InvitationBody), error_responses::ChangeErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(actor): AuthenticatedCaller,
    PathId(user): PathId<User>,
    PathId(partner): PathId<Partner, 1>,
    Json(body): Json<InvitationInput>,
) -> Result<ApiResponse, ApiError> {
    let mut problems = Problems::default();
    let status = body.status.required("status", &mut problems);
    problems.finish()?;
    let command = AnswerInvitation { user, partner, answer: required_value(status)?.0 };
    let render = move |_: &View, invitation: &Invitation| ApiResponse::ok(&InvitationBody::new(partner, invitation));
    let answer = app.engine.execute(&actor, command, render).await?;
    // The session may manage one partner more.
    app.engine.invalidate_credentials();
    Ok(answer)
}

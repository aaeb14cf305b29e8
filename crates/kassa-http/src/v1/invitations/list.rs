//! `GET /v1/resources/users/{user}/invitations`: what partners ask of the user, newest first.

use axum::extract::State;
use kassa_domain::invitation::Invitation;
use kassa_domain::user::User;
use kassa_domain::{ReadSet, permission};

use super::model::{INVITATION, InvitationBody};
use crate::app::AppState;
use crate::caller::AuthenticatedCaller;
use crate::error::ApiError;
use crate::input::PathId;
use crate::openapi::error_responses;
use crate::response::ApiResponse;
use crate::route::Route;

pub(crate) static ROUTE: Route = Route::new().list().shows(&INVITATION);

#[utoipa::path(
    get, path = "/users/{user}/invitations", tag = "Users", operation_id = "list_invitations",
    summary = "List your invitations",
    description = "Invitations to manage a partner that have not lapsed, newest first. Only the user itself sees them.",
    responses((status = 200, description = "Invitations.", body = [InvitationBody]), error_responses::ReadErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(actor): AuthenticatedCaller,
    PathId(user): PathId<User>,
) -> Result<ApiResponse, ApiError> {
    permission::answer_invitation(&actor, user)?;
    let (view, now) =
        (app.engine.view(&ReadSet { invitations_of_user: vec![user], ..ReadSet::default() }).await?, app.engine.now());
    // A user has few: their number is bounded.
    let mut open: Vec<&Invitation> =
        view.invitations.rows().filter(|invitation| invitation.is_answerable(now)).collect();
    open.sort_unstable_by_key(|invitation| std::cmp::Reverse((invitation.created_at, invitation.key)));
    let body = |invitation: &Invitation| Some(InvitationBody::new(invitation.key.partner?, invitation));
    let items: Vec<InvitationBody> = open.into_iter().filter_map(body).collect();
    Ok(ApiResponse::list(&items, items.len() as u64))
}

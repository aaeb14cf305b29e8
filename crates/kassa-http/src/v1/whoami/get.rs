//! `GET /v1/services/whoami`: who is logged in.

use axum::extract::State;
use kassa_domain::refusal::CredentialFault;
use kassa_domain::{ReadSet, Refusal};

use crate::app::AppState;
use crate::caller::AuthenticatedCaller;
use crate::error::ApiError;
use crate::openapi::error_responses;
use crate::response::ApiResponse;
use crate::route::Route;
use crate::v1::users::model::{USER, UserBody};

pub(crate) static ROUTE: Route = Route::new().tagged().shows(&USER);

#[utoipa::path(
    get, path = "/whoami", tag = "Sessions", operation_id = "get_session", summary = "Get the logged-in user",
    description = "With the cookie of a session; a key is refused.",
    security(("cookie" = [])),
    responses((status = 200, description = "The user.", body = UserBody), error_responses::ListErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(actor): AuthenticatedCaller,
) -> Result<ApiResponse, ApiError> {
    // A key stands for a partner, not for a person.
    let user = actor.user().ok_or(Refusal::CredentialInvalid(CredentialFault::UserRequired))?.user;
    let view = app.engine.view(&ReadSet { users: vec![user], partners_of: vec![user], ..ReadSet::default() }).await?;
    let found = view.users.get(user).ok_or(Refusal::CredentialInvalid(CredentialFault::SessionEnded))?;
    Ok(ApiResponse::ok(&UserBody::new(found, view.partners_of(user))).with_revision(found.revision))
}

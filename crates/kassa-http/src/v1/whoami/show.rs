//! `GET /v1/services/whoami`: who is logged in.

use axum::extract::State;
use kassa_domain::{Needs, Refusal};

use crate::answer::Answer;
use crate::app::App;
use crate::caller::Known;
use crate::error::ApiError;
use crate::openapi::errors;
use crate::v1::users::model::UserBody;

#[utoipa::path(
    get, path = "/whoami", tag = "Sessions", operation_id = "get_session", summary = "Get who is logged in",
    security(("cookie" = [])),
    responses((status = 200, description = "The user.", body = UserBody), errors::List),
)]
pub(crate) async fn handle(State(app): State<App>, Known(actor): Known) -> Result<Answer, ApiError> {
    // A key stands for a partner, not for a person.
    let user = actor.user().ok_or(Refusal::CredentialInvalid)?.user;
    let view = app.engine.view(&Needs { users: vec![user], partners_of: vec![user], ..Needs::default() }).await?;
    let found = view.users.get(user).ok_or(Refusal::CredentialInvalid)?;
    Ok(Answer::ok(&UserBody::new(found, view.partners_of(user))).tagged(found.revision))
}

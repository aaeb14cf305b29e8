//! `POST /v1/services/confirm`: confirms an e-mail with the token that was sent there. Nobody needs a
//! credential for it: the token says whose it is.

use std::sync::Arc;

use axum::extract::{Extension, State};
use kassa_domain::partner::PartnerId;
use kassa_domain::user::User;
use kassa_engine::{Asker, Conditions};

use crate::answer::Answer;
use crate::app::App;
use crate::caller::Caller;
use crate::error::ApiError;
use crate::input::{AnyText, Input, Json, Problems, fields, must, requires};
use crate::openapi::errors;
use crate::v1::users::model::UserBody;

fields! {
    /// What came by mail.
    pub(crate) struct ConfirmationInput {
        token: Input<AnyText>,
    }
}

requires! {
    /// What came by mail.
    pub(crate) struct Confirmation: ConfirmationInput { token }
}

#[utoipa::path(
    post, path = "/confirm", tag = "Sessions", operation_id = "confirm_email", summary = "Confirm an e-mail",
    security((), ("key" = []), ("cookie" = [])),
    request_body = Confirmation,
    responses((status = 200, description = "The user.", body = UserBody), errors::Create),
)]
pub(crate) async fn handle(
    State(app): State<App>,
    Caller(actor): Caller,
    conditions: Option<Extension<Arc<Conditions>>>,
    Json(body): Json<ConfirmationInput>,
) -> Result<Answer, ApiError> {
    let mut problems = Problems::default();
    let token = body.token.required("token", &mut problems);
    problems.finish()?;
    let AnyText(token) = must(token)?;
    let asker = Asker::new(actor, conditions.map(|Extension(conditions)| conditions));
    let render =
        |user: &User, partners: Vec<PartnerId>| Answer::ok(&UserBody::new(user, partners)).tagged(user.revision);
    Ok(app.engine.confirm(&asker, &token, render).await?)
}

//! `POST /v1/services/confirm`: confirms an e-mail with the token that was sent there. Nobody needs a
//! credential for it: the token says whose it is.

use std::sync::Arc;

use axum::extract::{Extension, State};
use kassa_domain::partner::PartnerId;
use kassa_domain::user::User;
use kassa_engine::{Caller, RequestConditions};

use crate::app::AppState;
use crate::caller::AnyCaller;
use crate::error::ApiError;
use crate::input::{AnyText, Input, Json, Problems, fields, required_value, requires};
use crate::openapi::error_responses;
use crate::response::ApiResponse;
use crate::route::Route;
use crate::v1::users::model::{USER, UserBody};

fields! {
    /// What came by mail.
    pub(crate) struct ConfirmationInput {
        /// The token from the confirmation mail.
        token: Input<AnyText>,
    }
}

requires! {
    /// What came by mail.
    pub(crate) struct Confirmation: ConfirmationInput { token }
}

pub(crate) static ROUTE: Route = Route::new().shows(&USER);

#[utoipa::path(
    post, path = "/confirm", tag = "Sessions", operation_id = "confirm_email", summary = "Confirm an e-mail",
    description = "With the token from the confirmation mail. No credential is needed.",
    security((), ("key" = []), ("cookie" = [])),
    request_body = Confirmation,
    responses((status = 200, description = "The user.", body = UserBody), error_responses::CreateErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AnyCaller(actor): AnyCaller,
    conditions: Option<Extension<Arc<RequestConditions>>>,
    Json(body): Json<ConfirmationInput>,
) -> Result<ApiResponse, ApiError> {
    let mut problems = Problems::default();
    let token = body.token.required("token", &mut problems);
    problems.finish()?;
    let AnyText(token) = required_value(token)?;
    let caller = Caller::new(actor, conditions.map(|Extension(conditions)| conditions));
    let render = |user: &User, partners: Vec<PartnerId>| {
        ApiResponse::ok(&UserBody::new(user, partners)).with_revision(user.revision)
    };
    Ok(app.engine.confirm_email(&caller, &token, render).await?)
}

//! `POST /v1/services/confirm`: confirms an e-mail with the token that was sent there, and with a password: the mail
//! may have been to a registration that a stranger made. Nobody needs a credential for it, and nobody is logged in by
//! it.

use std::sync::Arc;

use axum::extract::{Extension, State};
use kassa_domain::partner::PartnerId;
use kassa_domain::user::User;
use kassa_engine::confirmation::ConfirmationPassword;
use kassa_engine::{Caller, RequestConditions};

use crate::app::AppState;
use crate::caller::AnyCaller;
use crate::error::ApiError;
use crate::input::{AnyText, Input, Json, PasswordText, Problems, fields, required_value, requires};
use crate::openapi::error_responses;
use crate::password_attempts::limit_password_attempts;
use crate::rate_limits::PasswordTarget;
use crate::response::ApiResponse;
use crate::route::Route;
use crate::v1::users::model::{USER, UserBody};

fields! {
    /// What came by mail, and a password: the one that was registered, or a new one.
    pub(crate) struct ConfirmationInput {
        /// The token from the confirmation mail.
        token: Input<AnyText>,
        /// The password that was registered. Required, unless `new_password` is given.
        password: Input<AnyText>,
        /// A password of 8 to 128 characters to set instead. All sessions end, and the second factor with them.
        new_password: Input<PasswordText>,
    }
}

requires! {
    /// What came by mail, and a password: the one that was registered, or a new one.
    pub(crate) struct Confirmation: ConfirmationInput { token }
}

pub(crate) static ROUTE: Route = Route::new().shows(&USER);

#[utoipa::path(
    post, path = "/confirm", tag = "Sessions", operation_id = "confirm_email", summary = "Confirm an e-mail",
    description = "With the token from the confirmation mail, and with the password that was registered or a new one. \
                   No credential is needed. It does not log in.",
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
    let registered = body.password.optional("password", &mut problems);
    let new = body.new_password.optional("new_password", &mut problems);
    let password = match (registered, new) {
        (Some(AnyText(registered)), None) => Some(ConfirmationPassword::Registered(registered)),
        (None, Some(PasswordText(new))) => Some(ConfirmationPassword::New(new)),
        (Some(_), Some(_)) => {
            problems.add("new_password", "must not be given with password: give one of both");
            None
        }
        (None, None) => {
            if problems.is_empty() {
                let problem = "is required: the password that was registered, or else a new_password to set instead";
                problems.add("password", problem);
            }
            None
        }
    };
    problems.finish()?;
    let (AnyText(token), password) = (required_value(token)?, required_value(password)?);
    let caller = Caller::new(actor, conditions.map(|Extension(conditions)| conditions));
    let render = |user: &User, partners: Vec<PartnerId>| {
        ApiResponse::ok(&UserBody::new(user, partners)).with_revision(user.revision)
    };
    let account = app.engine.account_to_confirm(&token).await?;
    let tried = PasswordTarget::User(account.id);
    limit_password_attempts(&app, tried, app.engine.confirm_email(&caller, account, password, render)).await
}

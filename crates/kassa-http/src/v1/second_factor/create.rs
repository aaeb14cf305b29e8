//! `POST /v1/resources/users/{user}/second_factor`: begins a second factor. Log-ins do not ask for it before it is
//! confirmed.

use axum::extract::State;
use kassa_domain::user::User;
use kassa_engine::second_factor::SecondFactorEnrolment;
use serde::Serialize;
use utoipa::ToSchema;

use crate::app::AppState;
use crate::caller::AuthenticatedCaller;
use crate::error::ApiError;
use crate::input::{AnyText, Input, Json, PathId, Problems, fields, requires};
use crate::openapi::error_responses;
use crate::password_attempts::limit_password_attempts;
use crate::rate_limits::PasswordTarget;
use crate::response::ApiResponse;
use crate::route::Route;

fields! {
    /// A second factor in a request.
    pub(crate) struct SecondFactorInput {
        /// The current password.
        current_password: Input<AnyText>,
    }
}

requires! {
    /// A new second factor.
    pub(crate) struct NewSecondFactor: SecondFactorInput { current_password }
}

/// A second factor that was begun. It is shown once.
#[derive(Serialize, ToSchema)]
#[schema(as = SecondFactor)]
pub(crate) struct SecondFactorBody<'a> {
    /// The secret in base 32, to be typed into an app.
    secret: &'a str,
    /// The same as a URL, to be shown as a QR code: SHA-1, 6 digits, 30 seconds.
    #[schema(format = "uri")]
    url: &'a str,
}

pub(crate) static ROUTE: Route = Route::new();

#[utoipa::path(
    post, path = "/users/{user}/second_factor", tag = "Users", operation_id = "create_second_factor",
    summary = "Begin a second factor",
    description = "The response has the secret for an app that computes one-time codes, and is shown once. Log-ins ask \
                   for codes once it is confirmed. One that was begun before is replaced.",
    security(("cookie" = [])),
    request_body = NewSecondFactor,
    responses(
        (status = 201, description = "The secret.", body = SecondFactorBody),
        error_responses::ChangeErrors
    ),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(actor): AuthenticatedCaller,
    PathId(user): PathId<User>,
    Json(body): Json<SecondFactorInput>,
) -> Result<ApiResponse, ApiError> {
    let mut problems = Problems::default();
    let password = body.current_password.optional("current_password", &mut problems).map(|text| text.0);
    problems.finish()?;
    let render = |begun: &SecondFactorEnrolment| {
        ApiResponse::created(&SecondFactorBody { secret: &begun.secret, url: &begun.url })
    };
    let begin = app.engine.propose_second_factor(&actor, user, password, render);
    limit_password_attempts(&app, PasswordTarget::User(user), begin).await
}

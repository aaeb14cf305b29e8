//! `PATCH /v1/resources/users/{user}`: one's own names; e-mail and password with the current
//! password. A new password ends all other sessions.

use axum::extract::State;
use axum::http::HeaderMap;
use kassa_domain::user::{Email, User, UserId};
use kassa_domain::{Actor, ReadSet, View, permission};
use kassa_engine::accounts::UserUpdate;
use kassa_engine::metrics::Limit;

use super::model::{USER, UserBody};
use super::{crm_sums_of_visible_user, limit_confirmation_mails};
use crate::app::AppState;
use crate::caller::AuthenticatedCaller;
use crate::error::ApiError;
use crate::input::{AnyText, EmailText, Input, Json, LineText, PasswordText, PathId, Problems, fields};
use crate::openapi::error_responses;
use crate::password_attempts::limit_password_attempts;
use crate::rate_limits::PasswordTarget;
use crate::response::ApiResponse;
use crate::route::{ResourceType, Route};
use crate::session_cookie;

fields! {
    /// A change of a user.
    pub(crate) struct UserInput {
        /// The first name; up to 255 characters.
        first_name: Input<LineText>,
        /// The last name; up to 255 characters.
        last_name: Input<LineText>,
        /// A new e-mail address: needs `current_password`.
        email: Input<EmailText>,
        /// A new password of 8 to 128 characters: needs `current_password`.
        password: Input<PasswordText>,
        /// The current password: required with a new `email` or `password`.
        current_password: Input<AnyText>,
    }
}

pub(crate) static ROUTE: Route = Route::new().resource(ResourceType::User).shows(&USER);

#[utoipa::path(
    patch, path = "/users/{user}", tag = "Users", operation_id = "update_user", summary = "Change your account",
    description = "A new e-mail or password requires `current_password`. A new password ends all other sessions.",
    request_body = UserInput,
    responses((status = 200, description = "The user.", body = UserBody), error_responses::ChangeErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(actor): AuthenticatedCaller,
    PathId(id): PathId<User>,
    headers: HeaderMap,
    Json(body): Json<UserInput>,
) -> Result<ApiResponse, ApiError> {
    let mut problems = Problems::default();
    let change = UserUpdate {
        first_name: body.first_name.patch("first_name", &mut problems).map(|text| text.0),
        last_name: body.last_name.patch("last_name", &mut problems).map(|text| text.0),
        email: body.email.patch_non_null("email", &mut problems).value().map(|address| address.0),
        password: body.password.patch_non_null("password", &mut problems).value().map(|text| text.0),
        current_password: body.current_password.optional("current_password", &mut problems).map(|text| text.0),
        session_token: session_cookie::session_token(&headers),
    };
    problems.finish()?;
    crm_sums_of_visible_user(&app, &actor, id).await?;
    let render = |view: &View, user: &User| {
        ApiResponse::ok(&UserBody::new(user, view.partners_of(user.id))).with_revision(user.revision)
    };
    let tries_password = change.email.is_some() || change.password.is_some();
    let new_email = match &change.email {
        Some(email) if moves(&app, &actor, id, email).await? => {
            let acquired = app.rate_limiters.email_changes.try_acquire(&id, app.engine.now());
            acquired.inspect_err(|_| app.engine.limit_hits().record(Limit::EmailChanges))?;
            Some(email.clone())
        }
        Some(_) | None => None,
    };
    let update = app.engine.update_user(&actor, id, change, render);
    // Long, and not for every request.
    let update = Box::pin(async {
        if tries_password {
            limit_password_attempts(&app, PasswordTarget::User(id), update).await
        } else {
            Ok(update.await?)
        }
    });
    match new_email {
        Some(email) => limit_confirmation_mails(&app, &email, update).await,
        None => update.await,
    }
}

/// Whether a user wants to move to another e-mail, which is asked for its confirmation then.
async fn moves(app: &AppState, actor: &Actor, user: UserId, email: &Email) -> Result<bool, ApiError> {
    let view = app.engine.view(&ReadSet { users: vec![user], ..ReadSet::default() }).await?;
    Ok(permission::is_self(actor, user) && view.users.get(user).is_some_and(|user| user.email != *email))
}

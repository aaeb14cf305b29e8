//! `POST /v2/platform/partners/{partner}/suspension`

use axum::extract::State;
use kassa_domain::partner::{Partner, SuspendPartner};

use super::model::{PlatformPartnerResponse, SuspensionInput};
use crate::app::AppState;
use crate::caller::AuthenticatedCaller;
use crate::error::ApiError;
use crate::input::{Json, PathId, Problems};
use crate::openapi::error_responses;
use crate::response::ApiResponse;
use crate::route::Route;

pub(crate) static ROUTE: Route = Route::new();

#[utoipa::path(
    post, path = "/partners/{partner}/suspension", tag = "Platform", operation_id = "suspend_partner",
    summary = "Suspend a partner",
    description = "Nobody acts for it, and its events are not on sale. One that is suspended gets another note. Only \
                   operators of the platform can.",
    request_body(content = SuspensionInput, example = json!({"reason": "Sells what is not its own"})),
    responses((status = 200, description = "The partner.", body = PlatformPartnerResponse), error_responses::ChangeErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(actor): AuthenticatedCaller,
    PathId(partner): PathId<Partner>,
    Json(body): Json<SuspensionInput>,
) -> Result<ApiResponse, ApiError> {
    let mut problems = Problems::default();
    let reason = body.reason.optional("reason", &mut problems);
    problems.finish()?;
    let command = SuspendPartner { partner, reason: reason.map(|text| text.0) };
    let suspended = app.engine.change_access(&actor, command).await?;
    Ok(ApiResponse::ok(&PlatformPartnerResponse::new(&suspended, app.engine.quotas())))
}

//! `POST /v1/resources/partners`: a user makes a partner that it manages.

use axum::extract::State;
use kassa_domain::partner::{CreatePartner, Partner};
use kassa_domain::refusal::ForbiddenReason;
use kassa_domain::{Patch, Refusal, View};

use super::model::{NewPartner, PARTNER, PartnerBody, PartnerInput};
use crate::app::AppState;
use crate::base_url::BaseUrl;
use crate::caller::AuthenticatedCaller;
use crate::error::ApiError;
use crate::input::{Json, Problems};
use crate::openapi::error_responses;
use crate::response::ApiResponse;
use crate::route::Route;

pub(crate) static ROUTE: Route = Route::new().shows(&PARTNER);

#[utoipa::path(
    post, path = "/partners", tag = "Partners", operation_id = "create_partner", summary = "Create a partner",
    description = "Only users can. The user manages it from then on.",
    security(("cookie" = [])),
    request_body = NewPartner,
    responses((status = 201, description = "The partner.", body = PartnerBody), error_responses::CreateErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(actor): AuthenticatedCaller,
    base: BaseUrl,
    Json(mut body): Json<PartnerInput>,
) -> Result<ApiResponse, ApiError> {
    let mut problems = Problems::default();
    let name = std::mem::take(&mut body.name).required("name", &mut problems);
    let patch = body.into_patch(name.map(|text| text.0).into(), &mut problems);
    problems.finish()?;
    let manager = actor.user().ok_or(Refusal::Forbidden(ForbiddenReason::UserOnly))?.user;
    let command =
        CreatePartner { manager, patch: kassa_domain::partner::PartnerPatch { removed: Patch::Keep, ..patch } };
    let now = app.engine.now();
    let render = move |view: &View, partner: &Partner| {
        let body = PartnerBody::new(partner, view.users.get(manager), view, now, &base);
        ApiResponse::created(&body).with_revision(partner.revision.number())
    };
    let answer = app.engine.execute(&actor, command, render).await?;
    // The session manages one partner more.
    app.engine.invalidate_credentials();
    Ok(answer)
}

//! `PATCH /v1/resources/partners/{partner}`: by its users and its keys. `users` is the full list of
//! those who manage it.

use axum::extract::State;
use kassa_domain::partner::{Partner, UpdatePartner};
use kassa_domain::{ReadSet, View};

use super::model::{PARTNER, PartnerBody, PartnerInput};
use crate::app::AppState;
use crate::base_url::BaseUrl;
use crate::caller::AuthenticatedCaller;
use crate::error::ApiError;
use crate::input::{Json, PathId, Problems};
use crate::openapi::error_responses;
use crate::response::ApiResponse;
use crate::route::{ResourceType, Route};

pub(crate) static ROUTE: Route = Route::new().resource(ResourceType::Partner).shows(&PARTNER);

#[utoipa::path(
    patch, path = "/partners/{partner}", tag = "Partners", operation_id = "update_partner",
    summary = "Change a partner",
    description = "Only its own users and keys can.",
    request_body = PartnerInput,
    responses((status = 200, description = "The partner.", body = PartnerBody), error_responses::ChangeErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(actor): AuthenticatedCaller,
    base: BaseUrl,
    PathId(id): PathId<Partner>,
    Json(mut body): Json<PartnerInput>,
) -> Result<ApiResponse, ApiError> {
    let mut problems = Problems::default();
    let name = std::mem::take(&mut body.name).patch_non_null("name", &mut problems).map(|text| text.0);
    let users = std::mem::take(&mut body.users).patch_non_null("users", &mut problems).value();
    let patch = body.into_patch(name, &mut problems);
    problems.finish()?;
    let users = users.map(|list| list.0.into_iter().map(|user| user.0).collect());
    // The caller's own account is shown if it made the partner: it is looked up before.
    let own = actor.user().map(|own| own.user);
    let found = app.engine.view(&ReadSet { users: own.into_iter().collect(), ..ReadSet::default() }).await?;
    let own = own.and_then(|user| found.users.get(user).cloned());
    let now = app.engine.now();
    let render = move |view: &View, partner: &Partner| {
        ApiResponse::ok(&PartnerBody::new(partner, own.as_ref(), view, now, &base))
            .with_revision(partner.revision.number())
    };
    Ok(app.engine.update_partner(&actor, UpdatePartner { partner: id, patch, users }, render).await?)
}

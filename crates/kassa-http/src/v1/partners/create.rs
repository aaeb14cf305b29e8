//! `POST /v1/resources/partners`: a user makes a partner that it manages.

use axum::extract::State;
use kassa_domain::partner::{CreatePartner, Partner};
use kassa_domain::{Patch, Refusal, View};

use super::model::{NewPartner, PartnerBody, PartnerInput};
use crate::answer::Answer;
use crate::app::App;
use crate::base::Base;
use crate::caller::Known;
use crate::error::ApiError;
use crate::input::{Json, Problems};
use crate::openapi::errors;

#[utoipa::path(
    post, path = "/partners", tag = "Partners", operation_id = "create_partner", summary = "Make a partner",
    description = "By a user, who then manages it.",
    security(("cookie" = [])),
    request_body = NewPartner,
    responses((status = 201, description = "The partner.", body = PartnerBody), errors::Create),
)]
pub(crate) async fn handle(
    State(app): State<App>,
    Known(actor): Known,
    base: Base,
    Json(mut body): Json<PartnerInput>,
) -> Result<Answer, ApiError> {
    let mut problems = Problems::default();
    let name = std::mem::take(&mut body.name).required("name", &mut problems);
    let patch = body.into_patch(name.map(|text| text.0).into(), &mut problems);
    problems.finish()?;
    let manager = actor.user().ok_or(Refusal::Forbidden)?.user;
    let command =
        CreatePartner { manager, patch: kassa_domain::partner::PartnerPatch { removed: Patch::Keep, ..patch } };
    let render = move |view: &View, partner: &Partner| {
        let body = PartnerBody::new(partner, view.users.get(manager), view.managers_of(partner.id), &base);
        Answer::created(&body).tagged(partner.revision)
    };
    let answer = app.engine.execute(&actor, command, render).await?;
    // The session manages one partner more.
    app.engine.forget_credentials();
    Ok(answer)
}

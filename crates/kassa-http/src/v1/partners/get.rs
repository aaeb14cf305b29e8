//! `GET /v1/resources/partners/{partner}`: in full for its own people, its face for everybody.

use axum::extract::State;
use kassa_domain::Needs;
use kassa_domain::partner::Partner;
use kassa_domain::permission::{PartnerSight, see_partner};

use super::model::{FaceBody, PartnerBody};
use crate::answer::Answer;
use crate::app::App;
use crate::base::Base;
use crate::caller::Caller;
use crate::error::ApiError;
use crate::input::PathId;

pub(crate) async fn handle(
    State(app): State<App>,
    Caller(actor): Caller,
    base: Base,
    PathId(id): PathId<Partner>,
) -> Result<Answer, ApiError> {
    let view = app.engine.view(&Needs { partners: vec![id], managers_of: vec![id], ..Needs::default() }).await?;
    let partner = view.partners.get(id).ok_or_else(|| ApiError::not_found("partner"))?;
    match see_partner(&actor, id) {
        PartnerSight::Face if partner.removed => Err(ApiError::not_found("partner")),
        PartnerSight::Face => Ok(Answer::ok(&FaceBody::new(partner, &base))),
        PartnerSight::Full => {
            let users =
                app.engine.view(&Needs { users: partner.user.into_iter().collect(), ..Needs::default() }).await?;
            let user = partner.user.and_then(|user| users.users.get(user));
            Ok(Answer::ok(&PartnerBody::new(partner, user, view.managers_of(id), &base)))
        }
    }
}

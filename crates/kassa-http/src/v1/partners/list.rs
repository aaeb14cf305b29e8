//! `GET /v1/resources/partners`: one's own, or any by `ids`, newest first.

use axum::extract::State;
use kassa_domain::partner::Partner;
use kassa_domain::permission::{PartnerSight, see_partner};
use kassa_domain::{Actor, Needs};
use kassa_store::queries::PartnersFilter;
use serde::Serialize;

use super::model::{FaceBody, PartnerBody};
use crate::answer::Answer;
use crate::app::App;
use crate::base::Base;
use crate::caller::Caller;
use crate::error::ApiError;
use crate::input::{Problems, Query};

#[derive(Serialize)]
#[serde(untagged)]
enum Item {
    Full(Box<PartnerBody>),
    Face(FaceBody),
}

pub(crate) async fn handle(
    State(app): State<App>,
    Caller(actor): Caller,
    base: Base,
    query: Query,
) -> Result<Answer, ApiError> {
    let mut problems = Problems::default();
    let ids = query.ids::<Partner>("ids", &mut problems);
    let removed = query.flag("removed", &mut problems);
    let slice = query.slice(&mut problems);
    if ids.is_none() {
        actor.known()?;
    }
    problems.finish()?;
    let own = actor.partners();
    let removed_of = if removed { own.clone() } else { Vec::new() };
    let page = app.engine.page(PartnersFilter { ids: Some(ids.unwrap_or(own)), removed_of }, slice).await?;
    let full: Vec<&Partner> = page.rows.iter().filter(|partner| is_full(&actor, partner)).collect();
    let needs = Needs {
        users: full.iter().filter_map(|partner| partner.user).collect(),
        managers_of: full.iter().map(|partner| partner.id).collect(),
        ..Needs::default()
    };
    let view = app.engine.view(&needs).await?;
    let item = |partner: &Partner| {
        if is_full(&actor, partner) {
            let user = partner.user.and_then(|user| view.users.get(user));
            Item::Full(Box::new(PartnerBody::new(partner, user, view.managers_of(partner.id), &base)))
        } else {
            Item::Face(FaceBody::new(partner, &base))
        }
    };
    let items: Vec<Item> = page.rows.iter().map(item).collect();
    Ok(Answer::list(&items, page.total))
}

fn is_full(actor: &Actor, partner: &Partner) -> bool {
    see_partner(actor, partner.id) == PartnerSight::Full
}

//! `POST /v1/resources/deals`: the organizer's is accepted at once, an agent's is a proposal.

use axum::extract::State;
use kassa_domain::deal::{CreateDeal, Deal};
use kassa_domain::event::Event;
use kassa_domain::partner::Partner;
use kassa_domain::{Needs, Refusal, View};
use serde::Deserialize;

use super::model::{DealBody, TermInput};
use crate::answer::Answer;
use crate::app::App;
use crate::caller::Known;
use crate::error::ApiError;
use crate::input::{Input, Json, LongText, Problems, Ref, must};

#[derive(Default, Deserialize)]
#[serde(default)]
pub(crate) struct Body {
    event: Input<Ref<Event>>,
    subj: Input<Ref<Partner>>,
    term: Input<TermInput>,
    message: Input<LongText>,
}

pub(crate) async fn handle(
    State(app): State<App>,
    Known(actor): Known,
    Json(body): Json<Body>,
) -> Result<Answer, ApiError> {
    let mut problems = Problems::default();
    let event = body.event.required("event", &mut problems).map(|id| id.0);
    let subj = body.subj.optional("subj", &mut problems).map(|id| id.0);
    let term = body.term.required("term", &mut problems);
    let message = body.message.optional("message", &mut problems).map_or_else(String::new, |text| text.0);
    problems.finish()?;
    let (event, TermInput(terms)) = (must(event)?, must(term)?);
    let by = actor.partner()?;
    // An event never changes its organizer.
    let found = app.engine.view(&Needs { events: vec![event], ..Needs::default() }).await?;
    let unknown = || Refusal::EventUnknown(event.to_string());
    let obj = found.events.get(event).ok_or_else(unknown)?.org;
    let render =
        |view: &View, deal: &Deal| Answer::ok(&DealBody::new(deal, view.events.get(deal.event), deal.updated_at));
    Ok(app.engine.execute(&actor, CreateDeal { event, by, subj, obj, terms, message }, render).await?)
}

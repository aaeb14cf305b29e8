//! `POST /v1/resources/deals`: the organizer's is accepted at once, an agent's is a proposal.

use axum::extract::State;
use kassa_domain::deal::{CreateDeal, Deal};
use kassa_domain::event::Event;
use kassa_domain::partner::Partner;
use kassa_domain::{Needs, Refusal, View};

use super::model::{DealBody, TermInput};
use crate::answer::Answer;
use crate::app::App;
use crate::caller::Known;
use crate::error::ApiError;
use crate::input::{Input, Json, LongText, Problems, fields, must, requires};
use crate::openapi::errors;
use crate::wire::Ref;

fields! {
    /// A proposal.
    pub(crate) struct ProposalInput {
        event: Input<Ref<Event>>,
        /// The agent, where the organizer proposes.
        subj: Input<Ref<Partner>>,
        term: Input<TermInput>,
        message: Input<LongText>,
    }
}

requires! {
    /// A new deal.
    pub(crate) struct NewDeal: ProposalInput { event, term }
}

#[utoipa::path(
    post, path = "/deals", tag = "Deals", operation_id = "create_deal", summary = "Propose a deal",
    description = "The organizer's is accepted at once. An agent's is, too, if it is no worse for the organizer than \
                   the organizer's `standard_term`.",
    request_body = NewDeal,
    responses((status = 200, description = "The deal.", body = DealBody), errors::Create),
)]
pub(crate) async fn handle(
    State(app): State<App>,
    Known(actor): Known,
    Json(body): Json<ProposalInput>,
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
    let render = |view: &View, deal: &Deal| {
        Answer::ok(&DealBody::new(deal, view.events.get(deal.event), deal.updated_at)).tagged(deal.revision)
    };
    Ok(app.engine.execute(&actor, CreateDeal { event, by, subj, obj, terms, message }, render).await?)
}

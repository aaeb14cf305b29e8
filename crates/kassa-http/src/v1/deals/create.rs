//! `POST /v1/resources/deals`: the organizer's is accepted at once, an agent's is a proposal.

use axum::extract::State;
use kassa_domain::deal::{CreateDeal, Deal};
use kassa_domain::event::Event;
use kassa_domain::partner::Partner;
use kassa_domain::{ReadSet, Refusal, View};

use super::model::{DEAL, DealBody, TermInput};
use crate::app::AppState;
use crate::caller::AuthenticatedCaller;
use crate::error::ApiError;
use crate::input::{Input, Json, LongText, Problems, fields, required_value, requires};
use crate::openapi::error_responses;
use crate::response::ApiResponse;
use crate::route::{EventSource, Route};
use crate::wire::IdRef;

fields! {
    /// A proposal.
    pub(crate) struct ProposalInput {
        /// The event whose tickets the agent is to sell.
        event: Input<IdRef<Event>>,
        /// The agent: required from an organizer. An agent can leave it out.
        subj: Input<IdRef<Partner>>,
        /// Who gets how much of each ticket. Terms never change.
        term: Input<TermInput>,
        /// A text to the other side; up to 10000 characters.
        message: Input<LongText>,
    }
}

requires! {
    /// A new deal.
    pub(crate) struct NewDeal: ProposalInput { event, term }
}

pub(crate) static ROUTE: Route = Route::new().shows(&DEAL).event(EventSource::Body);

#[utoipa::path(
    post, path = "/deals", tag = "Deals", operation_id = "create_deal", summary = "Propose a deal",
    description = "A deal that the organizer proposes is accepted at once. So is one that an agent proposes, if it \
                   is no worse for the organizer than its `standard_term`.",
    request_body = NewDeal,
    responses((status = 200, description = "The deal.", body = DealBody), error_responses::CreateErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(actor): AuthenticatedCaller,
    Json(body): Json<ProposalInput>,
) -> Result<ApiResponse, ApiError> {
    let mut problems = Problems::default();
    let event = body.event.required("event", &mut problems).map(|id| id.0);
    let subj = body.subj.optional("subj", &mut problems).map(|id| id.0);
    let term = body.term.required("term", &mut problems);
    let message = body.message.optional("message", &mut problems).map_or_else(String::new, |text| text.0);
    problems.finish()?;
    let (event, TermInput(terms)) = (required_value(event)?, required_value(term)?);
    let by = actor.acting_partner()?;
    // An event never changes its organizer.
    let found = app.engine.view(&ReadSet { events: vec![event], ..ReadSet::default() }).await?;
    let unknown = || Refusal::EventUnknown(event.to_string());
    let obj = found.events.get(event).ok_or_else(unknown)?.organizer;
    let render = |view: &View, deal: &Deal| {
        ApiResponse::ok(&DealBody::new(deal, view.events.get(deal.event), deal.updated_at))
            .with_revision(deal.revision.number())
    };
    Ok(app
        .engine
        .execute(&actor, CreateDeal { event, proposer: by, agent: subj, organizer: obj, terms, message }, render)
        .await?)
}

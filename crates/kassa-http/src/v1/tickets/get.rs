//! `GET /v1/resources/events/{event}/sets/{set}/tickets/{ticket}`

use axum::extract::State;
use kassa_domain::event::Event;
use kassa_domain::set::Set;
use kassa_domain::ticket::Ticket;
use kassa_domain::{Needs, permission};

use super::model::TicketBody;
use crate::answer::Answer;
use crate::app::App;
use crate::caller::Caller;
use crate::error::ApiError;
use crate::input::PathId;
use crate::openapi::errors;

#[utoipa::path(
    get, path = "/events/{event}/sets/{set}/tickets/{ticket}", tag = "Tickets", operation_id = "get_ticket",
    summary = "Get a ticket",
    security((), ("key" = []), ("cookie" = [])),
    responses((status = 200, description = "The ticket.", body = TicketBody), errors::Read),
)]
pub(crate) async fn handle(
    State(app): State<App>,
    Caller(actor): Caller,
    PathId(event): PathId<Event>,
    PathId(set): PathId<Set, 1>,
    PathId(id): PathId<Ticket, 2>,
) -> Result<Answer, ApiError> {
    let missing = || ApiError::not_found("ticket");
    let deals_of = actor.partners().into_iter().map(|partner| (event, partner)).collect();
    let needs = Needs { events: vec![event], sets: vec![set], tickets: vec![id], deals_of, ..Needs::default() };
    let view = app.engine.view(&needs).await?;
    let event = view.events.get(event).ok_or_else(missing)?;
    let set = view.sets.get(set).filter(|set| set.event == event.id).ok_or_else(missing)?;
    let ticket = view.tickets.get(id).filter(|ticket| ticket.set == set.id).ok_or_else(missing)?;
    let orders = ticket.holder().into_iter().collect();
    let holders = app.engine.view(&Needs { orders, ..Needs::default() }).await?;
    let holder = ticket.holder().and_then(|order| holders.orders.get(order));
    if !permission::sees_ticket(&actor, event, set, holder, &view) {
        return Err(missing());
    }
    let sees_barcode = permission::sees_barcode(&actor, event, holder);
    // Nobody edits tickets: what happens to them is counted.
    let version = view.tickets.version(id).unwrap_or_default();
    Ok(Answer::ok(&TicketBody::new(ticket, set, sees_barcode).alone(set)).tagged(version))
}

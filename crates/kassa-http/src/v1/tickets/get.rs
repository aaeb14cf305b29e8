//! `GET /v1/resources/events/{event}/sets/{set}/tickets/{ticket}`

use axum::extract::State;
use kassa_domain::event::Event;
use kassa_domain::set::TicketSet;
use kassa_domain::ticket::Ticket;
use kassa_domain::{ReadSet, permission};

use super::model::{TICKET, TicketBody};
use crate::app::AppState;
use crate::caller::AnyCaller;
use crate::error::ApiError;
use crate::input::PathId;
use crate::openapi::error_responses;
use crate::response::ApiResponse;
use crate::route::Route;

pub(crate) static ROUTE: Route = Route::new().tagged().shows(&TICKET);

#[utoipa::path(
    get, path = "/events/{event}/sets/{set}/tickets/{ticket}", tag = "Tickets", operation_id = "get_ticket",
    summary = "Get a ticket",
    description = "For anyone who sees the set, or the order that has the ticket.",
    security((), ("key" = []), ("cookie" = [])),
    responses((status = 200, description = "The ticket.", body = TicketBody), error_responses::ReadErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AnyCaller(actor): AnyCaller,
    PathId(event): PathId<Event>,
    PathId(set): PathId<TicketSet, 1>,
    PathId(id): PathId<Ticket, 2>,
) -> Result<ApiResponse, ApiError> {
    let missing = || ApiError::not_found("ticket");
    let deals_of = actor.acting_partners().into_iter().map(|partner| (event, partner)).collect();
    let read_set = ReadSet { events: vec![event], sets: vec![set], tickets: vec![id], deals_of, ..ReadSet::default() };
    let view = app.engine.view(&read_set).await?;
    let event = view.events.get(event).ok_or_else(missing)?;
    let set = view.sets.get(set).filter(|set| set.event == event.id).ok_or_else(missing)?;
    let ticket = view.tickets.get(id).filter(|ticket| ticket.set == set.id).ok_or_else(missing)?;
    let orders = ticket.holder().into_iter().collect();
    let holders = app.engine.view(&ReadSet { orders, ..ReadSet::default() }).await?;
    let holder = ticket.holder().and_then(|order| holders.orders.get(order));
    if !permission::sees_ticket(&actor, event, set, holder, &view) {
        return Err(missing());
    }
    let sees_barcode = permission::sees_barcode(&actor, event, holder);
    // Nobody edits tickets: what happens to them is counted.
    let version = view.tickets.version(id).unwrap_or_default();
    Ok(ApiResponse::ok(&TicketBody::new(ticket, set, sees_barcode).into_single(set)).with_revision(version))
}

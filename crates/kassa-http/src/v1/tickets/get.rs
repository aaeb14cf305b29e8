//! `GET /v1/resources/events/{event}/sets/{set}/tickets/{ticket}`

use axum::extract::State;
use kassa_domain::event::Event;
use kassa_domain::set::TicketSet;
use kassa_domain::ticket::Ticket;
use kassa_domain::{ReadSet, View, permission};

use super::model::{TICKET, TicketBody};
use crate::app::AppState;
use crate::caller::AnyCaller;
use crate::error::ApiError;
use crate::input::PathId;
use crate::openapi::error_responses;
use crate::related::{events_and_deals, load_with_related};
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
    let ticket = ReadSet { sets: vec![set], tickets: vec![id], ..events_and_deals(&actor, vec![event]) };
    let holder = |found: &View| ReadSet {
        orders: found.tickets.rows().filter_map(Ticket::holder).collect(),
        ..ReadSet::default()
    };
    let view = load_with_related(&app.engine, ticket, holder).await?;
    let event = view.events.get(event).ok_or_else(missing)?;
    let set = view.sets.get(set).filter(|set| set.event == event.id).ok_or_else(missing)?;
    let ticket = view.tickets.get(id).filter(|ticket| ticket.set == set.id).ok_or_else(missing)?;
    let holder = ticket.holder().and_then(|order| view.orders.get(order));
    if !permission::sees_ticket(&actor, event, set, holder, &view) {
        return Err(missing());
    }
    let sees_barcode = permission::sees_barcode(&actor, event, holder);
    // Nobody edits tickets: what happens to them is counted.
    let version = view.tickets.version(id).ok_or_else(missing)?;
    Ok(ApiResponse::ok(&TicketBody::new(ticket, set, sees_barcode).into_single(set)).with_revision(version))
}

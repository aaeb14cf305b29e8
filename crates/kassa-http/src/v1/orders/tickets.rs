//! `GET /v1/resources/orders/{order}/tickets`: what the order has, or had when it ended, by sector,
//! row and number.

use axum::extract::State;
use kassa_domain::ReadSet;
use kassa_domain::natural_sort::natural_key;
use kassa_domain::order::{Order, OrderLine};
use kassa_domain::ticket::TicketId;

use super::model::OrderTicketBody;
use crate::app::AppState;
use crate::caller::AuthenticatedCaller;
use crate::error::ApiError;
use crate::input::{PathId, Problems, Query};
use crate::openapi::error_responses;
use crate::openapi::params::{LimitOffsetParameters, ids, parameters};
use crate::related::load_visible_order;
use crate::response::ApiResponse;
use crate::route::Route;
use crate::v1::tickets::model::TICKET;

parameters! {
    pub(crate) struct Filters: ids()
}

pub(crate) static ROUTE: Route = Route::new().list().shows(&TICKET);

#[utoipa::path(
    get, path = "/orders/{order}/tickets", tag = "Orders", operation_id = "list_order_tickets",
    summary = "List the tickets of an order",
    description = "The tickets that it has, or had when it ended.",
    params(Filters, LimitOffsetParameters),
    responses((status = 200, description = "Tickets.", body = [OrderTicketBody]), error_responses::ReadErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(actor): AuthenticatedCaller,
    PathId(id): PathId<Order>,
    query: Query,
) -> Result<ApiResponse, ApiError> {
    let mut problems = Problems::default();
    let ids: Option<Vec<TicketId>> = query.ids("ids", &mut problems);
    let slice = query.slice(&mut problems);
    let order = load_visible_order(&app.engine, &actor, id).await?;
    problems.finish()?;
    let passes = |line: &&OrderLine| ids.as_ref().is_none_or(|ids| ids.contains(&line.ticket));
    let mut lines: Vec<&OrderLine> = order.lines.iter().filter(passes).collect();
    let sets = lines.iter().map(|line| line.set).collect();
    let tickets = lines.iter().map(|line| line.ticket).collect();
    let related = app.engine.view(&ReadSet { sets, tickets, ..ReadSet::default() }).await?;
    lines.sort_by_cached_key(|line| {
        let sector = related.sets.get(line.set).map(|set| natural_key(&set.sector));
        let seat = related.tickets.get(line.ticket).and_then(|ticket| ticket.seat.as_deref());
        (sector, seat.map(|seat| (seat.row.clone(), seat.number)), line.number)
    });
    let body = |line: &&OrderLine| {
        // A ticket that has gone back on sale may be another's, or not be there any more.
        let ticket = related.tickets.get(line.ticket);
        Some(OrderTicketBody::new(line, related.sets.get(line.set)?, ticket, order.id))
    };
    let offset = usize::try_from(slice.offset).unwrap_or(usize::MAX);
    let page = lines.iter().skip(offset).take(slice.limit as usize);
    let items: Vec<OrderTicketBody<'_>> = page.filter_map(body).collect();
    Ok(ApiResponse::list(&items, lines.len() as u64))
}

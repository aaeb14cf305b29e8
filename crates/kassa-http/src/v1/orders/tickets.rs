//! `GET /v1/resources/orders/{order}/tickets`: what the order has, or had when it ended, by sector,
//! row and number.

use axum::extract::State;
use kassa_domain::natural::natural_key;
use kassa_domain::order::{Line, Order};
use kassa_domain::ticket::TicketId;
use kassa_domain::{Needs, permission};

use super::model::OrderTicketBody;
use crate::answer::Answer;
use crate::app::App;
use crate::caller::Known;
use crate::error::ApiError;
use crate::input::{PathId, Problems, Query};
use crate::openapi::errors;
use crate::openapi::params::{Page, ids, parameters};

parameters! {
    pub(crate) struct Filters: ids()
}

#[utoipa::path(
    get, path = "/orders/{order}/tickets", tag = "Orders", operation_id = "list_order_tickets",
    summary = "List the tickets of an order",
    description = "What the order has, or had when it ended.",
    params(Filters, Page),
    responses((status = 200, description = "Tickets.", body = [OrderTicketBody]), errors::Read),
)]
pub(crate) async fn handle(
    State(app): State<App>,
    Known(actor): Known,
    PathId(id): PathId<Order>,
    query: Query,
) -> Result<Answer, ApiError> {
    let mut problems = Problems::default();
    let ids: Option<Vec<TicketId>> = query.ids("ids", &mut problems);
    let slice = query.slice(&mut problems);
    let view = app.engine.view(&Needs { orders: vec![id], ..Needs::default() }).await?;
    let order = view.orders.get(id).filter(|order| permission::sees_order(&actor, order));
    let order = order.ok_or_else(|| ApiError::not_found("order"))?;
    problems.finish()?;
    let passes = |line: &&Line| ids.as_ref().is_none_or(|ids| ids.contains(&line.ticket));
    let mut lines: Vec<&Line> = order.lines.iter().filter(passes).collect();
    let sets = lines.iter().map(|line| line.set).collect();
    let tickets = lines.iter().map(|line| line.ticket).collect();
    let around = app.engine.view(&Needs { sets, tickets, ..Needs::default() }).await?;
    lines.sort_by_cached_key(|line| {
        let sector = around.sets.get(line.set).map(|set| natural_key(&set.sector));
        let seat = around.tickets.get(line.ticket).and_then(|ticket| ticket.seat.as_deref());
        (sector, seat.map(|seat| (seat.row.clone(), seat.number)), line.number)
    });
    let body = |line: &&Line| {
        // A ticket that has gone back on sale may be another's, or not be there any more.
        let ticket = around.tickets.get(line.ticket);
        Some(OrderTicketBody::new(line, around.sets.get(line.set)?, ticket, order.id))
    };
    let offset = usize::try_from(slice.offset).unwrap_or(usize::MAX);
    let page = lines.iter().skip(offset).take(slice.limit as usize);
    let items: Vec<OrderTicketBody<'_>> = page.filter_map(body).collect();
    Ok(Answer::list(&items, lines.len() as u64))
}

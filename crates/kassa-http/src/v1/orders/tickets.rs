//! `GET /v1/resources/orders/{order}/tickets`: what the order has, or had when it ended.

use axum::extract::State;
use kassa_domain::order::{Line, Order};
use kassa_domain::ticket::{Ticket, TicketId};
use kassa_domain::{Needs, permission};

use super::model::OrderTicketBody;
use crate::answer::Answer;
use crate::app::App;
use crate::caller::Known;
use crate::error::ApiError;
use crate::input::{PathId, Problems, Query};

pub(crate) async fn handle(
    State(app): State<App>,
    Known(actor): Known,
    PathId(id): PathId<Order>,
    query: Query,
) -> Result<Answer, ApiError> {
    let mut problems = Problems::default();
    let ids: Option<Vec<TicketId>> = query.ids("ids", &mut problems);
    let slice = query.slice(&mut problems);
    let view = app.engine.view(&Needs { orders: vec![id], held_by: vec![id], ..Needs::default() }).await?;
    let order = view.orders.get(id).filter(|order| permission::sees_order(&actor, order));
    let order = order.ok_or_else(|| ApiError::not_found("order"))?;
    problems.finish()?;
    let passes = |line: &&Line| ids.as_ref().is_none_or(|ids| ids.contains(&line.ticket));
    let lines: Vec<&Line> = order.lines.iter().filter(passes).collect();
    let sets = lines.iter().map(|line| line.set).collect();
    let around = app.engine.view(&Needs { sets, ..Needs::default() }).await?;
    let body = |line: &&Line| {
        // Tickets that have gone back on sale are the order's no more, and may be another's.
        let ticket = view.tickets.get(line.ticket).filter(|ticket| ticket.holder() == Some(order.id));
        Some(OrderTicketBody::new(line, around.sets.get(line.set)?, ticket.and_then(Ticket::barcode)))
    };
    let offset = usize::try_from(slice.offset).unwrap_or(usize::MAX);
    let page = lines.iter().skip(offset).take(slice.limit as usize);
    let items: Vec<OrderTicketBody<'_>> = page.filter_map(body).collect();
    Ok(Answer::list(&items, lines.len() as u64))
}

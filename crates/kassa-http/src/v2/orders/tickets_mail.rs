//! `POST /v2/resources/orders/{order}/tickets_mail`

use axum::extract::State;
use kassa_domain::order::{Order, ResendTickets};
use kassa_engine::metrics::Limit;

use crate::app::AppState;
use crate::caller::AuthenticatedCaller;
use crate::error::ApiError;
use crate::input::PathId;
use crate::openapi::error_responses;
use crate::related::load_visible_order;
use crate::response::ApiResponse;
use crate::route::{EventSource, Route};
use crate::wire::EmptyBody;

pub(crate) static ROUTE: Route = Route::new().event(EventSource::Path);

#[utoipa::path(
    post, path = "/orders/{order}/tickets_mail", tag = "Orders", operation_id = "resend_tickets",
    summary = "Mail the tickets again",
    description = "To the customer's address, by the vendor, once the order is done. 10 times an hour for each order.",
    responses(
        (status = 200, description = "An empty object.", body = EmptyBody),
        error_responses::ReadErrors,
    ),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(actor): AuthenticatedCaller,
    PathId(id): PathId<Order>,
) -> Result<ApiResponse, ApiError> {
    let order = load_visible_order(&app.engine, &actor, id).await?;
    let (limiter, now) = (&app.rate_limiters.resent_tickets, app.engine.now());
    limiter.try_acquire(&id, now).inspect_err(|_| app.engine.limit_hits().record(Limit::ResentTickets))?;
    let command = ResendTickets { order: id, event: order.event };
    let sent = app.engine.execute(&actor, command, |_, ()| ApiResponse::removed()).await;
    // Only mails count.
    Ok(sent.inspect_err(|_| limiter.give_back(&id, now))?)
}

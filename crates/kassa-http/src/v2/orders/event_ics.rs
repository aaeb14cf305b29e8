//! `GET /v2/resources/orders/{order}/event.ics`

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use kassa_domain::order::Order;

use super::documents::{LanguageParameters, LoadedOrder, asked_language, respond};
use crate::app::AppState;
use crate::caller::AuthenticatedCaller;
use crate::error::ApiError;
use crate::input::{PathId, Query};
use crate::openapi::error_responses;
use crate::route::Route;

pub(crate) static ROUTE: Route = Route::new().uncompressed();

#[utoipa::path(
    get, path = "/orders/{order}/event.ics", tag = "Orders", operation_id = "get_calendar_entry",
    summary = "Get the event of an order for a calendar",
    description = "For the vendor, the organizer and the customer, once the order is done (RFC 5545).",
    params(LanguageParameters),
    responses(
        (
            status = 200, description = "The calendar, with one entry.", body = String, content_type = "text/calendar",
            example = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\n…\r\nEND:VCALENDAR\r\n"
        ),
        error_responses::ReadErrors,
    ),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(actor): AuthenticatedCaller,
    PathId(id): PathId<Order>,
    query: Query,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let language = asked_language(&query, &headers)?;
    let loaded = LoadedOrder::load(&app, &actor, id).await?;
    let entry = loaded.paid()?.calendar_entry(language, app.engine.now(), app.config.public_url.as_ref());
    let entry = entry.ok_or_else(|| {
        let reason = "The event has no time yet";
        ApiError::new(StatusCode::BAD_REQUEST, "lifetime_required", reason)
    })?;
    let name = format!("event-{}.ics", loaded.order.number);
    Ok(respond("text/calendar; charset=utf-8", &name, entry.to_ics().into_bytes()))
}

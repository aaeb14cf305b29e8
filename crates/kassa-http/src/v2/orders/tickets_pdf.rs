//! `GET /v2/resources/orders/{order}/tickets.pdf`

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use kassa_domain::order::Order;
use kassa_engine::{Failure, ListTurn};
use kassa_store::memory_budget::MemoryMeter;

use super::documents::{LanguageParameters, LoadedOrder, asked_language, respond};
use crate::app::AppState;
use crate::caller::AuthenticatedCaller;
use crate::error::ApiError;
use crate::input::{PathId, Query};
use crate::openapi::error_responses;
use crate::route::Route;

/// About how many bytes a document takes while it is made: with one page, and with each further one.
const DOCUMENT_BYTES: usize = 1024 * 1024;
const PAGE_BYTES: usize = 128 * 1024;

/// It is compressed within.
pub(crate) static ROUTE: Route = Route::new().uncompressed();

#[utoipa::path(
    get, path = "/orders/{order}/tickets.pdf", tag = "Orders", operation_id = "print_tickets",
    summary = "Get the tickets of an order as a PDF",
    description = "For the vendor, the organizer and the customer, once the order is done: a page per ticket that the order \
                   has, with its barcode. Tagged for assistive technology (PDF/UA-1).",
    params(LanguageParameters),
    responses(
        (
            status = 200, description = "The document.", body = String, content_type = "application/pdf",
            example = "%PDF-1.7…"
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
    let document = loaded.paid()?.tickets_document(language);
    let (number, fonts) = (loaded.order.number, app.engine.fonts().clone());
    drop(loaded);
    let meter = MemoryMeter::current();
    meter.charge(DOCUMENT_BYTES + PAGE_BYTES * document.tickets.len()).map_err(Failure::from)?;
    let turn = app.document_turns.begin(ListTurn::reader()).await?;
    // The turn lasts as long as the work, even if its client goes away.
    let made = app.long_answers.run_blocking(move || {
        let made = document.to_pdf(&fonts);
        drop(turn);
        made
    });
    let pdf = made.await?.map_err(|error| Failure::internal(&error.to_string()))?;
    Ok(respond("application/pdf", &format!("tickets-{number}.pdf"), pdf))
}

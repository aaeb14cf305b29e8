//! `POST /v2/services/payments/import`: what the statement of an account pays.

mod input;
mod model;

use std::collections::BTreeSet;

use axum::extract::State;
use kassa_domain::attachment::Hex128;
use kassa_domain::partner::Capability;
use kassa_domain::permission;
use kassa_engine::Reader;

use crate::app::AppState;
use crate::caller::AuthenticatedCaller;
use crate::error::{ApiError, ErrorDetail};
use crate::input::Json;
use crate::openapi::error_responses;
use crate::response::ApiResponse;
use crate::route::Route;
use input::{NewStatementInput, StatementInput};
use model::ImportResponse;

pub(crate) static ROUTE: Route = Route::new().unbounded();

#[utoipa::path(
    post, path = "/payments/import", tag = "Payments", operation_id = "import_statement",
    summary = "Import a bank statement",
    description = "By the vendor. Finds the payments that the entries of a camt.053 or CSV statement name, and proposes what is \
                   to be noted. With `apply` it is noted at once, or what `entries` choose of it. An entry is noted once, \
                   however often and in whichever statements of its account it is sent.",
    request_body(content = NewStatementInput, example = json!({
        "format": "csv",
        "statement": "Buchungstag;Name;Verwendungszweck;Betrag\n13.04.2026;Ann Fox;RF18 5390 0754 7034;120,50\n",
        "csv": {"date": "Buchungstag", "name": "Name", "texts": ["Verwendungszweck"], "amount": "Betrag"},
    })),
    responses((status = 200, description = "The entries, and what became of them.", body = ImportResponse), error_responses::CreateErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(actor): AuthenticatedCaller,
    Json(body): Json<StatementInput>,
) -> Result<ApiResponse, ApiError> {
    let statement = body.into_statement()?;
    let vendor = actor.acting_partner()?;
    permission::act_for(&actor, Capability::HandleMoney, vendor)?;
    let chosen: Option<BTreeSet<Hex128>> = statement.entries;
    let (source, is_applied) = (statement.source, statement.apply);
    let reader = Some(Reader::Partner(vendor));
    let read = app.body_parsers.run(&app.long_answers, reader, source.bytes(), move || source.read()).await?;
    let (entries, currency) =
        read.map_err(|error| ApiError::invalid(vec![ErrorDetail::new("$.statement", error.to_string())]))?;
    let is_chosen = |entry| is_applied && chosen.as_ref().is_none_or(|chosen| chosen.contains(&entry));
    let imported = app.engine.import_statement(actor.unconditional(), vendor, (entries, &currency), is_chosen).await?;
    Ok(ApiResponse::ok(&ImportResponse::new(&imported)))
}

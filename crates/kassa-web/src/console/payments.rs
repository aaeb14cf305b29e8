//! `…/payments`: what is to go back, what has come in by transfer, out of a statement of the bank, and the account at
//! Stripe.

use askama::Template;
use bytes::Bytes;
use kassa_http::http::{Response, StatusCode};
use serde_json::{Value, json};

use super::fault::Fault;
use super::fields::Fields;
use super::frame::{ConsoleFrame, Section};
use super::orders::{ReturningRow, returning};
use super::paging::Paging;
use super::visit::{Outcome, Visit, page_answer};
use crate::answer::see_other;

const IMPORT: &str = "/v2/services/payments/import";
const STRIPE: &str = "/v2/services/stripe_account";
/// Which field of the form is which of the interface's.
const NAMES: [(&str, &str); 2] = [("csv.texts", "texts"), ("csv", "date")];

/// An entry of a statement, and what becomes of it.
struct EntryRow {
    date: String,
    name: String,
    amount: String,
    text: String,
    fit: String,
    /// The pages of the orders that it pays.
    orders: Vec<String>,
    is_noted: bool,
}

#[derive(Template)]
#[template(path = "console/payments.html")]
struct PaymentsPage<'a> {
    frame: ConsoleFrame<'a>,
    fields: Fields,
    /// What a statement says; `None` before one was sent.
    entries: Option<Vec<EntryRow>>,
    is_noted: bool,
    /// What is to go back.
    returning: Vec<ReturningRow>,
    paging: Paging,
    /// The account at Stripe: how its key ends, if there is one, and where notices go. `None` where that is not for the
    /// caller to know.
    stripe: Option<(Option<String>, String)>,
    path: String,
}

/// Reads a statement, notes what it pays, or changes the account.
pub(crate) async fn respond(visit: &Visit<'_>) -> Result<Response<Bytes>, Fault> {
    let path = format!("{}/payments", visit.home());
    let mut fields = Fields::typed(visit.form());
    let mut read = None;
    if visit.is_form {
        let (outcome, is_statement) = act(visit, &fields).await?;
        match outcome {
            Ok(answer) if is_statement => read = Some(answer.value),
            Ok(_) => return Ok(see_other(&format!("{path}?done=saved"))),
            Err(refusal) => fields.refuse(visit.texts(), &refusal, &NAMES),
        }
    }
    let stripe = visit.send("GET", STRIPE, None).await?.ok().map(|answer| {
        let text = |name: &str| answer.value["data"][name].as_str().map(str::to_owned);
        (text("secret_key"), text("notices_url").unwrap_or_default())
    });
    let entries = read.map(|read| {
        let all = read["data"].as_array().into_iter().flatten();
        all.map(|entry| entry_row(visit, entry)).collect()
    });
    let (returning, paging) = returning(visit, &path).await?;
    let page = PaymentsPage {
        frame: ConsoleFrame::of_partner(visit, &visit.texts().text("console-payments"), Section::Payments).await?,
        is_noted: fields.is("_do", "note"),
        fields,
        entries,
        returning,
        paging,
        stripe,
        path,
    };
    let status = if page.fields.has_wrong() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    page_answer(status, &page)
}

/// What the form asks for, and whether it is about a statement.
async fn act(visit: &Visit<'_>, fields: &Fields) -> Result<(Outcome, bool), Fault> {
    let outcome = match fields.given("_do").unwrap_or_default() {
        "stripe" => {
            let mut account = json!({"secret_key": fields.value("secret_key").trim()});
            if let Some(secret) = fields.given("webhook_secret") {
                account["webhook_secret"] = json!(secret);
            }
            visit.send("POST", STRIPE, Some(&account)).await?
        }
        "no-stripe" => visit.send("DELETE", STRIPE, None).await?,
        _ => return Ok((visit.send("POST", IMPORT, Some(&statement_of(visit, fields))).await?, true)),
    };
    Ok((outcome, false))
}

/// A statement as it was pasted: XML is camt.053, and everything else a table.
fn statement_of(visit: &Visit<'_>, fields: &Fields) -> Value {
    let statement = fields.value("statement");
    let is_xml = statement.trim_start().starts_with('<');
    let mut body = json!({
        "format": if is_xml { "camt.053" } else { "csv" },
        "statement": statement,
        "apply": fields.is("_do", "note"),
    });
    if let Some(currency) = visit.shop.settings.currency {
        body["currency"] = json!(currency.code());
    }
    if !is_xml {
        let texts: Vec<&str> =
            fields.value("texts").split(',').map(str::trim).filter(|name| !name.is_empty()).collect();
        let mut csv =
            json!({"date": fields.value("date").trim(), "amount": fields.value("amount").trim(), "texts": texts});
        for (name, usual) in
            [("name", None), ("separator", Some(";")), ("decimal", Some(",")), ("date_format", Some("DD.MM.YYYY"))]
        {
            if let Some(said) = fields.given(name).or(usual) {
                csv[name] = json!(said);
            }
        }
        body["csv"] = csv;
    }
    body
}

fn entry_row(visit: &Visit<'_>, entry: &Value) -> EntryRow {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let parts = entry["parts"].as_array();
    let fit = match entry["match"].as_str().unwrap_or_default() {
        "exact" => "entry-exact",
        "partial" => "entry-partial",
        "surplus" => "entry-surplus",
        "late" => "entry-late",
        "known" => "entry-known",
        "ambiguous" => "entry-ambiguous",
        "other_currency" => "entry-other-currency",
        "ignored" => "entry-ignored",
        _ => "entry-unmatched",
    };
    EntryRow {
        date: text(&entry["date"]),
        name: text(&entry["name"]),
        amount: format!("{} {}", text(&entry["amount"]), text(&entry["currency"])),
        text: text(&entry["text"]),
        fit: visit.texts().text(fit),
        orders: parts
            .into_iter()
            .flatten()
            .filter_map(|part| part["order"].as_str())
            .map(|order| format!("{}/orders/{order}", visit.home()))
            .collect(),
        is_noted: parts.is_some_and(|parts| parts.iter().any(|part| part["applied"] == true)),
    }
}

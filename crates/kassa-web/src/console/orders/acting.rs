//! `…/orders/{order}/{action}`: what is done with an order.

use bytes::Bytes;
use kassa_http::http::Response;
use serde_json::{Value, json};

use super::showing;
use crate::answer::{private_file, see_other};
use crate::console::events::money;
use crate::console::fault::Fault;
use crate::console::visit::{Conditions, Visit, checked_id};
use crate::error::PageError;

pub(crate) async fn act(visit: &Visit<'_>) -> Result<Response<Bytes>, Fault> {
    let resource = format!("/v2/resources/orders/{}", visit.segment("order"));
    match (visit.segment("action"), visit.is_form) {
        ("tickets.pdf", false) => {
            let path = format!("{resource}/tickets.pdf?lang={}", visit.request.language.code());
            let (headers, bytes) = visit.file(&path).await?;
            Ok(private_file(&headers, bytes))
        }
        ("cancel", true) => {
            let body = json!({"status": "cancelled"});
            done(visit, ("PATCH", &resource), &body, "canceled").await
        }
        ("resend", true) => done(visit, ("POST", &format!("{resource}/tickets_mail")), &json!({}), "resent").await,
        ("received", true) => {
            let payment = checked_id(visit.form().value("payment").unwrap_or_default())?;
            done(visit, ("POST", &format!("{resource}/payments/{payment}/received")), &json!({}), "received").await
        }
        ("returned", true) => note_return(visit).await,
        ("refund", true) => ask_back(visit).await,
        ("approve", true) => decide(visit, "approved", "refunded").await,
        ("reject", true) => decide(visit, "rejected", "rejected").await,
        ("cancel" | "resend" | "received" | "returned" | "refund" | "approve" | "reject", false) => {
            Err(PageError::WrongMethod.into())
        }
        _ => Err(PageError::NotFound.into()),
    }
}

/// Does something once for a form, and leads back to the order.
async fn done(
    visit: &Visit<'_>,
    (method, path): (&str, &str),
    body: &Value,
    word: &str,
) -> Result<Response<Bytes>, Fault> {
    let conditions = Conditions { key: visit.form().value("_key"), tag: None };
    match visit.send_if(method, path, Some(body), conditions).await? {
        Ok(_) => Ok(see_other(&format!("{}/orders/{}?done={word}", visit.home(), visit.segment("order")))),
        Err(refusal) => showing::respond(visit, Some(&refusal)).await,
    }
}

/// Notes that money has been sent back: as much as the form says, or all that is to go back.
async fn note_return(visit: &Visit<'_>) -> Result<Response<Bytes>, Fault> {
    let payment = checked_id(visit.form().value("payment").unwrap_or_default())?;
    let path = format!("/v2/resources/orders/{}/payments/{payment}/returned", visit.segment("order"));
    let amount = visit.form().value("amount").map(str::trim).filter(|amount| !amount.is_empty());
    let body = amount.map_or_else(|| json!({}), |amount| json!({"amount": money(amount)}));
    done(visit, ("POST", &path), &body, "returned").await
}

/// Asks for the money of the chosen tickets: the answer says how much that is, and nothing is paid back yet.
async fn ask_back(visit: &Visit<'_>) -> Result<Response<Bytes>, Fault> {
    let chosen = visit.form().pairs().iter().filter_map(|(name, _)| name.strip_prefix("ticket."));
    let tickets: Vec<&str> = chosen.collect();
    let culprit = if visit.form().value("culprit") == Some("org") { "org" } else { "user" };
    let body = json!({"order": visit.segment("order"), "culprit": culprit, "tickets_refund": tickets});
    done(visit, ("POST", "/v1/resources/refund_requests"), &body, "refund-asked").await
}

/// Decides on a request for money.
async fn decide(visit: &Visit<'_>, status: &str, word: &str) -> Result<Response<Bytes>, Fault> {
    let request = checked_id(visit.form().value("request").unwrap_or_default())?;
    let path = format!("/v1/resources/refund_requests/{request}");
    done(visit, ("PATCH", &path), &json!({"status": status}), word).await
}

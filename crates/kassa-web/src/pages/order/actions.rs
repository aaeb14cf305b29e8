//! `POST /order/{token}/{action}`: what the holder of an order's link does with it. A form that was taken leads back to
//! the page of the order; one that was not is shown again, with what was typed.

use bytes::Bytes;
use kassa_http::http::{Response, StatusCode};
use serde_json::{Value, json};

use super::model::NextStep;
use super::{Link, PaymentAnswer, Rejected, load, show};
use crate::answer::see_other;
use crate::api::Refused;
use crate::error::PageError;
use crate::request::PageRequest;
use crate::shop::Shop;

pub(crate) async fn act(
    shop: &Shop,
    request: &PageRequest,
    token: &str,
    action: &str,
) -> Result<Response<Bytes>, PageError> {
    let link = Link::of(token)?;
    match action {
        "extend" => change(shop, request, &link, &request.form.body(), "longer", "extend").await,
        "cancel" => cancel(shop, request, &link).await,
        "names" => change(shop, request, &link, &request.form.body(), "names-changed", "names").await,
        "promocode" => promocode(shop, request, &link).await,
        "pay" => pay(shop, request, &link).await,
        "refund" => refund(shop, request, &link).await,
        _ => Err(PageError::NotFound),
    }
}

/// Gives the order up: that leads to its page, or to the page of the event from which it was asked for.
async fn cancel(shop: &Shop, request: &PageRequest, link: &Link<'_>) -> Result<Response<Bytes>, PageError> {
    let answer = change(shop, request, link, &json!({"status": "canceled"}), "canceled", "cancel").await?;
    let is_safe = |path: &&str| path.starts_with("/e/") && path.bytes().all(|byte| byte.is_ascii_graphic());
    match request.form.value("_back").filter(is_safe) {
        Some(back) if answer.status() == StatusCode::SEE_OTHER => {
            Ok(see_other(&format!("{back}{}notice=canceled", if back.contains('?') { '&' } else { '?' })))
        }
        Some(_) | None => Ok(answer),
    }
}

/// Changes the order, and says so.
async fn change(
    shop: &Shop,
    request: &PageRequest,
    link: &Link<'_>,
    body: &Value,
    notice: &str,
    form: &'static str,
) -> Result<Response<Bytes>, PageError> {
    match patch(shop, request, link, body).await? {
        Ok(_) => Ok(see_other(&format!("{}?notice={notice}", link.page()))),
        Err(refused) => show(shop, request, link, &Rejected::of(form, &refused)).await,
    }
}

async fn patch(
    shop: &Shop,
    request: &PageRequest,
    link: &Link<'_>,
    body: &Value,
) -> Result<Result<Value, Refused>, PageError> {
    let asked = ("PATCH", link.resource());
    shop.api.ask(&request.origin, (asked.0, &asked.1), &link.credential(), (None, Some(body))).await
}

/// Adds a promocode to those that the order names, or takes all away.
async fn promocode(shop: &Shop, request: &PageRequest, link: &Link<'_>) -> Result<Response<Bytes>, PageError> {
    let order = load(shop, &request.origin, link).await?;
    let mut codes: Vec<String> = order.data.promocodes.clone();
    match request.form.value("_code") {
        Some(code) => codes.push(code.to_owned()),
        None => codes.clear(),
    }
    let (named, is_removal) = (codes.len(), codes.is_empty());
    let body = json!({"promocodes": codes});
    let changed = match patch(shop, request, link, &body).await? {
        Ok(changed) => changed,
        Err(refused) => return show(shop, request, link, &Rejected::of("promocode", &refused)).await,
    };
    let used = changed["data"]["promocodes"].as_array().map_or(0, Vec::len);
    match changed["errors"][0]["code"].as_str() {
        Some(code) if used < named => {
            let refused = Refused { code: code.to_owned(), details: Vec::new() };
            show(shop, request, link, &Rejected::of("promocode", &refused)).await
        }
        _ => {
            Ok(see_other(&format!("{}?notice={}", link.page(), if is_removal { "code-removed" } else { "code-used" })))
        }
    }
}

/// Says who buys, and begins the payment.
async fn pay(shop: &Shop, request: &PageRequest, link: &Link<'_>) -> Result<Response<Bytes>, PageError> {
    let mut body = request.form.body();
    let provider = body.as_object_mut().and_then(|fields| fields.remove("provider")).unwrap_or(Value::Null);
    let is_card = provider == "STRIPE";
    if body["settings"]["customer"]["email"].is_null() {
        let refused = Refused { code: "customer_email_required".to_owned(), details: Vec::new() };
        return show(shop, request, link, &Rejected::of("pay", &refused)).await;
    }
    body["settings"]["send_tickets"] = json!(true);
    body["settings"]["customer"]["lang"] = json!(request.language.code());
    if let Err(refused) = patch(shop, request, link, &body).await? {
        return show(shop, request, link, &Rejected::of("pay", &refused)).await;
    }
    let path = format!("{}/payments", link.resource());
    let payment = if provider.is_null() { json!({}) } else { json!({"provider": provider}) };
    let begun = shop.api.ask(&request.origin, ("POST", &path), &link.credential(), (None, Some(&payment))).await?;
    match begun {
        Ok(PaymentAnswer { data }) => match data.next {
            // No frame has a page of Stripe: the page of the order has a link that leads out of it.
            Some(NextStep::Redirect { .. }) if is_card && request.framing.is_some() => Ok(see_other(&link.page())),
            Some(NextStep::Redirect { url }) => Ok(see_other(&url)),
            Some(NextStep::Instructions(_) | NextStep::Done) | None => Ok(see_other(&link.page())),
        },
        Err(refused) => show(shop, request, link, &Rejected::of("pay", &refused)).await,
    }
}

/// Asks for the money of all tickets.
async fn refund(shop: &Shop, request: &PageRequest, link: &Link<'_>) -> Result<Response<Bytes>, PageError> {
    let order = load(shop, &request.origin, link).await?;
    let tickets: Vec<&str> = order.data.tickets.iter().map(|ticket| ticket.id.as_str()).collect();
    let body = json!({"order": order.data.id, "tickets": tickets, "culprit": "user"});
    let asked = ("POST", "/v2/resources/refund_requests");
    let key = request.form.value("_key");
    let made: Result<Value, Refused> =
        shop.api.ask(&request.origin, asked, &link.credential(), (key, Some(&body))).await?;
    match made {
        Ok(_) => Ok(see_other(&format!("{}?notice=refund-asked", link.page()))),
        Err(refused) => show(shop, request, link, &Rejected::of("refund", &refused)).await,
    }
}

impl Rejected {
    /// What a form is told of a refusal.
    fn of(form: &'static str, refused: &Refused) -> Self {
        let fields: Vec<String> = refused.details.iter().map(|wrong| wrong.field.clone()).collect();
        let reason = match refused.code.as_str() {
            _ if !fields.is_empty() => "refused-fields",
            "name_change_over" => "refused-names-over",
            "customer_email_required" => "refused-email",
            "promocode_not_found" => "refused-code-unknown",
            "promocode_apply_info" => "refused-code-not-here",
            "promocode_limit_min_tickets" => "refused-code-more-tickets",
            "promocode_already_used" => "refused-code-used-up",
            "expired_after_limit" | "expired_after_fixed" => "refused-no-longer",
            "unpaid_limit" => "refused-unpaid-limit",
            "order_final" | "order_transition" => "refused-order-final",
            "event_not_on_sale" | "event_over" => "refused-not-on-sale",
            "forbidden" => "refused-forbidden",
            _ if form == "refund" => "refused-refund",
            _ => "refused",
        };
        Self { form, fields, reason: Some(reason) }
    }
}

//! `POST /e/{event}/order`: reserves what somebody has chosen, and leads to the page of the order.

use bytes::Bytes;
use kassa_http::http::Response;
use serde::Deserialize;
use serde_json::json;

use crate::answer::see_other;
use crate::error::PageError;
use crate::request::PageRequest;
use crate::shop::Shop;
use crate::slug;

/// A new order, as far as a page goes on from it.
#[derive(Deserialize)]
struct NewOrder {
    access: Access,
    /// What was asked for and is not to be had.
    #[serde(default)]
    details: Vec<serde_json::Value>,
}

#[derive(Deserialize)]
struct Access {
    token: String,
}

pub(crate) async fn respond(shop: &Shop, request: &PageRequest, segment: &str) -> Result<Response<Bytes>, PageError> {
    let event = slug::id_of(segment).ok_or(PageError::NotFound)?;
    let form = &request.form;
    let back = match form.value("_seller") {
        Some(seller) => format!("/e/{event}?seller={}&", slug::id_of(seller).ok_or(PageError::NotFound)?),
        None => format!("/e/{event}?"),
    };
    let mut body = form.body();
    if body["random"].as_object().is_none_or(serde_json::Map::is_empty) && body["tickets"].is_null() {
        return Ok(see_other(&format!("{back}notice=nothing-chosen#tickets")));
    }
    body["event"] = json!(event);
    let vendor = match form.value("_seller").and_then(slug::id_of) {
        Some(seller) => seller,
        None => shop.api.organizer_of(&request.origin, &event).await?,
    };
    let visitor = shop.visitor(&vendor)?;
    let made = ("POST", "/v2/resources/orders");
    match shop.api.ask::<NewOrder>(&request.origin, made, &visitor, (form.value("_key"), Some(&body))).await? {
        Ok(NewOrder { access, details }) => {
            let notice = if details.is_empty() { "" } else { "?notice=some-taken" };
            Ok(see_other(&format!("/order/{}{notice}", access.token)))
        }
        Err(refused) => Ok(see_other(&format!("{back}notice={}#tickets", notice_of(&refused.code)))),
    }
}

/// What the page of the event says of a refusal.
fn notice_of(code: &str) -> &'static str {
    match code {
        "order_empty" => "all-taken",
        "event_not_on_sale" => "not-on-sale",
        "tickets_limit" => "too-many",
        "unpaid_limit" => "too-many-unpaid",
        "forbidden" | "deal_not_found" => "shop-closed",
        _ => "not-reserved",
    }
}

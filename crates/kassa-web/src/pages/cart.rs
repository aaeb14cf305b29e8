//! `POST /e/{event}/order`: reserves what somebody has chosen, and leads to the page of the order.

use bytes::Bytes;
use kassa_http::http::Response;
use serde::Deserialize;
use serde_json::json;

use super::{own_orders, seats};
use crate::answer::see_other;
use crate::api::Seller;
use crate::error::PageError;
use crate::request::PageRequest;
use crate::seat_selection::{SeatName, selection_of};
use crate::shop::Shop;
use crate::slug;
use crate::views::seats_path;

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
    let chosen = selection_of(form.pairs());
    body["event"] = json!(event);
    let seller = match form.value("_seller").and_then(slug::id_of) {
        Some(agent) => Seller::Agent(agent),
        None => Seller::Organizer,
    };
    let to_seats = |notice: &str| {
        let path = seats_path(&event, &seller, &chosen);
        see_other(&format!("{path}{}notice={notice}", if path.contains('?') { '&' } else { '?' }))
    };
    let has_others = !body["random"].as_object().is_none_or(serde_json::Map::is_empty) || !body["tickets"].is_null();
    if chosen.is_empty() && !has_others {
        return Ok(match form.value("_from") {
            Some("seats") => to_seats("nothing-chosen"),
            _ => see_other(&format!("{back}notice=nothing-chosen#tickets")),
        });
    }
    if !chosen.is_empty() {
        // Whoever chooses seats gets these, or is asked again.
        body["all_or_nothing"] = json!(true);
        if form.value("_sure").is_none() && leaves_singles(shop, request, &event, &chosen).await? {
            return Ok(to_seats("single-seats"));
        }
    }
    let visitor = match (&request.framing, &seller) {
        (Some(framing), _) => framing.credential.clone(),
        (None, Seller::Agent(agent)) => shop.visitor(agent)?,
        (None, Seller::Organizer) => shop.visitor(&shop.api.organizer_of(&request.origin, &event).await?)?,
    };
    let made = ("POST", "/v2/resources/orders");
    match shop.api.ask::<NewOrder>(&request.origin, made, &visitor, (form.value("_key"), Some(&body))).await? {
        Ok(NewOrder { access, details }) => {
            let notice = if details.is_empty() { "" } else { "?notice=some-taken" };
            let mut response = see_other(&format!("/order/{}{notice}", access.token));
            own_orders::remember(&event, &access.token, request, &mut response);
            Ok(response)
        }
        Err(refused) if !chosen.is_empty() => Ok(to_seats(match refused.code.as_str() {
            "order_empty" => "seats-gone",
            "single_seat_left" => "single-seats",
            code => notice_of(code),
        })),
        Err(refused) => Ok(see_other(&format!("{back}notice={}#tickets", notice_of(&refused.code)))),
    }
}

/// Whether a choice leaves single seats and whoever made it is to be told of that: what is forbidden, the interface refuses.
async fn leaves_singles(
    shop: &Shop,
    request: &PageRequest,
    event: &str,
    chosen: &[SeatName],
) -> Result<bool, PageError> {
    let event = shop.api.event(request, event, &Seller::Organizer).await?;
    if event.single_seats != "warn" {
        return Ok(false);
    }
    let (hall, left) = seats::load(shop, request, &event).await?;
    Ok(!seats::singles_of(&event, (&hall, &left), chosen).is_empty())
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

//! `/e/{event}/seats`: where seats are chosen, by lists that work without a script, and by a picture with one.
//! `/e/{event}/hall/{tag}`: where they are, for the script.

mod view;

use std::sync::Arc;

use askama::Template;
use bytes::Bytes;
use kassa_http::http::{Response, StatusCode};
use serde_json::json;

use super::event::seller_of;
use super::own_orders::{OwnOrderView, OwnOrders};
use super::{found, notice};
use crate::answer::{Rendered, private_page, see_other};
use crate::api::Seller;
use crate::error::PageError;
use crate::frame::{Frame, render};
use crate::hall::Hall;
use crate::json_ld::embedded;
use crate::model::EventData;
use crate::request::PageRequest;
use crate::seat_data::AvailabilityData;
use crate::seat_selection::SeatName;
use crate::shop::Shop;
use crate::slug;
use crate::views::{SaleState, When, event_path, place_line, sale_state, seats_path};

use view::SeatsView;
pub(crate) use view::{parts_of, shape_of, singles_of};

/// What the script says.
const PLAIN_TEXTS: [&str; 22] = [
    "back-to-order",
    "chosen-none",
    "connection-lost",
    "hall-map",
    "limit-reached",
    "map-help",
    "notice-nothing-chosen",
    "remove-seat",
    "reserve-anyway",
    "reserve-seats",
    "row",
    "row-in-line",
    "seat",
    "seat-chosen",
    "seat-free",
    "seat-own",
    "seat-taken",
    "seats-none-near",
    "stage",
    "zoom-all",
    "zoom-in",
    "zoom-out",
];
/// The same about something, which it puts in place of `{}`.
const NAMED_TEXTS: [&str; 5] = ["chosen-seats", "seat-lost", "seat-offer", "singles-forbidden", "singles-warned"];

/// What the script of the page imports.
const MODULES: [&str; 7] = [
    "seats_model.js",
    "hall_map.js",
    "hall_marks.js",
    "hall_painter.js",
    "hall_numbers.js",
    "hall_hands.js",
    "hall_view.js",
];

#[derive(Template)]
#[template(path = "seats.html")]
struct SeatsPage<'a> {
    frame: Frame<'a>,
    event: &'a EventData,
    when: Option<When>,
    place: String,
    back: String,
    notice: Option<String>,
    /// What whoever looks at it holds of the event.
    own_orders: Vec<OwnOrderView>,
    /// The path of this page, to come back to.
    own_path: String,
    agent_id: Option<String>,
    view: SeatsView,
    data: String,
    script: &'a str,
    /// What the script imports: asked for at the same time.
    modules: [&'a str; MODULES.len()],
    is_sold_here: bool,
    hall_path: String,
}

pub(crate) async fn respond(shop: &Shop, request: &PageRequest, segment: &str) -> Result<Response<Bytes>, PageError> {
    let id = slug::id_of(segment).ok_or(PageError::NotFound)?;
    let seller = seller_of(request)?;
    let event = shop.api.event(request, &id, &seller).await?;
    let own = OwnOrders::of(shop, request, &id).await?;
    let (now, year) = shop.present();
    // What is not on sale, or has no seats, the page of the event says.
    if sale_state(&event, now) != SaleState::OnSale || !event.sets.iter().any(|set| set.with_seats) {
        return Ok(see_other(&event_path(&event, &seller)));
    }
    let (hall, left) = load(shop, request, &event).await?;
    let agent = match &seller {
        Seller::Organizer => None,
        Seller::Agent(agent) => Some(shop.api.partner(&request.origin, agent).await?),
    };
    let vendor = agent.as_ref().or_else(|| event.org.seen());
    let own_seats = own.seats();
    let view = SeatsView::new(request, shop.settings.currency, (&event, &seller), (&hall, &left, &own_seats));
    let texts = request.texts();
    let title = format!("{} · {}", texts.text("choose-seats"), event.title.text);
    let mut frame = Frame::new(shop, request, &title, seats_path(&event.id, &seller, &view.chosen));
    frame.set_accent(agent.as_ref().or_else(|| event.org.seen()));
    frame.is_indexed = false;
    frame.choice_path = Some(format!("/e/{}/seats", event.id));
    let page = SeatsPage {
        when: event.span().map(|span| When::new(texts.language(), &span, year)),
        place: place_line(&event, texts),
        back: event_path(&event, &seller),
        notice: notice(request),
        agent_id: agent.as_ref().map(|agent| agent.id.clone()),
        own_orders: own.in_words(texts, now, &event.zone()),
        own_path: seats_path(&event.id, &seller, &[]),
        data: script_data(shop, request, (&event, &seller), &own_seats),
        script: shop.assets.path("seats.js"),
        modules: MODULES.map(|name| shop.assets.path(name)),
        is_sold_here: vendor.is_some_and(|vendor| vendor.shop.open),
        hall_path: format!("/e/{}/hall/{}", event.id, hall.tag),
        event: &event,
        frame,
        view,
    };
    let html = render(&page)?;
    let mut response =
        if own.open.is_empty() { found(html).answer(request) } else { private_page(StatusCode::OK, html) };
    own.forget_over(request, &mut response);
    Ok(response)
}

/// Where the seats are: kept for good under the tag that it has.
pub(crate) async fn respond_hall(
    shop: &Shop,
    request: &PageRequest,
    segment: &str,
    tag: &str,
) -> Result<Response<Bytes>, PageError> {
    let id = slug::id_of(segment).ok_or(PageError::NotFound)?;
    let event = shop.api.event(request, &id, &Seller::Organizer).await?;
    let (hall, _) = load(shop, request, &event).await?;
    let file = Rendered::file("application/json", "hall.json", hall.json.clone());
    Ok(if hall.tag == tag { file.lasting_answer(request) } else { file.answer(request) })
}

/// The seats of an event, and what is left of them.
pub(crate) async fn load(
    shop: &Shop,
    request: &PageRequest,
    event: &EventData,
) -> Result<(Arc<Hall>, AvailabilityData), PageError> {
    let (api, origin) = (&shop.api, &request.origin);
    let left = api.availability(origin, &event.id).await?;
    let map = match (event.venue(), &event.map) {
        (Some(venue), Some(map)) => Some([venue.id.as_str(), map.as_str()]),
        _ => None,
    };
    let changed_at = match map {
        Some(map) => api.hall_map(origin, map, false).await?.updated_at,
        None => String::new(),
    };
    let key = format!("{} {} {} {changed_at}", event.id, left.layout, event.map.as_deref().unwrap_or_default());
    if let Some(hall) = shop.halls.get(&key) {
        return Ok((hall, left));
    }
    let layout = api.seat_layout(origin, &event.id).await?;
    if layout.layout != left.layout {
        // The organizer changes the seats at this moment.
        return Err(PageError::Busy { retry_after: 1 });
    }
    let map = match map {
        Some(map) => Some(api.hall_map(origin, map, true).await?),
        None => None,
    };
    let hall = Arc::new(Hall::new(&layout, map.as_ref()));
    shop.halls.insert(key, Arc::clone(&hall));
    Ok((hall, left))
}

/// What the script says and adds up.
fn script_data(shop: &Shop, request: &PageRequest, (event, seller): (&EventData, &Seller), own: &[SeatName]) -> String {
    let texts = request.texts();
    let sets: serde_json::Map<String, serde_json::Value> = event
        .sets
        .iter()
        .filter(|set| set.with_seats)
        .map(|set| {
            let price = texts.amount(set.price, shop.settings.currency);
            (
                set.id.clone(),
                json!({"price": set.price.to_string(), "text": price, "shape": view::shape_of(event, set)}),
            )
        })
        .collect();
    let plain = PLAIN_TEXTS.map(|key| (key.to_owned(), texts.text(key).into()));
    let named = NAMED_TEXTS.map(|key| (key.to_owned(), texts.about(key, "{}").into()));
    let told: serde_json::Map<String, serde_json::Value> = plain.into_iter().chain(named).collect();
    embedded(&json!({
        "event": event.id,
        "language": texts.language().code(),
        "currency": shop.settings.currency.map(|currency| currency.code().to_owned()),
        "limit": event.tickets_limit,
        "singles": event.single_seats,
        "seller": match seller { Seller::Organizer => None, Seller::Agent(agent) => Some(agent) },
        "sets": sets,
        "own": own.iter().map(|seat| json!([seat.field(), seat.number.to_string()])).collect::<Vec<_>>(),
        "texts": told,
    }))
}

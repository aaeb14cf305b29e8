//! `…/events/{event}`: an event with its tickets and promocodes, and what is missing before it can be sold.

use askama::Template;
use bytes::Bytes;
use kassa_http::http::{Response, StatusCode};
use kassa_texts::Texts;

use super::listing::state_of;
use super::promocodes::{self, PromocodeRow};
use super::promotions::{self, PromotionRow};
use super::{Loaded, event_path};
use crate::api::Seller;
use crate::console::fault::{Fault, Refusal};
use crate::console::frame::{ConsoleFrame, Section};
use crate::console::times::in_words;
use crate::console::visit::{Visit, page_answer};
use crate::model::{EventStatus, SetData};
use crate::views::{event_path as shop_path, place_line};

/// Promo codes and promotions that the page shows: the newest.
const NEWEST: &str = "limit=5";

/// What is to be done before an event is on sale.
struct Step {
    text: String,
    /// What it is good for.
    hint: Option<String>,
    is_done: bool,
    is_optional: bool,
    path: String,
}

/// A set, as the page shows it.
struct SetRow {
    path: String,
    name: String,
    price: String,
    /// Prices that come later: from when, and how much.
    coming: Vec<(String, String)>,
    amount: i64,
    vacant: i64,
    taken: i64,
}

#[derive(Template)]
#[template(path = "console/event.html")]
struct EventPage<'a> {
    frame: ConsoleFrame<'a>,
    script: &'a str,
    title: String,
    when: Option<String>,
    zone: String,
    place: String,
    state: &'static str,
    state_text: String,
    cover: Option<String>,
    sets: Vec<SetRow>,
    has_tickets: bool,
    /// Whether there are seats, or may be: the event has a place.
    has_seats: bool,
    promocodes: Vec<PromocodeRow>,
    /// How many there are besides, if there are.
    more_promocodes: Option<String>,
    promotions: Vec<PromotionRow>,
    more_promotions: Option<String>,
    steps: Vec<Step>,
    path: String,
    list_path: String,
    /// Its page in the shop.
    shop_path: Option<String>,
    copy_path: String,
    /// Where an agent is given terms.
    deal_path: String,
    /// Whether anything of it can still be sold.
    is_open: bool,
    failure: Option<String>,
}

impl EventPage<'_> {
    /// Whether it is removed, and nothing else can be done.
    fn is_removed(&self) -> bool {
        self.state == "removed"
    }

    fn is(&self, state: &str) -> bool {
        self.state == state
    }

    /// Whether all is there that has to be.
    fn is_ready(&self) -> bool {
        self.steps.iter().all(|step| step.is_done || step.is_optional)
    }
}

/// The page; with why something was not done, if that is so.
pub(super) async fn respond(
    visit: &Visit<'_>,
    event: &Loaded,
    refusal: Option<&Refusal>,
) -> Result<Response<Bytes>, Fault> {
    let (data, texts, path) = (&event.data, visit.texts(), event_path(visit, &event.data.id));
    let (codes, codes_total) = promocodes::newest(visit, event, NEWEST).await?;
    let (offers, offers_total) = promotions::newest(visit, event, NEWEST).await?;
    let (state, state_text) = state_of(data, texts);
    let page = EventPage {
        frame: ConsoleFrame::of_partner(visit, &data.title.text, Section::Events).await?,
        script: visit.shop.assets.path("console.js"),
        title: data.title.text.clone(),
        when: data.span().map(|(start, _)| in_words(texts.language(), &start)),
        zone: event.zone().iana_name().unwrap_or("UTC").replace('_', " "),
        place: place_line(data, texts),
        state,
        state_text,
        cover: data.media.cover.as_ref().map(|cover| cover.path().to_owned()),
        sets: data.sets.iter().map(|set| set_row(visit, event, set, &path)).collect(),
        has_tickets: data.sets.iter().any(|set| set.amount > 0),
        has_seats: data.map.is_some() || data.venue.is_some() || data.sets.iter().any(|set| set.with_seats),
        steps: steps(visit, event, &path, codes_total > 0),
        more_promocodes: more_of(texts, codes_total, codes.len()),
        promocodes: codes,
        more_promotions: more_of(texts, offers_total, offers.len()),
        promotions: offers,
        shop_path: (data.status == EventStatus::Public && !data.removed).then(|| shop_path(data, &Seller::Organizer)),
        copy_path: format!("{}/events/new?copy={}", visit.home(), data.id),
        deal_path: format!("{}/deals/new?event={}", visit.home(), data.id),
        list_path: format!("{}/events", visit.home()),
        path,
        is_open: event.is_open(),
        failure: refusal.map(|refusal| refusal.text(texts)),
    };
    let status = if refusal.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    page_answer(status, &page)
}

/// What leads to those that are not shown.
fn more_of(texts: &Texts, total: usize, shown: usize) -> Option<String> {
    (total > shown).then(|| texts.about("and-more", &(total - shown).to_string()))
}

/// What is to be done, in the order in which it is done.
fn steps(visit: &Visit<'_>, event: &Loaded, path: &str, has_promocodes: bool) -> Vec<Step> {
    let data = &event.data;
    let shop = data.org.seen().map(|partner| partner.shop.open && !partner.shop.payments.is_empty());
    let texts = visit.texts();
    let step = |key: &str, is_done: bool, is_optional: bool, path: String| Step {
        text: texts.text(key),
        hint: None,
        is_done,
        is_optional,
        path,
    };
    let is_shop_open = shop.unwrap_or_default();
    let of_shop = Step {
        hint: (!is_shop_open).then(|| texts.text("step-shop-hint")),
        ..step("step-shop", is_shop_open, true, format!("{}/shop?event={}", visit.home(), data.id))
    };
    vec![
        step("step-time", data.span().is_some(), false, format!("{path}/edit#when")),
        step("step-sets", data.sets.iter().any(|set| set.amount > 0), false, format!("{path}/new-set")),
        step("step-place", data.venue.is_some(), true, format!("{path}/edit#where")),
        step("step-picture", data.media.cover.is_some(), true, format!("{path}#picture")),
        step("step-promocode", has_promocodes, true, format!("{path}/new-promocode")),
        of_shop,
    ]
}

fn set_row(visit: &Visit<'_>, event: &Loaded, set: &SetData, path: &str) -> SetRow {
    let (texts, currency, zone) = (visit.texts(), visit.shop.settings.currency, event.zone());
    let coming = set.coming_prices(visit.shop.present().0).into_iter();
    SetRow {
        path: format!("{path}/sets/{}", set.id),
        name: set.name.clone(),
        price: texts.amount(set.price, currency),
        coming: coming
            .map(|(at, price)| (in_words(texts.language(), &at.to_zoned(zone.clone())), texts.amount(price, currency)))
            .collect(),
        amount: set.amount,
        vacant: set.amount_vacant,
        taken: set.amount - set.amount_vacant,
    }
}

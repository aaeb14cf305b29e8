//! `/e/{event}`: an event, and what is to be had of it. `?seller=` names who sells it, where that is not its organizer.

use askama::Template;
use bytes::Bytes;
use kassa_http::http::{Response, StatusCode};
use kassa_texts::Texts;

use super::own_orders::{OwnOrderView, OwnOrders};
use super::{found, notice, respond_shared};
use crate::answer::{moved, private_page};
use crate::api::Seller;
use crate::error::PageError;
use crate::form::encoded;
use crate::frame::{Frame, render};
use crate::json_ld;
use crate::model::{EventData, PartnerData, Reference};
use crate::request::PageRequest;
use crate::shop::Shop;
use crate::slug;
use crate::views::{
    Artwork, LEFT_SHOWN_MAX, Offer, SaleState, When, event_path, moment, offer_of, place_line, sale_state, seats_path,
    summary_price,
};

/// Letters of a description that search engines and messengers show.
const ABOUT_LENGTH_MAX: usize = 200;

#[derive(Template)]
#[template(path = "event.html")]
struct EventPage<'a> {
    frame: Frame<'a>,
    event: &'a EventData,
    artwork: Artwork,
    when: Option<When>,
    place: Option<PlaceView>,
    offers: Vec<Offer>,
    state: SaleState,
    state_text: String,
    /// When the sale begins.
    begins: Option<String>,
    price: Option<String>,
    age: Option<String>,
    organizer: Option<OrganizerView>,
    /// The agent that sells it.
    seller: Option<(String, String)>,
    file_path: String,
    json_ld: String,
    live_texts: String,
    script: &'a str,
    /// What is said to whoever comes back from a form that was not taken.
    notice: Option<String>,
    /// The id of the agent that sells it.
    agent_id: Option<String>,
    /// Who sells it, as far as that can be seen.
    vendor: Option<&'a PartnerData>,
    /// Whether the seller's shop is open.
    is_sold_here: bool,
    is_on_sale: bool,
    preview: Option<Preview>,
    /// What whoever looks at it holds of it.
    own_orders: Vec<OwnOrderView>,
    /// The path of this page, to come back to.
    own_path: String,
    /// Whether its tickets are on sale here, and all of them have seats.
    leads_to_seats: bool,
    /// Where seats are chosen.
    seats_path: String,
}

impl EventPage<'_> {
    /// Whether some seats can be chosen.
    fn has_seats(&self) -> bool {
        self.offers.iter().any(|offer| offer.choices > 0 && offer.has_seats)
    }

    /// Whether some tickets are chosen by their number alone.
    fn has_counts(&self) -> bool {
        self.offers.iter().any(Offer::has_counts)
    }
}

/// Where it takes place.
struct PlaceView {
    name: String,
    /// The address, the city and the country.
    lines: Vec<String>,
    about: Option<String>,
    map_url: Option<String>,
}

/// Who organizes it.
struct OrganizerView {
    name: String,
    about: Option<String>,
    path: String,
    logo: Option<String>,
}

/// Who sells an event, as an address says it; in a frame, whose shop it is.
pub(crate) fn seller_of(request: &PageRequest) -> Result<Seller, PageError> {
    if let Some(framing) = &request.framing {
        return Ok(Seller::Agent(framing.vendor.clone()));
    }
    let Some(seller) = request.value("seller") else { return Ok(Seller::Organizer) };
    slug::id_of(seller).map(Seller::Agent).ok_or(PageError::NotFound)
}

pub(crate) async fn respond(shop: &Shop, request: &PageRequest, segment: &str) -> Result<Response<Bytes>, PageError> {
    let id = slug::id_of(segment).ok_or(PageError::NotFound)?;
    let seller = seller_of(request)?;
    // Whoever asks under another name is led to the right one; under the right one, the page may be there already.
    let asked_path = match request.value("seller").and_then(slug::id_of) {
        None => request.path.clone(),
        Some(named) => format!("{}?seller={named}", request.path),
    };
    let chosen = counts_of(request);
    if request.framing.as_ref().is_some_and(|framing| !framing.sells(&id)) {
        return Err(PageError::NotFound);
    }
    let key = format!("{} {asked_path}", request.readers());
    let has_notice = notice(request).is_some();
    let own = OwnOrders::of(shop, request, &id).await?;
    let is_own = has_notice || !own.open.is_empty() || !chosen.is_empty();
    let mut response = match shop.cache.find(&key).filter(|_| !is_own) {
        Some(page) => page.answer(request),
        None => respond_anew(shop, request, (&id, seller, &asked_path), &own).await?,
    };
    own.forget_over(request, &mut response);
    Ok(response)
}

/// Answers with a page that is not there yet.
async fn respond_anew(
    shop: &Shop,
    request: &PageRequest,
    (id, seller, asked_path): (&str, Seller, &str),
    own: &OwnOrders,
) -> Result<Response<Bytes>, PageError> {
    let event = shop.api.event(request, id, &seller).await?;
    let seller = seller.unless_organizer_of(&event);
    let path = event_path(&event, &seller);
    if path != asked_path {
        return Ok(moved(&with_question(path, request)));
    }
    let agent = match &seller {
        Seller::Organizer => None,
        Seller::Agent(agent) => Some(shop.api.partner(&request.origin, agent).await?),
    };
    let page = || write(shop, request, (&event, None, own), &seller, agent.as_ref());
    if !own.open.is_empty() {
        return Ok(private_page(StatusCode::OK, page()?));
    }
    if notice(request).is_some() || !counts_of(request).is_empty() {
        return Ok(found(page()?).answer(request));
    }
    respond_shared(shop, request, &path, async { page().map(found) }).await
}

/// The path of a page that says what the one that was asked for has to say, with the same choice.
fn with_question(path: String, request: &PageRequest) -> String {
    let notice = request.value("notice").filter(|_| notice(request).is_some()).map(|name| format!("notice={name}"));
    let counts = counts_of(request).into_iter().map(|(set, count)| format!("random.{}={count}", encoded(set)));
    counts.chain(notice).fold(path, |path, part| format!("{path}{}{part}", if path.contains('?') { '&' } else { '?' }))
}

/// How many tickets of each set the address chooses.
fn counts_of(request: &PageRequest) -> Vec<(&str, i64)> {
    let counts = request.query().iter().filter_map(|(name, value)| {
        let set = name.strip_prefix("random.")?;
        Some((set, value.parse().ok().filter(|count| *count > 0)?))
    });
    counts.collect()
}

/// What is said of a page of which buyers know nothing yet.
pub(crate) struct Preview {
    pub(crate) text: String,
    /// Where whoever looks at it came from, and what that is called.
    pub(crate) back: (String, String),
}

/// The page of an event of which buyers know nothing yet; nothing can be bought there.
pub(crate) fn preview(
    shop: &Shop,
    request: &PageRequest,
    event: &EventData,
    preview: Preview,
) -> Result<String, PageError> {
    write(shop, request, (event, Some(preview), &OwnOrders::default()), &Seller::Organizer, None)
}

fn write(
    shop: &Shop,
    request: &PageRequest,
    (event, preview, own): (&EventData, Option<Preview>, &OwnOrders),
    seller: &Seller,
    agent: Option<&PartnerData>,
) -> Result<String, PageError> {
    let (texts, currency) = (request.texts(), shop.settings.currency);
    let (now, year) = shop.present();
    let (state, zone) = (sale_state(event, now), event.zone());
    let is_selling = matches!(state, SaleState::OnSale | SaleState::SoldOut | SaleState::NotYet(Some(_)));
    let chosen = counts_of(request);
    let offers = event.sets.iter().map(|set| Offer {
        chosen: chosen.iter().find(|(id, _)| *id == set.id).map_or(0, |(_, count)| *count),
        ..offer_of(set, texts, currency, (now, &zone), is_selling)
    });
    let path = event_path(event, seller);
    let mut frame = Frame::new(shop, request, &event.title.text, path.clone());
    frame.kind = "event";
    let artwork = Artwork::of(event);
    frame.picture.clone_from(&artwork.large);
    frame.about = about(event, texts);
    let when = event.span().map(|span| When::new(texts.language(), &span, year));
    let begins = match state {
        SaleState::NotYet(Some(start)) => Some(texts.about("sale-begins", &moment(texts.language(), start, &zone))),
        SaleState::NotYet(None)
        | SaleState::OnSale
        | SaleState::SoldOut
        | SaleState::Closed
        | SaleState::Over
        | SaleState::Canceled => None,
    };
    let vendor = agent.or_else(|| event.org.seen());
    frame.set_accent(vendor);
    let is_sold_here = vendor.is_some_and(|vendor| vendor.shop.open);
    let is_on_sale = state == SaleState::OnSale && preview.is_none();
    let offers: Vec<Offer> = offers.collect();
    if is_sold_here && is_on_sale && offers.iter().any(Offer::has_counts) {
        frame.choice_path = Some(format!("/e/{}", event.segment()));
    }
    let page = EventPage {
        notice: notice(request),
        agent_id: agent.map(|agent| agent.id.clone()),
        vendor,
        is_sold_here,
        is_on_sale,
        leads_to_seats: is_on_sale && is_sold_here && event.sets.iter().all(|set| set.with_seats),
        preview,
        own_orders: own.in_words(texts, now, &zone),
        own_path: path,
        seats_path: seats_path(&event.id, seller, &[]),
        file_path: format!("/e/{}.ics", event.segment()),
        json_ld: json_ld::of_event(event, &frame, currency, now, seller),
        live_texts: live_texts(texts),
        script: shop.assets.path("event.js"),
        artwork,
        when,
        place: place_of(event, texts),
        offers,
        state,
        state_text: texts.text(state.key()),
        begins,
        price: summary_price(event, texts, currency).filter(|_| is_selling && state != SaleState::SoldOut),
        age: (event.age_rating > 0).then(|| texts.count("age", event.age_rating.into())),
        organizer: event.org.seen().map(organizer_of),
        seller: agent.map(|agent| (agent.name.clone(), format!("/a/{}", slug::segment(&agent.name, &agent.id)))),
        event,
        frame,
    };
    render(&page)
}

fn organizer_of(organizer: &PartnerData) -> OrganizerView {
    OrganizerView {
        name: organizer.name.clone(),
        about: organizer.shop.about.clone().or_else(|| organizer.desc.clone()).filter(|about| !about.is_empty()),
        path: format!("/o/{}", slug::segment(&organizer.name, &organizer.id)),
        logo: organizer.media.logo.as_ref().map(|logo| logo.path().to_owned()),
    }
}

/// The beginning of its description, else when and where it takes place.
fn about(event: &EventData, texts: &Texts) -> String {
    let text = event.title.desc.as_deref().unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ");
    if text.is_empty() {
        let date = event.span().map(|(start, _)| texts.language().full_date(start.date()));
        let place = Some(place_line(event, texts)).filter(|place| !place.is_empty());
        return [date, place].into_iter().flatten().collect::<Vec<_>>().join(" · ");
    }
    match text.char_indices().nth(ABOUT_LENGTH_MAX) {
        Some((end, _)) => format!("{}…", text[..end].trim_end()),
        None => text,
    }
}

fn place_of(event: &EventData, texts: &Texts) -> Option<PlaceView> {
    let venue = event.venue()?;
    let city = event.city().map(|city| city.name(texts.language()).to_owned());
    let country = venue.country.as_ref().and_then(Reference::seen).map(|it| it.name(texts.language()).to_owned());
    let lines = [venue.address.clone(), city, country].into_iter().flatten().filter(|line| !line.is_empty());
    let map_url = venue.point.as_ref().map(|point| {
        let [longitude, latitude] = point.coordinates;
        format!(
            "https://www.openstreetmap.org/?mlat={latitude:.6}&mlon={longitude:.6}#map=17/{latitude:.5}/{longitude:.5}"
        )
    });
    Some(PlaceView {
        name: venue.name.clone(),
        lines: lines.collect(),
        about: venue.desc.clone().filter(|about| !about.is_empty()),
        map_url,
    })
}

/// What the script says when less is left, so that it needs no grammar: texts by number, and the others.
fn live_texts(texts: &Texts) -> String {
    let by_number: Vec<String> = (1..=LEFT_SHOWN_MAX).map(|count| texts.count("left-count", count)).collect();
    let all = serde_json::json!({
        "left": by_number,
        "many": texts.text("left-many"),
        "soldOut": texts.text("state-sold-out"),
        "notOnSale": texts.text("not-on-sale"),
    });
    json_ld::embedded(&all)
}

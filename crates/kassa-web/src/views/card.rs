//! An event in a list, in words.

use jiff::Timestamp;
use kassa_texts::{Currency, Texts};

use super::offer::{SaleState, sale_state, summary_price};
use super::when::When;
use crate::api::Seller;
use crate::model::{EventData, Reference};
use crate::seat_selection::{SeatName, query_of};

/// How many patterns stand in for pictures that are missing; styles know them by number.
const PATTERNS: usize = 6;

/// The picture of an event, or what stands in for it.
#[derive(Clone, Debug)]
pub(crate) struct Artwork {
    /// The path of the picture.
    pub(crate) large: Option<String>,
    /// That of a small one.
    pub(crate) small: Option<String>,
    /// Which pattern stands in.
    pub(crate) pattern: usize,
    /// What is written on it.
    pub(crate) letter: String,
}

impl Artwork {
    pub(crate) fn of(event: &EventData) -> Self {
        let path = |picture: &Option<crate::model::Picture>| picture.as_ref().map(|picture| picture.path().to_owned());
        let (large, small) = (path(&event.media.cover), path(&event.media.cover_small));
        let sum: usize = event.id.bytes().map(usize::from).sum();
        let letter = event.title.text.chars().find(|letter| letter.is_alphanumeric());
        Self {
            large: large.clone().or_else(|| small.clone()),
            small: small.or(large),
            pattern: sum % PATTERNS,
            letter: letter.map(|letter| letter.to_uppercase().collect()).unwrap_or_default(),
        }
    }
}

/// An event in a list.
#[derive(Clone, Debug)]
pub(crate) struct Card {
    pub(crate) path: String,
    pub(crate) title: String,
    pub(crate) artwork: Artwork,
    pub(crate) when: Option<When>,
    /// The venue and its city.
    pub(crate) place: String,
    pub(crate) price: Option<String>,
    /// What is to be said of its sale.
    pub(crate) note: Option<String>,
    /// How far its sale is, as styles know it.
    pub(crate) state: &'static str,
}

impl Card {
    pub(crate) fn new(
        event: &EventData,
        seller: &Seller,
        texts: &Texts,
        currency: Option<Currency>,
        (now, present_year): (Timestamp, i16),
    ) -> Self {
        let state = sale_state(event, now);
        let has_price = matches!(state, SaleState::OnSale | SaleState::NotYet(Some(_)));
        Self {
            path: event_path(event, seller),
            title: event.title.text.clone(),
            artwork: Artwork::of(event),
            when: event.span().map(|span| When::new(texts.language(), &span, present_year)),
            place: place_line(event, texts),
            price: summary_price(event, texts, currency).filter(|_| has_price),
            note: (state != SaleState::OnSale).then(|| texts.text(state.key())),
            state: state.name(),
        }
    }
}

/// The path of an event's page, where a seller sells it.
pub(crate) fn event_path(event: &EventData, seller: &Seller) -> String {
    let segment = event.segment();
    match seller {
        Seller::Organizer => format!("/e/{segment}"),
        Seller::Agent(agent) => format!("/e/{segment}?seller={agent}"),
    }
}

/// The path of the page with some seats chosen.
pub(crate) fn seats_path(event: &str, seller: &Seller, chosen: &[SeatName]) -> String {
    let seller = match seller {
        Seller::Organizer => String::new(),
        Seller::Agent(agent) => format!("seller={agent}"),
    };
    let query = [seller, query_of(chosen)].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("&");
    if query.is_empty() { format!("/e/{event}/seats") } else { format!("/e/{event}/seats?{query}") }
}

/// The venue and its city in one line.
pub(crate) fn place_line(event: &EventData, texts: &Texts) -> String {
    let Some(venue) = event.venue.as_ref().and_then(Reference::seen) else { return String::new() };
    let city = event.city().map(|city| city.name(texts.language()).to_owned());
    [Some(venue.name.clone()), city]
        .into_iter()
        .flatten()
        .filter(|part| !part.is_empty())
        .collect::<Vec<_>>()
        .join(", ")
}

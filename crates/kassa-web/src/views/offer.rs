//! What is to be had of an event, at which price, in words.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use kassa_texts::{Amount, Currency, Language, Texts};

use crate::model::{EventData, EventStatus, SetData};

/// How many tickets are left is said from so few on.
pub(crate) const LEFT_SHOWN_MAX: i64 = 20;

/// How far the sale of an event is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SaleState {
    /// It begins later; when, if that is known.
    NotYet(Option<Timestamp>),
    /// Tickets can be had.
    OnSale,
    /// There is none left.
    SoldOut,
    /// It has ended, and the event has not.
    Closed,
    /// The event is over.
    Over,
    /// The event was called off.
    Canceled,
}

impl SaleState {
    /// The key of its text.
    pub(crate) fn key(self) -> &'static str {
        match self {
            Self::NotYet(_) => "state-not-yet",
            Self::OnSale => "state-on-sale",
            Self::SoldOut => "state-sold-out",
            Self::Closed => "state-closed",
            Self::Over => "state-over",
            Self::Canceled => "state-canceled",
        }
    }

    /// Its name, as styles know it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::NotYet(_) => "not-yet",
            Self::OnSale => "on-sale",
            Self::SoldOut => "sold-out",
            Self::Closed => "closed",
            Self::Over => "over",
            Self::Canceled => "canceled",
        }
    }
}

/// How far the sale of an event is.
pub(crate) fn sale_state(event: &EventData, now: Timestamp) -> SaleState {
    match event.status {
        EventStatus::Canceled => return SaleState::Canceled,
        EventStatus::Finished => return SaleState::Over,
        EventStatus::StandBy => return SaleState::NotYet(None),
        EventStatus::Public => {}
    }
    let sold: Vec<&SetData> = event.sets.iter().filter(|set| set.has_price_now()).collect();
    if sold.iter().any(|set| set.amount_vacant > 0) {
        return SaleState::OnSale;
    }
    // A set without tickets is not there yet.
    let next = event.sets.iter().filter_map(|set| set.coming_prices(now).first().map(|(start, _)| *start)).min();
    match next {
        Some(start) if sold.iter().all(|set| set.amount == 0) => SaleState::NotYet(Some(start)),
        _ if sold.iter().any(|set| set.amount > 0) => SaleState::SoldOut,
        None if event.sets.is_empty() => SaleState::NotYet(None),
        _ => SaleState::Closed,
    }
}

/// A set, in words.
#[derive(Clone, Debug)]
pub(crate) struct Offer {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) about: Option<String>,
    pub(crate) price: String,
    /// Prices that come: from when on, how much.
    pub(crate) coming: Vec<(String, String)>,
    /// What is left.
    pub(crate) left: String,
    /// Whether a ticket of it can be had.
    pub(crate) availability: Availability,
    pub(crate) has_seats: bool,
    /// How many of it one order can be asked for here.
    pub(crate) choices: i64,
    /// How many are chosen.
    pub(crate) chosen: i64,
}

impl Offer {
    /// Whether its tickets are chosen by their number alone.
    pub(crate) fn has_counts(&self) -> bool {
        self.choices > 0 && !self.has_seats
    }
}

/// How many tickets of a set can be chosen in one line: for more, the order can be changed.
const CHOICES_MAX: i64 = 10;

/// Whether a ticket of a set can be had.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Availability {
    /// Yes.
    Free,
    /// Few are left.
    Few,
    /// None is left.
    SoldOut,
    /// It is not on sale now.
    NotOnSale,
}

impl Availability {
    /// As styles and scripts know it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Free => "free",
            Self::Few => "few",
            Self::SoldOut => "sold-out",
            Self::NotOnSale => "not-on-sale",
        }
    }

    /// As schema.org knows it.
    pub(crate) fn schema_org(self) -> &'static str {
        match self {
            Self::Free => "https://schema.org/InStock",
            Self::Few => "https://schema.org/LimitedAvailability",
            Self::SoldOut => "https://schema.org/SoldOut",
            Self::NotOnSale => "https://schema.org/OutOfStock",
        }
    }

    /// Of a set.
    pub(crate) fn of(set: &SetData) -> Self {
        match set.amount_vacant {
            _ if !set.has_price_now() => Self::NotOnSale,
            ..=0 => Self::SoldOut,
            1..=LEFT_SHOWN_MAX => Self::Few,
            _ => Self::Free,
        }
    }
}

/// A set at `now`, in words.
pub(crate) fn offer_of(
    set: &SetData,
    texts: &Texts,
    currency: Option<Currency>,
    (now, zone): (Timestamp, &TimeZone),
    is_selling: bool,
) -> Offer {
    let availability = if is_selling { Availability::of(set) } else { Availability::NotOnSale };
    let coming = set.coming_prices(now);
    let left = match availability {
        Availability::Free => texts.text("left-many"),
        Availability::Few => texts.count("left-count", set.amount_vacant),
        Availability::SoldOut => texts.text("state-sold-out"),
        Availability::NotOnSale => match coming.first() {
            Some((start, _)) if is_selling => texts.about("sale-begins", &moment(texts.language(), *start, zone)),
            _ => String::new(),
        },
    };
    let shown = coming.iter().skip(usize::from(!set.has_price_now()));
    let shown = shown.map(|(start, price)| (moment(texts.language(), *start, zone), texts.amount(*price, currency)));
    Offer {
        id: set.id.clone(),
        name: set.name.clone(),
        about: set.desc.clone().filter(|about| !about.is_empty()),
        price: price_text(set.price, texts, currency),
        coming: if is_selling { shown.collect() } else { Vec::new() },
        left,
        choices: match availability {
            Availability::Free | Availability::Few => set.amount_vacant.min(CHOICES_MAX),
            Availability::SoldOut | Availability::NotOnSale => 0,
        },
        chosen: 0,
        availability,
        has_seats: set.with_seats,
    }
}

/// A day, with its time where that is not midnight.
pub(crate) fn moment(language: Language, at: Timestamp, zone: &TimeZone) -> String {
    let at = at.to_zoned(zone.clone());
    let date = language.date(at.date());
    if at.time() == jiff::civil::Time::midnight() { date } else { format!("{date}, {}", language.time(&at)) }
}

fn price_text(price: Amount, texts: &Texts, currency: Option<Currency>) -> String {
    if price.is_zero() { texts.text("price-free") } else { texts.amount(price, currency) }
}

/// What the cheapest ticket costs that can be had, else the cheapest there is: `from €25`, or `€25` if all cost that.
pub(crate) fn summary_price(event: &EventData, texts: &Texts, currency: Option<Currency>) -> Option<String> {
    let prices = |only_free: bool| -> Vec<Amount> {
        let is_shown = |set: &&SetData| !only_free || (set.has_price_now() && set.amount_vacant > 0);
        event.sets.iter().filter(is_shown).map(|set| set.price).collect()
    };
    let mut prices = Some(prices(true)).filter(|prices| !prices.is_empty()).unwrap_or_else(|| prices(false));
    prices.sort_unstable();
    let (least, most) = (*prices.first()?, *prices.last()?);
    if least == most {
        return Some(price_text(least, texts, currency));
    }
    let from = prices.iter().find(|price| !price.is_zero()).copied().unwrap_or(most);
    let key = if least.is_zero() { "price-free-and-from" } else { "price-from" };
    Some(texts.about(key, &price_text(from, texts, currency)))
}

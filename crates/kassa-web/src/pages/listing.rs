//! `/o/{organizer}`, `/a/{agent}`: what a partner sells, as a list and by the month.

use askama::Template;
use bytes::Bytes;
use jiff::Zoned;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use kassa_http::http::Response;

use super::{found, respond_shared};
use crate::answer::moved;
use crate::api::Seller;
use crate::calendar::{Month, MonthTable};
use crate::error::PageError;
use crate::frame::{Frame, render};
use crate::model::PartnerData;
use crate::request::PageRequest;
use crate::shop::Shop;
use crate::slug;
use crate::views::Card;

/// Events of one page of a list.
const PAGE_LENGTH: usize = 24;

/// What a partner is, where its events are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    Organizer,
    Agent,
}

impl Role {
    /// As paths and as the interface have it.
    fn names(self) -> (&'static str, &'static str) {
        match self {
            Self::Organizer => ("/o/", "org"),
            Self::Agent => ("/a/", "agent"),
        }
    }
}

/// A page of a list.
#[derive(Debug)]
pub(crate) struct Listing {
    pub(crate) cards: Vec<Card>,
    pub(crate) earlier: Option<String>,
    pub(crate) later: Option<String>,
}

impl Listing {
    /// The number of the page that is asked for, from 1 on.
    pub(crate) fn page_number(request: &PageRequest) -> usize {
        request.value("page").and_then(|page| page.parse().ok()).filter(|page| (1..=1_000).contains(page)).unwrap_or(1)
    }

    /// The path of the page that is asked for.
    pub(crate) fn path_of(request: &PageRequest, path: &str) -> String {
        Self::path_to(path, Self::page_number(request))
    }

    fn path_to(path: &str, page: usize) -> String {
        if page == 1 { path.to_owned() } else { format!("{path}?page={page}") }
    }

    /// The page that is asked for, of these.
    pub(crate) fn new(request: &PageRequest, path: &str, cards: Vec<Card>) -> Self {
        let page = Self::page_number(request);
        let (count, first) = (cards.len(), (page - 1) * PAGE_LENGTH);
        Self {
            cards: cards.into_iter().skip(first).take(PAGE_LENGTH).collect(),
            earlier: (page > 1).then(|| Self::path_to(path, page - 1)),
            later: (first + PAGE_LENGTH < count).then(|| Self::path_to(path, page + 1)),
        }
    }
}

#[derive(Template)]
#[template(path = "listing.html")]
struct ListingPage<'a> {
    frame: Frame<'a>,
    partner: &'a PartnerData,
    logo: Option<String>,
    /// The picture at the head of its pages.
    header: Option<String>,
    /// Which of the two it is, as a line above the name.
    role: String,
    list_path: String,
    calendar_path: String,
    view: View<'a>,
}

/// How the events are shown.
enum View<'a> {
    List(Listing),
    Month(MonthView<'a>),
}

/// A month, with the ways to its neighbours.
struct MonthView<'a> {
    name: String,
    table: MonthTable<'a>,
    previous: Option<(String, String)>,
    next: Option<(String, String)>,
}

pub(crate) async fn respond(
    shop: &Shop,
    request: &PageRequest,
    segment: &str,
    role: Role,
) -> Result<Response<Bytes>, PageError> {
    let id = slug::id_of(segment).ok_or(PageError::NotFound)?;
    let month = request.value("month").and_then(Month::parse);
    let is_calendar = request.value("view") == Some("calendar");
    let partner = shop.api.partner(&request.origin, &id).await?;
    let (folder, role_name) = role.names();
    if !partner.roles.iter().any(|role| role == role_name) {
        return Err(PageError::NotFound);
    }
    let list_path = format!("{folder}{}", slug::segment(&partner.name, &partner.id));
    let month_path = |month: Month| format!("{list_path}?view=calendar&month={}", month.code());
    let path = match month.filter(|_| is_calendar) {
        Some(month) => month_path(month),
        None if is_calendar => format!("{list_path}?view=calendar"),
        None => Listing::path_of(request, &list_path),
    };
    if request.path != list_path {
        return Ok(moved(&path));
    }
    let make = async {
        let (organizer, seller) = match role {
            Role::Organizer => (Some(id.as_str()), Seller::Organizer),
            Role::Agent => (None, Seller::Agent(id.clone())),
        };
        let mut events = shop.api.upcoming(request, organizer, &seller).await?;
        events.sort_by_key(|event| (event.order(), event.id.clone()));
        let texts = request.texts();
        let (now, year) = shop.present();
        let cards = events
            .iter()
            .map(|event| (event.span(), Card::new(event, &seller, texts, shop.settings.currency, (now, year))));
        let cards: Vec<(Option<(Zoned, Zoned)>, Card)> = cards.collect();
        let view = if is_calendar {
            let today = now.to_zoned(TimeZone::UTC).date();
            let shown = month.unwrap_or_else(|| first_month(&cards, today));
            let neighbour = |month: Month| (month_path(month), month.name(request.language));
            View::Month(MonthView {
                name: shown.name(request.language),
                previous: shown.plus(-1).filter(|before| *before >= Month::of(today)).map(neighbour),
                next: shown.plus(1).map(neighbour),
                table: MonthTable::new(shown, today, texts, &cards),
            })
        } else {
            View::List(Listing::new(request, &list_path, cards.iter().map(|(_, card)| card.clone()).collect()))
        };
        let mut frame = Frame::new(shop, request, &partner.name, path.clone());
        frame.set_accent(Some(&partner));
        if let Some(about) = partner.desc.as_ref().filter(|about| !about.is_empty()) {
            frame.about.clone_from(about);
        }
        let logo = partner.media.logo.as_ref().map(|logo| logo.path().to_owned());
        let header = partner.shop.header.as_ref().map(|picture| picture.path().to_owned());
        frame.picture = header.clone().or_else(|| logo.clone());
        let page = ListingPage {
            frame,
            partner: &partner,
            logo,
            header,
            role: texts.text(if role == Role::Organizer { "organizer" } else { "agent" }),
            calendar_path: format!("{list_path}?view=calendar"),
            list_path: list_path.clone(),
            view,
        };
        let html = render(&page)?;
        Ok(found(html))
    };
    respond_shared(shop, request, &path, make).await
}

/// The month of the first event that is still to come, else the present one.
fn first_month(cards: &[(Option<(Zoned, Zoned)>, Card)], today: Date) -> Month {
    let first = cards.iter().filter_map(|(span, _)| span.as_ref().map(|(start, _)| start.date())).min();
    Month::of(first.unwrap_or(today).max(today))
}

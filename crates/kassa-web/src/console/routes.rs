//! Which path leads to which page of the console.

use bytes::Bytes;
use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use kassa_http::http::Response;
use matchit::Router;

use super::fault::Fault;
use super::visit::Visit;
use super::{
    account, deals, events, figures, history, keys, orders, overview, partners, payments, platform, sale, search,
    shop_settings, team, venues, webhooks, widgets,
};
use crate::error::PageError;

/// A page of the console. Those that take a form are sent it at their own path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Screen {
    Home,
    SignIn,
    SignOut,
    Register,
    Confirm,
    Forgotten,
    Password,
    Account,
    NewPartner,
    Invitation,
    Platform,
    PlatformPartners,
    PlatformPartner,
    Overview,
    Search,
    Events,
    NewEvent,
    Event,
    EventAction,
    EventSales,
    Promocodes,
    Promocode,
    Promotions,
    Promotion,
    Seats,
    Set,
    SetHistory,
    Tickets,
    Ticket,
    Orders,
    Order,
    OrderAction,
    Refunds,
    Payments,
    Sale,
    EventSale,
    Deals,
    NewDeal,
    Deal,
    DealHistory,
    Catalogue,
    Agents,
    Venues,
    NewVenue,
    Venue,
    Shop,
    Widgets,
    Keys,
    KeyRequests,
    Webhooks,
    Webhook,
    Team,
    History,
    EventHistory,
}

pub(super) const PATHS: [(&str, Screen); 54] = [
    ("/console", Screen::Home),
    ("/console/sign-in", Screen::SignIn),
    ("/console/sign-out", Screen::SignOut),
    ("/console/register", Screen::Register),
    ("/console/confirm", Screen::Confirm),
    ("/console/forgotten", Screen::Forgotten),
    ("/console/password", Screen::Password),
    ("/console/account", Screen::Account),
    ("/console/new", Screen::NewPartner),
    ("/console/invitations/{invited}", Screen::Invitation),
    ("/console/platform", Screen::Platform),
    ("/console/platform/partners", Screen::PlatformPartners),
    ("/console/platform/partners/{subject}", Screen::PlatformPartner),
    ("/console/{partner}", Screen::Overview),
    ("/console/{partner}/search", Screen::Search),
    ("/console/{partner}/events", Screen::Events),
    ("/console/{partner}/events/new", Screen::NewEvent),
    ("/console/{partner}/events/{event}", Screen::Event),
    ("/console/{partner}/events/{event}/{action}", Screen::EventAction),
    ("/console/{partner}/events/{event}/sales", Screen::EventSales),
    ("/console/{partner}/events/{event}/promocodes", Screen::Promocodes),
    ("/console/{partner}/events/{event}/promocodes/{promocode}", Screen::Promocode),
    ("/console/{partner}/events/{event}/promotions", Screen::Promotions),
    ("/console/{partner}/events/{event}/promotions/{promotion}", Screen::Promotion),
    ("/console/{partner}/events/{event}/seats", Screen::Seats),
    ("/console/{partner}/events/{event}/sets/{set}", Screen::Set),
    ("/console/{partner}/events/{event}/sets/{set}/history", Screen::SetHistory),
    ("/console/{partner}/events/{event}/sets/{set}/tickets/{ticket}", Screen::Ticket),
    ("/console/{partner}/events/{event}/tickets", Screen::Tickets),
    ("/console/{partner}/orders", Screen::Orders),
    ("/console/{partner}/orders/{order}", Screen::Order),
    ("/console/{partner}/orders/{order}/{action}", Screen::OrderAction),
    ("/console/{partner}/refunds", Screen::Refunds),
    ("/console/{partner}/payments", Screen::Payments),
    ("/console/{partner}/history", Screen::History),
    ("/console/{partner}/events/{event}/history", Screen::EventHistory),
    ("/console/{partner}/deals/{deal}/history", Screen::DealHistory),
    ("/console/{partner}/sale", Screen::Sale),
    ("/console/{partner}/sale/{event}", Screen::EventSale),
    ("/console/{partner}/deals", Screen::Deals),
    ("/console/{partner}/deals/new", Screen::NewDeal),
    ("/console/{partner}/deals/{deal}", Screen::Deal),
    ("/console/{partner}/catalogue", Screen::Catalogue),
    ("/console/{partner}/agents", Screen::Agents),
    ("/console/{partner}/venues", Screen::Venues),
    ("/console/{partner}/venues/new", Screen::NewVenue),
    ("/console/{partner}/venues/{venue}", Screen::Venue),
    ("/console/{partner}/shop", Screen::Shop),
    ("/console/{partner}/widgets", Screen::Widgets),
    ("/console/{partner}/keys", Screen::Keys),
    ("/console/{partner}/keys/{key}/requests", Screen::KeyRequests),
    ("/console/{partner}/webhooks", Screen::Webhooks),
    ("/console/{partner}/webhooks/{webhook}", Screen::Webhook),
    ("/console/{partner}/team", Screen::Team),
];

/// All paths of the console.
pub(crate) struct ConsoleRoutes(Router<Screen>);

impl ConsoleRoutes {
    pub(crate) fn new() -> Self {
        let mut router = Router::new();
        for (path, screen) in PATHS {
            // Paths that collide are a mistake of the program, which no request can bring about.
            router.insert(path, screen).unwrap_or_else(|error| panic!("page {path}: {error}"));
        }
        Self(router)
    }

    /// The page at a path, and the names and values of its segments.
    pub(crate) fn find(&self, path: &str) -> Option<(Screen, Vec<(String, String)>)> {
        let path = if path.len() > 1 { path.trim_end_matches('/') } else { path };
        let found = self.0.at(path).ok()?;
        // Segments are ids and words of the program; whatever else they are is not found.
        let is_plain =
            |value: &str| value.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.'));
        let segments: Vec<(String, String)> =
            found.params.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        segments.iter().all(|(_, value)| is_plain(value)).then_some((*found.value, segments))
    }
}

impl Screen {
    /// Answers a request for it.
    pub(crate) fn respond<'v>(self, visit: &'v Visit<'_>) -> BoxFuture<'v, Result<Response<Bytes>, Fault>> {
        let form_only = || async { Err(Fault::Page(PageError::WrongMethod)) }.boxed();
        match self {
            Self::Home => partners::home(visit).boxed(),
            Self::SignIn => account::sign_in(visit).boxed(),
            Self::SignOut | Self::Invitation if !visit.is_form => form_only(),
            Self::SignOut => account::sign_out(visit).boxed(),
            Self::Register => account::register(visit).boxed(),
            Self::Confirm => account::confirm(visit).boxed(),
            Self::Forgotten => account::forgotten(visit).boxed(),
            Self::Password => account::password(visit).boxed(),
            Self::Account => account::settings(visit).boxed(),
            Self::NewPartner => partners::create(visit).boxed(),
            Self::Invitation => partners::answer_invitation(visit).boxed(),
            Self::Platform => platform::state(visit).boxed(),
            Self::PlatformPartners => platform::partners(visit).boxed(),
            Self::PlatformPartner => platform::partner(visit).boxed(),
            Self::Overview => overview::respond(visit).boxed(),
            Self::Search => search::respond(visit).boxed(),
            Self::Events => events::list(visit).boxed(),
            Self::NewEvent => events::create(visit).boxed(),
            Self::Event => events::show(visit).boxed(),
            Self::EventAction => events::act(visit).boxed(),
            Self::EventSales => figures::of_event(visit).boxed(),
            Self::Promocodes => events::promocodes(visit).boxed(),
            Self::Promocode => events::promocode(visit).boxed(),
            Self::Promotions => events::promotions(visit).boxed(),
            Self::Promotion => events::promotion(visit).boxed(),
            Self::Seats => events::seats(visit).boxed(),
            Self::Set => events::set(visit).boxed(),
            Self::SetHistory => history::of_set(visit).boxed(),
            Self::Tickets => events::tickets(visit).boxed(),
            Self::Ticket => events::ticket(visit).boxed(),
            Self::Orders => orders::list(visit).boxed(),
            Self::Order => orders::show(visit).boxed(),
            Self::OrderAction => orders::act(visit).boxed(),
            Self::Refunds => orders::refunds(visit).boxed(),
            Self::Payments => payments::respond(visit).boxed(),
            Self::History => history::of_partner(visit).boxed(),
            Self::EventHistory => history::of_event(visit).boxed(),
            Self::DealHistory => history::of_deal(visit).boxed(),
            Self::Sale => sale::choose(visit).boxed(),
            Self::EventSale => sale::sell(visit).boxed(),
            Self::Deals => deals::list(visit).boxed(),
            Self::NewDeal => deals::propose(visit).boxed(),
            Self::Deal => deals::show(visit).boxed(),
            Self::Catalogue => deals::catalogue(visit).boxed(),
            Self::Agents => figures::agents(visit).boxed(),
            Self::Venues => venues::list(visit).boxed(),
            Self::NewVenue => venues::create(visit).boxed(),
            Self::Venue => venues::show(visit).boxed(),
            Self::Shop => shop_settings::respond(visit).boxed(),
            Self::Widgets => widgets::respond(visit).boxed(),
            Self::Keys => keys::respond(visit).boxed(),
            Self::KeyRequests => keys::requests(visit).boxed(),
            Self::Webhooks => webhooks::list(visit).boxed(),
            Self::Webhook => webhooks::show(visit).boxed(),
            Self::Team => team::respond(visit).boxed(),
        }
    }
}

//! Which path leads to which page.

use bytes::Bytes;
use kassa_http::http::{Method, Response};
use matchit::Router;

use crate::error::PageError;
use crate::operator_texts::LegalText;
use crate::pages::{
    assets, cart, event, event_file, home, legal, listing, lost_tickets, order, seats, stripe_payment, test_payment,
    widget,
};
use crate::request::PageRequest;
use crate::shop::Shop;

/// A page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Page {
    /// What is sold here.
    Home,
    /// What an organizer sells.
    Organizer,
    /// What an agent sells.
    Agent,
    /// An event; its calendar entry, if its segment ends with `.ics`.
    Event,
    /// Where the seats of an event are chosen.
    Seats,
    /// Where they are, for the script that draws them.
    HallFile,
    /// Begins an order of an event.
    Cart,
    /// An order, for whoever has its link.
    Order,
    /// What its holder does with it.
    OrderAction,
    /// Where a payment that is none is said to have been made.
    TestPayment,
    StripePayment,
    /// Asks for links of orders that went lost.
    LostTickets,
    /// Who runs this.
    Imprint,
    /// The terms of use.
    Terms,
    /// How accessible it is.
    Accessibility,
    /// A file that pages load.
    Asset,
    /// What is sold, for elements of pages of other sites.
    WidgetOffers,
    /// The script that such pages load.
    WidgetScript,
    /// The same for pages that were written for another server of the interface.
    DropInScript,
    /// The page that such pages have in a frame.
    DropIn,
}

const PATHS: [(&str, Page); 21] = [
    ("/", Page::Home),
    ("/o/{partner}", Page::Organizer),
    ("/a/{partner}", Page::Agent),
    ("/e/{event}", Page::Event),
    ("/e/{event}/seats", Page::Seats),
    ("/e/{event}/hall/{tag}", Page::HallFile),
    ("/e/{event}/order", Page::Cart),
    ("/order/{token}", Page::Order),
    ("/order/{token}/{action}", Page::OrderAction),
    ("/pay/test/{token}/{payment}", Page::TestPayment),
    ("/pay/stripe/{token}/{payment}", Page::StripePayment),
    ("/tickets", Page::LostTickets),
    ("/imprint", Page::Imprint),
    ("/terms", Page::Terms),
    ("/accessibility", Page::Accessibility),
    ("/assets/{file}", Page::Asset),
    ("/offers.json", Page::WidgetOffers),
    ("/widget/v1.js", Page::WidgetScript),
    ("/static/scripts/widget/tcwidget.js", Page::DropInScript),
    ("/v1/widgets/common", Page::DropIn),
    ("/v1/widgets/common/meta", Page::DropIn),
];

/// All paths.
pub(crate) struct Routes(Router<Page>);

impl Routes {
    pub(crate) fn new() -> Self {
        let mut router = Router::new();
        for (path, page) in PATHS {
            // Paths that collide are a mistake of the program, which no request can bring about.
            router.insert(path, page).unwrap_or_else(|error| panic!("page {path}: {error}"));
        }
        Self(router)
    }

    /// The page at a path, and the segments that name what it shows, up to two; a missing one is empty.
    pub(crate) fn find(&self, path: &str) -> Option<(Page, [String; 2])> {
        let found = self.0.at(path).ok()?;
        let mut segments = [String::new(), String::new()];
        for (place, (_, segment)) in segments.iter_mut().zip(found.params.iter()) {
            *place = percent_encoding::percent_decode_str(segment).decode_utf8().ok()?.into_owned();
        }
        Some((*found.value, segments))
    }
}

impl Page {
    /// Whether it can be asked for in this way: forms are sent to some.
    pub(crate) fn takes(self, method: &Method) -> bool {
        let is_read = matches!(*method, Method::GET | Method::HEAD);
        match self {
            Self::Cart => *method == Method::POST,
            Self::TestPayment | Self::OrderAction | Self::LostTickets => is_read || *method == Method::POST,
            Self::Home
            | Self::Organizer
            | Self::Agent
            | Self::Event
            | Self::Seats
            | Self::HallFile
            | Self::Order
            | Self::StripePayment
            | Self::Imprint
            | Self::Terms
            | Self::Accessibility
            | Self::Asset
            | Self::WidgetOffers
            | Self::WidgetScript
            | Self::DropInScript
            | Self::DropIn => is_read,
        }
    }

    /// Whether it is shown in frames of other sites: those pages that people buy on.
    pub(crate) fn is_framed(self) -> bool {
        match self {
            Self::Organizer
            | Self::Agent
            | Self::Event
            | Self::Cart
            | Self::Order
            | Self::OrderAction
            | Self::Seats
            | Self::HallFile
            | Self::TestPayment
            | Self::WidgetOffers => true,
            Self::Home
            | Self::LostTickets
            | Self::StripePayment
            | Self::Imprint
            | Self::Terms
            | Self::Accessibility
            | Self::Asset
            | Self::WidgetScript
            | Self::DropInScript
            | Self::DropIn => false,
        }
    }

    /// Answers a request for it.
    pub(crate) async fn respond(
        self,
        shop: &Shop,
        request: &PageRequest,
        method: &Method,
        [segment, second]: &[String; 2],
    ) -> Result<Response<Bytes>, PageError> {
        match self {
            Self::Home => home::respond(shop, request).await,
            Self::Organizer => listing::respond(shop, request, segment, listing::Role::Organizer).await,
            Self::Agent => listing::respond(shop, request, segment, listing::Role::Agent).await,
            Self::Event => match segment.strip_suffix(".ics") {
                Some(segment) => event_file::respond(shop, request, segment).await,
                None => event::respond(shop, request, segment).await,
            },
            Self::Seats => seats::respond(shop, request, segment).await,
            Self::HallFile => seats::respond_hall(shop, request, segment, second).await,
            Self::Cart => cart::respond(shop, request, segment).await,
            Self::Order => order::respond(shop, request, segment).await,
            Self::OrderAction if *method == Method::POST => order::act(shop, request, segment, second).await,
            Self::OrderAction => order::file(shop, request, segment, second).await,
            Self::TestPayment if *method == Method::POST => test_payment::settle(shop, request, segment, second).await,
            Self::TestPayment => test_payment::respond(shop, request, segment, second).await,
            Self::StripePayment => stripe_payment::respond(shop, request, segment, second).await,
            Self::LostTickets if *method == Method::POST => lost_tickets::send(shop, request).await,
            Self::LostTickets => lost_tickets::respond(shop, request),
            Self::Imprint => legal::respond(shop, request, LegalText::Imprint),
            Self::Terms => legal::respond(shop, request, LegalText::Terms),
            Self::Accessibility => legal::respond(shop, request, LegalText::Accessibility),
            Self::Asset => assets::respond(shop, request, segment),
            Self::WidgetOffers => widget::offers(shop, request).await,
            Self::WidgetScript => Ok(widget::script(shop, request)),
            Self::DropInScript => Ok(widget::drop_in_script(shop, request)),
            Self::DropIn => Ok(widget::drop_in(request)),
        }
    }
}

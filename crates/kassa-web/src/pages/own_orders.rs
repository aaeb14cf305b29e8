//! What a visitor holds of an event itself: the orders that its browser has begun, which a cookie names. In frames of
//! other sites there is no cookie.

use bytes::Bytes;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use kassa_http::http::header::{self, HeaderValue};
use kassa_http::http::{HeaderMap, Response};
use kassa_texts::Texts;

use super::order::{self, Link, OrderData, OrderStatus, till};
use crate::answer::insert_text;
use crate::error::PageError;
use crate::request::{ORDERS_COOKIE, OrderName, PageRequest};
use crate::seat_selection::SeatName;
use crate::shop::Shop;

/// Orders that a browser keeps in mind: the newest.
const ORDERS_MAX: usize = 4;

/// An order that holds tickets for whoever asks.
#[derive(Debug)]
pub(crate) struct OwnOrder {
    path: String,
    tickets: i64,
    seats: Vec<SeatName>,
    held_till: Timestamp,
    is_cart: bool,
}

/// Those of an event.
#[derive(Debug, Default)]
pub(crate) struct OwnOrders {
    pub(crate) open: Vec<OwnOrder>,
    /// Those that hold nothing any more.
    over: Vec<OrderName>,
}

/// An order that holds tickets, in words.
#[derive(Debug)]
pub(crate) struct OwnOrderView {
    pub(crate) path: String,
    pub(crate) text: String,
    pub(crate) held_till: String,
    pub(crate) is_cart: bool,
}

impl OwnOrders {
    /// Those of an event that the request names; nothing is asked where it names none.
    pub(crate) async fn of(shop: &Shop, request: &PageRequest, event: &str) -> Result<Self, PageError> {
        let mut own = Self::default();
        for name in request.orders.iter().filter(|name| name.event == event) {
            let order = match Link::of(&name.token) {
                Ok(link) => order::load(shop, &request.origin, &link).await.map(|order| (order.data, link.page())),
                Err(error) => Err(error),
            };
            match order {
                Ok((order, path)) if order.event == event && order.status.is_open() => {
                    own.open.push(OwnOrder::new(&order, path));
                }
                Ok(_) | Err(PageError::NotFound) => own.over.push(name.clone()),
                Err(error) => return Err(error),
            }
        }
        Ok(own)
    }

    /// The seats that they hold.
    pub(crate) fn seats(&self) -> Vec<SeatName> {
        self.open.iter().flat_map(|order| order.seats.iter().cloned()).collect()
    }

    pub(crate) fn in_words(&self, texts: &Texts, now: Timestamp, zone: &TimeZone) -> Vec<OwnOrderView> {
        let in_words = |order: &OwnOrder| OwnOrderView {
            path: order.path.clone(),
            text: texts.count("own-tickets", order.tickets),
            held_till: till(order.held_till, now, zone, texts),
            is_cart: order.is_cart,
        };
        self.open.iter().map(in_words).collect()
    }

    /// Has the browser forget those that are over.
    pub(crate) fn forget_over(&self, request: &PageRequest, response: &mut Response<Bytes>) {
        if self.over.is_empty() {
            return;
        }
        let kept = request.orders.iter().filter(|name| !self.over.contains(name));
        keep(kept, request, response.headers_mut());
        insert_text(response.headers_mut(), header::CACHE_CONTROL, "private, no-store");
    }
}

impl OwnOrder {
    fn new(order: &OrderData, path: String) -> Self {
        let seat = |ticket: &order::OrderTicket| {
            let seat = ticket.seat.as_ref()?;
            Some(SeatName { set: ticket.set.clone(), row: seat.row.clone(), number: seat.number.parse().ok()? })
        };
        Self {
            path,
            tickets: i64::try_from(order.tickets.len()).unwrap_or(i64::MAX),
            seats: order.tickets.iter().filter_map(seat).collect(),
            held_till: order.expired_after,
            is_cart: order.status == OrderStatus::Executed,
        }
    }
}

/// Has the browser keep in mind that an order is its own.
pub(crate) fn remember(event: &str, token: &str, request: &PageRequest, response: &mut Response<Bytes>) {
    // Cookies of frames are those of another site, which browsers do not keep.
    if request.framing.is_some() {
        return;
    }
    let newest = OrderName { event: event.to_owned(), token: token.to_owned() };
    let others = request.orders.iter().filter(|name| name.token != token);
    keep(std::iter::once(&newest).chain(others).take(ORDERS_MAX), request, response.headers_mut());
}

/// Scripts do not read it, other sites do not send it, and it is gone with the browser's session.
fn keep<'a>(names: impl Iterator<Item = &'a OrderName>, request: &PageRequest, headers: &mut HeaderMap) {
    let value = names.map(|name| format!("{}:{}", name.event, name.token)).collect::<Vec<_>>().join("~");
    let end = if value.is_empty() { "; Max-Age=0" } else { "" };
    let secure = if request.origin.base_url().starts_with("https:") { "; Secure" } else { "" };
    let cookie = format!("{ORDERS_COOKIE}={value}; Path=/e{end}; HttpOnly; SameSite=Lax{secure}");
    if let Ok(cookie) = HeaderValue::try_from(cookie) {
        headers.append(header::SET_COOKIE, cookie);
    }
}

//! A tenant that sells at a steady pace while others attack.

use std::fmt;
use std::net::{Ipv4Addr, SocketAddrV4};
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use serde_json::{Value, json};

use super::connection::{Connection, Request};
use crate::client::text;
use crate::sale::Sale;
use crate::waiting::now;

/// Where it sells: its share is its own.
const ADDRESS: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 2);
/// Requests of all tills together.
const REQUESTS_PER_SECOND: u32 = 50;
/// Each has one request under way at a time. As long as an answer takes less than a sixth of a second, none is late.
const TILLS: usize = 8;

/// How often it sends each of its long requests.
const LONG_REQUEST_INTERVAL: Duration = Duration::from_millis(400);
/// After so many requests that were refused, or not answered, it gives up.
const REFUSALS_MAX: usize = 20;

/// Whoever sells.
pub(super) struct Seller<'a> {
    pub(super) server: SocketAddrV4,
    pub(super) sale: &'a Sale,
    /// Whether it uploads a picture now and then, too.
    pub(super) uploads: bool,
    /// Whether its customers get their tickets by mail.
    pub(super) mails: bool,
    /// What its office asks, besides: each on a connection of its own, so that no till waits for it.
    pub(super) long_requests: &'a [Request],
}

/// What was sold, and how long its requests took.
#[derive(Default)]
pub(super) struct Sold {
    latencies: Vec<Duration>,
    /// Those of the long requests.
    long_latencies: Vec<Duration>,
    /// What was not answered with success.
    pub(super) refusals: Vec<String>,
    /// Addresses of customers whose orders were paid, and when.
    pub(super) paid: Vec<(String, SystemTime)>,
}

impl Seller<'_> {
    /// Sells for a while. The latency of a request counts from when it was due, so that a slow answer delays none of
    /// those that are measured.
    pub(super) fn sell(&self, time: Duration) -> Sold {
        let (start, sold) = (now(), Mutex::new(Sold::default()));
        let (interval, count) =
            (Duration::from_secs(1) / REQUESTS_PER_SECOND, time.as_secs() * u64::from(REQUESTS_PER_SECOND));
        thread::scope(|scope| {
            for till in 0..TILLS {
                let due = (till..usize::try_from(count).unwrap()).step_by(TILLS);
                let due = due.map(move |at| start + interval * u32::try_from(at).unwrap());
                let (mut till, sold) = (Till { seller: self, number: till, connection: None }, &sold);
                scope.spawn(move || till.sell(due, sold));
            }
            for (number, request) in self.long_requests.iter().enumerate() {
                let end = start + time;
                let due = (0..).map(move |at| start + LONG_REQUEST_INTERVAL * at).take_while(move |due| *due < end);
                let (mut office, sold) = (Till { seller: self, number: TILLS + number, connection: None }, &sold);
                scope.spawn(move || office.repeat(request, due, sold));
            }
        });
        sold.into_inner().unwrap()
    }
}

#[expect(clippy::disallowed_methods, reason = "it is compared with the times of files")]
fn system_now() -> SystemTime {
    SystemTime::now()
}

/// One connection of the seller.
struct Till<'a> {
    seller: &'a Seller<'a>,
    number: usize,
    connection: Option<Connection>,
}

impl Till<'_> {
    /// An order, its payment, and a look at both; each time on a new connection, which must be let in.
    fn sell(&mut self, due: impl Iterator<Item = Instant>, sold: &Mutex<Sold>) {
        // A test that fails need not take long.
        let mut due = due.take_while(|_| sold.lock().unwrap().refusals.len() < REFUSALS_MAX);
        let sale = self.seller.sale;
        let event = format!("/v1/resources/events/{}", sale.event);
        for cycle in 0.. {
            self.connection = None;
            let order = json!({"event": sale.event, "random": {sale.set.as_str(): 2}});
            let Some(at) = due.next() else { return };
            let made = self.request(at, &self.call("POST", "/v1/resources/orders").json(&order), sold);
            let order = made.map(|order| text(&order["id"]));
            let path = order.as_ref().map_or(event.clone(), |order| format!("/v1/resources/orders/{order}"));
            if let Some(order) = order {
                let email = format!("buyer-of-{order}@example.org");
                let payment = json!({"send_tickets": self.seller.mails});
                let paid = json!({"status": "done", "customer": {"email": email}, "payment": payment});
                let Some(at) = due.next() else { return };
                if self.request(at, &self.call("PATCH", &path).json(&paid), sold).is_some() {
                    sold.lock().unwrap().paid.push((email, system_now()));
                }
            }
            let Some(at) = due.next() else { return };
            self.request(at, &self.call("GET", &path), sold);
            let Some(at) = due.next() else { return };
            let title = json!({"title": {"text": format!("Concert {cycle}")}});
            self.request(at, &self.call("PATCH", &event).json(&title), sold);
            if self.seller.uploads {
                let Some(at) = due.next() else { return };
                let picture = format!("GIF89a of till {} in cycle {cycle}", self.number);
                let picture = self.call("POST", "/v1/resources/attachments").body("image/gif", picture.into_bytes());
                self.request(at, &picture, sold);
            }
        }
    }

    /// A long request again and again.
    fn repeat(&mut self, request: &Request, due: impl Iterator<Item = Instant>, sold: &Mutex<Sold>) {
        for at in due.take_while(|_| sold.lock().unwrap().refusals.len() < REFUSALS_MAX) {
            self.measured_request(at, request, sold, |sold| &mut sold.long_latencies);
        }
    }

    fn call(&self, method: &str, path: &str) -> Request {
        Request::new(method, path).key(&self.seller.sale.key)
    }

    /// Sends a request when it is due; its answer, if it was a success.
    fn request(&mut self, due: Instant, request: &Request, sold: &Mutex<Sold>) -> Option<Value> {
        self.measured_request(due, request, sold, |sold| &mut sold.latencies)
    }

    /// The same, with its latency where that is counted.
    fn measured_request(
        &mut self,
        due: Instant,
        request: &Request,
        sold: &Mutex<Sold>,
        latencies: impl FnOnce(&mut Sold) -> &mut Vec<Duration>,
    ) -> Option<Value> {
        thread::sleep(due.saturating_duration_since(now()));
        let answered = self.exchange(request);
        let latency = due.elapsed();
        let mut sold = sold.lock().unwrap();
        latencies(&mut sold).push(latency);
        match answered {
            Ok((200..300, body)) => Some(serde_json::from_slice(&body).unwrap()),
            Ok((status, body)) => {
                sold.refusals.push(format!("{status} {}", String::from_utf8_lossy(&body)));
                None
            }
            Err(error) => {
                self.connection = None;
                sold.refusals.push(format!("no answer: {error}"));
                None
            }
        }
    }

    fn exchange(&mut self, request: &Request) -> std::io::Result<(u16, Vec<u8>)> {
        let connection = match self.connection.take() {
            Some(connection) => connection,
            None => Connection::open(self.seller.server, ADDRESS)?,
        };
        let connection = self.connection.insert(connection);
        connection.send(&request.bytes())?;
        let mut body = Vec::new();
        let response = connection.read_response(&mut body)?;
        if response.closes {
            self.connection = None;
        }
        Ok((response.status, body))
    }
}

/// How long requests took.
#[derive(Clone, Copy, Debug)]
pub(super) struct Latencies {
    pub(super) median: Duration,
    pub(super) p99: Duration,
    slowest: Duration,
    count: usize,
}

impl Sold {
    pub(super) fn latencies(&self) -> Latencies {
        Latencies::of(self.latencies.clone())
    }

    /// Those of the long requests, if there were any.
    pub(super) fn long_latencies(&self) -> Option<Latencies> {
        (!self.long_latencies.is_empty()).then(|| Latencies::of(self.long_latencies.clone()))
    }
}

impl Latencies {
    fn of(mut sorted: Vec<Duration>) -> Self {
        sorted.sort_unstable();
        let at = |percent: usize| sorted[(sorted.len() * percent / 100).min(sorted.len() - 1)];
        Self { median: at(50), p99: at(99), slowest: at(100), count: sorted.len() }
    }
}

impl fmt::Display for Latencies {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { median, p99, slowest, count } = self;
        write!(out, "median {median:.1?}, p99 {p99:.1?}, slowest {slowest:.1?} of {count}")
    }
}

//! Somebody who reads the feed of changes, and notes when it is told of each order.

use std::cell::RefCell;
use std::collections::HashMap;
use std::convert::Infallible;
use std::net::SocketAddr;
use std::rc::Rc;
use std::time::{Duration, Instant};

use serde::Deserialize;
use tokio::sync::Notify;
use tokio::task::JoinSet;

use crate::api_client::require_success;
use crate::connection::Connection;
use crate::error::BenchError;
use crate::event_stream::EventStream;
use crate::request::{Credential, kassa_request};
use crate::scripts::OrderId;
use crate::sellers::{Sale, Sellers};
use crate::stopwatch;

const CHANGES_PATH: &str = "/v2/resources/changes";
/// Changes of an answer, at most, and for how many seconds an answer waits for one: as much as there can be.
const POLL: &str = "limit=100&wait=30";
/// A reader that is told nothing for so long is told nothing any more.
const SILENCE_MAX: Duration = Duration::from_secs(30);

/// How the feed is read.
#[derive(Clone, Copy, Debug)]
pub(crate) enum FeedAccess {
    /// As server-sent events.
    Stream,
    /// One request after the other, each of which waits for a change.
    Poll,
}

/// A reader of the orders of one event. It ends with the value.
pub(crate) struct FeedReader {
    seen: Rc<SeenOrders>,
    reading: JoinSet<Result<Infallible, BenchError>>,
}

/// The orders that a reader was told of, and when.
#[derive(Default)]
struct SeenOrders {
    at: RefCell<HashMap<OrderId, Instant>>,
    news: Notify,
}

/// A change, as far as it matters here.
#[derive(Deserialize)]
struct ToldChange<'a> {
    /// Missing where only the cursor is told.
    #[serde(borrow)]
    resource: Option<ToldResource<'a>>,
}

#[derive(Deserialize)]
struct ToldResource<'a> {
    id: &'a str,
}

/// An answer of the feed.
#[derive(Deserialize)]
struct ToldPage<'a> {
    #[serde(borrow)]
    data: Vec<ToldChange<'a>>,
    pagination: ToldPosition,
}

#[derive(Deserialize)]
struct ToldPosition {
    cursor: String,
}

impl FeedReader {
    /// Reads the orders of a sale at a server, as the organizer does and from now on.
    pub(crate) async fn start(
        address: SocketAddr,
        sellers: &Sellers,
        sale: &Sale,
        access: FeedAccess,
    ) -> Result<Self, BenchError> {
        let (key, seen) = (sellers.organizer_key().clone(), Rc::<SeenOrders>::default());
        // What comes with the resources is read on threads that give way to the sale, and lags behind it.
        let selection = format!("types=order.reserved&payload=thin&event={}", sale.event);
        let mut reading = JoinSet::new();
        match access {
            FeedAccess::Stream => {
                let path = format!("{CHANGES_PATH}/stream?{selection}");
                let mut events = EventStream::open(address, &kassa_request("GET", &path, &key, None)).await?;
                // The first one says where it begins.
                events.next_data().await?;
                reading.spawn_local(follow_stream(events, Rc::clone(&seen)));
            }
            FeedAccess::Poll => {
                let mut poll = Poll { connection: Connection::open(address).await?, key, selection };
                let end = poll.read("after=end&limit=1", &seen).await?;
                reading.spawn_local(follow_polls(poll, end, Rc::clone(&seen)));
            }
        }
        Ok(Self { seen, reading })
    }

    /// Waits until it was told of so many orders, each once: when each of them was told.
    pub(crate) async fn wait_for(mut self, orders: usize) -> Result<HashMap<OrderId, Instant>, BenchError> {
        loop {
            let told = self.seen.at.borrow().len();
            if told >= orders {
                return Ok(self.seen.at.take());
            }
            tokio::select! {
                () = self.seen.news.notified() => {}
                Some(ended) = self.reading.join_next() => {
                    let Err(error) = ended?;
                    return Err(error);
                }
                () = tokio::time::sleep(SILENCE_MAX) => {
                    return Err(format!("of {orders} orders, a reader was told of {told}").into());
                }
            }
        }
    }
}

impl SeenOrders {
    fn note(&self, change: &ToldChange<'_>) -> Result<(), BenchError> {
        let Some(resource) = &change.resource else { return Ok(()) };
        let order: OrderId = resource.id.as_bytes().try_into()?;
        if self.at.borrow_mut().insert(order, stopwatch::now()).is_some() {
            return Err(format!("a reader was told of order {} twice", resource.id).into());
        }
        self.news.notify_one();
        Ok(())
    }
}

async fn follow_stream(mut events: EventStream, seen: Rc<SeenOrders>) -> Result<Infallible, BenchError> {
    loop {
        seen.note(&serde_json::from_slice(events.next_data().await?)?)?;
    }
}

/// Asks for changes.
struct Poll {
    connection: Connection,
    key: Credential,
    selection: String,
}

impl Poll {
    /// Reads a part of the feed, and returns the cursor behind it.
    async fn read(&mut self, part: &str, seen: &SeenOrders) -> Result<String, BenchError> {
        let path = format!("{CHANGES_PATH}?{part}&{}", self.selection);
        let answer = self.connection.send(&kassa_request("GET", &path, &self.key, None)).await?;
        require_success(&answer)?;
        let page: ToldPage<'_> = serde_json::from_slice(answer.body)?;
        page.data.iter().try_for_each(|change| seen.note(change))?;
        Ok(page.pagination.cursor)
    }
}

async fn follow_polls(mut poll: Poll, mut after: String, seen: Rc<SeenOrders>) -> Result<Infallible, BenchError> {
    loop {
        after = poll.read(&format!("after={after}&{POLL}"), &seen).await?;
    }
}

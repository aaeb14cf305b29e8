//! Lists that are streamed, some items at a time: no transaction stays open while a slow client reads, and nothing piles
//! up for it. What is read for a page is gone when the page is rendered, and a page when it is sent: each has a meter of
//! its own, which draws on the budget of all answers. So has what a list keeps from one page to the next.

use std::future::Future;
use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use futures_util::stream::poll_fn;
use kassa_engine::{Failure, ListTurn};
use kassa_store::memory_budget::MemoryMeter;
use serde::Serialize;
use tokio::sync::mpsc::{self, Sender};

use super::{JSON_TYPE, TOTAL_COUNT};

/// Bytes below which a list is answered in one piece: no task of its own is needed for it, its length is known,
/// and a failure is an answer.
const UNSTREAMED_BYTES_MAX: usize = 256 * 1024;
/// Bytes that a list has room for from the start.
const INITIAL_CAPACITY: usize = 8 * 1024;
/// Pages that wait for a slow client. None is made before there is room for it, so that who reads nothing takes few turns.
const BUFFERED_PAGES: usize = 1;
/// The memory of a page of ordinary length: rows, and their JSON.
const ORDINARY_PAGE_BYTES: usize = 1024 * 1024;
/// What is taken from the budget for a list before its head is sent, so that its ordinary pages are not refused later:
/// for those that wait or are being rendered, and for two that are being sent, of which one is nearly gone.
const RESERVED_BYTES: usize = (BUFFERED_PAGES + 2) * ORDINARY_PAGE_BYTES;

/// A list, page by page.
pub(crate) trait PageSource: Send + 'static {
    /// Whether it is known already that there is no further page: nobody waits for a turn to see that.
    fn is_over(&self) -> bool {
        false
    }

    /// Adds the items of the next page. `false` when there is none. Rows that stay for later pages are read in the scope of
    /// `held`, which is settled when they are gone.
    fn next(
        &mut self,
        items: &mut JsonItems,
        held: &Arc<MemoryMeter>,
    ) -> impl Future<Output = Result<bool, Failure>> + Send;
}

/// A list with the meter of what it keeps from one page to the next.
struct MeteredPages<P> {
    pages: P,
    held: Arc<MemoryMeter>,
}

/// The items of a list as JSON, as far as they were not sent yet.
pub(crate) struct JsonItems {
    json: Vec<u8>,
    has_items: bool,
}

impl JsonItems {
    /// Adds an item, and charges it to the meter of the task.
    pub(crate) fn push(&mut self, item: &impl Serialize) -> Result<(), Failure> {
        let before = self.json.len();
        self.json.push(if self.has_items { b',' } else { b'[' });
        self.has_items = true;
        serde_json::to_writer(&mut self.json, item).map_err(|error| Failure::internal(&error.to_string()))?;
        match MemoryMeter::try_current() {
            Some(meter) => Ok(meter.charge(self.json.len() - before)?),
            None => Ok(()),
        }
    }

    /// How many bytes were not sent yet.
    pub(crate) fn len(&self) -> usize {
        self.json.len()
    }

    /// Adds what stands behind the last item.
    fn close(&mut self) {
        self.json.extend_from_slice(if self.has_items { b"]" } else { b"[]" });
    }
}

/// Answers a list. `begin` says how it goes on, and how many items there are in all: what it reads is held until the end of
/// the list, unless that settles it before.
pub(crate) async fn stream_list<P: PageSource, E: From<Failure>>(
    begin: impl Future<Output = Result<(P, u64), E>>,
) -> Result<Response, E> {
    let request = MemoryMeter::current();
    let held = request.part();
    let (pages, total) = held.scope(begin).await?;
    let mut pages = MeteredPages { pages, held };
    let mut items = JsonItems { json: Vec::with_capacity(INITIAL_CAPACITY), has_items: false };
    let mut meter = request.part();
    while items.json.len() < UNSTREAMED_BYTES_MAX {
        meter = request.part();
        if !pages.next(&mut items, &meter).await? {
            items.close();
            return Ok(list_response(items.json.into(), total));
        }
        meter.settle(items.json.len());
    }
    let reserved = request.reserve(RESERVED_BYTES).map_err(Failure::from)?;
    // The task has turns of its own; who waits for the whole of its list here must not keep it from them.
    ListTurn::end();
    let (sender, mut texts) = mpsc::channel(BUFFERED_PAGES);
    tokio::spawn(ListTurn::inherit(send_pages(pages, items, meter, reserved, sender)));
    Ok(list_response(Body::from_stream(poll_fn(move |cx| texts.poll_recv(cx))), total))
}

fn list_response(body: Body, total: u64) -> Response {
    ([(header::CONTENT_TYPE, JSON_TYPE), (TOTAL_COUNT, total.into())], body).into_response()
}

/// A page, with the meter of what it takes until it is sent.
struct MeteredPage {
    json: Vec<u8>,
    _meter: Arc<MemoryMeter>,
}

impl AsRef<[u8]> for MeteredPage {
    fn as_ref(&self) -> &[u8] {
        &self.json
    }
}

/// Sends the list, page by page, after what is there of it. A failure breaks the answer off, so that no client
/// takes half of a list for the whole.
async fn send_pages(
    mut pages: MeteredPages<impl PageSource>,
    mut items: JsonItems,
    mut meter: Arc<MemoryMeter>,
    reserved: Arc<MemoryMeter>,
    sender: Sender<Result<Bytes, Failure>>,
) {
    let mut is_first = true;
    loop {
        // Others read while this waits for its client. One that went away needs no more.
        ListTurn::end();
        let Ok(place) = sender.reserve().await else { return };
        let turn = if std::mem::take(&mut is_first) { Ok(true) } else { pages.next(&mut items, &meter).await };
        let goes_on = matches!(turn, Ok(true));
        if matches!(turn, Ok(false)) {
            items.close();
        }
        meter.settle(items.json.len());
        // The next page is about as long, unless this one is unusual.
        let room = Vec::with_capacity(items.json.len().min(ORDINARY_PAGE_BYTES));
        let next_meter = reserved.part_with_free(ORDINARY_PAGE_BYTES);
        let page = turn.map(|_| {
            let json = std::mem::replace(&mut items.json, room);
            Bytes::from_owner(MeteredPage { json, _meter: std::mem::replace(&mut meter, next_meter) })
        });
        place.send(page);
        if !goes_on {
            return;
        }
    }
}

impl<P: PageSource> MeteredPages<P> {
    /// Adds the next page, if there is one, in a turn of the reader: both what is read for it and its rendering take their
    /// time.
    async fn next(&mut self, items: &mut JsonItems, meter: &Arc<MemoryMeter>) -> Result<bool, Failure> {
        if self.pages.is_over() {
            return Ok(false);
        }
        ListTurn::begin().await?;
        meter.scope(self.pages.next(items, &self.held)).await
    }
}

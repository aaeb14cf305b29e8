//! Lists that are streamed, some items at a time: no transaction stays open while a slow client reads,
//! and nothing piles up for it.

use std::future::Future;

use axum::body::Body;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use futures_util::stream::poll_fn;
use kassa_engine::Failure;
use serde::Serialize;
use tokio::sync::mpsc::{self, Sender};

use super::{JSON_TYPE, TOTAL_COUNT};

/// Bytes below which a list is answered in one piece: no task of its own is needed for it, its length is known,
/// and a failure is an answer.
const UNSTREAMED_BYTES_MAX: usize = 256 * 1024;
/// Bytes that a list has room for from the start.
const INITIAL_CAPACITY: usize = 8 * 1024;
/// Pages that wait for a slow client.
const BUFFERED_PAGES: usize = 2;

/// A list, page by page.
pub(crate) trait PageSource: Send + 'static {
    /// Adds the items of the next page. `false` when there is none.
    fn next(&mut self, items: &mut JsonItems) -> impl Future<Output = Result<bool, Failure>> + Send;
}

/// The items of a list as JSON, as far as they were not sent yet.
pub(crate) struct JsonItems {
    json: Vec<u8>,
    has_items: bool,
}

impl JsonItems {
    /// Adds an item.
    pub(crate) fn push(&mut self, item: &impl Serialize) -> Result<(), Failure> {
        self.json.push(if self.has_items { b',' } else { b'[' });
        self.has_items = true;
        serde_json::to_writer(&mut self.json, item).map_err(|error| Failure::internal(&error.to_string()))
    }

    /// Adds what stands behind the last item.
    fn close(&mut self) {
        self.json.extend_from_slice(if self.has_items { b"]" } else { b"[]" });
    }
}

/// Answers a list, of which `total` items are there in all.
pub(crate) async fn stream_list(mut pages: impl PageSource, total: u64) -> Result<Response, Failure> {
    let mut items = JsonItems { json: Vec::with_capacity(INITIAL_CAPACITY), has_items: false };
    while items.json.len() < UNSTREAMED_BYTES_MAX {
        if !pages.next(&mut items).await? {
            items.close();
            return Ok(list_response(items.json.into(), total));
        }
    }
    let (sender, mut texts) = mpsc::channel(BUFFERED_PAGES);
    tokio::spawn(send_pages(pages, items, sender));
    Ok(list_response(Body::from_stream(poll_fn(move |cx| texts.poll_recv(cx))), total))
}

fn list_response(body: Body, total: u64) -> Response {
    ([(header::CONTENT_TYPE, JSON_TYPE), (TOTAL_COUNT, total.into())], body).into_response()
}

/// Sends the list, page by page, after what is there of it. A failure breaks the answer off, so that no client
/// takes half of a list for the whole.
async fn send_pages(mut pages: impl PageSource, mut items: JsonItems, sender: Sender<Result<Vec<u8>, Failure>>) {
    let mut turn = Ok(true);
    loop {
        let goes_on = matches!(turn, Ok(true));
        if matches!(turn, Ok(false)) {
            items.close();
        }
        // The next page is about as long.
        let room = Vec::with_capacity(items.json.len());
        let page = turn.map(|_| std::mem::replace(&mut items.json, room));
        // A client that went away needs no more.
        if sender.send(page).await.is_err() || !goes_on {
            return;
        }
        turn = pages.next(&mut items).await;
    }
}

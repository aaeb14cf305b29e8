//! `GET /v2/resources/changes/stream`: the feed as server-sent events (HTML, section 9.2), which go on until one side ends
//! them. Who was cut off reads on from the last event that came.
//!
//! A stream holds its place among those who wait, and of the feed only the pieces that its client has not taken yet: the
//! next one is read when there is room for it.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use futures_util::stream::poll_fn;
use kassa_domain::Actor;
use kassa_domain::change::FeedCursor;
use kassa_engine::ListTurn;
use kassa_store::memory_budget::MemoryMeter;
use tokio::sync::mpsc::{self, Sender};
use tokio::time::Instant;

use super::list;
use super::page::{CallerFeed, WrittenPage};
use super::request::{FeedStart, NamedStart, SelectionParameters, WantedChanges, start_schema};
use crate::app::AppState;
use crate::caller::{AuthenticatedCaller, CustomersScope, StandingCredential};
use crate::error::ApiError;
use crate::feed_readers::{FeedReaderPlace, FeedReaders, FeedWait};
use crate::input::{Problems, Query};
use crate::openapi::error_responses;
use crate::openapi::params::{self, parameters, single_value};
use crate::response::event_stream::{COMMENT, KEEP_ALIVE, RETRY_LINE, event_stream, event_text};
use crate::route::Route;

/// Where a client has read to that was cut off.
const LAST_EVENT_ID: &str = "last-event-id";
/// How often a client is told where it is if nothing else is sent that says so.
const CURSOR_INTERVAL: Duration = Duration::from_mins(1);
/// When to try again what was not to be had.
const RETRY_PAUSE: Duration = Duration::from_secs(1);
/// Changes that are read at a time, and bytes after which no further one is written to the same piece.
const PIECE_CHANGES: usize = 50;
const PIECE_BYTES_MAX: usize = 64 * 1024;
/// Pieces that wait for a slow client.
const BUFFERED_PIECES: usize = 1;

parameters! {
    /// From where on the feed is wanted.
    pub(crate) struct StreamParameters:
        single_value(
            "after", start_schema(),
            "A cursor: only changes that came after it. `start` is before the oldest change that is kept, and `end` behind \
             the last, which is the default.",
        ),
        params::header(
            "Last-Event-ID", start_schema(),
            "The `id` of the last event that came, as clients send it that were cut off. It wins over `after`.",
        ),
}

/// Its events are not packed: each is sent when it is there.
pub(crate) static ROUTE: Route = Route::new().list().uncompressed();

#[utoipa::path(
    get, path = "/changes/stream", tag = "Changes", operation_id = "stream_changes", summary = "Follow changes",
    description = "The same changes as server-sent events, as they happen: `event` is the type, `data` the change, and `id` \
        its cursor. An event `cursor` says only where you are. Browsers read it with `EventSource`.",
    params(StreamParameters, SelectionParameters),
    responses(
        (status = 200, description = "Changes, until one side ends the stream.", content_type = "text/event-stream",
            body = String,
            example = "retry: 2000\nid: 1200-4\nevent: cursor\ndata: {\"cursor\":\"1200-4\"}\n\n"),
        error_responses::FeedErrors,
    ),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(caller): AuthenticatedCaller,
    customers: CustomersScope,
    headers: HeaderMap,
    query: Query,
) -> Result<Response, ApiError> {
    let mut problems = Problems::default();
    let start = NamedStart::read(&query, FeedStart::End, &mut problems);
    let last_seen = headers.get(LAST_EVENT_ID).map(|text| text.to_str().unwrap_or("?").trim());
    let last_seen = last_seen.filter(|text| !text.is_empty());
    let last_seen = last_seen.and_then(|text| NamedStart::of_header("Last-Event-ID", text, &mut problems));
    let wanted = WantedChanges::read(&query, &mut problems);
    problems.finish()?;
    let place = app.feed_readers.begin(FeedWait::Stream)?;
    let feed = CallerFeed::open(&app.engine, Actor::clone(&caller), customers, wanted).await?;
    let from = last_seen.unwrap_or(start).resolve(&app.engine).await?;
    let (sender, mut pieces) = mpsc::channel(BUFFERED_PIECES);
    let stream = ChangeStream {
        credential: StandingCredential::of(&headers),
        feed,
        from,
        sender: PieceSender { sender, readers: app.feed_readers.clone() },
        app,
        meter: MemoryMeter::current(),
        _place: place,
    };
    // The task has turns of its own.
    ListTurn::end();
    tokio::spawn(ListTurn::inherit(stream.run()));
    let body = Body::from_stream(poll_fn(move |cx| pieces.poll_recv(cx).map(|piece| piece.map(Ok::<_, Infallible>))));
    Ok(event_stream(body))
}

/// A stream, from the side of the server.
struct ChangeStream {
    app: AppState,
    credential: StandingCredential,
    feed: CallerFeed,
    from: FeedCursor,
    sender: PieceSender,
    /// Of the request: pieces have parts of it.
    meter: Arc<MemoryMeter>,
    _place: FeedReaderPlace,
}

/// Nobody reads any more, or may.
struct StreamOver;

/// What becomes of pieces.
struct PieceSender {
    sender: Sender<Bytes>,
    readers: FeedReaders,
}

/// A piece of a stream, with the meter of what it takes until it is sent.
struct MeteredPiece {
    text: String,
    _meter: Arc<MemoryMeter>,
}

impl AsRef<[u8]> for MeteredPiece {
    fn as_ref(&self) -> &[u8] {
        self.text.as_bytes()
    }
}

impl PieceSender {
    /// Hands on a piece when there is room for it.
    async fn send(&self, piece: impl Into<Bytes>) -> Result<(), StreamOver> {
        tokio::select! {
            sent = self.sender.send(piece.into()) => sent.map_err(|_| StreamOver),
            () = self.readers.closed() => Err(StreamOver),
        }
    }

    /// Ready when nobody reads any more.
    async fn closed(&self) {
        tokio::select! {
            () = self.sender.closed() => {}
            () = self.readers.closed() => {}
        }
    }
}

impl ChangeStream {
    async fn run(mut self) {
        // It ends in no other way.
        let Err(StreamOver) = self.send_all().await;
    }

    async fn send_all(&mut self) -> Result<Infallible, StreamOver> {
        let mut news = self.app.engine.watch_feed();
        self.sender.send(format!("{RETRY_LINE}{}", cursor_event(self.from))).await?;
        let (mut told, mut told_at, mut sent_at) = (self.from, Instant::now(), Instant::now());
        loop {
            news.borrow_and_update();
            let meter = self.meter.part_with_free(0);
            let page = meter.scope(self.next_page()).await;
            // Others read while this waits.
            ListTurn::end();
            let is_at_end = match page {
                Ok(page) => {
                    self.from = page.next;
                    if !page.changes.is_empty() {
                        let text = events(&page);
                        meter.settle(text.len());
                        self.sender.send(Bytes::from_owner(MeteredPiece { text, _meter: meter })).await?;
                        (told, told_at, sent_at) = (self.from, Instant::now(), Instant::now());
                    }
                    page.is_at_end
                }
                Err(error) if error.is_temporary() => {
                    tokio::select! {
                        () = tokio::time::sleep(RETRY_PAUSE) => {}
                        () = self.sender.closed() => return Err(StreamOver),
                    }
                    false
                }
                Err(error) => {
                    tracing::debug!(code = error.code(), "a stream of changes ends");
                    return Err(StreamOver);
                }
            };
            if sent_at.elapsed() >= KEEP_ALIVE {
                let tells = told != self.from && told_at.elapsed() >= CURSOR_INTERVAL;
                self.keep_alive(tells).await?;
                sent_at = Instant::now();
                if tells {
                    (told, told_at) = (self.from, sent_at);
                }
            }
            if !is_at_end {
                continue;
            }
            tokio::select! {
                // Who prolongs the feed is here as long as the server is.
                _ = news.changed() => {}
                () = tokio::time::sleep_until(sent_at + KEEP_ALIVE) => {}
                () = self.sender.closed() => return Err(StreamOver),
            }
        }
    }

    /// What comes next. Whoever may not read any more is told nothing.
    async fn next_page(&mut self) -> Result<WrittenPage, ApiError> {
        loop {
            let page = list::read_part(&mut self.feed, self.from, PIECE_CHANGES).await?;
            if page.changes.is_empty() || !self.check_credential().await? {
                return Ok(self.feed.write(page, PIECE_BYTES_MAX).await?);
            }
        }
    }

    /// Whether the caller acts for others than before.
    async fn check_credential(&mut self) -> Result<bool, ApiError> {
        let actor = self.credential.check(&self.app).await?;
        Ok(self.feed.set_actor(actor).await?)
    }

    /// Sends something that says nothing, or where the client is, to whoever may still read.
    async fn keep_alive(&mut self, tells: bool) -> Result<(), StreamOver> {
        match self.check_credential().await {
            Err(error) if !error.is_temporary() => return Err(StreamOver),
            Ok(_) | Err(_) => {}
        }
        self.sender.send(if tells { cursor_event(self.from) } else { COMMENT.to_owned() }).await
    }
}

/// An event that says where a client is.
fn cursor_event(at: FeedCursor) -> String {
    event_text(at, "cursor", &format!("{{\"cursor\":\"{at}\"}}"))
}

/// An event for each change.
fn events(page: &WrittenPage) -> String {
    page.changes.iter().map(|change| event_text(change.cursor, change.kind, &change.json)).collect()
}

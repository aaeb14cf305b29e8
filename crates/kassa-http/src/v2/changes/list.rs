//! `GET /v2/resources/changes`: the feed, oldest first, also while there is nothing new yet.

use std::time::Duration;

use axum::extract::State;
use axum::http::HeaderMap;
use kassa_domain::Actor;
use kassa_domain::change::FeedCursor;
use kassa_engine::feed::FeedPage;
use kassa_engine::{Failure, ListTurn};
use serde::Serialize;
use serde_json::value::RawValue;
use tokio::time::Instant;
use utoipa::ToSchema;

use super::feed_error;
use super::model::ChangeBody;
use super::page::{CallerFeed, WrittenPage};
use super::request::{AFTER, FeedStart, NamedStart, SelectionParameters, WantedChanges, start_schema};
use crate::app::AppState;
use crate::caller::{AuthenticatedCaller, CustomersScope, StandingCredential};
use crate::error::ApiError;
use crate::feed_readers::FeedWait;
use crate::input::{Problems, Query};
use crate::openapi::params::{parameters, single_value};
use crate::openapi::{error_responses, schema};
use crate::response::ApiResponse;
use crate::route::Route;
use crate::wire::EmptyBody;

/// The most changes of an answer, and how many when the client does not say.
const LIMIT_MAX: u32 = 100;
const LIMIT_DEFAULT: u32 = 50;
/// The longest wait, in seconds.
const WAIT_MAX_S: u32 = 30;
/// Bytes of an answer after which no further change is taken.
const ANSWER_BYTES_MAX: usize = 1024 * 1024;
/// Parts of the feed that one request looks through for something that is wanted.
const PARTS_MAX: usize = 16;

parameters! {
    /// Which part of the feed is wanted, and how long to wait for it.
    pub(crate) struct ListParameters:
        single_value(
            "after", start_schema(),
            "A cursor: only changes that came after it. `start` is before the oldest change that is kept, which is the \
             default, and `end` behind the last.",
        ),
        single_value(
            "limit", schema::integer().minimum(Some(1)).maximum(Some(LIMIT_MAX)),
            "How many changes to return at most: 1 to 100; 50 by default.",
        ),
        single_value(
            "wait", schema::integer().minimum(Some(0)).maximum(Some(WAIT_MAX_S)),
            "How many seconds to wait for the next change if there is none yet: 0 to 30; 0 by default.",
        ),
}

pub(crate) static ROUTE: Route = Route::new().list();

/// Where an answer stands in the feed.
#[derive(Serialize, ToSchema)]
#[schema(as = FeedPosition)]
struct PositionBody {
    /// From where to read on: the next `after`. It moves on also where nothing was wanted.
    #[schema(example = "1200-4")]
    cursor: String,
    /// Whether there is more to read at once.
    has_more: bool,
}

/// Changes, oldest first.
#[derive(Serialize, ToSchema)]
#[schema(as = ChangesAnswer)]
pub(crate) struct ChangeListResponse {
    /// The changes.
    #[schema(value_type = Vec<ChangeBody<'static>>)]
    data: Vec<Box<RawValue>>,
    /// Always empty.
    refs: EmptyBody,
    /// Where the answer stands in the feed.
    pagination: PositionBody,
}

impl ChangeListResponse {
    fn new(page: WrittenPage) -> Result<Self, Failure> {
        let raw = |json| RawValue::from_string(json).map_err(|error| Failure::internal(&error.to_string()));
        let data = page.changes.into_iter().map(|change| raw(change.json)).collect::<Result<_, _>>()?;
        let pagination = PositionBody { cursor: page.next.to_string(), has_more: !page.is_at_end };
        Ok(Self { data, refs: EmptyBody {}, pagination })
    }
}

/// What a request asks for.
struct FeedRequest {
    start: NamedStart,
    limit: usize,
    wait: Duration,
}

impl FeedRequest {
    fn read(query: &Query, problems: &mut Problems) -> Self {
        Self {
            start: NamedStart::read(query, FeedStart::Oldest, problems),
            limit: query.number_within("limit", 1..=LIMIT_MAX, problems).unwrap_or(LIMIT_DEFAULT) as usize,
            wait: Duration::from_secs(query.number_within("wait", 0..=WAIT_MAX_S, problems).unwrap_or_default().into()),
        }
    }
}

#[utoipa::path(
    get, path = "/changes", tag = "Changes", operation_id = "list_changes", summary = "List changes",
    description = "What happened to whatever your partner may see, oldest first. Read on from `pagination.cursor`. With \
        `wait`, an answer comes as soon as there is something new.",
    params(ListParameters, SelectionParameters),
    responses((status = 200, description = "Changes.", body = ChangeListResponse), error_responses::FeedErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(caller): AuthenticatedCaller,
    customers: CustomersScope,
    headers: HeaderMap,
    query: Query,
) -> Result<ApiResponse, ApiError> {
    let mut problems = Problems::default();
    let FeedRequest { start, limit, wait } = FeedRequest::read(&query, &mut problems);
    let wanted = WantedChanges::read(&query, &mut problems);
    problems.finish()?;
    let deadline = Instant::now() + wait;
    let mut feed = CallerFeed::open(&app.engine, Actor::clone(&caller), customers, wanted).await?;
    let from = start.resolve(&app.engine).await?;
    let page = read_part(&mut feed, from, limit).await?;
    let page = if is_over(&app, &page, deadline) {
        page
    } else {
        loop {
            let awaited = wait_for_news(&app, &mut feed, page.next, (limit, deadline)).await?;
            // Whoever may not read any more is told nothing.
            if !feed.set_actor(StandingCredential::of(&headers).check(&app).await?).await? {
                break awaited;
            }
        }
    };
    let written = feed.write(page, ANSWER_BYTES_MAX).await?;
    Ok(ApiResponse::ok(&ChangeListResponse::new(written)?))
}

/// Whether there is nothing to wait for, or no time.
fn is_over(app: &AppState, page: &FeedPage, deadline: Instant) -> bool {
    let may_wait = Instant::now() < deadline && !app.feed_readers.is_closed();
    !page.changes.is_empty() || !page.is_at_end || !may_wait
}

/// Waits until there is something that is wanted, or until the deadline: then there is nothing on the page.
async fn wait_for_news(
    app: &AppState,
    feed: &mut CallerFeed,
    mut from: FeedCursor,
    (limit, deadline): (usize, Instant),
) -> Result<FeedPage, ApiError> {
    let _place = app.feed_readers.begin(FeedWait::Poll)?;
    let mut news = app.engine.watch_feed();
    loop {
        news.borrow_and_update();
        let page = read_part(feed, from, limit).await?;
        // Others read while this waits.
        ListTurn::end();
        if is_over(app, &page, deadline) {
            return Ok(page);
        }
        from = page.next;
        tokio::select! {
            // Who prolongs the feed is here as long as the server is.
            _ = news.changed() => {}
            () = tokio::time::sleep_until(deadline) => {}
            () = app.feed_readers.closed() => {}
        }
    }
}

/// Looks through some of the feed for something that is wanted. There may be none though others follow.
pub(super) async fn read_part(feed: &mut CallerFeed, from: FeedCursor, limit: usize) -> Result<FeedPage, ApiError> {
    let mut page = FeedPage { next: from, ..FeedPage::default() };
    for _ in 0..PARTS_MAX {
        page = feed.read(page.next, limit).await.map_err(|error| feed_error(error, AFTER))?;
        if !page.changes.is_empty() || page.is_at_end {
            break;
        }
    }
    Ok(page)
}

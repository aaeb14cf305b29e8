//! Answers that take long: lists, what `fields-schema` makes of an answer, and resources that nothing bounds, unless they
//! were short when they were last asked for.
//! They are made on threads of their own, which give way to those that answer short requests, and in turns of their
//! readers: however many are asked for, an order is answered as if nothing was.

use std::hash::{BuildHasher as _, RandomState};
use std::io;
use std::panic;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::Request;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use futures_util::StreamExt as _;
use futures_util::stream::poll_fn;
use hyper::body::Body as _;
use kassa_engine::{Failure, thread_priority};
use kassa_store::memory_budget::MemoryMeter;
use moka::sync::Cache;
use tokio::runtime::{Builder, Handle, Runtime};
use tokio::sync::mpsc;
use tokio::task::{JoinError, JoinHandle};

use crate::error::ApiError;
use crate::route::{AnswerLength, Route};

/// From so many bytes on an answer is long.
const LONG_BYTES: u64 = 32 * 1024;
/// Paths whose last answer was short: so many, and for so long. It may grow.
const SHORT_PATHS_MAX: u64 = 50_000;
const SHORT_PATH_MEMORY: Duration = Duration::from_secs(10);

/// The threads that make long answers. Whoever serves keeps them as long as there are answers.
pub struct LongAnswerThreads(Option<Runtime>);

impl LongAnswerThreads {
    /// One thread for each processor.
    pub fn start() -> io::Result<Self> {
        let lower = || thread_priority::lower("long answers");
        let runtime =
            Builder::new_multi_thread().thread_name("long-answers").on_thread_start(lower).enable_all().build();
        Ok(Self(Some(runtime?)))
    }

    pub(crate) fn handle(&self) -> Option<Handle> {
        self.0.as_ref().map(|runtime| runtime.handle().clone())
    }
}

impl Drop for LongAnswerThreads {
    fn drop(&mut self) {
        if let Some(runtime) = self.0.take() {
            // Nobody waits for what is left.
            runtime.shutdown_background();
        }
    }
}

/// How long an answer will be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Expected {
    /// It fits into some packets.
    Short,
    /// It may take long, and so may what it waits for: its handler takes turns itself.
    Long,
    /// It is read and made in pages, in a turn each.
    Pages,
    /// It is long, for all that is known of this path.
    Unknown(UnknownPath),
}

/// A path of which it is not known how long its answer is, by its hash. It goes with the request to where the answer is
/// made: what becomes of that later, packed or not sent at all, says little of the work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct UnknownPath(u64);

/// Where long answers are made, and which those are. Clones share it.
#[derive(Clone)]
pub(crate) struct LongAnswers {
    /// `None`: where all others are.
    threads: Option<Handle>,
    /// Hashes of paths whose last answer was short, although nothing bounds it.
    short_paths: Cache<u64, ()>,
    hasher: Arc<RandomState>,
}

impl LongAnswers {
    pub(crate) fn new(threads: Option<Handle>) -> Self {
        let short_paths = Cache::builder().max_capacity(SHORT_PATHS_MAX).time_to_live(SHORT_PATH_MEMORY).build();
        Self { threads, short_paths, hasher: Arc::default() }
    }

    /// What is to be expected of the answer to a request, of which `may_be_shaped` says whether its query names fields.
    pub(crate) fn expect(&self, route: Option<&Route>, may_be_shaped: bool, request: &Request) -> Expected {
        let Some(route) = route else { return Expected::Short };
        let is_shaped = may_be_shaped && route.shows.is_some();
        if !request.method().is_safe() {
            // Its body may come slowly.
            let is_long = is_shaped || route.answer_length == AnswerLength::Computed;
            return if is_long { Expected::Long } else { Expected::Short };
        }
        if is_shaped {
            return Expected::Pages;
        }
        match route.answer_length {
            AnswerLength::Computed => Expected::Long,
            AnswerLength::List => Expected::Pages,
            AnswerLength::Unbounded => {
                let path = self.hasher.hash_one(request.uri().path());
                if self.short_paths.contains_key(&path) {
                    Expected::Short
                } else {
                    Expected::Unknown(UnknownPath(path))
                }
            }
            AnswerLength::Short => Expected::Short,
        }
    }

    /// Remembers a path if its answer was short, and made of little. An error says nothing: it may have taken all the work.
    pub(crate) fn note(&self, UnknownPath(path): UnknownPath, response: &Response, is_head: bool) {
        let said = response.headers().get(header::CONTENT_LENGTH);
        let said = said.and_then(|length| length.to_str().ok()?.parse().ok());
        // The body of an answer to HEAD is gone already. How long it is, nobody knows of one that is streamed.
        let length = if is_head { said } else { response.body().size_hint().exact() };
        let read = MemoryMeter::try_current().map_or(0, |meter| meter.charged() as u64);
        if response.status().is_success() && length.is_some_and(|bytes: u64| bytes.max(read) < LONG_BYTES) {
            self.short_paths.insert(path, ());
        }
    }

    /// Makes a long answer, which counts as part of this task's work. It is given up with this task.
    pub(crate) async fn make(&self, answer: impl Future<Output = Response> + Send + 'static) -> Response {
        let Some(threads) = &self.threads else { return answer.await };
        let answer = MemoryMeter::current().scope(async move { pack_here(answer.await) });
        let mut task = AbortOnDrop(threads.spawn(answer));
        match (&mut task.0).await.map_err(JoinError::try_into_panic) {
            Ok(response) => response,
            Err(Ok(panic)) => panic::resume_unwind(panic),
            // The program is ending.
            Err(Err(_)) => ApiError::from(Failure::Unavailable).into_response(),
        }
    }

    /// Does work that takes long on a thread that gives way, too. It is not given up once it has begun.
    pub(crate) async fn run_blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Failure> {
        let task = match &self.threads {
            Some(threads) => threads.spawn_blocking(work),
            None => tokio::task::spawn_blocking(work),
        };
        match task.await.map_err(JoinError::try_into_panic) {
            Ok(done) => Ok(done),
            Err(Ok(panic)) => panic::resume_unwind(panic),
            // The program is ending.
            Err(Err(_)) => Err(Failure::Unavailable),
        }
    }
}

struct AbortOnDrop<T>(JoinHandle<T>);

impl<T> Drop for AbortOnDrop<T> {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// An answer that is packed while it is sent: that is done here, too, and not where it is sent.
fn pack_here(response: Response) -> Response {
    if !response.headers().contains_key(header::CONTENT_ENCODING) {
        return response;
    }
    response.map(|body| {
        let (sender, mut pieces) = mpsc::channel(1);
        let mut body = body.into_data_stream();
        tokio::spawn(async move {
            while let Some(piece) = body.next().await {
                // A client that went away needs no more.
                if sender.send(piece).await.is_err() {
                    return;
                }
            }
        });
        Body::from_stream(poll_fn(move |cx| pieces.poll_recv(cx)))
    })
}

#[cfg(test)]
mod tests {
    use axum::http::{Method, StatusCode};
    use kassa_store::memory_budget::MemoryBudget;

    use super::*;
    use crate::middleware;

    #[test]
    fn a_turn_comes_first_only_where_nobody_but_the_database_is_waited_for() {
        let (answers, routes) = (LongAnswers::new(None), middleware::all_routes());
        let expected = |method: Method, path: &str, may_be_shaped| {
            let request = Request::builder().method(&method).uri(path).body(Body::empty()).unwrap();
            answers.expect(routes.find(&method, path).route, may_be_shaped, &request)
        };
        for (path, as_it_is, shaped) in [
            ("/v1/resources/orders", Expected::Pages, Expected::Pages),
            ("/v1/resources/orders/1", Expected::Short, Expected::Pages),
            ("/files/1", Expected::Short, Expected::Short),
            ("/v2/resources/orders/1/tickets.pdf", Expected::Short, Expected::Short),
            ("/nothing", Expected::Short, Expected::Short),
        ] {
            assert_eq!([false, true].map(|shaped| expected(Method::GET, path, shaped)), [as_it_is, shaped], "{path}");
        }
        let event = expected(Method::GET, "/v1/resources/events/1", false);
        assert!(matches!(event, Expected::Unknown(_)), "{event:?}");
        for (method, path, as_it_is, shaped) in [
            (Method::PATCH, "/v1/resources/orders/1", Expected::Short, Expected::Long),
            (Method::POST, "/v1/resources/orders", Expected::Short, Expected::Long),
            (Method::POST, "/v2/services/orders/quote", Expected::Long, Expected::Long),
        ] {
            let found = [false, true].map(|shaped| expected(method.clone(), path, shaped));
            assert_eq!(found, [as_it_is, shaped], "{method} {path}");
        }
    }

    /// Whether an answer makes its path short.
    fn makes_short(response: impl IntoResponse, is_head: bool) -> bool {
        let answers = LongAnswers::new(None);
        answers.note(UnknownPath(1), &response.into_response(), is_head);
        answers.short_paths.contains_key(&1)
    }

    #[tokio::test]
    async fn a_path_is_short_only_by_a_whole_answer_that_was_little_work() {
        let long = "x".repeat(200_000);
        assert!(makes_short("short", false) && !makes_short(long.clone(), false));
        assert!(!makes_short(Body::from_stream(futures_util::stream::iter([Ok::<_, io::Error>("short")])), false));
        for status in [StatusCode::BAD_REQUEST, StatusCode::NOT_FOUND, StatusCode::SERVICE_UNAVAILABLE] {
            assert!(!makes_short((status, "short"), false), "{status}");
        }
        let head = |length: usize| ([(header::CONTENT_LENGTH, length.to_string())], Body::empty());
        assert!(makes_short(head(5), true) && !makes_short(head(200_000), true) && !makes_short(Body::empty(), true));
        let meter = MemoryMeter::new(&MemoryBudget::new(1024 * 1024, || ()), usize::MAX);
        meter.charge(200_000).unwrap();
        assert!(!meter.scope(async { makes_short("short", false) }).await, "much was read for it");
    }
}

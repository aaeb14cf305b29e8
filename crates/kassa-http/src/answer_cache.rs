//! Answers that are kept in memory, never stale: the same question gets the same bytes, as long as making them anew would
//! give the same. What they are made of, and whether that is still so, the engine says (`Engine::record_reads`,
//! `Engine::is_current`).
//!
//! Kept is what a route says can be (`Route::is_kept`), for each caller that sees it: credentials, rates, conditions
//! and packing are looked at as for every other request. An answer is kept when it is made for the second time, so that
//! what is asked once costs nothing.

use std::hash::{BuildHasher as _, RandomState};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse as _, Response};
use http_body_util::BodyExt as _;
use hyper::body::Body as _;
use kassa_domain::order::OrderId;
use kassa_domain::partner::PartnerId;
use kassa_engine::metrics::{Counter, MetricsText};
use kassa_engine::{Engine, ReadMarks};
use kassa_store::memory_budget::FREE_BYTES;
use moka::sync::Cache;

/// The longest body that is kept, in bytes: so much every answer may take while it is made.
const BODY_BYTES_MAX: u64 = FREE_BYTES as u64;
/// What an entry takes besides its key, body and marks, in bytes, roughly.
const ENTRY_BYTES: usize = 512;
/// Questions that are remembered to have been asked.
const ASKED: usize = 1 << 12;

/// The answers that are kept. Clones share them.
#[derive(Clone)]
pub(crate) struct AnswerCache(Arc<Kept>);

struct Kept {
    answers: Cache<AnswerKey, Arc<KeptAnswer>>,
    bytes_max: usize,
    /// Hashes of questions that were asked lately: others take their places.
    asked: Box<[AtomicU64]>,
    hasher: RandomState,
    hits: Counter,
    stale: Counter,
    misses: Counter,
}

/// What an answer is to: a path, asked at an address of the server by somebody.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct AnswerKey {
    pub(crate) path: Box<str>,
    pub(crate) base: Box<str>,
    pub(crate) viewer: Viewer,
}

/// Who sees the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Viewer {
    Anyone,
    Partner(PartnerId),
    Buyer(OrderId),
}

/// An answer with status 200, and what it was made of.
#[derive(Debug)]
pub(crate) struct KeptAnswer {
    headers: HeaderMap,
    body: Bytes,
    marks: ReadMarks,
}

impl KeptAnswer {
    pub(crate) fn to_response(&self) -> Response {
        let mut response = Response::new(Body::from(self.body.clone()));
        *response.headers_mut() = self.headers.clone();
        response
    }
}

impl AnswerCache {
    /// Keeps answers of so many bytes together; none, if that is 0.
    pub(crate) fn new(bytes_max: usize) -> Self {
        let weight = |key: &AnswerKey, kept: &Arc<KeptAnswer>| {
            let bytes = key.path.len() + key.base.len() + kept.body.len() + kept.marks.bytes() + ENTRY_BYTES;
            u32::try_from(bytes).unwrap_or(u32::MAX)
        };
        Self(Arc::new(Kept {
            answers: Cache::builder().max_capacity(bytes_max as u64).weigher(weight).build(),
            bytes_max,
            asked: (0..ASKED).map(|_| AtomicU64::new(0)).collect(),
            hasher: RandomState::new(),
            hits: Counter::default(),
            stale: Counter::default(),
            misses: Counter::default(),
        }))
    }

    /// Whether any are kept.
    pub(crate) fn is_on(&self) -> bool {
        self.0.bytes_max > 0
    }

    /// What was answered before, if it would be answered now.
    pub(crate) async fn find(&self, engine: &Engine, key: &AnswerKey) -> Option<Arc<KeptAnswer>> {
        let kept = self.0.answers.get(key);
        match kept {
            Some(kept) if engine.is_current(&kept.marks).await => {
                self.0.hits.add(1);
                Some(kept)
            }
            Some(_) => {
                self.0.stale.add(1);
                None
            }
            None => {
                self.0.misses.add(1);
                None
            }
        }
    }

    /// Makes an answer, and keeps it if its question was asked before.
    pub(crate) async fn make(
        &self,
        engine: &Engine,
        key: AnswerKey,
        answer: impl Future<Output = Response>,
    ) -> Response {
        if !self.was_asked(&key) {
            return answer.await;
        }
        let whole = async { collect_short(answer.await).await };
        let ((response, body), marks) = engine.record_reads(Box::pin(whole)).await;
        if let (Some(body), Some(marks), StatusCode::OK) = (body, marks, response.status()) {
            let headers = response.headers().clone();
            self.0.answers.insert(key, Arc::new(KeptAnswer { headers, body, marks }));
        }
        response
    }

    /// Whether a question was asked lately, or is kept. Now it was.
    fn was_asked(&self, key: &AnswerKey) -> bool {
        let hash = self.0.hasher.hash_one(key);
        let place = usize::try_from(hash % ASKED as u64).unwrap_or(0);
        self.0.asked[place].swap(hash, Ordering::Relaxed) == hash
    }

    /// Writes the metrics.
    pub(crate) fn write_metrics(&self, text: &mut MetricsText) {
        let Kept { answers, hits, stale, misses, .. } = &*self.0;
        text.counter("kassa_answer_cache_total", "Questions whose answer may be kept in memory, by whether it was.");
        for (found, counter) in [("kept", hits), ("changed", stale), ("unknown", misses)] {
            text.sample("kassa_answer_cache_total", &[("found", found)], counter.get());
        }
        text.gauge("kassa_answer_cache_bytes", "Memory that answers take which are kept, in bytes.");
        text.sample("kassa_answer_cache_bytes", &[], answers.weighted_size());
    }
}

/// A response, and its body once more if that is whole and short.
async fn collect_short(response: Response) -> (Response, Option<Bytes>) {
    if response.body().size_hint().exact().is_none_or(|bytes| bytes > BODY_BYTES_MAX) {
        return (response, None);
    }
    let (parts, body) = response.into_parts();
    match body.collect().await {
        Ok(whole) => {
            let bytes = whole.to_bytes();
            (Response::from_parts(parts, Body::from(bytes.clone())), Some(bytes))
        }
        // It lies in memory: nothing can break off.
        Err(_) => (StatusCode::INTERNAL_SERVER_ERROR.into_response(), None),
    }
}

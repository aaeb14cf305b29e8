//! Requests that are decided once, however often they are made: under a key that the caller
//! gives, the answer is kept in the transaction of what it tells of.
//!
//! Two nodes that are asked at the same time meet at the row of the answer: the second finds it, or breaks the
//! table's constraint, decides once more, and finds it then.

use std::any::Any;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use futures_util::future::join_all;
use kassa_domain::context::RandomBits;
use kassa_domain::idempotency::{
    IdempotencyRecord, IdempotencyRecordKey, KeyedHash, PurgeIdempotencyRecords, RECORD_RETENTION_MS,
    SaveIdempotencyRecord,
};
use kassa_domain::safeguard::{self, Safeguard};
use kassa_domain::{Actor, ReadSet, Refusal, ShardTag, Timestamp, View, hex};
use kassa_store::PageWindow;
use kassa_store::queries::ExpiredIdempotencyRecords;

use crate::secret::{NONCE_BYTES, Secret};
use crate::{Engine, Failure};

/// How what commands are answered with is kept, and made again.
#[derive(Clone, Copy, Debug)]
pub struct ResponseCodec {
    /// Makes bytes of a response; `None` of what cannot be kept.
    pub encode: fn(&dyn Any) -> Option<Vec<u8>>,
    /// Makes a response of the type that `encode` takes of one that was kept; `None` where it cannot be read.
    pub decode: fn(SavedResponse) -> Option<Box<dyn Any>>,
}

/// Answers that are forgotten at a time.
const PURGE_PAGE: u32 = 500;

/// A request under a key.
pub struct IdempotentRequest {
    key: IdempotencyRecordKey,
    request_digest: KeyedHash,
    /// Whether clients are given the answer as the command makes it.
    is_final: bool,
    codec: ResponseCodec,
    secret: Arc<Secret>,
    /// Whether the answer was kept with what it tells of.
    is_recorded: AtomicBool,
}

/// An answer that was kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedResponse {
    /// What it says.
    pub bytes: Vec<u8>,
    /// Whether clients are given it as it is.
    pub is_final: bool,
}

/// What is kept under a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IdempotencyMatch {
    /// The answer to the same request.
    SameRequest(SavedResponse),
    /// The answer to another one.
    DifferentRequest,
}

impl fmt::Debug for IdempotentRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("IdempotentRequest").field("key", &self.key).finish_non_exhaustive()
    }
}

impl IdempotentRequest {
    /// What its answer is found by.
    pub fn key(&self) -> IdempotencyRecordKey {
        self.key
    }

    /// Whether clients are given the answer as the command makes it.
    pub fn is_final(&self) -> bool {
        self.is_final
    }

    /// Whether the answer was kept with what it tells of.
    pub fn is_recorded(&self) -> bool {
        self.is_recorded.load(Ordering::Acquire)
    }

    pub(crate) fn set_recorded(&self) {
        self.is_recorded.store(true, Ordering::Release);
    }

    pub(crate) fn read_set(&self, read_set: &mut ReadSet) {
        read_set.idempotency_records.push(self.key);
    }

    /// What a command comes to that was answered before.
    pub(crate) fn replay<R: 'static>(&self, view: &View, now: Timestamp) -> Option<Result<R, Failure>> {
        let is_kept =
            |there: &&IdempotencyRecord| !there.is_expired(now) && safeguard::is_enabled(Safeguard::IdempotencyCheck);
        let there = view.idempotency_records.get(self.key).filter(is_kept)?;
        Some(match self.open(there) {
            Ok(IdempotencyMatch::SameRequest(saved)) => self.decode(saved),
            Ok(IdempotencyMatch::DifferentRequest) => Err(Refusal::IdempotencyKeyReused.into()),
            Err(failure) => Err(failure),
        })
    }

    /// Puts the answer into the transaction.
    pub(crate) fn record(
        &self,
        answer: &dyn Any,
        now: Timestamp,
        random: &mut dyn RandomBits,
        view: &mut View,
    ) -> Result<(), Failure> {
        let unkept = || Failure::internal("an answer could not be kept");
        let nonce = std::array::from_fn(|_| random.next_u64().to_le_bytes()[0]);
        let sealed = (self.codec.encode)(answer).and_then(|bytes| self.seal(&bytes, nonce)).ok_or_else(unkept)?;
        let Self { key, request_digest: request, is_final, .. } = *self;
        view.idempotency_records.put(IdempotencyRecord {
            key,
            request_digest: request,
            encrypted_response: sealed,
            is_final,
            stored_at: now,
        });
        Ok(())
    }

    fn decode<R: 'static>(&self, saved: SavedResponse) -> Result<R, Failure> {
        let response = (self.codec.decode)(saved).and_then(|response| response.downcast().ok());
        response.map(|response| *response).ok_or_else(|| Failure::internal("an answer that was kept cannot be read"))
    }

    /// No answer is taken for that of another key.
    fn purpose(&self) -> String {
        format!("answer {}", hex::encode(&self.key.digest))
    }

    fn seal(&self, bytes: &[u8], nonce: [u8; NONCE_BYTES]) -> Option<Vec<u8>> {
        self.secret.seal(bytes, &self.purpose(), nonce)
    }

    fn open(&self, there: &IdempotencyRecord) -> Result<IdempotencyMatch, Failure> {
        if there.request_digest != self.request_digest {
            return Ok(IdempotencyMatch::DifferentRequest);
        }
        let bytes = self.secret.open(&there.encrypted_response, &self.purpose());
        let bytes = bytes.ok_or_else(|| Failure::internal("an answer could not be opened with this secret"))?;
        Ok(IdempotencyMatch::SameRequest(SavedResponse { bytes, is_final: there.is_final }))
    }
}

impl Engine {
    /// A request of `actor` under a key: `name` is what the caller calls it, `event` the tag of the event whose
    /// command it is, if it is one, and `request` all that tells it from others. `None` for callers that
    /// have no credential.
    pub fn idempotent_request(
        &self,
        actor: &Actor,
        (event, name): (Option<ShardTag>, &str),
        request: &[&[u8]],
        (is_final, codec): (bool, ResponseCodec),
    ) -> Option<IdempotentRequest> {
        let (who, own) = match actor {
            Actor::Partner(partner) => (format!("partner {partner}"), partner.tag()),
            // For whom a user acts is a part of who it is.
            Actor::User(user) => (format!("user {} {:?}", user.user, user.acting_for), user.user.tag()),
            Actor::Anonymous | Actor::Operator | Actor::System => return None,
        };
        let place = event.map_or_else(String::new, |tag| tag.to_i64().to_string());
        let secret = Arc::clone(&self.inner.secret);
        let digest = secret.digest("idempotency key", &[who.as_bytes(), place.as_bytes(), name.as_bytes()]);
        let key = IdempotencyRecordKey { tag: event.unwrap_or(own), digest };
        // It may hold a password: nobody who has only the database shall try some out.
        let request = secret.digest("idempotent request", request);
        Some(IdempotentRequest {
            key,
            request_digest: request,
            is_final,
            codec,
            secret,
            is_recorded: AtomicBool::new(false),
        })
    }

    /// What is kept for a request, if anything is.
    pub async fn idempotency_record(&self, once: &IdempotentRequest) -> Result<Option<IdempotencyMatch>, Failure> {
        let view = self.view(&ReadSet { idempotency_records: vec![once.key], ..ReadSet::default() }).await?;
        let there = view.idempotency_records.get(once.key).filter(|there| !there.is_expired(self.now()));
        there.map(|there| once.open(there)).transpose()
    }

    /// Keeps an answer as clients are given it, before any is; `finishes` tells that it is what a client shall
    /// see of the one that was kept with what it tells of. What was there before it counts, and is given back.
    pub async fn record_response(
        &self,
        once: &IdempotentRequest,
        bytes: &[u8],
        finishes: bool,
    ) -> Result<Option<IdempotencyMatch>, Failure> {
        let sealed = once.seal(bytes, self.nonce()).ok_or_else(|| Failure::internal("an answer could not be kept"))?;
        let command = SaveIdempotencyRecord {
            key: once.key,
            request_digest: once.request_digest,
            encrypted_response: sealed,
            finalizes: finishes,
        };
        let there = self.execute(&Actor::System, command, |_, there| there.clone()).await?;
        there.map(|there| once.open(&there)).transpose()
    }

    /// Forgets answers that were kept long enough, and tells how many.
    pub async fn purge_idempotency_records(&self) -> Result<u64, Failure> {
        let mut forgotten = 0;
        loop {
            let till = self.now().plus_ms(-RECORD_RETENTION_MS);
            let old =
                self.page(ExpiredIdempotencyRecords { stored_until: till }, PageWindow::first(PURGE_PAGE)).await?.rows;
            let is_full = old.len() == PURGE_PAGE as usize;
            let mut by_shard: BTreeMap<ShardTag, Vec<IdempotencyRecordKey>> = BTreeMap::new();
            for answer in old {
                by_shard.entry(answer.key.tag).or_default().push(answer.key);
            }
            // All at once, so that they share batches.
            let commands = by_shard.into_iter().map(|(tag, answers)| {
                self.execute(&Actor::System, PurgeIdempotencyRecords { tag, keys: answers }, |_, forgotten| *forgotten)
            });
            for result in join_all(commands).await {
                forgotten += result?;
            }
            if !is_full {
                return Ok(forgotten);
            }
        }
    }
}

//! Requests that are decided once, however often they are made (decisions §10): under a key that the caller
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
use kassa_domain::context::Random;
use kassa_domain::guard::{self, Guard};
use kassa_domain::once::{AnswerKey, Digest, ForgetAnswers, KEPT_MS, KeepAnswer, KeptAnswer};
use kassa_domain::{Actor, Needs, Refusal, Tag, Timestamp, View, hex};
use kassa_store::Slice;
use kassa_store::queries::OldAnswers;

use crate::secret::{NONCE_BYTES, Secret};
use crate::{Engine, Failure};

/// Makes bytes of what a command is answered with; `None` of what cannot be kept.
pub type ToBytes = fn(&dyn Any) -> Option<Vec<u8>>;

/// Answers that are forgotten at a time.
const FORGOTTEN_MAX: u32 = 500;

/// A request under a key.
pub struct Once {
    key: AnswerKey,
    request: Digest,
    /// Whether clients are given the answer as the command makes it.
    is_final: bool,
    to_bytes: ToBytes,
    secret: Arc<Secret>,
    /// Whether the answer was kept with what it tells of.
    is_kept: AtomicBool,
}

/// An answer that was kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Saved {
    /// What it says.
    pub bytes: Vec<u8>,
    /// Whether clients are given it as it is.
    pub is_final: bool,
}

/// What is kept under a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kept {
    /// The answer to the same request.
    Same(Saved),
    /// The answer to another one.
    Other,
}

impl fmt::Debug for Once {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Once").field("key", &self.key).finish_non_exhaustive()
    }
}

impl Once {
    /// What its answer is found by.
    pub fn key(&self) -> AnswerKey {
        self.key
    }

    /// Whether clients are given the answer as the command makes it.
    pub fn is_final(&self) -> bool {
        self.is_final
    }

    /// Whether the answer was kept with what it tells of.
    pub fn is_kept(&self) -> bool {
        self.is_kept.load(Ordering::Acquire)
    }

    pub(crate) fn set_kept(&self) {
        self.is_kept.store(true, Ordering::Release);
    }

    pub(crate) fn needs(&self, needs: &mut Needs) {
        needs.answers.push(self.key);
    }

    /// What a command comes to that was answered before.
    pub(crate) fn found(&self, view: &View, now: Timestamp) -> Option<Failure> {
        let is_kept = |there: &&KeptAnswer| !there.is_over(now) && guard::is_on(Guard::Once);
        let there = view.answers.get(self.key).filter(is_kept)?;
        Some(match self.open(there) {
            Ok(Kept::Same(saved)) => Failure::Answered(saved),
            Ok(Kept::Other) => Refusal::KeyReused.into(),
            Err(failure) => failure,
        })
    }

    /// Puts the answer into the transaction.
    pub(crate) fn keep(
        &self,
        answer: &dyn Any,
        now: Timestamp,
        random: &mut dyn Random,
        view: &mut View,
    ) -> Result<(), Failure> {
        let unkept = || Failure::internal("an answer could not be kept");
        let nonce = std::array::from_fn(|_| random.next_u64().to_le_bytes()[0]);
        let sealed = (self.to_bytes)(answer).and_then(|bytes| self.seal(&bytes, nonce)).ok_or_else(unkept)?;
        let Self { key, request, is_final, .. } = *self;
        view.answers.put(KeptAnswer { key, request, sealed, is_final, kept_at: now });
        Ok(())
    }

    /// No answer is taken for that of another key.
    fn purpose(&self) -> String {
        format!("answer {}", hex::text(&self.key.digest))
    }

    fn seal(&self, bytes: &[u8], nonce: [u8; NONCE_BYTES]) -> Option<Vec<u8>> {
        self.secret.seal(bytes, &self.purpose(), nonce)
    }

    fn open(&self, there: &KeptAnswer) -> Result<Kept, Failure> {
        if there.request != self.request {
            return Ok(Kept::Other);
        }
        let bytes = self.secret.open(&there.sealed, &self.purpose());
        let bytes = bytes.ok_or_else(|| Failure::internal("an answer could not be opened with this secret"))?;
        Ok(Kept::Same(Saved { bytes, is_final: there.is_final }))
    }
}

impl Engine {
    /// A request of `actor` under a key: `name` is what the caller calls it, `event` the tag of the event whose
    /// command it is, if it is one, and `request` all that tells it from others. `None` for callers that
    /// have no credential.
    pub fn once(
        &self,
        actor: &Actor,
        (event, name): (Option<Tag>, &str),
        request: &[&[u8]],
        (is_final, to_bytes): (bool, ToBytes),
    ) -> Option<Once> {
        let (who, own) = match actor {
            Actor::Partner(partner) => (format!("partner {partner}"), partner.tag()),
            // For whom a user acts is a part of who it is.
            Actor::User(user) => (format!("user {} {:?}", user.user, user.chosen), user.user.tag()),
            Actor::Anonymous | Actor::Operator | Actor::System => return None,
        };
        let place = event.map_or_else(String::new, |tag| tag.to_i64().to_string());
        let secret = Arc::clone(&self.inner.secret);
        let digest = secret.digest("idempotency key", &[who.as_bytes(), place.as_bytes(), name.as_bytes()]);
        let key = AnswerKey { tag: event.unwrap_or(own), digest };
        // It may hold a password: nobody who has only the database shall try some out.
        let request = secret.digest("idempotent request", request);
        Some(Once { key, request, is_final, to_bytes, secret, is_kept: AtomicBool::new(false) })
    }

    /// What is kept for a request, if anything is.
    pub async fn kept(&self, once: &Once) -> Result<Option<Kept>, Failure> {
        let view = self.view(&Needs { answers: vec![once.key], ..Needs::default() }).await?;
        let there = view.answers.get(once.key).filter(|there| !there.is_over(self.now()));
        there.map(|there| once.open(there)).transpose()
    }

    /// Keeps an answer as clients are given it, before any is; `finishes` tells that it is what a client shall
    /// see of the one that was kept with what it tells of. What was there before it counts, and is given back.
    pub async fn keep(&self, once: &Once, bytes: &[u8], finishes: bool) -> Result<Option<Kept>, Failure> {
        let sealed = once.seal(bytes, self.nonce()).ok_or_else(|| Failure::internal("an answer could not be kept"))?;
        let command = KeepAnswer { key: once.key, request: once.request, sealed, finishes };
        let there = self.execute(&Actor::System, command, |_, there| there.clone()).await?;
        there.map(|there| once.open(&there)).transpose()
    }

    /// Forgets answers that were kept long enough, and tells how many.
    pub async fn forget_answers(&self) -> Result<u64, Failure> {
        let mut forgotten = 0;
        loop {
            let till = self.now().plus_ms(-KEPT_MS);
            let old = self.page(OldAnswers { till }, Slice::first(FORGOTTEN_MAX)).await?.rows;
            let is_full = old.len() == FORGOTTEN_MAX as usize;
            let mut by_shard: BTreeMap<Tag, Vec<AnswerKey>> = BTreeMap::new();
            for answer in old {
                by_shard.entry(answer.key.tag).or_default().push(answer.key);
            }
            // All at once, so that they share batches.
            let commands = by_shard.into_iter().map(|(tag, answers)| {
                self.execute(&Actor::System, ForgetAnswers { tag, answers }, |_, forgotten| *forgotten)
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

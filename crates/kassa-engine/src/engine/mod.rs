//! The engine: what it is made of, and whether it works. Its methods stand with their subjects: those that every caller
//! needs in this folder, others on the floors above.

mod execute;
mod feed;
mod idempotency;
mod reads;
mod recording;
mod start;
#[cfg(feature = "test-support")]
mod test_support;

pub(crate) use execute::STALE_RETRIES_MAX;
pub use feed::{ChangeSelector, SequencerRound};
pub use recording::ReadMarks;

use std::sync::{Arc, OnceLock};

use kassa_documents::Fonts;
use kassa_domain::context::RandomBits;
use kassa_domain::payment::PaymentProvider;
use kassa_domain::quota::Quotas;
use kassa_domain::{DecisionSettings, Percent, Timestamp, hex};
use kassa_store::Store;
use parking_lot::Mutex;

use crate::clock::Clock;
use crate::credential_cache::CredentialCache;
use crate::files::FileStore;
use crate::kept_answers::KeptAnswers;
use crate::lane::LaneShared;
use crate::lanes::{Lanes, LanesAtWork};
use crate::list_turns::{ListTurns, ReadLimits};
use crate::metrics::{LimitHits, MetricsText};
use crate::password::PasswordPool;
use crate::random::RandomSource;
use crate::secret::{NONCE_BYTES, Secret};
use crate::short_events::ShortEvents;
use crate::stripe::StripeApi;
use crate::verify::Verifications;

/// What an engine is made of.
pub struct EngineParts {
    /// Where everything is kept.
    pub store: Store,
    /// Where the bytes of attachments are kept.
    pub files: FileStore,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// Random bits.
    pub random: RandomSource,
    /// The part of the configuration that decisions depend on.
    pub settings: DecisionSettings,
    /// What keys and sessions are derived from.
    pub secret: Secret,
    /// How many lanes write side by side, each under a number of its own: one, or up to
    /// [`Store::lanes_max`].
    pub lanes: usize,
    /// What those who read are limited to.
    pub read_limits: ReadLimits,
}

/// The engine. Clones share it.
#[derive(Clone)]
pub struct Engine {
    pub(crate) inner: Arc<EngineInner>,
}

pub(crate) struct EngineInner {
    pub(crate) store: Store,
    pub(crate) files: FileStore,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) random: Mutex<Box<dyn RandomBits>>,
    pub(crate) secret: Arc<Secret>,
    pub(crate) settings: DecisionSettings,
    pub(crate) credentials: CredentialCache,
    pub(crate) passwords: PasswordPool,
    pub(crate) list_turns: ListTurns,
    pub(crate) short_events: ShortEvents,
    pub(crate) kept_answers: Arc<KeptAnswers>,
    /// Of documents: those of the program, unless the start says others.
    pub(crate) fonts: OnceLock<Fonts>,
    /// Where cards are charged, if the start says so.
    pub(crate) stripe: OnceLock<StripeApi>,
    pub(crate) lanes: Lanes,
    pub(crate) shared: Arc<LaneShared>,
    pub(crate) verifications: Verifications,
}

impl Engine {
    /// The time.
    pub fn now(&self) -> Timestamp {
        self.inner.clock.now()
    }

    /// The platform's part of each price, as new deals have it.
    pub fn commission(&self) -> Percent {
        self.inner.settings.commission
    }

    /// How much each partner may store, unless the operator allows it another amount.
    pub fn quotas(&self) -> &Quotas {
        &self.inner.settings.quotas
    }

    /// Whether orders can be paid in this way here, wherever a shop offers it.
    pub fn allows_payment(&self, provider: PaymentProvider) -> bool {
        self.inner.settings.allows(provider)
    }

    /// The server's secret.
    pub fn secret(&self) -> &Secret {
        &self.inner.secret
    }

    /// `bytes` random bytes as hexadecimal digits.
    pub fn random_hex(&self, bytes: usize) -> String {
        let mut random = self.inner.random.lock();
        let bytes: Vec<u8> = (0..bytes).map(|_| random.next_u64().to_le_bytes()[0]).collect();
        hex::encode(&bytes)
    }

    /// Random bytes for [`Secret::seal`].
    pub(crate) fn nonce(&self) -> [u8; NONCE_BYTES] {
        self.random_bytes()
    }

    /// Random bytes.
    pub(crate) fn random_bytes<const N: usize>(&self) -> [u8; N] {
        let mut random = self.inner.random.lock();
        std::array::from_fn(|_| random.next_u64().to_le_bytes()[0])
    }

    /// 32 random bits.
    pub(crate) fn random_u32(&self) -> u32 {
        let [a, b, c, d, ..] = self.inner.random.lock().next_u64().to_le_bytes();
        u32::from_le_bytes([a, b, c, d])
    }

    /// A number for one who competes with others, on whatever server they are.
    pub fn random_number(&self) -> u64 {
        self.inner.random.lock().next_u64()
    }

    /// The store of the bytes of attachments.
    pub fn files(&self) -> &FileStore {
        &self.inner.files
    }

    /// How often each limit was hit.
    pub fn limit_hits(&self) -> &Arc<LimitHits> {
        self.inner.shared.metrics.limit_hits()
    }

    /// Writes the engine's metrics.
    pub fn write_metrics(&self, text: &mut MetricsText) {
        let LaneShared { metrics, outage, .. } = &*self.inner.shared;
        metrics.write(text);
        text.gauge("kassa_queue_commands", "Commands waiting in the queue of a lane.");
        for (lane, waiting) in self.inner.lanes.queue_lengths().iter().enumerate() {
            text.sample("kassa_queue_commands", &[("lane", &lane.to_string())], waiting);
        }
        let missing = self.inner.fonts.get().map_or(0, Fonts::missing_glyphs);
        text.counter("kassa_documents_missing_glyphs_total", "Characters left out of documents that no font has.");
        text.sample("kassa_documents_missing_glyphs_total", &[], missing);
        text.gauge("kassa_list_reads_waiting", "Reads of lists that wait for a turn.");
        text.sample("kassa_list_reads_waiting", &[], self.inner.list_turns.waiting());
        if let Some(bytes) = self.inner.store.log_bytes() {
            text.gauge("kassa_sqlite_log_bytes", "Size of the write-ahead log of SQLite.");
            text.sample("kassa_sqlite_log_bytes", &[], bytes);
        }
        text.gauge("kassa_database_available", "1 while the database is reachable, 0 while it is not.");
        text.sample("kassa_database_available", &[], u8::from(!outage.is_down()));
        text.counter("kassa_database_outages_total", "Database outages since the server started.");
        text.sample("kassa_database_outages_total", &[], outage.total());
    }

    /// Whether commands are decided, as far as is known: each lane has a number, and found the database available last. Where
    /// they write on several servers of a database, it is enough that one can.
    pub fn can_write(&self) -> bool {
        self.inner.lanes.can_write()
    }

    /// What lanes are in the middle of. Whoever looks again later sees whether one is stuck.
    pub fn lanes_at_work(&self) -> LanesAtWork {
        self.inner.lanes.batches_under_way()
    }

    /// Whether a lane has ended.
    pub fn has_ended_lane(&self) -> bool {
        self.inner.lanes.has_ended_lane()
    }

    /// Ready when a lane has ended without a stop request: it has panicked.
    pub async fn wait_for_lane_failure(&self) {
        self.inner.lanes.wait_for_lane_failure().await;
    }

    /// Accepts no more commands, finishes those that wait, and ends the lanes.
    pub async fn close(&self) {
        self.inner.lanes.close().await;
    }
}

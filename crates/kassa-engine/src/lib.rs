//! The engine: takes commands, decides them in batches, and answers when they are durable.
//!
//! ```text
//! execute -> lane of the event (bounded queue) -> batch -> transact(load, decide …, write, commit) -> replies
//! ```
//!
//! Around it: credentials and their cache, passwords, the clock, expiry, jobs and mails.

pub mod accounts;
pub mod auth;
mod caller;
pub mod clock;
mod confirmation;
pub mod export;
pub mod failure;
pub mod files;
pub mod housekeeping;
pub mod idempotency;
mod lane;
mod lanes;
pub mod mail;
pub mod metrics;
pub mod orders;
mod password;
mod pause;
pub mod random;
pub mod refunds;
pub mod secret;
pub mod sets;
mod task;
#[cfg(feature = "test-support")]
mod test_support;
pub mod verify;

pub use caller::{Caller, CallerRef, RequestConditions};
pub use clock::Clock;
pub use failure::Failure;
pub use files::FileStore;
#[cfg(feature = "test-support")]
pub use lane::ManualLane;
pub use secret::Secret;

use std::collections::BTreeMap;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use kassa_domain::id::NODES_MAX;
use kassa_domain::node::{Node, RegisterSecretFingerprint, RenewNodeLease};
use kassa_domain::user::UserId;
use kassa_domain::{Actor, Command, Context, DecisionSettings, ReadSet, View, hex};
use kassa_store::queries::{CustomerTotals, CustomerTotalsByUserQuery};
use kassa_store::{Filter, Page, PageWindow, Store, StoreError};
use parking_lot::Mutex;
use tokio::sync::oneshot;

use auth::CredentialCache;
use failure::OutageTracker;
use lane::{Lane, LaneShared, WorkSignals};
use lanes::Lanes;
use metrics::{Metrics, MetricsText};
use orders::STALE_RETRIES_MAX;
use password::PasswordPool;
use pause::PauseDetector;
use random::RandomSource;
use task::{CommandTask, Executed, ReplyReceiver};
use verify::{VerifyPace, VerifyReport};

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
    /// What decisions need of the configuration.
    pub settings: DecisionSettings,
    /// What keys and sessions are derived from.
    pub secret: Secret,
    /// How many lanes write side by side, each under a number of its own: one, or up to
    /// [`Store::lanes_max`].
    pub lanes: usize,
}

/// The engine. Clones share it.
#[derive(Clone)]
pub struct Engine {
    inner: Arc<Inner>,
}

struct Inner {
    store: Store,
    files: FileStore,
    clock: Arc<dyn Clock>,
    random: Mutex<Box<dyn kassa_domain::context::RandomBits>>,
    secret: Arc<Secret>,
    settings: DecisionSettings,
    auth: CredentialCache,
    passwords: PasswordPool,
    lanes: Lanes,
    shared: Arc<LaneShared>,
    /// Taken by whoever counts everything again.
    verifying: tokio::sync::Mutex<()>,
}

/// Why an engine did not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The database does not let it.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A thread could not be made, or ended at once.
    #[error("the engine could not start: {0}")]
    Thread(String),
    /// The database belongs to another secret.
    #[error("the secret is not the one that this database was made with: keys and sessions would be lost")]
    WrongSecret,
    /// No lane, or more than the database takes.
    #[error("{0} lanes: this database takes from one to {1}")]
    LaneCount(usize, usize),
    /// Every number that a writer can have is another's.
    #[error("all {NODES_MAX} numbers of writers are taken: too many servers work on this database")]
    NumbersTaken,
}

impl Engine {
    /// Starts the lanes, and claims the database for the secret. Needs a runtime.
    pub fn start(parts: EngineParts) -> BoxFuture<'static, Result<Self, StartError>> {
        Box::pin(async move {
            let pulse = PauseDetector::start().map_err(|error| StartError::Thread(error.to_string()))?;
            let (common, lanes) = claim_lanes(&parts, pulse).await?;
            Ok(Self::assemble(parts, common, Lanes::start(lanes)?))
        })
    }

    fn assemble(parts: EngineParts, common: Arc<LaneShared>, lanes: Lanes) -> Self {
        let inner = Inner {
            store: parts.store,
            files: parts.files,
            clock: parts.clock,
            random: Mutex::new((parts.random)()),
            secret: Arc::new(parts.secret),
            settings: parts.settings,
            auth: CredentialCache::new(),
            passwords: PasswordPool::new(),
            lanes,
            shared: common,
            verifying: tokio::sync::Mutex::default(),
        };
        Self { inner: Arc::new(inner) }
    }

    /// Decides a command on the conditions of who gives it, and answers when its batch is durable. `render` makes
    /// the answer out of the outcome and the view; it is pure, and runs inside the transaction, so that the answer
    /// is fixed before the commit and nothing is read back after it. What was answered before under the key of its
    /// request is not decided again: the answer is the one that was kept, as [`ResponseCodec::decode`] makes it.
    ///
    /// [`ResponseCodec::decode`]: idempotency::ResponseCodec::decode
    pub async fn execute<C, R, F>(&self, by: impl Into<CallerRef<'_>>, command: C, render: F) -> Result<R, Failure>
    where
        C: Command,
        R: Send + 'static,
        F: Fn(&View, &C::Outcome) -> R + Send + 'static,
    {
        let answer = self.send_command(by.into(), command, render)?;
        // A lane that is gone says nothing of whether it has committed.
        answer.await.unwrap_or(Err(Failure::Unavailable)).map(Executed::into_response)
    }

    /// The same, and whether it was decided now.
    pub(crate) async fn execute_or_replay<C, R, F>(
        &self,
        by: CallerRef<'_>,
        command: C,
        render: F,
    ) -> Result<Executed<R>, Failure>
    where
        C: Command,
        R: Send + 'static,
        F: Fn(&View, &C::Outcome) -> R + Send + 'static,
    {
        let answer = self.send_command(by, command, render)?;
        answer.await.unwrap_or(Err(Failure::Unavailable))
    }

    /// Brings a command into its lane.
    fn send_command<C, R, F>(&self, by: CallerRef<'_>, command: C, render: F) -> Result<ReplyReceiver<R>, Failure>
    where
        C: Command,
        R: Send + 'static,
        F: Fn(&View, &C::Outcome) -> R + Send + 'static,
    {
        let (reply, answer) = oneshot::channel();
        let shard = command.shard();
        let entry = CommandTask::new(by, command, render, reply);
        self.inner.lanes.send(by.actor, shard, Box::new(entry))?;
        Ok(answer)
    }

    /// Decides a command over rows as they are now, shows what it came to, and forgets it: nothing is
    /// changed.
    pub async fn dry_run<C: Command, R>(
        &self,
        actor: &Actor,
        command: &C,
        render: impl FnOnce(&View, &C::Outcome) -> R,
    ) -> Result<R, Failure> {
        let mut read_set = ReadSet::default();
        command.read_set(&mut read_set);
        for _ in 0..STALE_RETRIES_MAX {
            let mut view = self.view(&read_set).await?;
            // Ids and numbers of a rehearsal are never seen.
            let mut node = Node { order_numbers_end: 1, ..Node::new(0) };
            let mut random = self.inner.random.lock();
            let (now, settings) = (self.now(), &self.inner.settings);
            let mut cx = Context { actor, now, settings, node: &mut node, random: &mut **random };
            let result = command.decide(&mut cx, &mut view);
            match view.take_missing() {
                Some(missing) => read_set.add_missing(missing),
                None => return result.map(|outcome| render(&view, &outcome)).map_err(Failure::Refused),
            }
        }
        Err(Failure::Busy)
    }

    /// Rows as they are at one moment.
    pub async fn view(&self, read_set: &ReadSet) -> Result<View, Failure> {
        self.map_store_result(self.inner.store.view(read_set).await)
    }

    /// Rows that are looked at before a command, and whether they are as its conditions expect.
    pub(crate) async fn view_with_precondition(
        &self,
        by: CallerRef<'_>,
        mut read_set: ReadSet,
    ) -> Result<(View, bool), Failure> {
        by.conditions().read_set(&mut read_set);
        let view = self.view(&read_set).await?;
        let held = by.conditions().are_met(&view);
        Ok((view, held))
    }

    /// A page of a list.
    pub async fn page<F: Filter>(&self, filter: F, slice: PageWindow) -> Result<Page<F::Row>, Failure> {
        self.map_store_result(self.inner.store.page(filter, slice).await)
    }

    /// What a user has bought.
    pub async fn crm(
        &self,
        query: kassa_store::queries::CustomerTotalsQuery,
    ) -> Result<kassa_store::queries::CustomerTotals, Failure> {
        self.map_store_result(self.inner.store.customer_totals(query).await)
    }

    /// What several users have bought; those without any order are missing.
    pub async fn crm_of(&self, query: CustomerTotalsByUserQuery) -> Result<BTreeMap<UserId, CustomerTotals>, Failure> {
        self.map_store_result(self.inner.store.customer_totals_by_user(query).await)
    }

    /// Counts all again that can be; see [`verify::verify`]. `None` while somebody else has it done: it is done once
    /// at a time.
    pub async fn verify(&self, pace: VerifyPace) -> Result<Option<VerifyReport>, Failure> {
        let Ok(_turn) = self.inner.verifying.try_lock() else { return Ok(None) };
        let verified = self.map_store_result(verify::verify(&self.inner.store, pace).await)?;
        self.inner.shared.metrics.record_verification(&verified, self.now());
        Ok(Some(verified))
    }

    /// Writes what the engine has counted of itself.
    pub fn write_metrics(&self, text: &mut MetricsText) {
        let LaneShared { metrics, outage, .. } = &*self.inner.shared;
        metrics.write(text);
        text.gauge("kassa_queue_commands", "Commands waiting in the queue of a lane.");
        for (lane, waiting) in self.inner.lanes.queue_lengths().iter().enumerate() {
            text.sample("kassa_queue_commands", &[("lane", &lane.to_string())], waiting);
        }
        text.gauge("kassa_database_available", "1 while the database is reachable, 0 while it is not.");
        text.sample("kassa_database_available", &[], u8::from(!outage.is_down()));
        text.counter("kassa_database_outages_total", "Database outages since the server started.");
        text.sample("kassa_database_outages_total", &[], outage.total());
    }

    /// The time.
    pub fn now(&self) -> kassa_domain::Timestamp {
        self.inner.clock.now()
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

    /// Random bytes for [`Tls::seal`].
    pub(crate) fn nonce(&self) -> [u8; secret::NONCE_BYTES] {
        let mut random = self.inner.random.lock();
        std::array::from_fn(|_| random.next_u64().to_le_bytes()[0])
    }

    /// Sees that the number of one lane stays its own.
    pub(crate) async fn renew_number(&self, at: usize) -> Result<(), Failure> {
        let (reply, answer) = oneshot::channel();
        let entry = CommandTask::new((&Actor::System).into(), RenewNodeLease, |_: &View, (): &()| (), reply);
        self.inner.lanes.send_to_lane(at, Box::new(entry))?;
        answer.await.unwrap_or(Err(Failure::Unavailable)).map(Executed::into_response)
    }

    /// Whether all lanes can write, as far as one knows: each has a number, and the last thing that it did was
    /// not to find the database away.
    pub fn can_write_all_lanes(&self) -> bool {
        self.inner.lanes.can_write_all()
    }

    /// Whether a lane has ended.
    pub fn has_ended_lane(&self) -> bool {
        self.inner.lanes.has_ended_lane()
    }

    /// Ready when a lane has ended without having been told to: it has panicked.
    pub async fn wait_for_lane_failure(&self) {
        self.inner.lanes.wait_for_lane_failure().await;
    }

    /// Takes no more commands, finishes those that wait, and ends the lanes.
    pub async fn close(&self) {
        self.inner.lanes.close().await;
    }

    /// What was read, or a failure that is told.
    fn map_store_result<T>(&self, result: Result<T, StoreError>) -> Result<T, Failure> {
        let outage = &self.inner.shared.outage;
        let found = result.map_err(|error| outage.record_error(error))?;
        outage.record_success();
        Ok(found)
    }
}

/// The lanes, each with its number, or none of them.
async fn claim_lanes(
    parts: &EngineParts,
    pulse: Arc<PauseDetector>,
) -> Result<(Arc<LaneShared>, Vec<Lane>), StartError> {
    let lanes_max = parts.store.lanes_max();
    if parts.lanes == 0 || parts.lanes > lanes_max {
        return Err(StartError::LaneCount(parts.lanes, lanes_max));
    }
    let outage = OutageTracker::new(Arc::clone(&parts.clock));
    let common = Arc::new(LaneShared {
        signals: WorkSignals::default(),
        outage,
        pause_detector: pulse,
        metrics: Metrics::new(),
    });
    let mut lanes = Vec::new();
    if let Err(error) = claim_numbers(parts, &common, &mut lanes).await {
        for lane in &mut lanes {
            lane.release_number().await;
        }
        return Err(error);
    }
    Ok((common, lanes))
}

/// Makes the lanes, each with its number; the first sees to the secret.
async fn claim_numbers(parts: &EngineParts, common: &Arc<LaneShared>, lanes: &mut Vec<Lane>) -> Result<(), StartError> {
    for at in 0..parts.lanes {
        let (clock, settings) = (Arc::clone(&parts.clock), parts.settings.clone());
        let mut lane = Lane::new(&parts.store, clock, (parts.random)(), settings, Arc::clone(common))?;
        lane.claim_number().await?;
        lanes.push(lane);
        if let (0, [first]) = (at, lanes.as_mut_slice()) {
            claim_secret(first, &parts.secret).await?;
        }
    }
    Ok(())
}

/// The first command on every start: notes the fingerprint of the secret, or compares it.
async fn claim_secret(lane: &mut Lane, secret: &Secret) -> Result<(), StartError> {
    let fingerprint = secret.fingerprint();
    let (reply, answer) = oneshot::channel();
    let claim = RegisterSecretFingerprint { fingerprint: fingerprint.clone() };
    lane.run_first(Box::new(CommandTask::new(
        (&Actor::System).into(),
        claim,
        |_: &View, holds: &String| holds.clone(),
        reply,
    )))
    .await?;
    match answer.await.map(|answer| answer.map(Executed::into_response)) {
        Ok(Ok(holds)) if holds == fingerprint => Ok(()),
        Ok(Ok(_)) => Err(StartError::WrongSecret),
        Ok(Err(failure)) => Err(StartError::Thread(failure.to_string())),
        Err(_) => Err(StartError::Thread("the first command was not answered".to_owned())),
    }
}

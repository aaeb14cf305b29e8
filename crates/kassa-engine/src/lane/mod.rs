//! A lane: takes what waits as one batch, decides it in one transaction, answers when that is durable. There is no
//! timer: a lone command waits for no other, and many commands share one commit. What a batch takes is fair; see `queue`.
//!
//! A lane is a writer with a number of its own, under which it makes ids; see [`kassa_domain::node`].

mod decider;
mod fair_queue;
mod heavy_pace;
#[cfg(feature = "test-support")]
mod manual_lane;
mod number;
mod order_numbers;
mod queue;
mod slow_tenants;
mod state;

pub(crate) use heavy_pace::{HeavyPace, HeavyTurns};
#[cfg(feature = "test-support")]
pub use manual_lane::ManualLane;
pub(crate) use queue::{TaskQueue, TaskSender, queue};
pub(crate) use state::LaneState;

use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use kassa_domain::change::FeedName;
use kassa_domain::context::RandomBits;
use kassa_domain::safeguard::{self, Safeguard};
use kassa_domain::{DecisionSettings, ReadSet, View};
use kassa_store::{Store, StoreError, Writer};
use tokio::runtime::Handle;
use tokio::sync::Notify;
use tokio::task::JoinHandle;
use tokio::time::Instant;

use crate::clock::Clock;
use crate::failure::{Failure, OutageTracker};
use crate::feed::FeedHub;
use crate::mark_board::{MarkBoard, WrittenMarks};
use crate::metrics::Metrics;
use crate::pause::PauseDetector;
use crate::recent_orders::{RecentOrders, WrittenOrders};
use crate::task::Task;
use decider::{Decider, DecisionHalt, Decisions, Learned};
use number::LaneNumber;
use queue::Batch;

/// Times that a batch runs again because rows had changed since they were loaded, or others are needed.
const CONFLICTS_MAX: u32 = 10;

/// How long others wait for a batch that does not end before they are rejected. Locks of a paused node are gone by then.
const BATCH_WAIT_MAX: Duration = Duration::from_secs(3);

/// Signals that a batch has created work for housekeeping.
#[derive(Default)]
pub(crate) struct WorkSignals {
    pub(crate) jobs: Notify,
    pub(crate) mails: Notify,
    /// Batches that have no place in the feed yet.
    pub(crate) unplaced: Notify,
    /// Something was said of endpoints of webhooks.
    pub(crate) webhooks: Notify,
}

/// What all lanes of an engine share.
pub(crate) struct LaneShared {
    pub(crate) signals: WorkSignals,
    pub(crate) outage: OutageTracker,
    pub(crate) pause_detector: Arc<PauseDetector>,
    pub(crate) metrics: Metrics,
    pub(crate) feed: FeedHub,
    pub(crate) marks: MarkBoard,
    pub(crate) recent_orders: RecentOrders,
}

pub(crate) struct Lane {
    store: Store,
    /// Where in the database it writes, and its number is: see [`Store::places`].
    place: usize,
    writer: Writer,
    number: LaneNumber,
    clock: Arc<dyn Clock>,
    random: Box<dyn RandomBits>,
    settings: DecisionSettings,
    shared: Arc<LaneShared>,
    state: Arc<LaneState>,
    /// The count of pauses before which nothing in the queue was sent.
    pauses: u64,
    /// A block of order numbers for when those of the row are used up: leased by itself, so that no batch has to lock what all
    /// lanes share. What is lost with the program leaves a gap.
    order_numbers: Option<Range<i64>>,
    /// Tasks of the runtime that answer decided commands.
    replying: Vec<JoinHandle<()>>,
}

/// Why a batch failed.
enum BatchFailure {
    /// The transaction failed.
    Store(StoreError),
    /// A command panicked.
    Panicked,
    /// The lane was fenced, or the program was paused: nothing was decided.
    Undecided,
}

impl Lane {
    /// A lane without a number: [`Lane::claim_number`] comes first.
    pub(crate) fn new(
        store: &Store,
        place: usize,
        clock: Arc<dyn Clock>,
        mut random: Box<dyn RandomBits>,
        settings: DecisionSettings,
        shared: Arc<LaneShared>,
    ) -> Result<Self, StoreError> {
        let (store, writer) = (store.clone(), store.writer_at(place, random.next_u64())?);
        // No claim has this epoch.
        let number = LaneNumber { node: 0, epoch: 0 };
        let (state, pauses) = (Arc::default(), shared.pause_detector.pauses());
        Ok(Self {
            store,
            place,
            writer,
            number,
            clock,
            random,
            settings,
            shared,
            state,
            pauses,
            order_numbers: None,
            replying: Vec::new(),
        })
    }

    /// Where in the database it writes.
    pub(crate) fn place(&self) -> usize {
        self.place
    }

    /// What is known of it while it works.
    pub(crate) fn state(&self) -> Arc<LaneState> {
        Arc::clone(&self.state)
    }

    /// Runs one task before the lane starts. Errors: of the database.
    pub(crate) async fn run_first(&mut self, task: Box<dyn Task>) -> Result<(), StoreError> {
        let mut tasks = vec![task];
        // Programs that start together may make the first rows of an installation at the same time.
        match self.run_alone(&mut tasks).await {
            Err(BatchFailure::Store(error)) => Err(error),
            result => {
                reply_all(tasks, &self.reply_result(result));
                Ok(())
            }
        }
    }

    /// Runs until the queue is closed and empty. Releases its number if the stop was requested.
    pub(crate) fn run(mut self, mut queue: TaskQueue, runtime: &Handle, stop_requested: &AtomicBool) {
        runtime.block_on(async {
            while let Some(batch) = queue.next_batch().await {
                self.serve_batch(batch, &mut queue).await;
            }
            if stop_requested.load(Ordering::Acquire) {
                self.wait_for_replies().await;
                self.release_number().await;
            }
        });
    }

    /// Runs a batch of what waits. If it was not decided, because the lane was fenced or paused, all that waits is
    /// rejected, and a number is claimed.
    async fn serve_batch(&mut self, batch: Batch, queue: &mut TaskQueue) {
        if batch.tasks.is_empty() {
            return;
        }
        self.state.record_step();
        let ended = self.run_batch_refusing_others(batch.tasks, queue).await;
        self.state.record_step();
        if batch.is_heavy {
            queue.record_heavy_end();
        }
        queue.record_slow(&ended.learned.slow_tenants, Instant::now());
        queue.record_events(&ended.learned.event_bytes);
        let lost = match ended.rest {
            BatchRest::Postponed(tasks) => return queue.put_back(tasks),
            BatchRest::Lost(tasks) => tasks,
        };
        // Everything in the queue was sent before the pause or the loss of the number, and is rejected.
        self.pauses = self.shared.pause_detector.pauses();
        let waiting: Vec<_> = lost.into_iter().chain(queue.drain()).collect();
        let (node, undecided) = (self.number.node, waiting.len());
        if self.state.has_number() {
            tracing::warn!(node, undecided, "lane paused: pending writes were rejected");
        } else {
            tracing::warn!(
                node,
                undecided,
                "lane fenced: its number was claimed by another process; pending writes were rejected"
            );
        }
        reply_all(waiting, &Err(Failure::Unavailable));
        if !self.state.has_number() {
            self.claim_another_number(queue).await;
        }
    }

    /// Ready when all decided commands are answered.
    async fn wait_for_replies(&mut self) {
        for answering in std::mem::take(&mut self.replying) {
            if let Err(error) = answering.await {
                tracing::error!(%error, "a batch was not fully answered");
            }
        }
    }

    /// Runs a batch. When that takes too long, what waits for the next one is rejected, and so is what arrives meanwhile:
    /// the database may be unavailable for long, and nothing was begun for them.
    async fn run_batch_refusing_others(&mut self, tasks: Vec<Box<dyn Task>>, queue: &mut TaskQueue) -> BatchEnd {
        let (node, state) = (self.number.node, self.state());
        let mut batch = pin!(self.run_batch(tasks));
        if let Ok(lost) = tokio::time::timeout(BATCH_WAIT_MAX, &mut batch).await {
            return lost;
        }
        // Until the batch has ended.
        state.set_stalled(true);
        tracing::warn!(node, "a batch is taking too long; new commands are rejected until it ends");
        loop {
            tokio::select! {
                biased;
                lost = &mut batch => return lost,
                waiting = queue.next_all() => match waiting {
                    Some(waiting) => reply_all(waiting, &Err(Failure::Unavailable)),
                    None => return batch.await,
                },
            }
        }
    }

    /// Runs a batch. What breaks a constraint, meets a row that is never as it was loaded or that cannot be read, writes
    /// what the database does not take, or panics, must not fail the other commands: then each runs alone.
    async fn run_batch(&mut self, mut tasks: Vec<Box<dyn Task>>) -> BatchEnd {
        match self.try_batch(&mut tasks).await {
            Err(BatchFailure::Store(StoreError::Constraint(_))) => self.run_individually(tasks).await,
            Err(BatchFailure::Store(StoreError::Conflict(_) | StoreError::Corrupt(_)) | BatchFailure::Panicked)
                if tasks.len() > 1 =>
            {
                self.run_individually(tasks).await
            }
            Err(BatchFailure::Undecided) => BatchEnd::lost(tasks),
            result => {
                let CommittedBatch { decided, learned } = match &result {
                    Ok(committed) => committed.clone(),
                    Err(_) => CommittedBatch { decided: tasks.len(), learned: Learned::default() },
                };
                let result = self.reply_result(result);
                let postponed = tasks.split_off(decided);
                // Woken by a thread of the runtime, they are put into its own queue; by this one, they would cost a
                // system call each.
                self.replying.retain(|answering| !answering.is_finished());
                self.replying.push(tokio::spawn(async move { reply_all(tasks, &result) }));
                BatchEnd { rest: BatchRest::Postponed(postponed), learned }
            }
        }
    }

    async fn run_individually(&mut self, tasks: Vec<Box<dyn Task>>) -> BatchEnd {
        let mut tasks = tasks.into_iter();
        while let Some(task) = tasks.next() {
            let mut alone = vec![task];
            match self.run_alone(&mut alone).await {
                Err(BatchFailure::Undecided) => return BatchEnd::lost(alone.into_iter().chain(tasks).collect()),
                // Each of the others would wait as long for the same answer.
                Err(stop @ BatchFailure::Store(StoreError::Unavailable(_))) => {
                    reply_all(alone.into_iter().chain(tasks).collect(), &self.reply_result::<()>(Err(stop)));
                    return BatchEnd::done();
                }
                result => reply_all(alone, &self.reply_result(result)),
            }
        }
        BatchEnd::done()
    }

    /// Runs a task by itself. A constraint may be broken by chance, as by a barcode that was drawn
    /// before, or by another process that was quicker: it decides once more over the rows as they are now.
    async fn run_alone(&mut self, task: &mut [Box<dyn Task>]) -> Result<CommittedBatch, BatchFailure> {
        match self.try_batch(task).await {
            Err(BatchFailure::Store(StoreError::Constraint(_))) => self.try_batch(task).await,
            result => result,
        }
    }

    /// Runs the tasks in one transaction, and updates the state of the lane by its result.
    async fn try_batch(&mut self, tasks: &mut [Box<dyn Task>]) -> Result<CommittedBatch, BatchFailure> {
        let result = self.transact(tasks).await;
        self.state.set_stalled(matches!(result, Err(BatchFailure::Store(StoreError::Unavailable(_)))));
        result
    }

    /// Runs the tasks in one transaction, with the block of order numbers that is there. A block that was perhaps written is given
    /// up: nobody knows what is left of it.
    async fn transact(&mut self, tasks: &mut [Box<dyn Task>]) -> Result<CommittedBatch, BatchFailure> {
        let mut order_numbers = self.order_numbers.take();
        let result = self.transact_with(tasks, &mut order_numbers).await;
        let is_known = match &result {
            Err(BatchFailure::Store(error)) => matches!(error, StoreError::Conflict(_) | StoreError::Constraint(_)),
            Ok(_) | Err(BatchFailure::Panicked | BatchFailure::Undecided) => true,
        };
        self.order_numbers = order_numbers.filter(|_| is_known);
        result
    }

    /// Runs it again while rows change under it.
    async fn transact_with(
        &mut self,
        tasks: &mut [Box<dyn Task>],
        order_numbers: &mut Option<Range<i64>>,
    ) -> Result<CommittedBatch, BatchFailure> {
        let mut read_set = ReadSet::default();
        read_set.nodes.push(self.number.node);
        let takes_places = !self.store.has_sequencer();
        if takes_places {
            read_set.feed_heads.push(FeedName::Changes);
        }
        for task in tasks.iter() {
            catch_unwind(AssertUnwindSafe(|| task.read_set(&mut read_set))).map_err(|_| BatchFailure::Panicked)?;
        }
        let mut conflicts = 0;
        loop {
            let (mut halted, mut missing, mut written) = (None, None, None);
            let mut decider = Decider {
                number: self.number,
                clock: &*self.clock,
                pause_detector: &self.shared.pause_detector,
                pauses: self.pauses,
                random: &mut *self.random,
                settings: &self.settings,
                order_numbers: order_numbers.clone(),
                takes_places,
                decisions: Decisions::default(),
            };
            let (start, number) = (Instant::now(), self.number);
            let result = {
                let decide = &mut |view: &mut View| {
                    halted = decider.decide(tasks, view).err();
                    if halted.is_some() {
                        return Err(StoreError::Abandoned);
                    }
                    missing = view.take_missing();
                    let is_whole = missing.is_none();
                    written = is_whole.then(|| Written::of(view, number.node, takes_places));
                    is_whole.then_some(()).ok_or_else(|| StoreError::Conflict("rows were not loaded".to_owned()))
                };
                self.writer.transact(&read_set, decide).await
            };
            // Before anybody is answered, and also where nobody knows what came of the commit.
            if let Some(written) = written {
                written.apply(&self.shared, result.is_ok());
            }
            match (result, halted) {
                (Ok(()), _) => {
                    let decisions = decider.decisions;
                    order_numbers.clone_from(&decisions.order_numbers);
                    return Ok(self.note_commit(decisions, tasks, start));
                }
                (Err(_), Some(DecisionHalt::Panicked)) => return Err(BatchFailure::Panicked),
                (Err(_), Some(DecisionHalt::Paused)) => return Err(BatchFailure::Undecided),
                (Err(_), Some(DecisionHalt::Fenced)) => {
                    self.state.set_number(None);
                    self.shared.marks.forget_writer(self.number.node);
                    return Err(BatchFailure::Undecided);
                }
                (Err(_), Some(DecisionHalt::NoOrderNumbers)) => {
                    *order_numbers = Some(self.lease_order_numbers().await?);
                }
                (Err(StoreError::Conflict(_)), None) if conflicts < CONFLICTS_MAX => {
                    conflicts += 1;
                    if let Some(missing) = missing {
                        read_set.add_missing(missing);
                    }
                }
                (Err(error), None) => return Err(BatchFailure::Store(error)),
            }
        }
    }

    /// What follows from a commit.
    fn note_commit(&mut self, decisions: Decisions, tasks: &[Box<dyn Task>], start: Instant) -> CommittedBatch {
        if decisions.creates_jobs {
            self.shared.signals.jobs.notify_one();
        }
        if decisions.creates_mails {
            self.shared.signals.mails.notify_one();
        }
        if decisions.has_unplaced_changes {
            self.shared.signals.unplaced.notify_one();
        }
        self.shared.feed.publish(decisions.placed);
        let tasks = &tasks[..decisions.count];
        let refused = tasks.iter().filter(|task| task.is_refused()).count();
        let steps = (decisions.order_transitions, &decisions.payment_steps);
        self.shared.metrics.record_commit(tasks.len(), refused, steps, start.elapsed());
        self.shared.outage.record_success();
        CommittedBatch { decided: tasks.len(), learned: decisions.learned }
    }

    /// The result of a batch, as its callers see it.
    fn reply_result<T>(&self, result: Result<T, BatchFailure>) -> Result<(), Failure> {
        if !safeguard::is_enabled(Safeguard::ReplyAfterCommit) {
            return Ok(());
        }
        result.map(drop).map_err(|stop| match stop {
            BatchFailure::Store(error) => self.shared.outage.record_error(error),
            BatchFailure::Panicked => Failure::internal("a command panicked"),
            // Nothing was decided.
            BatchFailure::Undecided => Failure::Unavailable,
        })
    }
}

/// What a batch has written, as those have to know who keep in memory what was read.
struct Written {
    marks: WrittenMarks,
    orders: WrittenOrders,
}

impl Written {
    /// What was changed in a view. Orders are remembered where nobody else writes.
    fn of(view: &View, node: u16, is_alone: bool) -> Self {
        let orders = if is_alone { WrittenOrders::of(view) } else { WrittenOrders::default() };
        Self { marks: WrittenMarks::of(view, node), orders }
    }

    fn apply(self, shared: &LaneShared, is_committed: bool) {
        shared.marks.apply(&self.marks, is_committed);
        shared.recent_orders.apply(self.orders, is_committed);
    }
}

/// What a transaction has decided.
#[derive(Clone)]
struct CommittedBatch {
    /// How many of its tasks, from the first on.
    decided: usize,
    learned: Learned,
}

/// How a batch ended.
struct BatchEnd {
    rest: BatchRest,
    learned: Learned,
}

/// What was not decided of a batch.
enum BatchRest {
    /// There was no time for it: it waits for another batch. Mostly nothing.
    Postponed(Vec<Box<dyn Task>>),
    /// The lane was fenced or paused.
    Lost(Vec<Box<dyn Task>>),
}

impl BatchEnd {
    fn done() -> Self {
        Self { rest: BatchRest::Postponed(Vec::new()), learned: Learned::default() }
    }

    fn lost(tasks: Vec<Box<dyn Task>>) -> Self {
        Self { rest: BatchRest::Lost(tasks), learned: Learned::default() }
    }
}

fn reply_all(tasks: Vec<Box<dyn Task>>, result: &Result<(), Failure>) {
    for task in tasks {
        task.reply(result.clone());
    }
}

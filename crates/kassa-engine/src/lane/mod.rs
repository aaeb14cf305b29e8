//! A lane: takes all that waits as one batch, decides it in one transaction, answers when that is
//! durable. There is no timer: a lone command pays no delay, and a crowd pays one commit.
//!
//! A lane is a writer with a number of its own, under which it makes ids; see [`kassa_domain::node`].

mod by_hand;
mod decider;
mod number;
mod state;

pub use by_hand::LaneByHand;
pub(crate) use state::State;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use kassa_domain::context::Random;
use kassa_domain::guard::{self, Guard};
use kassa_domain::node::CounterName;
use kassa_domain::{Needs, Settings, View};
use kassa_store::{Store, StoreError, Writer};
use tokio::runtime::Handle;
use tokio::sync::{Notify, mpsc};
use tokio::task::JoinHandle;
use tokio::time::Instant;

use crate::clock::Clock;
use crate::failure::{Failure, Outage};
use crate::metrics::{Metrics, Steps};
use crate::pulse::Pulse;
use crate::task::Task;
use decider::{Decider, Halt};
use number::{Number, drain};

/// Rows of one batch, about: a longer one would keep its callers waiting.
const BATCH_ROWS_MAX: u32 = 10_000;
/// Times that a batch runs again because rows had changed since they were loaded, or others are needed.
const CONFLICTS_MAX: u32 = 10;

/// How long others wait for a batch that does not end before they are told to come back. Locks of a node that
/// stands still are gone before.
const WAIT_MAX: Duration = Duration::from_secs(3);

/// What waits for a lane.
pub(crate) type Queue = mpsc::Receiver<Box<dyn Task>>;

/// Tells those who wait that a batch has left work for them.
#[derive(Default)]
pub(crate) struct News {
    pub(crate) jobs: Notify,
    pub(crate) mails: Notify,
}

/// What all lanes of an engine have in common.
pub(crate) struct Common {
    pub(crate) news: News,
    pub(crate) outage: Outage,
    pub(crate) pulse: Arc<Pulse>,
    pub(crate) metrics: Metrics,
}

pub(crate) struct Lane {
    store: Store,
    writer: Writer,
    number: Number,
    clock: Arc<dyn Clock>,
    random: Box<dyn Random>,
    settings: Settings,
    common: Arc<Common>,
    state: Arc<State>,
    /// Standstills of the program that nothing in the queue is older than.
    standstills: u64,
    /// Order numbers that were left after the last batch, as far as one knows.
    numbers_left: i64,
    /// Tasks of the runtime that answer what is decided, as far as they are at it.
    answering: Vec<JoinHandle<()>>,
}

/// What a batch came to, besides a success.
enum Stop {
    /// The database said no.
    Store(StoreError),
    /// A command panicked.
    Panic,
    /// The lane has lost its number or stood still: nothing was decided.
    Lost,
}

impl Lane {
    /// A lane without a number: [`Lane::take_number`] comes first.
    pub(crate) fn new(
        store: &Store,
        clock: Arc<dyn Clock>,
        mut random: Box<dyn Random>,
        settings: Settings,
        common: Arc<Common>,
    ) -> Result<Self, StoreError> {
        let (store, writer) = (store.clone(), store.writer(random.next_u64())?);
        // No claim has this epoch.
        let number = Number { node: 0, epoch: 0 };
        let (state, standstills) = (Arc::default(), common.pulse.standstills());
        let (numbers_left, answering) = (0, Vec::new());
        Ok(Self { store, writer, number, clock, random, settings, common, state, standstills, numbers_left, answering })
    }

    /// What is known of it while it works.
    pub(crate) fn state(&self) -> Arc<State> {
        Arc::clone(&self.state)
    }

    /// Runs one task before the lane starts to work; tells what the database has against it.
    pub(crate) async fn first(&mut self, task: Box<dyn Task>) -> Result<(), StoreError> {
        let mut tasks = vec![task];
        // Programs that start together may make the first rows of an installation at the same time.
        match self.alone(&mut tasks).await {
            Err(Stop::Store(error)) => Err(error),
            result => {
                settle(tasks, &self.told(result));
                Ok(())
            }
        }
    }

    /// Works until the queue is closed and empty. One that was told to end gives its number back.
    pub(crate) fn run(mut self, mut queue: Queue, runtime: &Handle, shall_end: &AtomicBool) {
        let mut next = None;
        while let Some(first) = next.take().or_else(|| queue.blocking_recv()) {
            runtime.block_on(self.round(first, &mut next, &mut queue));
        }
        if shall_end.load(Ordering::Acquire) {
            runtime.block_on(async {
                self.all_answered().await;
                self.give_back().await;
            });
        }
    }

    /// Runs a batch of what waits. Where it was not decided, because the lane has lost its number or stood still,
    /// all that waits is told so, and a number is found.
    async fn round(&mut self, first: Box<dyn Task>, next: &mut Option<Box<dyn Task>>, queue: &mut Queue) {
        let batch = gather(first, next, queue);
        if batch.is_empty() {
            return;
        }
        let lost = self.batch_while_others_come(batch, next, queue).await;
        if lost.is_empty() {
            return;
        }
        // What waits now was asked of a lane that stood still: nobody may count on it any more.
        self.standstills = self.common.pulse.standstills();
        let waiting: Vec<_> = lost.into_iter().chain(next.take()).chain(drain(queue)).collect();
        let (node, undecided) = (self.number.node, waiting.len());
        if self.state.has_number() {
            tracing::warn!(node, undecided, "a lane stood still: nothing is written that was asked before");
        } else {
            tracing::warn!(node, undecided, "the number of a lane was taken by another: nothing is written under it");
        }
        settle(waiting, &Err(Failure::Unavailable));
        if !self.state.has_number() {
            self.take_another(queue).await;
        }
    }

    /// Ready when whoever waits for what was decided has its answer.
    async fn all_answered(&mut self) {
        for answering in std::mem::take(&mut self.answering) {
            if let Err(error) = answering.await {
                tracing::error!(%error, "a batch was not answered to its end");
            }
        }
    }

    /// Runs a batch. When that takes too long, whoever waits for the next one is told to come back, and so is
    /// whoever comes meanwhile: the database may be away for long, and nothing was begun for them.
    async fn batch_while_others_come(
        &mut self,
        tasks: Vec<Box<dyn Task>>,
        next: &mut Option<Box<dyn Task>>,
        queue: &mut Queue,
    ) -> Vec<Box<dyn Task>> {
        let (node, state) = (self.number.node, self.state());
        let mut batch = pin!(self.batch(tasks));
        if let Ok(lost) = tokio::time::timeout(WAIT_MAX, &mut batch).await {
            return lost;
        }
        // Until its end tells how it is.
        state.set_away(true);
        tracing::warn!(node, "the batch of a lane takes long: others are told to come back");
        let refuse = |task: Box<dyn Task>| task.settle(Err(Failure::Unavailable));
        next.take().map(refuse);
        loop {
            tokio::select! {
                biased;
                lost = &mut batch => return lost,
                task = queue.recv() => match task {
                    Some(task) => refuse(task),
                    None => return batch.await,
                },
            }
        }
    }

    /// Runs a batch. What breaks a constraint, meets a row that is never as it was loaded, or panics,
    /// must not take its neighbours along: then each runs alone. Gives back what was not decided, because
    /// the lane has lost its number or stood still.
    async fn batch(&mut self, mut tasks: Vec<Box<dyn Task>>) -> Vec<Box<dyn Task>> {
        match self.attempt(&mut tasks).await {
            Err(Stop::Store(StoreError::Constraint(_))) => self.one_by_one(tasks).await,
            Err(Stop::Store(StoreError::Conflict(_)) | Stop::Panic) if tasks.len() > 1 => self.one_by_one(tasks).await,
            Err(Stop::Lost) => tasks,
            result => {
                let result = self.told(result);
                // Woken by a thread of the runtime, they are put into its own queue; by this one, they would cost a
                // system call each.
                self.answering.retain(|answering| !answering.is_finished());
                self.answering.push(tokio::spawn(async move { settle(tasks, &result) }));
                Vec::new()
            }
        }
    }

    async fn one_by_one(&mut self, tasks: Vec<Box<dyn Task>>) -> Vec<Box<dyn Task>> {
        let mut tasks = tasks.into_iter();
        while let Some(task) = tasks.next() {
            let mut alone = vec![task];
            match self.alone(&mut alone).await {
                Err(Stop::Lost) => return alone.into_iter().chain(tasks).collect(),
                // Each of the others would wait as long for the same answer.
                Err(stop @ Stop::Store(StoreError::Unavailable(_))) => {
                    settle(alone.into_iter().chain(tasks).collect(), &self.told(Err(stop)));
                    return Vec::new();
                }
                result => settle(alone, &self.told(result)),
            }
        }
        Vec::new()
    }

    /// Runs a task by itself. A constraint may be broken by chance, as by a barcode that was drawn
    /// before, or by somebody who was quicker: it decides once more over what is there now.
    async fn alone(&mut self, task: &mut [Box<dyn Task>]) -> Result<(), Stop> {
        match self.attempt(task).await {
            Err(Stop::Store(StoreError::Constraint(_))) => self.attempt(task).await,
            result => result,
        }
    }

    /// One transaction over the tasks. What came of it tells how the lane is.
    async fn attempt(&mut self, tasks: &mut [Box<dyn Task>]) -> Result<(), Stop> {
        let result = self.transact(tasks).await;
        self.state.set_away(matches!(result, Err(Stop::Store(StoreError::Unavailable(_)))));
        result
    }

    /// Runs it again while rows change under it.
    async fn transact(&mut self, tasks: &mut [Box<dyn Task>]) -> Result<(), Stop> {
        let mut needs = Needs::default();
        needs.nodes.push(self.number.node);
        if self.numbers_left < i64::try_from(tasks.len()).unwrap_or(i64::MAX) {
            needs.counters.push(CounterName::OrderNumber);
        }
        for task in tasks.iter() {
            catch_unwind(AssertUnwindSafe(|| task.needs(&mut needs))).map_err(|_| Stop::Panic)?;
        }
        // Whatever comes in between, the row knows better how many are left.
        self.numbers_left = 0;
        let mut conflicts = 0;
        loop {
            let (mut halted, mut missing) = (None, None);
            let mut decider = Decider {
                number: self.number,
                clock: &*self.clock,
                pulse: &self.common.pulse,
                standstills: self.standstills,
                random: &mut *self.random,
                settings: &self.settings,
                has_counter: !needs.counters.is_empty(),
                numbers_left: 0,
                makes_jobs: false,
                makes_mails: false,
                steps: Steps::default(),
            };
            let start = Instant::now();
            let result = {
                let decide = &mut |view: &mut View| {
                    halted = decider.decide(tasks, view).err();
                    if halted.is_some() {
                        return Err(StoreError::Abandoned);
                    }
                    missing = view.take_missing();
                    let is_whole = missing.is_none();
                    is_whole.then_some(()).ok_or_else(|| StoreError::Conflict("seats were not loaded".to_owned()))
                };
                self.writer.transact(&needs, decide).await
            };
            match (result, halted) {
                (Ok(()), _) => {
                    self.numbers_left = decider.numbers_left;
                    if decider.makes_jobs {
                        self.common.news.jobs.notify_one();
                    }
                    if decider.makes_mails {
                        self.common.news.mails.notify_one();
                    }
                    let refused = tasks.iter().filter(|task| task.is_refused()).count();
                    self.common.metrics.committed(tasks.len(), refused, decider.steps, start.elapsed());
                    self.common.outage.database_is_back();
                    return Ok(());
                }
                (Err(_), Some(Halt::Panicked)) => return Err(Stop::Panic),
                (Err(_), Some(Halt::StoodStill)) => return Err(Stop::Lost),
                (Err(_), Some(Halt::Lost)) => {
                    self.state.set_number(false);
                    return Err(Stop::Lost);
                }
                (Err(_), Some(Halt::NoNumbers)) => needs.counters.push(CounterName::OrderNumber),
                (Err(StoreError::Conflict(_)), None) if conflicts < CONFLICTS_MAX => {
                    conflicts += 1;
                    if let Some(missing) = missing {
                        needs.add(missing);
                    }
                }
                (Err(error), None) => return Err(Stop::Store(error)),
            }
        }
    }

    /// What a batch came to, as its callers are told.
    fn told(&self, result: Result<(), Stop>) -> Result<(), Failure> {
        if !guard::is_on(Guard::ReplyAfterCommit) {
            return Ok(());
        }
        result.map_err(|stop| match stop {
            Stop::Store(error) => self.common.outage.failure_of(error),
            Stop::Panic => Failure::internal("a command panicked"),
            // Nothing was decided.
            Stop::Lost => Failure::Unavailable,
        })
    }
}

/// All that waits, as one batch, up to a number of rows: the first task that is too much is the next one's. Those
/// that nobody waits for any more are left out: a crowd that has given up is not served in vain, and a node that
/// stood still does not begin what its callers have asked others for meanwhile.
fn gather(first: Box<dyn Task>, next: &mut Option<Box<dyn Task>>, queue: &mut Queue) -> Vec<Box<dyn Task>> {
    let (mut batch, mut rows) = (Vec::new(), 0_u32);
    let mut waiting = Some(first);
    while let Some(task) = waiting {
        if !task.is_given_up() {
            rows = rows.saturating_add(task.weight());
            if rows > BATCH_ROWS_MAX && !batch.is_empty() {
                *next = Some(task);
                break;
            }
            batch.push(task);
        }
        waiting = queue.try_recv().ok();
    }
    batch
}

fn settle(tasks: Vec<Box<dyn Task>>, result: &Result<(), Failure>) {
    for task in tasks {
        task.settle(result.clone());
    }
}

//! A lane: takes all that waits as one batch, decides it in one transaction, answers when that is
//! durable. There is no timer: a lone command pays no delay, and a crowd pays one commit.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use kassa_domain::context::Random;
use kassa_domain::node::{Counter, CounterName, NUMBERS_PER_BLOCK, Node};
use kassa_domain::{Needs, Settings, View};
use kassa_store::{StoreError, Writer};
use tokio::runtime::Handle;
use tokio::sync::{Notify, mpsc};

use crate::clock::Clock;
use crate::failure::Failure;
use crate::task::{Surroundings, Task};

/// Rows of one batch, about: a longer one would keep its callers waiting.
const BATCH_ROWS_MAX: u32 = 10_000;
/// Times that a batch runs again because rows had changed since they were loaded, or others are needed.
const CONFLICTS_MAX: u32 = 10;
/// The first order number of an installation.
const FIRST_NUMBER: i64 = 100_001;

/// Tells those who wait that a batch has left work for them.
#[derive(Default)]
pub(crate) struct News {
    pub(crate) jobs: Notify,
    pub(crate) mails: Notify,
}

pub(crate) struct Lane {
    writer: Writer,
    node: u16,
    clock: Arc<dyn Clock>,
    random: Box<dyn Random>,
    settings: Settings,
    news: Arc<News>,
    /// Order numbers that were left after the last batch.
    numbers_left: i64,
}

/// What a batch came to, besides a success.
enum Stop {
    /// The database said no.
    Store(StoreError),
    /// A command panicked.
    Panic,
}

impl Lane {
    pub(crate) fn new(
        writer: Writer,
        node: u16,
        clock: Arc<dyn Clock>,
        random: Box<dyn Random>,
        settings: Settings,
        news: Arc<News>,
    ) -> Self {
        Self { writer, node, clock, random, settings, news, numbers_left: 0 }
    }

    /// Runs one task before the lane starts to work; tells what the database has against it.
    pub(crate) async fn first(&mut self, task: Box<dyn Task>) -> Result<(), StoreError> {
        let mut tasks = vec![task];
        match self.attempt(&mut tasks).await {
            Err(Stop::Store(error)) => Err(error),
            Ok(()) => {
                settle(tasks, &Ok(()));
                Ok(())
            }
            Err(Stop::Panic) => {
                settle(tasks, &Err(failure_of(Stop::Panic)));
                Ok(())
            }
        }
    }

    /// Works until the queue is closed and empty.
    pub(crate) fn run(mut self, mut queue: mpsc::Receiver<Box<dyn Task>>, runtime: &Handle) {
        let mut next = None;
        while let Some(first) = next.take().or_else(|| queue.blocking_recv()) {
            let mut rows = first.weight();
            let mut batch = vec![first];
            while let Ok(task) = queue.try_recv() {
                rows = rows.saturating_add(task.weight());
                if rows > BATCH_ROWS_MAX {
                    next = Some(task);
                    break;
                }
                batch.push(task);
            }
            runtime.block_on(self.batch(batch));
        }
    }

    /// Runs a batch. What breaks a constraint, meets a row that is never as it was loaded, or panics,
    /// must not take its neighbours along: then each runs alone.
    async fn batch(&mut self, mut tasks: Vec<Box<dyn Task>>) {
        match self.attempt(&mut tasks).await {
            Ok(()) => settle(tasks, &Ok(())),
            Err(Stop::Store(StoreError::Constraint(_) | StoreError::Conflict(_)) | Stop::Panic) if tasks.len() > 1 => {
                for task in tasks {
                    let mut alone = vec![task];
                    let result = self.alone(&mut alone).await;
                    settle(alone, &result.map_err(failure_of));
                }
            }
            Err(Stop::Store(StoreError::Constraint(_))) => {
                let result = self.alone(&mut tasks).await;
                settle(tasks, &result.map_err(failure_of));
            }
            Err(stop) => settle(tasks, &Err(failure_of(stop))),
        }
    }

    /// Runs a task by itself. A constraint may be broken by chance, as by a barcode that was drawn
    /// before, or by somebody who was quicker: it decides once more over what is there now.
    async fn alone(&mut self, task: &mut [Box<dyn Task>]) -> Result<(), Stop> {
        match self.attempt(task).await {
            Err(Stop::Store(StoreError::Constraint(_))) => self.attempt(task).await,
            result => result,
        }
    }

    /// One transaction over the tasks, again while rows change under it.
    async fn attempt(&mut self, tasks: &mut [Box<dyn Task>]) -> Result<(), Stop> {
        let mut needs = Needs::default();
        needs.nodes.push(self.node);
        if self.numbers_left < i64::try_from(tasks.len()).unwrap_or(i64::MAX) {
            needs.counters.push(CounterName::OrderNumber);
        }
        for task in tasks.iter() {
            catch_unwind(AssertUnwindSafe(|| task.needs(&mut needs))).map_err(|_| Stop::Panic)?;
        }
        let mut conflicts = 0;
        loop {
            let (mut panicked, mut missing) = (false, None);
            let mut decider = Decider {
                node: self.node,
                clock: &*self.clock,
                random: &mut *self.random,
                settings: &self.settings,
                numbers_left: 0,
                makes_jobs: false,
                makes_mails: false,
            };
            let result = {
                let decide = &mut |view: &mut View| {
                    decider.decide(tasks, view).map_err(|Panicked| {
                        panicked = true;
                        StoreError::Abandoned
                    })?;
                    missing = view.take_missing();
                    let is_whole = missing.is_none();
                    is_whole.then_some(()).ok_or_else(|| StoreError::Conflict("seats were not loaded".to_owned()))
                };
                self.writer.transact(&needs, decide).await
            };
            match (result, panicked) {
                (Ok(()), _) => {
                    self.numbers_left = decider.numbers_left;
                    if decider.makes_jobs {
                        self.news.jobs.notify_one();
                    }
                    if decider.makes_mails {
                        self.news.mails.notify_one();
                    }
                    return Ok(());
                }
                (Err(_), true) => return Err(Stop::Panic),
                (Err(StoreError::Conflict(_)), false) if conflicts < CONFLICTS_MAX => {
                    conflicts += 1;
                    if let Some(missing) = missing {
                        needs.add(missing);
                    }
                }
                (Err(error), false) => return Err(Stop::Store(error)),
            }
        }
    }
}

fn settle(tasks: Vec<Box<dyn Task>>, result: &Result<(), Failure>) {
    for task in tasks {
        task.settle(result.clone());
    }
}

fn failure_of(stop: Stop) -> Failure {
    match stop {
        Stop::Store(error) => Failure::from_store(error),
        Stop::Panic => Failure::internal("a command panicked"),
    }
}

/// A command has panicked.
struct Panicked;

/// What decides a batch over its view.
struct Decider<'a> {
    node: u16,
    clock: &'a dyn Clock,
    random: &'a mut dyn Random,
    settings: &'a Settings,
    numbers_left: i64,
    makes_jobs: bool,
    makes_mails: bool,
}

impl Decider<'_> {
    /// Decides each task in turn.
    fn decide(&mut self, tasks: &mut [Box<dyn Task>], view: &mut View) -> Result<(), Panicked> {
        let now = self.clock.now();
        let before = view.nodes.get(self.node).cloned();
        let mut node = before.clone().unwrap_or_else(|| Node::new(self.node));
        lease_numbers(&mut node, tasks.len(), view);
        for task in tasks.iter_mut() {
            let (settings, node, random) = (self.settings, &mut node, &mut *self.random);
            let surroundings = Surroundings { now, settings, node, random };
            catch_unwind(AssertUnwindSafe(|| task.attempt(surroundings, view))).map_err(|_| Panicked)?;
        }
        self.numbers_left = node.numbers_left();
        self.makes_jobs = view.jobs.changes().iter().any(|change| change.version == 0);
        self.makes_mails = view.mails.changes().iter().any(|change| change.version == 0);
        // When all were refused, there is nothing to write, and so nothing to wait for.
        if !view.is_clean() && before.as_ref() != Some(&node) {
            view.nodes.put(node);
            view.accept();
        }
        Ok(())
    }
}

/// Takes a block of order numbers when the batch could need more than are left.
fn lease_numbers(node: &mut Node, wanted: usize, view: &mut View) {
    if node.numbers_left() >= i64::try_from(wanted).unwrap_or(i64::MAX) {
        return;
    }
    let name = CounterName::OrderNumber;
    let next = view.counters.get(name).map_or(FIRST_NUMBER, |counter| counter.next);
    let end = next + NUMBERS_PER_BLOCK;
    (node.number_next, node.number_end) = (next, end);
    view.counters.put(Counter { name, next: end });
    view.accept();
}

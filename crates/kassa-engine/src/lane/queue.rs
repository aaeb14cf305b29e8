//! What waits for a lane: who finds room, and what comes into the next batch.

use std::collections::{HashMap, VecDeque};
use std::future::poll_fn;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use kassa_domain::ShardTag;
use kassa_domain::command::COMMAND_ROWS_MAX;
use parking_lot::Mutex;
use tokio::sync::watch;
use tokio::time::Instant;

use super::fair_queue::FairQueue;
use super::heavy_pace::HeavyPace;
use super::slow_tenants::SlowTenants;
use crate::failure::Failure;
use crate::task::Task;
use crate::tenant::Tenant;

/// Commands that wait for a lane. A tenant may hold as much as it leaves free, one of its events as much as is left of
/// that: so one crowd fills a third, and others always find room.
const QUEUE_MAX: usize = 16_384;
/// Further places for the system's own commands: many callers do not keep holds from expiring.
const QUEUE_RESERVED_FOR_SYSTEM: usize = 1_024;
/// Rows of one batch, about: whoever comes while one runs waits for it and for the next.
const BATCH_ROWS_MAX: u32 = 2_500;
/// Rows that a turn brings to a tenant: some tens of orders.
const QUANTUM_ROWS: u32 = 256;
/// A command of more rows than this, which no order has, is heavy: it gets a batch of its own.
pub(super) const LIGHT_ROWS_MAX: u32 = 500;
/// What a row stands for of what an event and its sets say, in bytes. An event that says 250 KiB makes commands heavy.
const EVENT_BYTES_PER_ROW: usize = 512;
/// An event of which nobody knows yet how much it says counts as so many rows.
const UNKNOWN_EVENT_ROWS: u32 = QUANTUM_ROWS;
/// So many events a lane knows. Beyond that it starts anew.
const KNOWN_EVENTS_MAX: usize = 100_000;
/// Rows of heavy commands of one tenant behind which no more of them may wait: ten of the largest.
const HEAVY_ROWS_WAITING_MAX: u64 = 10 * COMMAND_ROWS_MAX as u64;

/// A queue, and the end of it at which the lane takes. The pace is that of the lane.
pub(crate) fn queue(pace: HeavyPace) -> (TaskSender, TaskQueue) {
    let waiting = Arc::new(Mutex::new(Waiting {
        urgent: VecDeque::new(),
        light: FairQueue::new(QUANTUM_ROWS),
        heavy: FairQueue::new(COMMAND_ROWS_MAX),
        slow: SlowTenants::default(),
        event_rows: HashMap::new(),
        was_heavy: false,
        is_closed: false,
        lane: None,
    }));
    let (lane, lane_lives) = watch::channel(());
    let sender = TaskSender { waiting: Arc::clone(&waiting), lane_lives };
    (sender, TaskQueue { waiting, pace, _lane: lane })
}

struct Waiting {
    /// Those that keep the lane alive: they come first.
    urgent: VecDeque<Box<dyn Task>>,
    light: FairQueue<Box<dyn Task>>,
    heavy: FairQueue<Box<dyn Task>>,
    /// Whose commands are heavy because some were slow.
    slow: SlowTenants,
    /// How many rows stand for what events and their sets say: all of it is loaded with each batch that has a command on one.
    event_rows: HashMap<ShardTag, u32>,
    /// Whether the last batch was a heavy command: then it is the turn of light ones.
    was_heavy: bool,
    is_closed: bool,
    /// Woken by whatever comes.
    lane: Option<Waker>,
}

/// What a lane does next.
enum Next {
    Batch(Batch),
    /// Only heavy commands wait, and they do so until then, or until one of another lane has ended.
    Paused(Instant),
    /// The queue is closed and empty.
    End,
}

/// Tasks that share a transaction.
pub(crate) struct Batch {
    pub(super) tasks: Vec<Box<dyn Task>>,
    /// Whether it is a heavy command.
    pub(super) is_heavy: bool,
}

impl Waiting {
    fn len(&self) -> usize {
        self.urgent.len() + self.light.load().items + self.heavy.load().items
    }

    fn has_other_than_heavy(&self) -> bool {
        !self.urgent.is_empty() || !self.light.is_empty()
    }

    /// How much a task weighs. Of a tenant some of whose last commands were slow, each is heavy. So is each on an event that says very
    /// much; what others say counts for the first that waits, since all of them share it.
    fn rows_of(&self, task: &dyn Task) -> u32 {
        let (tenant, shard) = (task.tenant(), task.shard());
        let event_rows = self.event_rows.get(&shard).copied();
        let loaded = match event_rows {
            Some(rows) if rows > LIGHT_ROWS_MAX => rows,
            _ if self.light.load_of_shard(tenant, shard).items > 0 => 0,
            Some(rows) => rows,
            None if task.loads_event() => UNKNOWN_EVENT_ROWS,
            None => 0,
        };
        if self.slow.contains(tenant) || loaded > LIGHT_ROWS_MAX {
            return task.weight().max(LIGHT_ROWS_MAX + 1);
        }
        // What is light by itself is not heavy for the little that its event says.
        if task.weight() > LIGHT_ROWS_MAX { task.weight() } else { (task.weight() + loaded).min(LIGHT_ROWS_MAX) }
    }

    fn push(&mut self, rows: u32, task: Box<dyn Task>) {
        let queue = if rows > LIGHT_ROWS_MAX { &mut self.heavy } else { &mut self.light };
        queue.push(task.tenant(), task.shard(), rows, task);
    }

    fn admit(&self, tenant: Tenant, shard: ShardTag, is_heavy: bool) -> Result<(), Failure> {
        let waiting = self.len();
        if self.is_closed || waiting >= QUEUE_MAX + QUEUE_RESERVED_FOR_SYSTEM {
            return Err(Failure::Busy);
        }
        if tenant == Tenant::System {
            return Ok(());
        }
        let queues = [&self.light, &self.heavy];
        let own: usize = queues.iter().map(|queue| queue.load_of_tenant(tenant).items).sum();
        let at_shard: usize = queues.iter().map(|queue| queue.load_of_shard(tenant, shard).items).sum();
        let free = QUEUE_MAX.saturating_sub(waiting);
        if own >= free || at_shard >= free - own {
            return Err(Failure::Busy);
        }
        if is_heavy && self.heavy.load_of_tenant(tenant).rows >= HEAVY_ROWS_WAITING_MAX {
            return Err(Failure::TooManyHeavy);
        }
        Ok(())
    }

    /// Whether it is the turn of heavy commands: neither lets the other wait for longer than a batch, but for the pauses of
    /// heavy ones.
    fn comes_to_heavy(&self) -> bool {
        !self.heavy.is_empty() && (!self.was_heavy || self.light.is_empty())
    }

    /// The next heavy command, with what is urgent. Tasks whose callers have gone are left out: no work is done in
    /// vain, and a node that was paused does not begin what its callers have requested elsewhere meanwhile.
    fn take_heavy(&mut self, abandoned: &mut Vec<Box<dyn Task>>) -> Option<(Tenant, Batch)> {
        while let Some(turn) = self.heavy.pop() {
            if turn.item.is_abandoned() {
                abandoned.push(turn.item);
            } else {
                self.was_heavy = true;
                let mut tasks: Vec<_> = self.urgent.drain(..).collect();
                tasks.push(turn.item);
                return Some((turn.tenant, Batch { tasks, is_heavy: true }));
            }
        }
        None
    }

    /// Light commands up to a number of rows, with what is urgent, and without those whose callers have gone. Those of
    /// an event that is known by now to say very much were light while nobody knew: they go to the heavy ones.
    fn take_light(&mut self, abandoned: &mut Vec<Box<dyn Task>>) -> Batch {
        let mut tasks: Vec<_> = self.urgent.drain(..).collect();
        self.was_heavy = false;
        let mut rows = 0;
        while rows < BATCH_ROWS_MAX
            && let Some(turn) = self.light.pop()
        {
            if turn.item.is_abandoned() {
                abandoned.push(turn.item);
                continue;
            }
            let event_rows = self.event_rows.get(&turn.item.shard()).copied();
            if event_rows.is_some_and(|rows| rows > LIGHT_ROWS_MAX) {
                self.push(self.rows_of(&*turn.item), turn.item);
                continue;
            }
            rows += turn.rows;
            let may_load_much = event_rows.is_none() && turn.item.loads_event();
            tasks.push(turn.item);
            // Of two events that may say very much, one has to wait for another batch.
            if may_load_much {
                break;
            }
        }
        Batch { tasks, is_heavy: false }
    }
}

/// The end of a queue at which commands come in. When it is dropped, the queue is closed.
pub(crate) struct TaskSender {
    waiting: Arc<Mutex<Waiting>>,
    /// An error as soon as the lane has gone.
    lane_lives: watch::Receiver<()>,
}

impl TaskSender {
    /// Adds a task. What finds no room was not decided: [`Failure::Busy`], or [`Failure::TooManyHeavy`].
    pub(crate) fn send(&self, task: Box<dyn Task>) -> Result<(), Failure> {
        self.add(|waiting| {
            let rows = waiting.rows_of(&*task);
            waiting.admit(task.tenant(), task.shard(), rows > LIGHT_ROWS_MAX)?;
            waiting.push(rows, task);
            Ok(())
        })
    }

    /// Adds a task of the system in front of all others.
    pub(crate) fn send_urgent(&self, task: Box<dyn Task>) -> Result<(), Failure> {
        self.add(|waiting| {
            if waiting.is_closed || waiting.urgent.len() >= QUEUE_RESERVED_FOR_SYSTEM {
                return Err(Failure::Busy);
            }
            waiting.urgent.push_back(task);
            Ok(())
        })
    }

    fn add(&self, push: impl FnOnce(&mut Waiting) -> Result<(), Failure>) -> Result<(), Failure> {
        if self.is_closed() {
            return Err(Failure::Busy);
        }
        let mut waiting = self.waiting.lock();
        push(&mut waiting)?;
        let lane = waiting.lane.take();
        drop(waiting);
        if let Some(lane) = lane {
            lane.wake();
        }
        Ok(())
    }

    /// How many tasks wait.
    pub(crate) fn len(&self) -> usize {
        self.waiting.lock().len()
    }

    /// Whether the lane has gone.
    pub(crate) fn is_closed(&self) -> bool {
        self.lane_lives.has_changed().is_err()
    }

    /// Ready when the lane has gone.
    pub(crate) fn closed(&self) -> impl Future<Output = ()> + Send + 'static {
        let mut lane_lives = self.lane_lives.clone();
        async move { while lane_lives.changed().await.is_ok() {} }
    }
}

impl Drop for TaskSender {
    fn drop(&mut self) {
        let mut waiting = self.waiting.lock();
        waiting.is_closed = true;
        if let Some(lane) = waiting.lane.take() {
            lane.wake();
        }
    }
}

/// The end of a queue at which its lane takes.
pub(crate) struct TaskQueue {
    waiting: Arc<Mutex<Waiting>>,
    pace: HeavyPace,
    /// Senders see it go.
    _lane: watch::Sender<()>,
}

impl TaskQueue {
    /// The next batch, which may be empty if callers have gone; `None` when the queue is closed and empty. There is no
    /// timer: a lone command comes at once. Only heavy ones wait, when others are delayed by them.
    pub(super) async fn next_batch(&mut self) -> Option<Batch> {
        loop {
            // Before one looks whether heavy ones have to wait: what ends after that is not missed.
            let mut other_end = pin!(self.pace.next_end());
            other_end.as_mut().enable();
            let paused_until = match poll_fn(|cx| self.poll_next(cx, true)).await {
                Next::Batch(batch) => return Some(batch),
                Next::End => return None,
                Next::Paused(until) => until,
            };
            tokio::select! {
                () = poll_fn(|cx| self.poll_other_than_heavy(cx)) => {}
                () = other_end => {}
                () = tokio::time::sleep_until(paused_until) => {}
            }
        }
    }

    /// Ready when something can be taken, nothing will come, or only heavy commands wait and have to.
    fn poll_next(&self, cx: &mut Context<'_>, makes_pauses: bool) -> Poll<Next> {
        // Dropped after the lock is released.
        let mut abandoned = Vec::new();
        let (mut waiting, now) = (self.waiting.lock(), Instant::now());
        // At the end nobody else comes who could be delayed.
        let makes_pauses = makes_pauses && !waiting.is_closed;
        let mut paused_until = None;
        if waiting.comes_to_heavy() {
            match self.pace.start(now, makes_pauses, || waiting.take_heavy(&mut abandoned)) {
                Ok(Some(batch)) => return Poll::Ready(Next::Batch(batch)),
                Ok(None) => {}
                Err(until) => paused_until = Some(until),
            }
        }
        if waiting.has_other_than_heavy() {
            let batch = waiting.take_light(&mut abandoned);
            self.pace.record_light(batch.tasks.iter().map(|task| task.tenant()), now);
            return Poll::Ready(Next::Batch(batch));
        }
        match paused_until {
            Some(until) => Poll::Ready(Next::Paused(until)),
            None if waiting.is_closed => Poll::Ready(Next::End),
            None => {
                waiting.lane = Some(cx.waker().clone());
                Poll::Pending
            }
        }
    }

    /// Ready when something waits that is not heavy, or nothing will come.
    fn poll_other_than_heavy(&self, cx: &mut Context<'_>) -> Poll<()> {
        let mut waiting = self.waiting.lock();
        if waiting.has_other_than_heavy() || waiting.is_closed {
            return Poll::Ready(());
        }
        waiting.lane = Some(cx.waker().clone());
        Poll::Pending
    }

    /// How many tasks wait.
    #[cfg(feature = "test-support")]
    pub(crate) fn len(&self) -> usize {
        self.waiting.lock().len()
    }

    /// Tells that the heavy command of the last batch has ended.
    pub(super) fn record_heavy_end(&mut self) {
        self.pace.end(Instant::now());
    }

    /// Remembers whose commands were slow.
    pub(super) fn record_slow(&mut self, tenants: &[Tenant], now: Instant) {
        self.waiting.lock().slow.record_slow(tenants, now);
    }

    /// Remembers how much events say, in bytes.
    pub(super) fn record_events(&mut self, events: &[(ShardTag, usize)]) {
        let mut waiting = self.waiting.lock();
        if waiting.event_rows.len() + events.len() > KNOWN_EVENTS_MAX {
            waiting.event_rows.clear();
        }
        let rows = |bytes: usize| u32::try_from(bytes / EVENT_BYTES_PER_ROW).unwrap_or(u32::MAX);
        waiting.event_rows.extend(events.iter().map(|(shard, bytes)| (*shard, rows(*bytes))));
    }

    /// Puts back what there was no time for. It was admitted, and is not refused.
    pub(super) fn put_back(&mut self, tasks: Vec<Box<dyn Task>>) {
        let mut waiting = self.waiting.lock();
        for task in tasks {
            let rows = waiting.rows_of(&*task);
            waiting.push(rows, task);
        }
    }

    /// Takes all that waits, as soon as something does; `None` when the queue is closed and empty.
    pub(super) async fn next_all(&mut self) -> Option<Vec<Box<dyn Task>>> {
        poll_fn(|cx| self.poll_any(cx)).await;
        let all = self.drain();
        (!all.is_empty()).then_some(all)
    }

    /// Ready when something waits, or nothing will come.
    pub(super) fn poll_any(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let mut waiting = self.waiting.lock();
        if waiting.len() > 0 || waiting.is_closed {
            return Poll::Ready(());
        }
        waiting.lane = Some(cx.waker().clone());
        Poll::Pending
    }

    /// The next batch, if anything waits. Heavy commands make no pauses.
    #[cfg(feature = "test-support")]
    pub(super) fn take_batch(&mut self) -> Option<Batch> {
        match self.poll_next(&mut Context::from_waker(Waker::noop()), false) {
            Poll::Ready(Next::Batch(batch)) => Some(batch),
            Poll::Ready(Next::End | Next::Paused(_)) | Poll::Pending => None,
        }
    }

    /// Takes all that waits.
    pub(super) fn drain(&mut self) -> Vec<Box<dyn Task>> {
        self.pace.leave();
        let mut waiting = self.waiting.lock();
        let mut all: Vec<_> = waiting.urgent.drain(..).collect();
        all.extend(std::iter::from_fn(|| waiting.light.pop()).map(|turn| turn.item));
        all.extend(std::iter::from_fn(|| waiting.heavy.pop()).map(|turn| turn.item));
        all
    }

    /// Whether nothing will come.
    pub(super) fn is_closed(&self) -> bool {
        self.waiting.lock().is_closed
    }
}

#[cfg(test)]
mod tests;

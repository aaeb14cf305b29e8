//! What waits for a lane: who finds room, and what comes into the next batch.

use std::collections::{BTreeMap, VecDeque};
use std::future::poll_fn;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use kassa_domain::ShardTag;
use kassa_domain::command::COMMAND_ROWS_MAX;
use parking_lot::Mutex;
use tokio::sync::watch;
use tokio::time::Instant;

use super::fair_queue::FairQueue;
use super::heavy_pace::HeavyPace;
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
/// How long all commands of a tenant count as heavy after one that was slow.
const SLOW_TENANT_MEMORY: Duration = Duration::from_secs(10);
/// Rows of heavy commands of one tenant behind which no more of them may wait: ten of the largest.
const HEAVY_ROWS_WAITING_MAX: u64 = 10 * COMMAND_ROWS_MAX as u64;

/// A queue, and the end of it at which the lane takes.
pub(crate) fn queue() -> (TaskSender, TaskQueue) {
    let waiting = Arc::new(Mutex::new(Waiting {
        urgent: VecDeque::new(),
        light: FairQueue::new(QUANTUM_ROWS),
        heavy: FairQueue::new(COMMAND_ROWS_MAX),
        slow_until: BTreeMap::new(),
        was_heavy: false,
        is_closed: false,
        lane: None,
    }));
    let (lane, lane_lives) = watch::channel(());
    let sender = TaskSender { waiting: Arc::clone(&waiting), lane_lives };
    (sender, TaskQueue { waiting, pace: HeavyPace::default(), _lane: lane })
}

struct Waiting {
    /// Those that keep the lane alive: they come first.
    urgent: VecDeque<Box<dyn Task>>,
    light: FairQueue<Box<dyn Task>>,
    heavy: FairQueue<Box<dyn Task>>,
    /// Until when commands of tenants are heavy, because one was slow.
    slow_until: BTreeMap<Tenant, Instant>,
    /// Whether the last batch was a heavy command: then it is the turn of light ones.
    was_heavy: bool,
    is_closed: bool,
    /// Woken by whatever comes.
    lane: Option<Waker>,
}

/// Tasks that share a transaction.
pub(crate) struct Batch {
    pub(super) tasks: Vec<Box<dyn Task>>,
    /// Whose heavy command it is, if it is one.
    pub(super) heavy: Option<Tenant>,
}

impl Waiting {
    fn len(&self) -> usize {
        self.urgent.len() + self.light.load().items + self.heavy.load().items
    }

    /// How much a task weighs. Of a tenant whose last commands were slow, each is heavy: rows say little of how long it
    /// takes to show what was changed.
    fn rows_of(&self, task: &dyn Task) -> u32 {
        let is_slow = !self.slow_until.is_empty()
            && self.slow_until.get(&task.tenant()).is_some_and(|until| Instant::now() < *until);
        if is_slow { task.weight().max(LIGHT_ROWS_MAX + 1) } else { task.weight() }
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

    /// What comes next: a heavy command, or light ones up to a number of rows. Neither lets the other wait for longer
    /// than a batch, but for the pauses of heavy ones. Tasks whose callers have gone are left out: no work is done in
    /// vain, and a node that was paused does not begin what its callers have requested elsewhere meanwhile.
    fn take_batch(&mut self, starts_heavy: bool, abandoned: &mut Vec<Box<dyn Task>>, pace: &mut HeavyPace) -> Batch {
        let mut tasks: Vec<_> = self.urgent.drain(..).collect();
        let now = Instant::now();
        if starts_heavy && (!self.was_heavy || self.light.is_empty()) {
            while let Some(turn) = self.heavy.pop() {
                if turn.item.is_abandoned() {
                    abandoned.push(turn.item);
                } else {
                    self.was_heavy = true;
                    tasks.push(turn.item);
                    return Batch { tasks, heavy: Some(turn.tenant) };
                }
            }
        }
        self.was_heavy = false;
        let mut rows = 0;
        while rows < BATCH_ROWS_MAX
            && let Some(turn) = self.light.pop()
        {
            if turn.item.is_abandoned() {
                abandoned.push(turn.item);
            } else {
                rows += turn.rows;
                pace.record_light(turn.tenant, now);
                tasks.push(turn.item);
            }
        }
        Batch { tasks, heavy: None }
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
            let Some(paused_until) = self.pace.paused_until(Instant::now()) else {
                return poll_fn(|cx| self.poll_batch(cx, true)).await;
            };
            let light = poll_fn(|cx| self.poll_batch(cx, false));
            if let Ok(batch) = tokio::time::timeout_at(paused_until, light).await {
                return batch;
            }
        }
    }

    /// Ready when something waits, or nothing will come.
    fn poll_batch(&mut self, cx: &mut Context<'_>, starts_heavy: bool) -> Poll<Option<Batch>> {
        let mut abandoned = Vec::new();
        let mut waiting = self.waiting.lock();
        // At the end nobody else comes who could be delayed.
        let starts_heavy = starts_heavy || waiting.is_closed;
        if !waiting.urgent.is_empty() || !waiting.light.is_empty() || (starts_heavy && !waiting.heavy.is_empty()) {
            let batch = waiting.take_batch(starts_heavy, &mut abandoned, &mut self.pace);
            drop(waiting);
            return Poll::Ready(Some(batch));
        }
        if waiting.is_closed {
            return Poll::Ready(None);
        }
        waiting.lane = Some(cx.waker().clone());
        Poll::Pending
    }

    /// Tells how long a heavy command took.
    pub(super) fn record_heavy(&mut self, tenant: Tenant, started_at: Instant) {
        self.pace.record_heavy(tenant, started_at, Instant::now());
    }

    /// Remembers whose commands were slow.
    pub(super) fn record_slow(&mut self, tenants: &[Tenant], now: Instant) {
        let mut waiting = self.waiting.lock();
        if !waiting.slow_until.is_empty() {
            waiting.slow_until.retain(|_, until| *until > now);
        }
        // What the program does by itself is bounded already, and nobody can do it in its place.
        let callers = tenants.iter().filter(|tenant| **tenant != Tenant::System);
        waiting.slow_until.extend(callers.map(|tenant| (*tenant, now + SLOW_TENANT_MEMORY)));
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
        match self.poll_batch(&mut Context::from_waker(Waker::noop()), true) {
            Poll::Ready(batch) => batch,
            Poll::Pending => None,
        }
    }

    /// Takes all that waits.
    pub(super) fn drain(&mut self) -> Vec<Box<dyn Task>> {
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
mod tests {
    use std::time::Duration;

    use futures_util::FutureExt as _;
    use kassa_domain::{Id, ReadSet, View};

    use super::*;
    use crate::task::DecisionEnv;

    const HEAVY: u32 = LIGHT_ROWS_MAX + 1;

    /// A task that is only counted. It carries its number as the node that it would read.
    struct Counted {
        tenant: Tenant,
        shard: ShardTag,
        number: u16,
        rows: u32,
        is_abandoned: bool,
    }

    impl Task for Counted {
        fn read_set(&self, read_set: &mut ReadSet) {
            read_set.nodes.push(self.number);
        }

        fn weight(&self) -> u32 {
            self.rows
        }

        fn tenant(&self) -> Tenant {
            self.tenant
        }

        fn shard(&self) -> ShardTag {
            self.shard
        }

        fn is_abandoned(&self) -> bool {
            self.is_abandoned
        }

        fn attempt(&mut self, _: DecisionEnv<'_>, _: &mut View) {}

        fn is_refused(&self) -> bool {
            false
        }

        fn reply(self: Box<Self>, _: Result<(), Failure>) {}
    }

    fn partner(key: i64) -> Tenant {
        Tenant::Partner(Id::root(key))
    }

    fn shard(key: i64) -> ShardTag {
        ShardTag::from_i64(key).unwrap()
    }

    fn counted(tenant: Tenant, shard: ShardTag, number: u16, rows: u32) -> Box<dyn Task> {
        Box::new(Counted { tenant, shard, number, rows, is_abandoned: false })
    }

    fn send(queue: &TaskSender, tenant: Tenant, rows: u32, number: u16) -> Result<(), Failure> {
        queue.send(counted(tenant, shard(1), number, rows))
    }

    fn numbers(batch: &Batch) -> Vec<u16> {
        let mut read_set = ReadSet::default();
        batch.tasks.iter().for_each(|task| task.read_set(&mut read_set));
        read_set.nodes
    }

    /// The numbers in the next batch, which is there without a wait.
    fn next_now(queue: &mut TaskQueue) -> Vec<u16> {
        numbers(&queue.next_batch().now_or_never().expect("a batch").expect("open"))
    }

    /// How often something can be added.
    fn fill(mut add: impl FnMut() -> Result<(), Failure>) -> (usize, Failure) {
        let mut added = 0;
        loop {
            match add() {
                Ok(()) => added += 1,
                Err(failure) => return (added, failure),
            }
            assert!(added < 1_000_000, "the queue has no limit");
        }
    }

    #[tokio::test]
    async fn a_crowd_leaves_room_for_other_events_other_tenants_and_the_system() {
        let (sender, _queue) = queue();
        let add = |tenant, event| fill(|| sender.send(counted(tenant, shard(event), 0, 8)));
        assert_eq!(add(partner(1), 1), (QUEUE_MAX.div_ceil(3), Failure::Busy), "a crowd at one event");
        let (another_event, _) = add(partner(1), 2);
        assert!(another_event > 1_000, "{another_event}");
        for tenant in 2..6 {
            let (added, _) = add(partner(tenant), 1);
            assert!(added > 100, "{added} of tenant {tenant}");
        }
        let (of_system, _) = add(Tenant::System, 1);
        assert!(of_system >= QUEUE_RESERVED_FOR_SYSTEM, "{of_system}");
        assert_eq!(sender.len(), QUEUE_MAX + QUEUE_RESERVED_FOR_SYSTEM);
        let urgent = counted(Tenant::System, shard(1), 7, 8);
        assert_eq!(sender.send_urgent(urgent), Ok(()), "a full queue does not let a lease end");
    }

    #[tokio::test]
    async fn of_one_tenant_few_heavy_commands_wait() {
        let (sender, _queue) = queue();
        assert_eq!(fill(|| send(&sender, partner(1), COMMAND_ROWS_MAX, 0)), (10, Failure::TooManyHeavy));
        assert_eq!(send(&sender, partner(1), HEAVY, 0), Err(Failure::TooManyHeavy), "whatever it weighs");
        assert_eq!(send(&sender, partner(1), LIGHT_ROWS_MAX, 0), Ok(()), "light ones may wait");
        assert_eq!(send(&sender, partner(2), COMMAND_ROWS_MAX, 0), Ok(()), "and those of others");
        let system = |_| send(&sender, Tenant::System, COMMAND_ROWS_MAX, 0);
        assert_eq!((0..20).try_for_each(system), Ok(()), "steps of jobs are not refused");
    }

    #[tokio::test]
    async fn urgent_tasks_come_first_and_one_heavy_between_batches_of_light_ones() {
        let (sender, mut queue) = queue();
        for (number, rows) in [(1, HEAVY), (2, HEAVY), (3, 8), (4, 8)] {
            send(&sender, partner(1), rows, number).unwrap();
        }
        sender.send_urgent(counted(Tenant::System, shard(1), 9, 8)).unwrap();
        assert_eq!(next_now(&mut queue), [9, 1]);
        send(&sender, partner(1), 8, 5).unwrap();
        assert_eq!(next_now(&mut queue), [3, 4, 5]);
        send(&sender, partner(1), 8, 6).unwrap();
        assert_eq!(next_now(&mut queue), [2]);
        assert_eq!(next_now(&mut queue), [6]);
        assert!(queue.next_batch().now_or_never().is_none());
    }

    #[tokio::test]
    async fn a_batch_is_bounded_and_leaves_out_those_who_have_gone() {
        let (sender, mut queue) = queue();
        for number in 0..2 * BATCH_ROWS_MAX / 100 {
            let (is_abandoned, number) = (number % 2 == 1, u16::try_from(number).unwrap());
            let task = Counted { tenant: partner(1), shard: shard(1), number, rows: 100, is_abandoned };
            sender.send(Box::new(task)).unwrap();
        }
        send(&sender, partner(2), 8, 1_000).unwrap();
        let batch = next_now(&mut queue);
        assert_eq!(batch.len(), BATCH_ROWS_MAX as usize / 100 + 1);
        assert!(batch.contains(&1_000) && batch.iter().filter(|number| *number % 2 == 1).count() == 0, "{batch:?}");
    }

    #[tokio::test(start_paused = true)]
    async fn heavy_commands_pause_while_they_delay_somebody_else() {
        let (sender, mut queue) = queue();
        send(&sender, partner(2), 8, 1).unwrap();
        assert_eq!(next_now(&mut queue), [1]);
        send(&sender, partner(1), HEAVY, 2).unwrap();
        let started_at = Instant::now();
        assert_eq!(next_now(&mut queue), [2]);
        tokio::time::advance(Duration::from_millis(80)).await;
        queue.record_heavy(partner(1), started_at);
        let ended_at = Instant::now();
        send(&sender, partner(1), HEAVY, 3).unwrap();
        for number in 4..8 {
            send(&sender, partner(2), 8, number).unwrap();
            assert_eq!(next_now(&mut queue), [number], "light ones go at once");
        }
        assert_eq!(numbers(&queue.next_batch().await.unwrap()), [3]);
        assert_eq!(ended_at.elapsed(), Duration::from_millis(240));
    }

    #[tokio::test(start_paused = true)]
    async fn somebody_alone_has_no_pauses_and_a_closed_queue_has_none() {
        let (sender, mut queue) = queue();
        let run_for_a_minute = async |queue: &mut TaskQueue, number| {
            let started_at = Instant::now();
            assert_eq!(next_now(queue), [number]);
            tokio::time::advance(Duration::from_mins(1)).await;
            queue.record_heavy(partner(1), started_at);
        };
        for number in 1..4 {
            send(&sender, partner(1), HEAVY, number).unwrap();
            run_for_a_minute(&mut queue, number).await;
        }
        send(&sender, partner(2), 8, 4).unwrap();
        assert_eq!(next_now(&mut queue), [4]);
        send(&sender, partner(1), HEAVY, 5).unwrap();
        assert!(queue.next_batch().now_or_never().is_none(), "now somebody else is there");
        drop(sender);
        assert_eq!(next_now(&mut queue), [5]);
        assert!(queue.next_batch().await.is_none());
    }

    #[tokio::test(start_paused = true)]
    async fn commands_of_a_tenant_are_heavy_for_a_while_after_a_slow_one() {
        let (sender, mut queue) = queue();
        queue.record_slow(&[partner(1), Tenant::System], Instant::now());
        for number in 1..4 {
            send(&sender, partner(1), 8, number).unwrap();
            send(&sender, partner(2), 8, 10 + number).unwrap();
        }
        assert_eq!(next_now(&mut queue), [1], "by itself");
        assert_eq!(next_now(&mut queue), [11, 12, 13]);
        // There was no time for one of them.
        queue.put_back(vec![counted(partner(2), shard(1), 13, 8)]);
        assert_eq!(next_now(&mut queue), [2]);
        assert_eq!(next_now(&mut queue), [13]);
        assert_eq!(next_now(&mut queue), [3]);
        tokio::time::advance(SLOW_TENANT_MEMORY).await;
        for tenant in [partner(1), Tenant::System] {
            send(&sender, tenant, 8, 4).unwrap();
        }
        assert_eq!(next_now(&mut queue), [4, 4], "it is forgotten, and the program's own is never heavy for that");
    }

    #[tokio::test]
    async fn a_sender_sees_the_lane_go() {
        let (sender, queue) = queue();
        assert!(!sender.is_closed() && sender.closed().now_or_never().is_none());
        drop(queue);
        assert!(sender.is_closed() && sender.closed().now_or_never().is_some());
        assert_eq!(send(&sender, partner(1), 8, 1), Err(Failure::Busy));
    }
}

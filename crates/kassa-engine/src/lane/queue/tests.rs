//! Who finds room in a queue, and who is in its next batch.

use std::time::Duration;

use futures_util::FutureExt as _;
use kassa_domain::{Id, ReadSet, View};

use super::*;
use crate::lane::HeavyTurns;
use crate::task::DecisionEnv;

const HEAVY: u32 = LIGHT_ROWS_MAX + 1;

/// A task that is only counted. It carries its number as the node that it would read.
struct Counted {
    tenant: Tenant,
    shard: ShardTag,
    number: u16,
    rows: u32,
    loads_event: bool,
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

    fn loads_event(&self) -> bool {
        self.loads_event
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

/// That of the only lane.
fn lone_queue() -> (TaskSender, TaskQueue) {
    queue(HeavyPace::new(&HeavyTurns::new(1), 0))
}

fn partner(key: i64) -> Tenant {
    Tenant::Partner(Id::root(key))
}

fn shard(key: i64) -> ShardTag {
    ShardTag::from_i64(key).unwrap()
}

fn counted(tenant: Tenant, shard: ShardTag, number: u16, rows: u32) -> Box<dyn Task> {
    Box::new(Counted { tenant, shard, number, rows, loads_event: false, is_abandoned: false })
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
    let (sender, _queue) = lone_queue();
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
    let (sender, _queue) = lone_queue();
    assert_eq!(fill(|| send(&sender, partner(1), COMMAND_ROWS_MAX, 0)), (10, Failure::TooManyHeavy));
    assert_eq!(send(&sender, partner(1), HEAVY, 0), Err(Failure::TooManyHeavy), "whatever it weighs");
    assert_eq!(send(&sender, partner(1), LIGHT_ROWS_MAX, 0), Ok(()), "light ones may wait");
    assert_eq!(send(&sender, partner(2), COMMAND_ROWS_MAX, 0), Ok(()), "and those of others");
    let system = |_| send(&sender, Tenant::System, COMMAND_ROWS_MAX, 0);
    assert_eq!((0..20).try_for_each(system), Ok(()), "steps of jobs are not refused");
}

#[tokio::test]
async fn urgent_tasks_come_first_and_one_heavy_between_batches_of_light_ones() {
    let (sender, mut queue) = lone_queue();
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
    let (sender, mut queue) = lone_queue();
    for number in 0..2 * BATCH_ROWS_MAX / 100 {
        let (is_abandoned, number) = (number % 2 == 1, u16::try_from(number).unwrap());
        let task = Counted { tenant: partner(1), shard: shard(1), number, rows: 100, loads_event: false, is_abandoned };
        sender.send(Box::new(task)).unwrap();
    }
    send(&sender, partner(2), 8, 1_000).unwrap();
    let batch = next_now(&mut queue);
    assert_eq!(batch.len(), BATCH_ROWS_MAX as usize / 100 + 1);
    assert!(batch.contains(&1_000) && batch.iter().filter(|number| *number % 2 == 1).count() == 0, "{batch:?}");
}

#[tokio::test(start_paused = true)]
async fn heavy_commands_pause_while_they_delay_somebody_else() {
    let (sender, mut queue) = lone_queue();
    send(&sender, partner(2), 8, 1).unwrap();
    assert_eq!(next_now(&mut queue), [1]);
    send(&sender, partner(1), HEAVY, 2).unwrap();
    assert_eq!(next_now(&mut queue), [2]);
    tokio::time::advance(Duration::from_millis(80)).await;
    queue.record_heavy_end();
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
async fn a_heavy_command_waits_for_that_of_another_lane_while_both_delay_somebody_else() {
    let turns = HeavyTurns::new(2);
    let ((a, mut queue_a), (b, mut queue_b)) = (queue(HeavyPace::new(&turns, 0)), queue(HeavyPace::new(&turns, 1)));
    send(&b, partner(2), 8, 1).unwrap();
    assert_eq!(next_now(&mut queue_b), [1]);
    send(&a, partner(1), HEAVY, 2).unwrap();
    assert_eq!(next_now(&mut queue_a), [2]);
    send(&b, partner(1), HEAVY, 3).unwrap();
    send(&b, partner(2), 8, 4).unwrap();
    assert_eq!(next_now(&mut queue_b), [4], "light ones go at once");
    let (next, started_at) = (queue_b.next_batch(), Instant::now());
    let (next, ()) = tokio::join!(next, async {
        tokio::time::sleep(Duration::from_millis(80)).await;
        queue_a.record_heavy_end();
    });
    assert_eq!(numbers(&next.unwrap()), [3]);
    assert_eq!(
        started_at.elapsed(),
        Duration::from_millis(80 + 240),
        "it was woken, and made the pause of the other lane"
    );
}

#[tokio::test(start_paused = true)]
async fn somebody_alone_has_no_pauses_and_a_closed_queue_has_none() {
    let (sender, mut queue) = lone_queue();
    let run_for_a_minute = async |queue: &mut TaskQueue, number| {
        assert_eq!(next_now(queue), [number]);
        tokio::time::advance(Duration::from_mins(1)).await;
        queue.record_heavy_end();
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

#[tokio::test]
async fn commands_of_a_slow_tenant_are_heavy() {
    let (sender, mut queue) = lone_queue();
    (0..3).for_each(|_| queue.record_slow(&[partner(1)], Instant::now()));
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
}

#[tokio::test]
async fn of_events_that_may_say_very_much_a_batch_loads_one() {
    let (sender, mut queue) = lone_queue();
    let order = |event, number| {
        let (tenant, shard) = (partner(event), shard(event));
        sender
            .send(Box::new(Counted { tenant, shard, number, rows: 8, loads_event: true, is_abandoned: false }))
            .unwrap();
    };
    for event in 1..4 {
        order(event, u16::try_from(event).unwrap());
    }
    send(&sender, partner(9), 8, 9).unwrap();
    let first = [next_now(&mut queue), next_now(&mut queue), next_now(&mut queue), next_now(&mut queue)];
    assert_eq!(first, [vec![1], vec![2], vec![3], vec![9]], "nobody knows what they say");
    queue.record_events(&[(shard(1), 1_000), (shard(2), 10_000), (shard(3), 1_000_000)]);
    for event in 1..4 {
        order(event, u16::try_from(event).unwrap());
        order(event, u16::try_from(10 + event).unwrap());
    }
    assert_eq!(next_now(&mut queue), [3], "it is heavy, and comes by itself");
    assert_eq!(next_now(&mut queue), [1, 11, 2, 12]);
    assert_eq!(next_now(&mut queue), [13]);
}

#[tokio::test]
async fn what_waits_for_an_event_is_heavy_as_soon_as_that_is_known_to_say_very_much() {
    let (sender, mut queue) = lone_queue();
    for number in 1..4 {
        let (tenant, shard) = (partner(1), shard(1));
        let order = Counted { tenant, shard, number, rows: 8, loads_event: true, is_abandoned: false };
        sender.send(Box::new(order)).unwrap();
    }
    sender.send(counted(partner(2), shard(2), 9, 8)).unwrap();
    assert_eq!(next_now(&mut queue), [1], "nobody knows what it says");
    queue.record_events(&[(shard(1), 1_000_000)]);
    assert_eq!(next_now(&mut queue), [9]);
    assert_eq!([next_now(&mut queue), next_now(&mut queue)], [[2], [3]], "each by itself");
}

#[tokio::test]
async fn what_an_event_says_counts_once_for_all_who_wait() {
    let (sender, mut queue) = lone_queue();
    queue.record_events(&[(shard(1), 200 * EVENT_BYTES_PER_ROW), (shard(2), 0)]);
    for number in 0..100 {
        sender.send(counted(partner(1), shard(1), number, 8)).unwrap();
        sender.send(counted(partner(2), shard(2), 100 + number, 8)).unwrap();
    }
    let batch = next_now(&mut queue);
    let of_first = batch.iter().filter(|number| **number < 100).count();
    assert!(of_first > 90 && batch.len() > 190, "{of_first} of {}", batch.len());
}

#[tokio::test]
async fn a_sender_sees_the_lane_go() {
    let (sender, queue) = lone_queue();
    assert!(!sender.is_closed() && sender.closed().now_or_never().is_none());
    drop(queue);
    assert!(sender.is_closed() && sender.closed().now_or_never().is_some());
    assert_eq!(send(&sender, partner(1), 8, 1), Err(Failure::Busy));
}

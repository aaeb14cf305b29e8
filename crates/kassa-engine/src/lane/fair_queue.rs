//! A queue in which nobody's many keep another's few waiting: tenants take turns, and within a tenant its shards do.
//!
//! Turns are those of deficit round robin: each brings a quantum of rows, and what a turn has overdrawn is missing from
//! the next. So all that have something waiting get about the same number of rows, whatever their commands weigh. Turns
//! go by keys: nothing depends on the order of a hash.

use std::collections::{BTreeMap, VecDeque};
use std::ops::Bound::{self, Excluded, Included, Unbounded};

use kassa_domain::ShardTag;

use crate::tenant::Tenant;

/// How much waits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Load {
    pub(super) items: usize,
    pub(super) rows: u64,
}

impl Load {
    fn add(&mut self, rows: u32) {
        self.items += 1;
        self.rows += u64::from(rows);
    }

    fn subtract(&mut self, rows: u32) {
        self.items -= 1;
        self.rows -= u64::from(rows);
    }
}

/// An item that has its turn.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Turn<T> {
    pub(super) tenant: Tenant,
    pub(super) rows: u32,
    pub(super) item: T,
}

/// A queue of the items of tenants and their shards. It has no bound: whoever pushes looks at the load first.
pub(super) struct FairQueue<T>(RoundRobin<Tenant, RoundRobin<ShardTag, Fifo<T>>>);

impl<T> FairQueue<T> {
    /// An empty queue, in which a turn brings so many rows.
    pub(super) fn new(quantum_rows: u32) -> Self {
        Self(RoundRobin::new(quantum_rows))
    }

    /// Adds an item behind the others of its shard.
    pub(super) fn push(&mut self, tenant: Tenant, shard: ShardTag, rows: u32, item: T) {
        // What weighs nothing would have its turn for ever.
        let rows = rows.max(1);
        let shards = self.0.queue_for(tenant, rows, RoundRobin::new);
        shards.queue_for(shard, rows, |_| Fifo::default()).push(rows, item);
    }

    /// Takes the next item.
    pub(super) fn pop(&mut self) -> Option<Turn<T>> {
        let (tenant, rows, item) = self.0.pop_with_key()?;
        Some(Turn { tenant, rows, item })
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All that waits.
    pub(super) fn load(&self) -> Load {
        self.0.load
    }

    /// What of it is a tenant's.
    pub(super) fn load_of_tenant(&self, tenant: Tenant) -> Load {
        self.0.get(tenant).map_or_else(Load::default, |shards| shards.load)
    }

    /// What of that is one shard's.
    pub(super) fn load_of_shard(&self, tenant: Tenant, shard: ShardTag) -> Load {
        self.0.get(tenant).and_then(|shards| shards.get(shard)).map_or_else(Load::default, |items| items.load)
    }
}

/// What a turn takes items from.
trait Queue {
    type Item;

    /// The next item, and its rows.
    fn pop(&mut self) -> Option<(u32, Self::Item)>;
    fn is_empty(&self) -> bool;
}

struct Fifo<T> {
    items: VecDeque<(u32, T)>,
    load: Load,
}

impl<T> Default for Fifo<T> {
    fn default() -> Self {
        Self { items: VecDeque::new(), load: Load::default() }
    }
}

impl<T> Fifo<T> {
    fn push(&mut self, rows: u32, item: T) {
        self.load.add(rows);
        self.items.push_back((rows, item));
    }
}

impl<T> Queue for Fifo<T> {
    type Item = T;

    fn pop(&mut self) -> Option<(u32, T)> {
        let (rows, item) = self.items.pop_front()?;
        self.load.subtract(rows);
        Some((rows, item))
    }

    fn is_empty(&self) -> bool {
        self.items.is_empty()
    }
}

/// Queues that take turns, in the order of their keys. Those that are empty are not kept: their debts are forgotten.
struct RoundRobin<K, Q> {
    quantum_rows: u32,
    members: BTreeMap<K, Member<Q>>,
    /// Where the turn is: at a key, or behind one.
    turn: Bound<K>,
    load: Load,
}

struct Member<Q> {
    queue: Q,
    /// The rows that it may still have in its turn; below zero, what it owes to its next ones.
    credit: i64,
}

impl<K: Copy + Ord, Q> RoundRobin<K, Q> {
    fn new(quantum_rows: u32) -> Self {
        Self { quantum_rows, members: BTreeMap::new(), turn: Unbounded, load: Load::default() }
    }

    fn get(&self, key: K) -> Option<&Q> {
        self.members.get(&key).map(|member| &member.queue)
    }

    /// The queue of a key, to which an item of so many rows is added now.
    fn queue_for(&mut self, key: K, rows: u32, new: impl FnOnce(u32) -> Q) -> &mut Q {
        self.load.add(rows);
        &mut self.members.entry(key).or_insert_with(|| Member { queue: new(self.quantum_rows), credit: 0 }).queue
    }
}

impl<K: Copy + Ord, Q: Queue> RoundRobin<K, Q> {
    /// The next item, with whose turn it is and its rows.
    fn pop_with_key(&mut self) -> Option<(K, u32, Q::Item)> {
        while !self.members.is_empty() {
            let Some((&key, member)) = self.members.range_mut((self.turn, Unbounded)).next() else {
                self.turn = Unbounded;
                continue;
            };
            if self.turn != Included(key) {
                self.turn = Included(key);
                member.credit += i64::from(self.quantum_rows);
            }
            let next = if member.credit > 0 { member.queue.pop() } else { None };
            let Some((rows, item)) = next else {
                self.turn = Excluded(key);
                continue;
            };
            member.credit -= i64::from(rows);
            if member.queue.is_empty() {
                self.members.remove(&key);
                self.turn = Excluded(key);
            }
            self.load.subtract(rows);
            return Some((key, rows, item));
        }
        None
    }
}

impl<K: Copy + Ord, Q: Queue> Queue for RoundRobin<K, Q> {
    type Item = Q::Item;

    fn pop(&mut self) -> Option<(u32, Q::Item)> {
        let (_, rows, item) = self.pop_with_key()?;
        Some((rows, item))
    }

    fn is_empty(&self) -> bool {
        self.members.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use kassa_domain::Id;
    use proptest::prelude::*;

    use super::*;

    const QUANTUM: u32 = 100;

    fn partner(key: i64) -> Tenant {
        Tenant::Partner(Id::root(key))
    }

    fn shard(key: i64) -> ShardTag {
        ShardTag::from_i64(key).unwrap()
    }

    /// A queue of `(tenant, shard, rows)`; an item is its place among them.
    fn queue_of(items: &[(i64, i64, u32)]) -> FairQueue<usize> {
        let mut queue = FairQueue::new(QUANTUM);
        for (at, (tenant, event, rows)) in items.iter().enumerate() {
            queue.push(partner(*tenant), shard(*event), *rows, at);
        }
        queue
    }

    fn drain(queue: &mut FairQueue<usize>) -> Vec<usize> {
        std::iter::from_fn(|| queue.pop()).map(|turn| turn.item).collect()
    }

    #[test]
    fn commands_of_one_shard_keep_their_order() {
        let mut queue = queue_of(&[(1, 1, 8); 50]);
        assert_eq!(drain(&mut queue), (0..50).collect::<Vec<_>>());
        assert!(queue.pop().is_none() && queue.is_empty());
    }

    #[test]
    fn one_command_behind_a_crowd_waits_for_one_turn() {
        for crowd_first in [1, 9] {
            let mut items = vec![(crowd_first, 1, 10); 1_000];
            items.push((5, 1, 10));
            let place = drain(&mut queue_of(&items)).iter().position(|item| *item == 1_000).unwrap();
            assert!(place <= 10, "a turn is ten commands, but it came after {place}");
        }
    }

    #[test]
    fn a_crowd_at_one_event_leaves_other_events_of_the_same_tenant_their_turns() {
        let mut items = vec![(1, 1, 10); 1_000];
        items.push((1, 2, 10));
        let place = drain(&mut queue_of(&items)).iter().position(|item| *item == 1_000).unwrap();
        assert!(place <= 10, "{place}");
    }

    #[test]
    fn tenants_get_the_same_number_of_rows_whatever_their_commands_weigh() {
        let mut items = vec![(1, 1, 500); 40];
        items.extend(vec![(2, 1, 10); 2_000]);
        let mut queue = queue_of(&items);
        let mut rows = BTreeMap::<Tenant, u32>::new();
        for _ in 0..1_000 {
            let turn = queue.pop().unwrap();
            *rows.entry(turn.tenant).or_default() += turn.rows;
        }
        let [heavy, light] = [1, 2].map(|key| rows[&partner(key)]);
        assert!(heavy.abs_diff(light) <= 500 + QUANTUM, "{heavy} and {light}");
    }

    #[test]
    fn a_command_without_rows_has_no_endless_turn() {
        let mut items = vec![(1, 1, 0); 1_000];
        items.push((2, 1, 0));
        let place = drain(&mut queue_of(&items)).iter().position(|item| *item == 1_000).unwrap();
        assert!(place <= QUANTUM as usize, "{place}");
    }

    proptest! {
        /// Whatever comes and goes: nothing is lost or changed, a shard keeps its order, loads add up, and no tenant
        /// that waits gets less than another by more than the largest overdraft of a turn.
        #[test]
        fn turns_are_fair_and_lose_nothing(
            steps in prop::collection::vec((0..4_i64, 0..3_i64, 0..400_u32, 0..3_usize), 1..300),
        ) {
            let mut queue = FairQueue::new(QUANTUM);
            let mut pending: BTreeMap<(Tenant, ShardTag), VecDeque<(u32, usize)>> = BTreeMap::new();
            for (at, (tenant, event, rows, pops)) in steps.into_iter().enumerate() {
                let key = (partner(tenant), shard(event));
                queue.push(key.0, key.1, rows, at);
                pending.entry(key).or_default().push_back((rows.max(1), at));
                for _ in 0..pops {
                    let Some(turn) = queue.pop() else { break };
                    let front = pending.iter_mut().find(|(key, items)| {
                        key.0 == turn.tenant && items.front() == Some(&(turn.rows, turn.item))
                    });
                    front.expect("the first of its shard").1.pop_front();
                }
                for (key, items) in &pending {
                    let rows = items.iter().map(|(rows, _)| u64::from(*rows)).sum();
                    prop_assert_eq!(queue.load_of_shard(key.0, key.1), Load { items: items.len(), rows });
                }
            }
            assert_fair_drain(&mut queue, pending.into_iter().map(|((tenant, _), items)| (tenant, items.len())));
        }
    }

    /// Takes all that is left; while all of several tenants wait, they get the same, but for an overdraft.
    fn assert_fair_drain(queue: &mut FairQueue<usize>, left: impl Iterator<Item = (Tenant, usize)>) {
        let mut waiting = BTreeMap::<Tenant, usize>::new();
        left.for_each(|(tenant, items)| *waiting.entry(tenant).or_default() += items);
        waiting.retain(|_, items| *items > 0);
        let mut rows: BTreeMap<Tenant, u32> = waiting.keys().map(|tenant| (*tenant, 0)).collect();
        assert_eq!(queue.load().items, waiting.values().sum::<usize>());
        while waiting.values().all(|items| *items > 0) {
            let Some(turn) = queue.pop() else { return };
            *rows.get_mut(&turn.tenant).unwrap() += turn.rows;
            *waiting.get_mut(&turn.tenant).unwrap() -= 1;
            let (least, most) = (rows.values().min().unwrap(), rows.values().max().unwrap());
            // One may begin in debt by an overdraft and another end its turn with one, and one turn lies between them.
            assert!(most - least <= 2 * 400 + 2 * QUANTUM, "{rows:?}");
        }
    }
}

//! A lane: what waits for it, and what it takes into a batch.

use std::collections::{HashMap, VecDeque};

use super::super::costs::{BATCH_ORDERS_MAX, BATCH_US_MAX, QUEUE_MAX};
use super::super::event_queue::EventQueue;
use super::request::RequestKind;
use super::{Fleet, FleetEvent, Request};

/// One writer of a server.
#[derive(Default)]
pub(super) struct Lane {
    /// What waits of each shard that has anything, in the order of turns.
    waiting: VecDeque<(usize, VecDeque<Request>)>,
    waiting_commands: usize,
    waiting_of_event: HashMap<usize, usize>,
    /// What shares the batch that is under way.
    pub(super) batch: Vec<Request>,
    /// Whose rows it locks, in the order of locks, and how many of them it has.
    pub(super) events: Vec<usize>,
    pub(super) locked: usize,
    pub(super) started_at: u64,
    /// Counts the deaths of its server: what was planned before means nothing.
    pub(super) generation: u32,
}

impl Lane {
    /// Whether there is room for one more of an event: a partner may hold as much as it leaves free, one of its events as
    /// much as is left of that. Here each event is a partner's of its own.
    fn has_room(&self, event: usize) -> bool {
        let own = self.waiting_of_event.get(&event).copied().unwrap_or(0);
        let free = QUEUE_MAX.saturating_sub(self.waiting_commands);
        own < free && own < free - own
    }

    fn push(&mut self, shard: usize, request: Request) {
        *self.waiting_of_event.entry(request.event).or_default() += 1;
        self.waiting_commands += 1;
        match self.waiting.iter_mut().find(|(of, _)| *of == shard) {
            Some((_, waiting)) => waiting.push_back(request),
            None => self.waiting.push_back((shard, VecDeque::from([request]))),
        }
    }

    /// The next batch. It is of one shard, which then has to wait for the others.
    fn take_batch(&mut self, now: u64) {
        if let Some((shard, mut waiting)) = self.waiting.pop_front() {
            self.batch.extend(waiting.drain(..waiting.len().min(BATCH_ORDERS_MAX)));
            if !waiting.is_empty() {
                self.waiting.push_back((shard, waiting));
            }
        }
        self.waiting_commands -= self.batch.len();
        for request in &self.batch {
            if let Some(waiting) = self.waiting_of_event.get_mut(&request.event) {
                *waiting -= 1;
            }
        }
        self.events = self.batch.iter().map(|request| request.event).collect();
        self.events.sort_unstable();
        self.events.dedup();
        self.locked = 0;
        self.started_at = now;
    }

    /// All that waits.
    pub(super) fn drain(&mut self) -> Vec<Request> {
        self.waiting_commands = 0;
        self.waiting_of_event.clear();
        self.waiting.drain(..).flat_map(|(_, waiting)| waiting).collect()
    }
}

impl Fleet {
    /// A write finds room in the queue of its lane, or does not.
    pub(super) fn enter_lane<E: From<FleetEvent>>(&mut self, queue: &mut EventQueue<E>, now: u64, request: Request) {
        let at = self.arrangement.lane_of(request.node, request.event);
        let lane = &mut self.lanes[at];
        let is_stuck = !lane.batch.is_empty() && now - lane.started_at > BATCH_US_MAX;
        // The system's own commands have further places.
        if request.kind != RequestKind::Expire && (is_stuck || !lane.has_room(request.event)) {
            let refused = if is_stuck { lane.drain() } else { Vec::new() };
            for request in refused.into_iter().chain([request]) {
                self.refuse(queue, now, request);
            }
            return;
        }
        lane.push(self.arrangement.shard_of(request.event), request);
        if lane.batch.is_empty() {
            self.start_batch(queue, now, at);
        }
    }

    /// Begins a batch if anything waits.
    pub(super) fn start_batch<E: From<FleetEvent>>(&mut self, queue: &mut EventQueue<E>, now: u64, at: usize) {
        let lane = &mut self.lanes[at];
        lane.take_batch(now);
        if !lane.batch.is_empty() {
            self.batches += 1;
            self.batched += super::count(self.lanes[at].batch.len());
            self.begin_batch(queue, now, at);
        }
    }
}

//! A batch from its first statement to its answers: three round trips, one lock for each event, one flush.

use super::super::event_queue::EventQueue;
use super::request::{Answer, Request, RequestKind};
use super::work::Work;
use super::{Fleet, FleetEvent};

/// What a batch does next.
#[derive(Clone, Copy, Debug)]
pub(in crate::capacity) enum Stage {
    /// Its rows are loaded.
    Load,
    /// The locks of its events are taken, one after the other.
    Lock,
    /// Its rows are written.
    Write,
    /// It is committed.
    Commit,
    /// It is on the disk: answers leave.
    Reply,
}

impl Fleet {
    fn sum_of_batch(&self, at: usize, part: impl Fn(&super::super::costs::WriteCosts) -> u64) -> u64 {
        self.lanes[at].batch.iter().map(|request| part(&request.write_costs(&self.costs))).sum()
    }

    /// Work of a batch, at its server or in its session.
    fn batch_work<E: From<FleetEvent>>(
        &mut self,
        queue: &mut EventQueue<E>,
        now: u64,
        at: usize,
        (pool, left_us): (usize, u64),
        (delay_us, stage): (u64, Stage),
    ) {
        let then = Some((at, self.lanes[at].generation, stage));
        self.work(queue, now, Work { pool, left_us, delay_us, then });
    }

    fn pools_of_lane(&self, at: usize) -> (usize, usize) {
        let event = self.lanes[at].events.first().copied().unwrap_or(0);
        (self.pool_of_node(at / self.arrangement.lanes), self.pool_of_shard(self.arrangement.shard_of(event)))
    }

    pub(super) fn begin_batch<E: From<FleetEvent>>(&mut self, queue: &mut EventQueue<E>, now: u64, at: usize) {
        let (node, _) = self.pools_of_lane(at);
        let work = (node, self.costs.batch_lane / 2);
        self.batch_work(queue, now, at, work, (self.costs.round_trip, Stage::Load));
    }

    pub(super) fn begin_stage<E: From<FleetEvent>>(
        &mut self,
        queue: &mut EventQueue<E>,
        now: u64,
        at: usize,
        stage: Stage,
    ) {
        let (_, shard) = self.pools_of_lane(at);
        // As much is written as is loaded.
        let session = self.costs.batch_session + self.sum_of_batch(at, |costs| costs.session);
        let session = session / 2;
        match stage {
            Stage::Load => self.batch_work(queue, now, at, (shard, session), (0, Stage::Lock)),
            Stage::Lock => self.lock_and_decide(queue, now, at),
            Stage::Write => {
                self.batch_work(queue, now, at, (shard, session), (self.costs.round_trip, Stage::Commit));
            }
            Stage::Commit => {
                let event = self.lanes[at].events.first().copied().unwrap_or(0);
                let log = self.arrangement.shard_of(event);
                let durable = self.logs[log].commit(now, self.costs.flush);
                let generation = self.lanes[at].generation;
                queue.push(durable, FleetEvent::Stage { lane: at, generation, stage: Stage::Reply });
            }
            Stage::Reply => self.reply(queue, now, at),
        }
    }

    /// Takes the locks that are free, and decides when it has all of them.
    fn lock_and_decide<E: From<FleetEvent>>(&mut self, queue: &mut EventQueue<E>, now: u64, at: usize) {
        let generation = self.lanes[at].generation;
        while let Some(event) = self.lanes[at].events.get(self.lanes[at].locked).copied() {
            if !self.locks[event].is_held_by(at) && !self.locks[event].take(at, generation, now) {
                return;
            }
            self.lanes[at].locked += 1;
        }
        let (node, _) = self.pools_of_lane(at);
        let work = (node, self.costs.batch_lane / 2 + self.sum_of_batch(at, |costs| costs.lane));
        self.batch_work(queue, now, at, work, (self.costs.round_trip, Stage::Write));
    }

    /// Gives a lock to whoever waits for it.
    pub(super) fn unlock<E: From<FleetEvent>>(
        &mut self,
        queue: &mut EventQueue<E>,
        now: u64,
        event: usize,
        lane: usize,
    ) {
        if !self.locks[event].is_held_by(lane) {
            return;
        }
        let lanes = &self.lanes;
        if let Some((lane, generation)) = self.locks[event].pass_on(now, |at, then| lanes[at].generation == then) {
            queue.push(now, FleetEvent::Stage { lane, generation, stage: Stage::Lock });
        }
    }

    fn reply<E: From<FleetEvent>>(&mut self, queue: &mut EventQueue<E>, now: u64, at: usize) {
        let aside = self.costs.batch_aside_session + self.sum_of_batch(at, |costs| costs.aside);
        let (node, shard) = self.pools_of_lane(at);
        for (pool, left_us) in [(node, self.costs.batch_aside), (shard, aside)] {
            self.work(queue, now, Work { pool, left_us, delay_us: 0, then: None });
        }
        for event in std::mem::take(&mut self.lanes[at].events) {
            self.unlock(queue, now, event, at);
        }
        for request in std::mem::take(&mut self.lanes[at].batch) {
            let answer = self.decide(request);
            let answered = self.pools[node].run(now, request.write_costs(&self.costs).answer);
            queue.push(answered, FleetEvent::Answered(request, answer));
        }
        self.start_batch(queue, now, at);
    }

    /// What becomes of tickets. The event's lock is held.
    fn decide(&mut self, request: Request) -> Answer {
        let event = &mut self.inventory[request.event];
        match request.kind {
            RequestKind::Reserve if event.free == 0 => {
                let costs = request.write_costs(&self.costs);
                self.wasted_us += costs.request + costs.lane + costs.session + costs.aside + costs.answer;
                return Answer::SoldOut;
            }
            RequestKind::Reserve => (event.free, event.held) = (event.free - 1, event.held + 1),
            RequestKind::Pay => (event.held, event.sold) = (event.held - 1, event.sold + 1),
            RequestKind::Expire => (event.held, event.free) = (event.held - 1, event.free + 1),
            RequestKind::Customer | RequestKind::Page | RequestKind::Read => {}
        }
        Answer::Done
    }
}

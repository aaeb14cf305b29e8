//! Servers with their lanes, and shards with their locks and logs.

mod batch;
mod event_lock;
mod failure;
mod lane;
mod request;
mod work;

use super::arrangement::{Arrangement, Processors};
use super::commit_log::CommitLog;
use super::costs::Costs;
use super::event_queue::EventQueue;
use super::numbers::{count, share};
use super::processors::ProcessorPool;
use batch::Stage;
use event_lock::EventLock;
use failure::NodeState;
use lane::Lane;
pub(super) use request::{Answer, Request, RequestKind};
use work::Work;

/// What happens in an installation.
#[derive(Clone, Copy, Debug)]
pub(super) enum FleetEvent {
    /// A request reaches its server.
    Sent(Request),
    /// A write has been read and parsed.
    AtLane(Request),
    /// A batch begins its next stage, unless its server has died since.
    Stage { lane: usize, generation: u32, stage: Stage },
    /// A processor is asked for the next slice of some work.
    Work(Work),
    /// The session of a dead server has ended.
    Unlock { event: usize, lane: usize },
    /// Other programs have their turn at the processors of the first machine.
    Others { share: f64 },
    /// The buyer has its answer: for whoever drives the buyers.
    Answered(Request, Answer),
}

/// The tickets of an event, in orders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Inventory {
    pub(super) free: u64,
    pub(super) held: u64,
    pub(super) sold: u64,
}

/// An installation at work.
pub(super) struct Fleet {
    pub(super) costs: Costs,
    pub(super) arrangement: Arrangement,
    pools: Vec<ProcessorPool>,
    logs: Vec<CommitLog>,
    lanes: Vec<Lane>,
    nodes: Vec<NodeState>,
    locks: Vec<EventLock>,
    pub(super) inventory: Vec<Inventory>,
    /// Processor time of what was refused, lost, or found nothing.
    pub(super) wasted_us: u64,
    pub(super) batches: u64,
    pub(super) batched: u64,
}

impl Fleet {
    /// With so many orders to be had of each event.
    pub(super) fn new(arrangement: Arrangement, costs: Costs, orders_per_event: u64) -> Self {
        let pools = match arrangement.processors {
            Processors::Shared(processors) => vec![ProcessorPool::new(processors)],
            Processors::Separate { node, shard } => {
                let nodes = (0..arrangement.nodes).map(|_| ProcessorPool::new(node));
                nodes.chain((0..arrangement.shards).map(|_| ProcessorPool::new(shard))).collect()
            }
        };
        let inventory = Inventory { free: orders_per_event, held: 0, sold: 0 };
        Self {
            costs,
            arrangement,
            pools,
            logs: (0..arrangement.shards).map(|_| CommitLog::default()).collect(),
            lanes: (0..arrangement.nodes * arrangement.lanes).map(|_| Lane::default()).collect(),
            nodes: vec![NodeState::default(); arrangement.nodes],
            locks: (0..arrangement.events).map(|_| EventLock::default()).collect(),
            inventory: vec![inventory; arrangement.events],
            wasted_us: 0,
            batches: 0,
            batched: 0,
        }
    }

    fn pool_of_node(&self, node: usize) -> usize {
        match self.arrangement.processors {
            Processors::Shared(_) => 0,
            Processors::Separate { .. } => node,
        }
    }

    fn pool_of_shard(&self, shard: usize) -> usize {
        match self.arrangement.processors {
            Processors::Shared(_) => 0,
            Processors::Separate { .. } => self.arrangement.nodes + shard,
        }
    }

    /// Work of a server outside of its lanes: when it is done.
    pub(super) fn run_on_node(&mut self, node: usize, now: u64, work_us: u64) -> u64 {
        let pool = self.pool_of_node(node);
        self.pools[pool].run(now, work_us)
    }

    /// A request reaches a server.
    fn submit<E: From<FleetEvent>>(&mut self, queue: &mut EventQueue<E>, now: u64, request: Request) {
        if self.nodes[request.node].is_down(now) {
            queue.push(now + failure::UNANSWERED_US, FleetEvent::Answered(request, Answer::Lost));
            return;
        }
        match request.kind {
            RequestKind::Page => {
                let done = self.run_on_node(request.node, now, self.costs.page);
                queue.push(done, FleetEvent::Answered(request, Answer::Done));
            }
            RequestKind::Read => {
                let shard = self.pool_of_shard(self.arrangement.shard_of(request.event));
                let asked = self.run_on_node(request.node, now, self.costs.read);
                // The answer is part of the server's work; it is little enough to be done before the look-up.
                let done = self.pools[shard].run(asked, self.costs.read_session) + self.costs.round_trip;
                queue.push(done, FleetEvent::Answered(request, Answer::Done));
            }
            RequestKind::Reserve | RequestKind::Customer | RequestKind::Pay | RequestKind::Expire => {
                let parsed = self.run_on_node(request.node, now, request.write_costs(&self.costs).request);
                queue.push(parsed, FleetEvent::AtLane(request));
            }
        }
    }

    /// What happens within the installation. Answers are not its business.
    pub(super) fn step<E: From<FleetEvent>>(&mut self, queue: &mut EventQueue<E>, now: u64, event: FleetEvent) {
        match event {
            FleetEvent::Sent(request) => self.submit(queue, now, request),
            FleetEvent::AtLane(request) => self.enter_lane(queue, now, request),
            FleetEvent::Stage { lane, generation, stage } => {
                if self.lanes[lane].generation == generation {
                    self.begin_stage(queue, now, lane, stage);
                }
            }
            FleetEvent::Work(work) => self.work(queue, now, work),
            FleetEvent::Others { share } => self.run_others(queue, now, share),
            FleetEvent::Unlock { event, lane } => self.unlock(queue, now, event, lane),
            FleetEvent::Answered(..) => {}
        }
    }

    /// An answer that brings nothing.
    fn refuse<E: From<FleetEvent>>(&mut self, queue: &mut EventQueue<E>, now: u64, request: Request) {
        self.wasted_us += request.write_costs(&self.costs).request + self.costs.refusal;
        let done = self.run_on_node(request.node, now, self.costs.refusal);
        queue.push(done, FleetEvent::Answered(request, Answer::Busy));
    }

    /// How much of the time the busiest of some pools was busy.
    fn busiest(&self, pools: std::ops::Range<usize>, until: u64) -> f64 {
        let busy = |pool: &ProcessorPool| share(pool.busy_us(), until * count(pool.processors()));
        self.pools.get(pools).unwrap_or_default().iter().map(busy).fold(0.0, f64::max)
    }

    /// Processor time of all machines.
    pub(super) fn processor_us(&self) -> u64 {
        self.pools.iter().map(ProcessorPool::busy_us).sum()
    }

    /// How busy what can be full was until now.
    pub(super) fn usage(&self, until: u64) -> Usage {
        let nodes = self.pool_of_shard(0).max(1);
        let locked = self.locks.iter().map(|lock| share(lock.held_us(until), until)).fold(0.0, f64::max);
        let flushes = self.logs.iter().map(|log| share(log.flushes() * self.costs.flush, until)).fold(0.0, f64::max);
        Usage {
            nodes: self.busiest(0..nodes, until),
            shards: self.busiest(nodes.min(self.pools.len() - 1)..self.pools.len(), until),
            event_lock: locked,
            flushes,
        }
    }
}

/// The busiest of each kind, as a share of the time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Usage {
    /// Processors of a server.
    pub nodes: f64,
    /// Processors of a shard.
    pub shards: f64,
    /// The lock of an event.
    pub event_lock: f64,
    /// Flushes of a shard.
    pub flushes: f64,
}

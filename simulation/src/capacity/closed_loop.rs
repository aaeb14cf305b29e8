//! The load of `kassa bench`: connections that ask again as soon as they have their answer.

use super::SECOND;
use super::arrangement::{Arrangement, Processors};
use super::costs::Costs;
use super::event_queue::EventQueue;
use super::fleet::{Answer, Fleet, FleetEvent, Request, RequestKind, Usage};
use super::latencies::Latencies;
use super::numbers::{per_second, share};

/// What is asked for, again and again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoadKind {
    /// Orders of two tickets.
    Orders,
    /// An event, by the API.
    Reads,
    /// The page of an event.
    Pages,
}

/// A load, at each server the same.
#[derive(Clone, Copy, Debug)]
pub struct ClosedLoop {
    /// What is asked for.
    pub kind: LoadKind,
    /// What sells.
    pub arrangement: Arrangement,
    /// What it takes.
    pub costs: Costs,
    /// Connections to each server.
    pub connections: usize,
    /// The share of the machine that other programs take meanwhile.
    pub others_share: f64,
    /// How long it is looked at, after a second in which it gets going.
    pub seconds: u64,
}

/// What came of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClosedLoopReport {
    /// Requests that were answered.
    pub per_second: f64,
    /// From a request to its answer, in microseconds.
    pub mean_us: f64,
    /// The same of all but one in a hundred.
    pub p99_us: u64,
    /// Orders of a batch.
    pub orders_per_batch: f64,
    /// How busy everything was.
    pub usage: Usage,
}

/// Until everybody is at work.
const START_US: u64 = SECOND;

struct Run {
    fleet: Fleet,
    queue: EventQueue<FleetEvent>,
    latencies: Latencies,
    answered: u64,
}

impl ClosedLoop {
    /// Plays it.
    pub fn run(&self) -> ClosedLoopReport {
        let fleet = Fleet::new(self.arrangement, self.costs, u64::MAX);
        let mut run = Run { fleet, queue: EventQueue::new(), latencies: Latencies::new(), answered: 0 };
        let kind = match self.kind {
            LoadKind::Orders => RequestKind::Reserve,
            LoadKind::Reads => RequestKind::Read,
            LoadKind::Pages => RequestKind::Page,
        };
        for buyer in 0..self.arrangement.nodes * self.connections {
            let node = buyer % self.arrangement.nodes;
            let event = node % self.arrangement.events;
            let buyer = u32::try_from(buyer).unwrap_or(u32::MAX);
            let request = Request { kind, buyer, event, node, asked_at: 0, came_at: 0, refused: 0, is_early: true };
            run.send(0, request);
        }
        run.queue.push(0, FleetEvent::Others { share: self.others_share });
        let end = START_US + self.seconds * SECOND;
        while let Some((now, event)) = run.queue.pop()
            && now < end
        {
            if let FleetEvent::Answered(request, answer) = event {
                run.record(now, &request, answer);
                run.send(now, request);
            } else {
                run.fleet.step(&mut run.queue, now, event);
            }
        }
        ClosedLoopReport {
            per_second: per_second(run.answered, end - START_US),
            mean_us: run.latencies.mean_us(),
            p99_us: run.latencies.quantile(0.99),
            orders_per_batch: share(run.fleet.batched, run.fleet.batches),
            usage: run.fleet.usage(end),
        }
    }
}

impl Run {
    /// The next request of a connection. What the load generator does for it counts where it shares the machine.
    fn send(&mut self, now: u64, request: Request) {
        let load = self.fleet.costs.load;
        let at = match self.fleet.arrangement.processors {
            Processors::Shared(_) => self.fleet.run_on_node(request.node, now, load),
            Processors::Separate { .. } => now + load,
        };
        let request = Request { asked_at: now, ..request };
        self.queue.push(at, FleetEvent::Sent(request));
    }

    fn record(&mut self, now: u64, request: &Request, answer: Answer) {
        if now >= START_US && answer == Answer::Done {
            self.answered += 1;
            self.latencies.record(now - request.asked_at);
        }
    }
}

//! A sale: buyers who come, look, reserve, pay or do not, are refused and come back, with a queue in front or without.

mod arrivals;
mod buyers;
mod front_queue;
mod report;

use super::SECOND;
use super::arrangement::Arrangement;
use super::costs::Costs;
use super::event_queue::EventQueue;
use super::fleet::{Answer, Fleet, FleetEvent, Request, RequestKind};
use super::latencies::Latencies;
use super::random_stream::RandomStream;
use arrivals::Arrivals;
use front_queue::FrontQueue;
use report::SaleCounts;
pub use report::{SaleReport, Usage};

/// How buyers are let in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Admission {
    /// As they come.
    Open,
    /// In the order in which they came, so many a second for each event, while it has tickets.
    Queue {
        /// Buyers a second, of each event.
        per_second: u64,
    },
}

/// Servers that die together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outage {
    /// When, in microseconds from the opening.
    pub at_us: u64,
    /// How many, from the first on.
    pub nodes: usize,
    /// For how long.
    pub down_us: u64,
}

/// A sale of several events that opens at one moment.
#[derive(Clone, Copy, Debug)]
pub struct Sale {
    /// What sells.
    pub arrangement: Arrangement,
    /// What it takes.
    pub costs: Costs,
    /// The randomness.
    pub seed: u64,
    /// Who comes, each for two tickets of one event.
    pub buyers: u32,
    /// The share of buyers who come in the first `rush_us`, evenly.
    pub rush_share: f64,
    /// How long the rush lasts.
    pub rush_us: u64,
    /// The others come later and later: the mean of their times after the rush.
    pub tail_us: u64,
    /// The share of buyers who want the first event.
    pub hottest_share: f64,
    /// Orders of two tickets to be had of each event.
    pub orders_per_event: u64,
    /// Pages that a buyer looks at before it reserves.
    pub pages: u32,
    /// The share of holds that is paid for.
    pub paid_share: f64,
    /// The mean of the times that paying takes.
    pub payment_us: u64,
    /// How long tickets are held.
    pub hold_us: u64,
    /// After how long a buyer without tickets gives up.
    pub patience_us: u64,
    /// The share of buyers who go when they hear that there is nothing; the others come back for what lapses.
    pub leaves_share: f64,
    /// How buyers are let in.
    pub admission: Admission,
    /// What dies.
    pub outage: Option<Outage>,
}

/// What happens in a sale.
#[derive(Clone, Copy, Debug)]
enum SaleEvent {
    Fleet(FleetEvent),
    /// The next buyer comes.
    Arrival,
    /// Somebody who was told to wait is back, or has looked around.
    Ask(Request),
    /// The queue lets the next ones in, and is asked for places.
    Admit,
    /// Servers die.
    Fail,
    /// The rush is over.
    RushOver,
}

impl From<FleetEvent> for SaleEvent {
    fn from(event: FleetEvent) -> Self {
        Self::Fleet(event)
    }
}

struct Run<'a> {
    sale: &'a Sale,
    fleet: Fleet,
    queue: EventQueue<SaleEvent>,
    random: RandomStream,
    arrivals: Arrivals,
    front: FrontQueue,
    counts: SaleCounts,
    reserve_latencies: Latencies,
}

impl Sale {
    /// A sale of so many buyers: a third of them in the first minute, the others within about half an hour; a fifth of all
    /// want one of the events.
    pub fn new(arrangement: Arrangement, buyers: u32, orders_per_event: u64, admission: Admission) -> Self {
        Self {
            arrangement,
            costs: Costs::MEASURED,
            seed: 1,
            buyers,
            rush_share: 1.0 / 3.0,
            rush_us: 60 * SECOND,
            tail_us: 600 * SECOND,
            hottest_share: 0.2,
            orders_per_event,
            pages: 2,
            paid_share: 0.8,
            payment_us: 90 * SECOND,
            hold_us: 600 * SECOND,
            patience_us: 600 * SECOND,
            leaves_share: 0.9,
            admission,
            outage: None,
        }
    }

    /// Plays it until nobody is left.
    pub fn run(&self) -> SaleReport {
        let mut run = Run {
            sale: self,
            fleet: Fleet::new(self.arrangement, self.costs, self.orders_per_event),
            queue: EventQueue::new(),
            random: RandomStream::from_seed(self.seed),
            arrivals: Arrivals::new(self),
            front: FrontQueue::new(self.arrangement.events),
            counts: SaleCounts::new(self.arrangement.events),
            reserve_latencies: Latencies::new(),
        };
        run.queue.push(0, SaleEvent::Arrival);
        if self.admission != Admission::Open {
            run.queue.push(front_queue::ROUND_US, SaleEvent::Admit);
        }
        if let Some(outage) = self.outage {
            run.queue.push(outage.at_us, SaleEvent::Fail);
        }
        run.queue.push(self.rush_us, SaleEvent::RushOver);
        let mut end = 0;
        while let Some((now, event)) = run.queue.pop() {
            end = now;
            run.step(now, event);
        }
        run.report(end)
    }
}

impl Run<'_> {
    fn step(&mut self, now: u64, event: SaleEvent) {
        match event {
            SaleEvent::Fleet(FleetEvent::Answered(request, answer)) => self.hear(now, request, answer),
            SaleEvent::Fleet(event) => self.fleet.step(&mut self.queue, now, event),
            SaleEvent::Arrival => self.arrive(now),
            SaleEvent::Ask(request) => self.ask(now, request),
            SaleEvent::Admit => self.admit(now),
            SaleEvent::RushOver => self.counts.rush = Some(self.fleet.usage(now)),
            SaleEvent::Fail => {
                if let Some(outage) = self.sale.outage {
                    for node in 0..outage.nodes.min(self.sale.arrangement.nodes) {
                        self.fleet.fail_node(&mut self.queue, now, node, outage.down_us);
                    }
                }
            }
        }
    }

    fn hear(&mut self, now: u64, request: Request, answer: Answer) {
        match request.kind {
            RequestKind::Page | RequestKind::Read => self.hear_page(now, request, answer),
            RequestKind::Reserve => self.hear_reservation(now, request, answer),
            RequestKind::Customer | RequestKind::Pay => self.hear_payment(now, request, answer),
            RequestKind::Expire => self.hear_expiry(now, request, answer),
        }
    }
}

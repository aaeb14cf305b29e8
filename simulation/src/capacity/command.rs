//! `capacity` of the program: sales that are simulated, loads as they can be measured, machines by arithmetic.

use std::time::Duration;

use clap::{Args, Subcommand};

use super::limits::{batch_us, machines, orders_per_second_of_lane, orders_per_second_of_lock};
use super::numbers::{float, share};
use super::{Admission, Arrangement, ClosedLoop, Costs, LoadKind, Outage, Routing, SECOND, Sale, SaleReport};

/// What is asked of the model.
#[derive(Debug, Subcommand)]
pub enum CapacityCommand {
    /// The loads that `simulation/src/capacity/measure` puts on servers of this machine.
    Bench {
        /// Processors that servers, database and load share.
        #[arg(long, default_value_t = 2)]
        processors: usize,
        /// Connections to each server.
        #[arg(long, default_value_t = 64)]
        connections: usize,
        /// What other programs take of the processors, in percent.
        #[arg(long, default_value_t = 0)]
        others: u32,
    },
    /// A sale, from its opening until nobody is left.
    Sale(SaleArguments),
    /// How many machines so many orders a second need, and what one event can sell.
    Machines {
        /// Processors of each machine.
        #[arg(long, default_value_t = 8)]
        processors: u64,
        /// Writes that share a batch.
        #[arg(long, default_value_t = 20)]
        batch: u64,
    },
}

/// A sale.
#[derive(Args, Debug)]
pub struct SaleArguments {
    /// Buyers.
    #[arg(long, default_value_t = 10_000_000)]
    buyers: u32,
    /// Servers.
    #[arg(long, default_value_t = 100)]
    nodes: usize,
    /// Databases that the events are spread over.
    #[arg(long, default_value_t = 32)]
    shards: usize,
    /// Events.
    #[arg(long, default_value_t = 32)]
    events: usize,
    /// Orders of two tickets to be had of each event.
    #[arg(long, default_value_t = 50_000)]
    orders: u64,
    /// Seconds of the rush at the opening, in which a third of all come.
    #[arg(long, default_value_t = 60)]
    rush: u64,
    /// The share of buyers who want the first event, in percent.
    #[arg(long, default_value_t = 20)]
    hottest: u32,
    /// Servers that requests for one event go to; to all of them if not said.
    #[arg(long)]
    nodes_of_event: Option<usize>,
    /// Buyers of each event that a queue in front lets in, a second; no queue if not said.
    #[arg(long)]
    queue: Option<u64>,
    /// Between a server and its database and back, in microseconds.
    #[arg(long, default_value_t = 500)]
    round_trip: u64,
    /// Servers that die half a minute after the opening, for a minute.
    #[arg(long, default_value_t = 0)]
    failing: usize,
    /// The randomness.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

impl CapacityCommand {
    /// Prints what was asked for.
    pub fn run(&self) {
        match self {
            Self::Bench { processors, connections, others } => print_bench(*processors, *connections, *others),
            Self::Sale(arguments) => print_sale(&arguments.sale().run()),
            Self::Machines { processors, batch } => print_machines(*processors, *batch),
        }
    }
}

impl SaleArguments {
    fn sale(&self) -> Sale {
        let routing = self.nodes_of_event.map_or(Routing::AnyNode, Routing::NodesOfEvent);
        let (nodes, shards, events) = (self.nodes, self.shards, self.events);
        let arrangement = Arrangement { nodes, shards, events, ..Arrangement::large(routing) };
        let admission = self.queue.map_or(Admission::Open, |per_second| Admission::Queue { per_second });
        let outage = Outage { at_us: 30 * SECOND, nodes: self.failing, down_us: 60 * SECOND };
        Sale {
            costs: Costs { round_trip: self.round_trip, ..Costs::MEASURED },
            seed: self.seed,
            rush_us: self.rush * SECOND,
            hottest_share: f64::from(self.hottest) / 100.0,
            outage: (self.failing > 0).then_some(outage),
            ..Sale::new(arrangement, self.buyers, self.orders, admission)
        }
    }
}

fn print_bench(processors: usize, connections: usize, others: u32) {
    let others_share = f64::from(others) / 100.0;
    println!("request  nodes  events     each/s   mean ms    p99 ms  orders/batch  processors");
    let loads = [
        (LoadKind::Orders, 1, 1),
        (LoadKind::Orders, 2, 1),
        (LoadKind::Orders, 3, 1),
        (LoadKind::Orders, 2, 2),
        (LoadKind::Orders, 3, 3),
        (LoadKind::Reads, 1, 1),
        (LoadKind::Pages, 1, 1),
    ];
    for (kind, nodes, events) in loads {
        let arrangement =
            Arrangement { processors: super::Processors::Shared(processors), ..Arrangement::bench(nodes, events) };
        let load = ClosedLoop { kind, arrangement, costs: Costs::MEASURED, connections, others_share, seconds: 10 };
        let report = load.run();
        println!(
            "{:<8} {nodes:>5} {events:>7} {:>10.0} {:>9.1} {:>9.1} {:>13.1} {:>10.0}%",
            format!("{kind:?}").to_lowercase(),
            report.per_second,
            report.mean_us / 1e3,
            float(report.p99_us) / 1e3,
            report.orders_per_batch,
            report.usage.nodes * 100.0,
        );
    }
}

fn print_sale(report: &SaleReport) {
    let seconds = |us: u64| float(us) / float(SECOND);
    println!("came {} buyers for {} orders", report.came, report.orders_to_be_had);
    println!(
        "paid {}, holds that lapsed {}, orders left {}, held {}",
        report.paid, report.lapsed, report.free, report.held
    );
    println!("without tickets: {} were told so, {} gave up", report.left, report.gave_up);
    println!(
        "requests {}: 503 {}, lost {}, sold out {}; places in the queue {}",
        report.requests, report.busy, report.lost, report.sold_out, report.places
    );
    println!(
        "reservations {}, {} in the best second, mean {:.1} ms, p99 {:.1} ms",
        report.reserved,
        report.reserved_per_second_max,
        report.reserve_mean_us / 1e3,
        float(report.reserve_p99_us) / 1e3
    );
    println!("in front at most {}, for {:.0} s at most", report.queued_max, seconds(report.queued_us_max));
    println!(
        "processor time {:.0} s, {:.0} µs a paid order, {:.0}% in vain",
        seconds(report.processor_us),
        share(report.processor_us, report.paid),
        report.wasted_share * 100.0
    );
    println!(
        "served in turn: correlation {:.2}; of the first to come {:.0}% got tickets",
        report.fairness,
        report.first_come_share * 100.0
    );
    if let Some(usage) = report.rush_usage {
        println!(
            "busiest in the rush: server {:.0}%, shard {:.0}%, lock of an event {:.0}%, flushes {:.0}%",
            usage.nodes * 100.0,
            usage.shards * 100.0,
            usage.event_lock * 100.0,
            usage.flushes * 100.0
        );
    }
    println!("over after {:?}", Duration::from_secs(report.ended_at / SECOND));
}

fn print_machines(processors: u64, batch: u64) {
    let costs = Costs::MEASURED;
    let (whole, locked) = batch_us(&costs, 250);
    println!(
        "a batch of 250 orders of one event: {:.1} ms, locked for {:.1} ms",
        float(whole) / 1e3,
        float(locked) / 1e3
    );
    println!("one event: {:.0} orders/s by one lane", orders_per_second_of_lane(&costs));
    println!("one event: {:.0} orders/s by the lanes of many servers", orders_per_second_of_lock(&costs));
    println!("orders/s  servers  shards  events   ({processors} processors each, {batch} writes in a batch)");
    for orders in [1_000, 10_000, 100_000] {
        let needed = machines(&costs, orders, 10, batch, processors);
        println!("{orders:>8} {:>8} {:>7} {:>7}", needed.nodes, needed.shards, needed.events);
    }
}

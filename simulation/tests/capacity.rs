//! The model of capacity: that it repeats itself, keeps the laws of queues, sells no ticket twice, and comes near to what was
//! measured.

use kassa_simulation::capacity::limits::{machines, orders_per_second_of_lane};
use kassa_simulation::capacity::{
    Admission, Arrangement, ClosedLoop, ClosedLoopReport, Costs, LoadKind, Outage, Processors, Routing, SECOND, Sale,
    SaleReport,
};

/// Four servers with two processors each, two shards, four events.
fn small(routing: Routing) -> Arrangement {
    let processors = Processors::Separate { node: 2, shard: 2 };
    Arrangement { nodes: 4, lanes: 4, shards: 2, events: 4, processors, routing }
}

/// Costs of machines that are twenty times as slow: a small crowd is too many for them.
fn slow() -> Costs {
    let mut costs = Costs::MEASURED;
    for write in [&mut costs.order, &mut costs.payment] {
        write.lane *= 20;
        write.session *= 20;
    }
    costs
}

/// A sale of an event that most want, and come to at once: more of them than find room in the queue of its lane.
fn crowded(admission: Admission) -> Sale {
    let sale = Sale::new(small(Routing::NodesOfEvent(1)), 60_000, 12_000, admission);
    Sale { costs: slow(), rush_us: 2 * SECOND, rush_share: 0.9, pages: 0, hottest_share: 0.8, ..sale }
}

fn check_books(report: &SaleReport) {
    assert_eq!(report.paid + report.held + report.free, report.orders_to_be_had, "{report:?}");
    assert_eq!(report.reserved, report.paid + report.lapsed + report.held, "{report:?}");
    assert_eq!(report.came, report.paid + report.lapsed + report.left + report.gave_up, "{report:?}");
    assert_eq!(report.held, 0, "{report:?}");
}

fn orders(arrangement: Arrangement, costs: Costs, connections: usize) -> ClosedLoopReport {
    ClosedLoop { kind: LoadKind::Orders, arrangement, costs, connections, others_share: 0.0, seconds: 5 }.run()
}

/// What was measured on a machine with two processors, by `simulation/src/capacity/measure`: what was asked for, servers, events,
/// connections to each server; then, of each run, the percentage of the processors that other programs took, and how many
/// requests were answered in a second.
type Measured = ((LoadKind, usize, usize, usize), &'static [(u32, u32)]);
const MEASURED: &[Measured] = &[
    ((LoadKind::Orders, 1, 1, 64), &[(14, 5752), (12, 5583), (1, 7030)]),
    ((LoadKind::Orders, 2, 1, 64), &[(15, 5801), (3, 6015), (3, 5329)]),
    ((LoadKind::Orders, 3, 1, 64), &[(38, 3791), (1, 6658), (3, 6615)]),
    ((LoadKind::Orders, 2, 2, 64), &[(46, 3927), (3, 8783), (2, 8002)]),
    ((LoadKind::Orders, 3, 3, 64), &[(12, 7555), (6, 7374), (7, 6765)]),
    ((LoadKind::Orders, 1, 1, 2), &[(0, 421)]),
    ((LoadKind::Orders, 1, 1, 256), &[(3, 9199)]),
    ((LoadKind::Reads, 1, 1, 64), &[(4, 2924), (9, 3093), (1, 2567)]),
    ((LoadKind::Pages, 1, 1, 64), &[(0, 52_675)]),
];

#[test]
fn predictions_are_within_a_quarter_of_what_was_measured() {
    for &((kind, nodes, events, connections), runs) in MEASURED {
        let predicted_share = |&(others, measured): &(u32, u32)| {
            let (arrangement, others_share) = (Arrangement::bench(nodes, events), f64::from(others) / 100.0);
            let load = ClosedLoop { kind, arrangement, costs: Costs::MEASURED, connections, others_share, seconds: 2 };
            load.run().per_second / f64::from(measured)
        };
        let mut shares: Vec<f64> = runs.iter().map(predicted_share).collect();
        shares.sort_by(f64::total_cmp);
        let median = f64::midpoint(shares[(shares.len() - 1) / 2], shares[shares.len() / 2]);
        println!("{kind:?}, {nodes} servers, {events} events, {connections} connections: {median:.2} {shares:.2?}");
        assert!((0.75..=1.25).contains(&median), "{kind:?} {nodes} {events} {connections}: {shares:?}");
    }
}

#[test]
fn a_seed_gives_the_same_sale_and_another_seed_another() {
    let sale = Sale::new(small(Routing::AnyNode), 20_000, 1_000, Admission::Open);
    assert_eq!(sale.run(), sale.run());
    assert_ne!(sale.run(), Sale { seed: 2, ..sale }.run());
}

#[test]
fn a_crowd_without_a_queue_is_refused_and_no_ticket_is_sold_twice() {
    let report = crowded(Admission::Open).run();
    check_books(&report);
    assert!(report.busy > 1_000, "{report:?}");
}

#[test]
fn a_queue_in_front_refuses_nobody_and_serves_who_came_first() {
    let (open, queued) = (crowded(Admission::Open).run(), crowded(Admission::Queue { per_second: 300 }).run());
    check_books(&queued);
    assert_eq!((queued.busy, queued.sold_out), (0, 0), "{queued:?}");
    assert!(queued.fairness > 0.99 && queued.fairness > open.fairness, "{queued:?} {open:?}");
    assert!(queued.first_come_share > open.first_come_share, "{queued:?} {open:?}");
    assert!(queued.reserve_p99_us < open.reserve_p99_us / 10, "{queued:?} {open:?}");
}

#[test]
fn with_a_queue_the_servers_do_the_same_for_a_ticket_however_many_come() {
    let sale = Sale { pages: 1, ..crowded(Admission::Queue { per_second: 300 }) };
    let [few, many] = [20_000, 100_000].map(|buyers| Sale { buyers, ..sale }.run());
    // But for the places that the crowd asks for.
    let of_ticket = |report: &SaleReport| {
        let places = report.places * Costs::MEASURED.refusal;
        (report.processor_us - places) / report.paid
    };
    let (few, many) = (of_ticket(&few), of_ticket(&many));
    assert!(many < few + few / 5, "{many} beside {few}");
}

#[test]
fn holds_that_lapse_are_sold_again() {
    let sale = Sale::new(small(Routing::AnyNode), 20_000, 1_000, Admission::Queue { per_second: 1_000 });
    let report = Sale { paid_share: 0.5, ..sale }.run();
    check_books(&report);
    assert!(report.lapsed > 1_000, "{report:?}");
    assert_eq!(report.paid, report.orders_to_be_had, "{report:?}");
}

#[test]
fn servers_that_die_lose_requests_and_no_tickets() {
    let outage = Outage { at_us: SECOND, nodes: 2, down_us: 20 * SECOND };
    let sale = Sale { outage: Some(outage), ..crowded(Admission::Open) };
    let report = sale.run();
    check_books(&report);
    assert!(report.lost > 1_000, "{report:?}");
}

#[test]
fn as_many_requests_are_under_way_as_come_while_one_is_answered() {
    // Little's law, for connections that are never idle.
    for (nodes, connections) in [(1, 16), (2, 64), (3, 64)] {
        let report = orders(Arrangement::bench(nodes, nodes), Costs { load: 0, ..Costs::MEASURED }, connections);
        let under_way = report.per_second * report.mean_us / 1e6;
        let all = f64::from(u32::try_from(nodes * connections).unwrap());
        assert!((under_way / all - 1.0).abs() < 0.02, "{under_way} of {all}");
    }
}

#[test]
fn a_lane_that_takes_half_the_time_sells_twice_as_much() {
    let mut half = Costs::MEASURED;
    half.batch_lane /= 2;
    half.batch_session /= 2;
    half.round_trip /= 2;
    half.flush /= 2;
    half.order.lane /= 2;
    half.order.session /= 2;
    // Processors enough: the lane is what there is too little of.
    let processors = Processors::Separate { node: 16, shard: 16 };
    let arrangement = Arrangement { processors, ..Arrangement::bench(1, 1) };
    let [whole, half] = [Costs::MEASURED, half].map(|costs| {
        let simulated = orders(arrangement, costs, 500).per_second;
        let limit = orders_per_second_of_lane(&costs);
        // Full batches, one after the other: by arithmetic and by events alike.
        assert!((simulated / limit - 1.0).abs() < 0.05, "{simulated} beside {limit}");
        limit
    });
    assert!((half / whole - 2.0).abs() < 0.02, "{half} beside {whole}");
}

#[test]
fn many_servers_that_sell_one_event_make_its_buyers_wait() {
    let processors = Processors::Separate { node: 8, shard: 8 };
    let arrangement = Arrangement { nodes: 1, lanes: 4, shards: 1, events: 1, processors, routing: Routing::AnyNode };
    let one = orders(arrangement, Costs::MEASURED, 600);
    let many = orders(Arrangement { nodes: 50, ..arrangement }, Costs::MEASURED, 600);
    assert!(many.usage.event_lock > 0.95, "{many:?}");
    assert!(many.per_second < 2.0 * one.per_second && many.mean_us > 20.0 * one.mean_us, "{one:?} {many:?}");
}

#[test]
fn the_machines_that_arithmetic_names_sell_what_they_are_for() {
    let needed = machines(&Costs::MEASURED, 10_000, 0, 20, 8);
    let [nodes, shards, events] = [needed.nodes, needed.shards, needed.events].map(|all| usize::try_from(all).unwrap());
    let processors = Processors::Separate { node: 8, shard: 8 };
    let arrangement = Arrangement { nodes, lanes: 4, shards, events, processors, routing: Routing::NodesOfEvent(1) };
    let sale = Sale::new(arrangement, 60_000, 60_000, Admission::Open);
    let share = 1.0 / f64::from(u32::try_from(events).unwrap());
    let sale = Sale { rush_share: 1.0, rush_us: 6 * SECOND, hottest_share: share, pages: 0, ..sale };
    let report = Sale { paid_share: 1.0, payment_us: SECOND / 2, ..sale }.run();
    let usage = report.rush_usage.unwrap();
    assert_eq!((report.paid, report.busy), (60_000, 0), "{report:?}");
    assert!(usage.nodes < 0.9 && usage.shards < 0.9 && report.reserve_p99_us < SECOND / 10, "{report:?}");
}

#[test]
fn ten_times_the_orders_need_ten_times_the_machines() {
    let [few, many] = [100_000, 1_000_000].map(|orders| machines(&Costs::MEASURED, orders, 10, 20, 8));
    assert!((few.nodes * 8..=few.nodes * 10).contains(&many.nodes), "{few:?} {many:?}");
    assert!((few.events * 9..=few.events * 10).contains(&many.events), "{few:?} {many:?}");
}

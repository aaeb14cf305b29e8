//! A server that dies or stands still in the middle of the sale holds the others up for a moment only.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use crate::fleet::configured_rounds;
use crate::fleet::load::{FleetLoad, orders_of};
use crate::fleet::servers::{ServerFleet, lane_numbers};
use crate::sale::Sale;
use crate::sales_snapshot::SalesSnapshot;
use crate::server::Server;
use crate::waiting::{now, wait_for};

/// How long one server may keep others from answering. The database ends the transaction of a server that stands still
/// after two seconds; without that limit, its locks would be held until it goes on, which this test does not let it.
const GAP_MAX: Duration = Duration::from_secs(10);
/// Tickets for each round.
const TICKETS_PER_ROUND: usize = 20_000;
/// How long it is looked whether a server stands in a transaction: longer than that is a sign of it.
const TRANSACTION_WATCH_TIME: Duration = Duration::from_millis(400);

#[track_caller]
fn open_sale(servers: &ServerFleet) -> Sale {
    Sale::open(&servers.all[0], u32::try_from(TICKETS_PER_ROUND * configured_rounds(1)).unwrap())
}

#[track_caller]
fn assert_others_kept_selling(load: &FleetLoad, servers: &ServerFleet, than: usize, since: Instant, accident: &str) {
    for other in servers.others(than) {
        let gap = load.longest_gap(other, since);
        eprintln!("server {than} {accident}: server {other} answered nobody for {gap:?}");
        assert!(gap < GAP_MAX, "server {other} answered nobody for {gap:?} after server {than} {accident}");
    }
}

#[test]
fn a_killed_server_does_not_block_the_others() {
    let mut servers = ServerFleet::start_three();
    let sale = open_sale(&servers);
    let mut answered = Vec::new();
    for victim in (0..3).cycle().take(3 * configured_rounds(1)) {
        answered.extend(FleetLoad::run(&servers.all_servers(), &sale, |load| {
            load.wait_for_sales_of_each(&[0, 1, 2], 30);
            load.kill(victim, &servers.all[victim]);
            let killed = now();
            load.wait_for_sales_of_each(&servers.others(victim), 30);
            assert_others_kept_selling(load, &servers, victim, killed, "was killed");
        }));
        servers.replace_killed(victim);
    }
    for server in &servers.all {
        let snapshot = SalesSnapshot::read(server, &sale);
        snapshot.assert_consistent();
        snapshot.assert_contains_all(orders_of(&answered));
        assert!(snapshot.count_tickets("vacant") > 0, "it was not in the middle");
    }
    servers.stop();
}

#[test]
fn a_paused_server_does_not_block_the_others_and_its_late_writes_are_rejected() {
    let servers = ServerFleet::start_three();
    let sale = open_sale(&servers);
    let sold = FleetLoad::run(&servers.all_servers(), &sale, |load| {
        for _ in 0..configured_rounds(1) {
            for victim in [1, 2] {
                pause_briefly(load, &servers, victim);
            }
            pause_until_fenced(load, &servers, 0);
        }
    });
    let answered: BTreeSet<&String> = orders_of(&sold).map(|order| &order.id).collect();
    for server in &servers.all {
        let snapshot = SalesSnapshot::read(server, &sale);
        snapshot.assert_consistent();
        snapshot.assert_contains_all(orders_of(&sold));
        assert!(snapshot.count_tickets("vacant") > 0, "it was not in the middle");
        assert_eq!(answered, snapshot.orders.keys().collect(), "what nobody was told of was not written");
    }
    servers.stop();
}

/// It stands still with locks that the others need, and goes on before anybody has claimed its numbers.
#[track_caller]
fn pause_briefly(load: &FleetLoad, servers: &ServerFleet, victim: usize) {
    load.wait_for_sales_of_each(&[0, 1, 2], 30);
    let frozen = pause_in_transaction(servers, &servers.all[victim]);
    load.wait_for_sales_of_each(&servers.others(victim), 30);
    assert_others_kept_selling(load, servers, victim, frozen, "was stopped");
    servers.all[victim].process_id().thaw();
    load.wait_for_sales_of_each(&[victim], 30);
}

/// It stands still for so long that others have taken its numbers when it goes on.
#[track_caller]
fn pause_until_fenced(load: &FleetLoad, servers: &ServerFleet, victim: usize) {
    let server = &servers.all[victim];
    let losses = || server.log().iter().filter(|line| line.contains("lane fenced")).count();
    let (before, mut successors) = (losses(), Vec::new());
    load.wait_for_sales_of_each(&[0, 1, 2], 30);
    let frozen = pause_in_transaction(servers, server);
    load.wait_for_sales_of_each(&servers.others(victim), 30);
    assert_others_kept_selling(load, servers, victim, frozen, "was stopped for long");
    servers.wait_until_lanes_are_claimable(server);
    let mut left = lane_numbers(server);
    while !left.is_empty() {
        // Whoever starts takes the lowest that are free.
        let successor = servers.start_another();
        left = &left - &lane_numbers(&successor);
        successors.push(successor);
    }
    server.process_id().thaw();
    let thawed = now();
    load.wait_for_sales_of_each(&[victim], 30);
    eprintln!("server {victim} sold again {:?} after it had gone on under other numbers", thawed.elapsed());
    wait_for("each of its lanes has found out", || (losses() >= before + 4).then_some(()));
    assert_others_kept_selling(load, servers, victim, frozen, "was stopped for long, and went on");
    for successor in successors {
        successor.stop();
    }
}

/// Stops it while it holds locks in a transaction, and tells when.
#[track_caller]
fn pause_in_transaction(servers: &ServerFleet, server: &Server) -> Instant {
    wait_for("it stands in a transaction", || {
        server.process_id().freeze();
        let frozen = now();
        while frozen.elapsed() < TRANSACTION_WATCH_TIME {
            if servers.stalled_transactions() != "0" {
                return Some(frozen);
            }
        }
        server.process_id().thaw();
        None
    })
}

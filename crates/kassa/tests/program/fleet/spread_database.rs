//! Sales on a database that Citus spreads over several servers: `./check citus`.

use std::process::Command;
use std::time::Duration;

use crate::fleet::load::{FleetLoad, FleetOrder, orders_of};
use crate::fleet::servers::ServerFleet;
use crate::sale::{Organizer, Sale};
use crate::sales_snapshot::SalesSnapshot;
use crate::verify::assert_no_mismatch;
use crate::waiting::wait_for_within;

/// More than are sold meanwhile.
const TICKETS: u32 = 10_000;
/// To the other server and back, three times.
const MOVES: usize = 6;
/// Events until two are on different servers: that all are on one is as likely as that a coin falls nine times alike.
const EVENTS_MAX: usize = 10;
/// Citus looks once a minute for transactions that nobody has ended.
const SETTLED_WITHIN: Duration = Duration::from_mins(3);

#[test]
#[ignore = "it needs a database that Citus spreads over servers: ./check citus"]
fn an_event_is_sold_exactly_while_it_moves_from_server_to_server() {
    let servers = ServerFleet::start(2);
    let sale = Sale::open(&servers.all[0], TICKETS);
    let mut places = vec![servers.place_of_event(0)];
    let sold = FleetLoad::run(&servers.all_servers(), &sale, |load| {
        for _ in 0..MOVES {
            load.wait_for_sales_of_each(&[0, 1], 50);
            servers.move_event(0);
            places.push(servers.place_of_event(0));
        }
        load.wait_for_sales_of_each(&[0, 1], 50);
    });
    assert!(places.windows(2).all(|pair| pair[0] != pair[1]), "it has not moved: {places:?}");
    assert_sold_exactly(&servers, &sale, &sold);
    assert_no_mismatch(&mut servers.verify());
    servers.stop();
}

#[test]
#[ignore = "it kills a server of a database that Citus spreads: ./check citus"]
fn while_a_server_of_the_database_is_dead_the_events_of_others_are_sold_on() {
    let servers = ServerFleet::start(2);
    let organizer = Organizer::register(&servers.all[0], "org@example.org");
    let (mut sales, mut ports) = (Vec::new(), Vec::new());
    while sales.len() < 2 || ports.iter().all(|port| *port == ports[0]) {
        assert!(sales.len() < EVENTS_MAX, "all events are on one server");
        sales.push(Sale::of(&organizer, &servers.all[0], TICKETS));
        ports.push(servers.place_of_event(sales.len() - 1).0);
    }
    let (all, of_dead, of_other) = (servers.all_servers(), &sales[0], &sales[sales.len() - 1]);
    let mut sold_elsewhere = Vec::new();
    let sold = FleetLoad::run(&all, of_dead, |dead| {
        sold_elsewhere = FleetLoad::run(&all, of_other, |other| {
            dead.wait_for_sales_of_each(&[0, 1], 50);
            other.wait_for_sales_of_each(&[0, 1], 50);
            control_worker("kill", &ports[0]);
            dead.wait_for_retry_responses(10);
            other.wait_for_sales_of_each(&[0, 1], 200);
            control_worker("start", &ports[0]);
            dead.wait_for_sales_of_each(&[0, 1], 50);
        });
    });
    for (sale, sold) in [(of_dead, &sold), (of_other, &sold_elsewhere)] {
        assert_sold_exactly(&servers, sale, sold);
    }
    wait_for_within(SETTLED_WITHIN, "nothing is left prepared", || servers.has_nothing_prepared().then_some(()));
    assert_no_mismatch(&mut servers.verify());
    servers.stop();
}

/// Each order that was answered is there, once, at every server.
#[track_caller]
fn assert_sold_exactly(servers: &ServerFleet, sale: &Sale, sold: &[FleetOrder]) {
    for server in &servers.all {
        let snapshot = SalesSnapshot::read(server, sale);
        snapshot.assert_consistent();
        snapshot.assert_contains_all(orders_of(sold));
    }
}

/// Kills a worker as a power failure does, or starts it again: by the program that `KASSA_CITUS_CONTROL` names, which is told what to
/// do, and the port.
#[track_caller]
fn control_worker(what: &str, port: &str) {
    let program =
        std::env::var("KASSA_CITUS_CONTROL").unwrap_or_else(|_| panic!("KASSA_CITUS_CONTROL is not set: see ./check"));
    let status = Command::new(&program).args([what, port]).status().unwrap();
    assert!(status.success(), "{program} {what} {port}: {status}");
}

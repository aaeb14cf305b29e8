//! A server dies that others rely on: who gives changes their places in the feed, and who sends webhooks. Another does
//! it within seconds.

use std::time::Duration;

use crate::buyers::{pay, request_order};
use crate::client::{Client, text};
use crate::feed_reader::FeedReader;
use crate::fleet::configured_rounds;
use crate::fleet::load::FleetLoad;
use crate::fleet::servers::ServerFleet;
use crate::sale::Sale;
use crate::server::Server;
use crate::waiting::{now, wait_for};
use crate::webhooks::receiver::Receiver;
use crate::webhooks::{Endpoint, add_endpoint, assert_in_order, committed_since};

/// How long nothing new may be read after the death of the server that gave places. It is a second, and more while the
/// machine is busy.
const FEED_GAP_MAX: Duration = Duration::from_secs(10);
/// How long an endpoint may be told nothing after the death of the server that sent to it. It is five to seven seconds, and
/// more while the machine is busy.
const WEBHOOK_GAP_MAX: Duration = Duration::from_secs(20);
/// Endpoints that are told of the same orders.
const ENDPOINTS: usize = 24;
/// Orders before and after an accident.
const ORDERS: usize = 5;
/// How often somebody dies.
const ROUNDS: usize = 2;
/// Tickets for each round.
const TICKETS_PER_ROUND: usize = 20_000;

#[track_caller]
fn open_sale(servers: &ServerFleet) -> Sale {
    Sale::open(&servers.all[0], u32::try_from(TICKETS_PER_ROUND * configured_rounds(ROUNDS)).unwrap())
}

/// A new order of somebody: its id.
#[track_caller]
fn order(client: &Client, sale: &Sale) -> String {
    request_order(client, sale, 1, true).unwrap().success_id()
}

#[test]
fn when_the_server_dies_that_gives_places_new_changes_are_read_in_a_moment() {
    let mut servers = ServerFleet::start_three();
    let sale = open_sale(&servers);
    for round in 0..configured_rounds(ROUNDS) {
        let mut victim = 0;
        FleetLoad::run(&servers.all_servers(), &sale, |load| {
            load.wait_for_sales_of_each(&[0, 1, 2], 30);
            victim = servers.sequencer();
            let [seller, reader] = servers.others(victim)[..] else { panic!("there are three") };
            let seller = sale.client(&servers.all[seller]);
            let mut reader = FeedReader::new(sale.client(&servers.all[reader]), "types=order.*", "end");
            reader.read(0);
            load.kill(victim, &servers.all[victim]);
            let killed = now();
            reader.read_until(&order(&seller, &sale));
            let gap = killed.elapsed();
            let ordered = now();
            reader.read_until(&order(&seller, &sale));
            eprintln!("round {round}: new changes were read after {gap:?}, and then after {:?}", ordered.elapsed());
            assert!(gap < FEED_GAP_MAX, "no new change could be read for {gap:?}");
        });
        servers.replace_killed(victim);
    }
    servers.stop();
}

#[test]
fn webhooks_of_a_server_that_dies_are_sent_by_another_in_seconds() {
    let mut servers = ServerFleet::start(2);
    let (sale, receiver) = (open_sale(&servers), Receiver::reliable());
    let client = sale.client(&servers.all[0]);
    let endpoints: Vec<Endpoint> =
        (0..ENDPOINTS).map(|at| add_endpoint(&client, &receiver, format!("/{at}"))).collect();
    for round in 0..configured_rounds(ROUNDS) {
        let victim = round % 2;
        let survivor = sale.client(&servers.all[1 - victim]);
        for _ in 0..ORDERS {
            sell(&survivor, &sale, &receiver, &endpoints);
        }
        // Each prefers its own share, but what another has claimed it leaves alone for a moment.
        let sent = wait_for("each server sends its share", || {
            let sent: Vec<u64> = servers.all.iter().map(messages_taken).collect();
            if sent.contains(&0) {
                sell(&survivor, &sale, &receiver, &endpoints);
                return None;
            }
            Some(sent)
        });
        let id = order(&survivor, &sale);
        wait_for("some are told", || {
            endpoints.iter().any(|endpoint| receiver.has_told(&endpoint.path, &id)).then_some(())
        });
        servers.all[victim].process_id().kill();
        let (killed, id) = (now(), order(&survivor, &sale));
        wait_until_told(&receiver, &endpoints, &id);
        let gap = killed.elapsed();
        eprintln!(
            "round {round}: the servers had sent {sent:?}; all were told {gap:?} after server {victim} was killed"
        );
        assert!(gap < WEBHOOK_GAP_MAX, "an endpoint was told nothing for {gap:?}");
        for _ in 0..ORDERS {
            sell(&survivor, &sale, &receiver, &endpoints);
        }
        servers.replace_killed(victim);
    }
    let client = sale.client(&servers.all[0]);
    for endpoint in endpoints {
        let committed = committed_since(&client, &endpoint.since);
        let told = wait_for("all is told that was committed", || {
            let told = receiver.told(&endpoint.path);
            committed.is_subset(&told.ids).then_some(told)
        });
        assert_eq!(told.ids, committed, "something was told that was not committed");
        assert_in_order(&told);
    }
    servers.stop();
}

/// Sells an order and waits until all were told of it.
#[track_caller]
fn sell(client: &Client, sale: &Sale, receiver: &Receiver, endpoints: &[Endpoint]) {
    let id = order(client, sale);
    assert_eq!(pay(client, &id).unwrap().status, 200);
    wait_until_told(receiver, endpoints, &id);
}

#[track_caller]
fn wait_until_told(receiver: &Receiver, endpoints: &[Endpoint], order: &str) {
    wait_for("all are told", || {
        endpoints.iter().all(|endpoint| receiver.has_told(&endpoint.path, order)).then_some(())
    });
}

/// How many messages of a server were taken.
fn messages_taken(server: &Server) -> u64 {
    let metrics = text(&Client::anonymous(&server.ops).get("/metrics").success_body());
    let line = metrics.lines().find_map(|line| line.strip_prefix(r#"kassa_webhook_attempts_total{result="taken"} "#));
    line.unwrap().parse().unwrap()
}

//! Three servers sell one set, and end its holds.

use std::thread;

use serde_json::json;
use ureq::http::Method;

use crate::buyers::{AnsweredOrder, PaymentAttempt};
use crate::client::items;
use crate::contested::{TICKETS, assert_sold_out_exactly};
use crate::fleet::load::{FleetLoad, FleetOrder, orders_of};
use crate::fleet::servers::{ServerFleet, logged_values};
use crate::sale::Sale;
use crate::sales_snapshot::SalesSnapshot;
use crate::waiting::wait_for;

/// A time that is over.
const LONG_AGO: &str = "2026-01-01 00:00:00";

#[test]
fn three_servers_sell_a_set_out_exactly_and_end_each_hold_once() {
    let servers = ServerFleet::start_three();
    let sale = Sale::open(&servers.all[0], TICKETS);
    let sold = FleetLoad::run(&servers.all_servers(), &sale, |load| load.wait_until_sold_out(3));
    assert_nobody_went_short(&sold);
    let first: Vec<AnsweredOrder> = orders_of(&sold).cloned().collect();
    for server in &servers.all {
        assert_sold_out_exactly(server, &sale, &first);
    }

    let held: Vec<&AnsweredOrder> = first
        .iter()
        .filter(|order| order.payment == PaymentAttempt::NotAttempted && !order.tickets.is_empty())
        .collect();
    expire_holds(&servers, &sale, &held);
    let snapshot = SalesSnapshot::read(&servers.all[0], &sale);
    snapshot.assert_consistent();
    let freed: usize = held.iter().map(|order| order.tickets.len()).sum();
    assert_eq!((snapshot.count_tickets("vacant"), snapshot.count_tickets("reserved")), (freed, 0));

    let sold = FleetLoad::run(&servers.all_servers(), &sale, |load| load.wait_until_sold_out(3));
    assert_nobody_went_short(&sold);
    assert_eq!(orders_of(&sold).map(|order| order.tickets.len()).sum::<usize>(), freed);
    for server in &servers.all {
        let snapshot = SalesSnapshot::read(server, &sale);
        snapshot.assert_consistent();
        snapshot.assert_contains_all(orders_of(&sold));
        assert_eq!((snapshot.count_tickets("vacant"), snapshot.count_tickets("reserved") > 0), (0, true));
    }
    servers.stop();
}

/// Whoever asks after the answer to a buyer who went short gets no more than could have been left for that one.
#[track_caller]
fn assert_nobody_went_short(sold: &[FleetOrder]) {
    let short = sold.iter().filter(|sold| sold.order.tickets.len() < sold.order.wanted);
    for short in short {
        let left = if short.order.all_or_nothing { short.order.wanted - 1 } else { 0 };
        let later = sold.iter().filter(|other| other.requested_at > short.answered_at);
        let later: usize = later.map(|other| other.order.tickets.len()).sum();
        assert!(later <= left, "{later} tickets were sold after {:?} had been told that there are none", short.order);
    }
}

/// Their time is over, as far as their buyers are concerned. Each server finds them, and one ends each.
#[track_caller]
fn expire_holds(servers: &ServerFleet, sale: &Sale, held: &[&AnsweredOrder]) {
    let clients = servers.clients(sale);
    thread::scope(|scope| {
        for (at, client) in clients.iter().enumerate() {
            let mine = held.iter().skip(at).step_by(clients.len());
            scope.spawn(move || {
                for order in mine {
                    let path = format!("/v2/resources/orders/{}", order.id);
                    client
                        .send(&Method::PATCH, &path, Some(&json!({"expired_after": LONG_AGO})))
                        .unwrap()
                        .success_body();
                }
            });
        }
    });
    wait_for("holds have ended", || {
        items(&clients[0].get(&sale.tickets_path("reserved")).success_body()).is_empty().then_some(())
    });
    wait_for("each end of a hold is logged", || (logged_expirations(servers) >= held.len()).then_some(()));
    assert_eq!(logged_expirations(servers), held.len(), "a hold has ended twice");
}

/// How many holds the servers say that they have ended.
fn logged_expirations(servers: &ServerFleet) -> usize {
    servers.all.iter().flat_map(|server| logged_values(server, r#"job="expire_orders""#, "rows=")).sum()
}

//! Long lists, read again and again.

use serde_json::json;

use super::attackers::{EIGHT_ADDRESSES, ONE_ADDRESS};
use super::connection::Request;
use super::on_both_databases;
use super::scene::{Database, Scene};
use crate::buyers::{pay, request_order};
use crate::sale::Sale;
use crate::waiting::wait_for;

/// Tickets of a large event, of which few are sold.
const TICKETS: u32 = 100_000;
/// Orders of the attacker.
const ORDERS: usize = 400;
/// Events of the attacker, in all that is on sale.
const EVENTS: usize = 100;

on_both_databases!(ticket_lists, lists_given_up, lists_with_a_key);

/// An event of the attacker's whose tickets have all been made, and some sold.
#[track_caller]
pub(super) fn open_large_event(scene: &Scene) -> Sale {
    let sale = Sale::of(&scene.attacker, &scene.server, TICKETS);
    let client = sale.client(&scene.server);
    wait_for("all tickets are made", || {
        (client.get(&sale.set_path()).success_body()["amount"] == json!(TICKETS)).then_some(())
    });
    for _ in 0..5 {
        let order = request_order(&client, &sale, 2, true).unwrap().success_id();
        pay(&client, &order).unwrap().success_body();
    }
    sale
}

fn ticket_lists(database: Database) {
    let scene = Scene::start(database);
    let list = Request::get(&open_large_event(&scene).tickets_path("sold"));
    let quiet = scene.sell_quietly();
    for addresses in [ONE_ADDRESS, EIGHT_ADDRESSES] {
        scene.attack_after(&quiet, addresses, |attacker| attacker.request(&list)).assert_harmless();
    }
}

/// Nobody waits for these answers, so that thousands are asked for in a second.
fn lists_given_up(database: Database) {
    let mut scene = Scene::start(database);
    let list = Request::get(&open_large_event(&scene).tickets_path("sold"));
    scene.seller_long_requests = vec![Request::get("/v1/resources/events")];
    let quiet = scene.sell_quietly();
    for addresses in [ONE_ADDRESS, EIGHT_ADDRESSES] {
        scene.attack_after(&quiet, addresses, |attacker| attacker.request_and_leave(&list)).assert_harmless();
    }
}

fn lists_with_a_key(database: Database) {
    let scene = Scene::start(database);
    let sale = Sale::of(&scene.attacker, &scene.server, 10_000);
    let client = sale.client(&scene.server);
    for _ in 0..ORDERS {
        request_order(&client, &sale, 10, true).unwrap().success_body();
    }
    for _ in 1..EVENTS {
        Sale::of(&scene.attacker, &scene.server, 1);
    }
    let paths = [
        "/v1/resources/orders?page_size=200",
        "/v1/resources/orders?page_size=200&fields-schema=id,event{title,sets},tickets{status,seat}",
        "/v2/resources/orders?page_size=200",
        "/v1/services/simple/events",
        "/v1/resources/users",
    ];
    let lists = paths.map(|path| Request::get(path).key(&scene.attacker.key));
    let outcome = scene.attack(ONE_ADDRESS, |attacker| attacker.request(&lists[attacker.index % lists.len()]));
    outcome.assert_harmless();
}

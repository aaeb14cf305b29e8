//! Writes of one tenant, as many and as heavy as it can.

use serde_json::json;

use super::attackers::ONE_ADDRESS;
use super::connection::Request;
use super::on_both_databases;
use super::scene::{Database, Scene};
use crate::sale::Sale;

/// Tickets of a set that one command still writes at once, and what is left of them when it is made smaller.
const AMOUNTS: [u32; 2] = [10_000, 1];
/// Tickets of an event that many want.
const WANTED_TICKETS: u32 = 10_000;

/// Events of the attacker with as many prices as there may be, in so many sets of so many.
const FAT_EVENTS: usize = 8;
const FAT_SETS: usize = 49;
const PRICE_RULES: u32 = 100;

on_both_databases!(resizing, crowd_at_another_event, orders_at_events_with_many_prices);

fn resizing(database: Database) {
    let scene = Scene::start(database);
    let sets: Vec<String> = (0..4).map(|_| Sale::of(&scene.attacker, &scene.server, AMOUNTS[0]).set_path()).collect();
    let resizes = |set: &String| {
        AMOUNTS.map(|amount| Request::new("PATCH", set).key(&scene.attacker.key).json(&json!({ "amount": amount })))
    };
    let resizes: Vec<[Request; 2]> = sets.iter().map(resizes).collect();
    let outcome = scene.attack(ONE_ADDRESS, |attacker| {
        // One set most of the time, and others, which have lanes of their own.
        let set = if attacker.index % 2 == 0 { 0 } else { attacker.index / 2 % resizes.len() };
        attacker.request(&resizes[set][(attacker.index / 8 + attacker.round) % AMOUNTS.len()]);
    });
    outcome.assert_harmless();
}

fn crowd_at_another_event(database: Database) {
    let scene = Scene::start(database);
    let wanted = Sale::of(&scene.attacker, &scene.server, WANTED_TICKETS);
    let order = json!({"event": wanted.event, "random": {wanted.set.as_str(): 1}});
    let order = Request::new("POST", "/v1/resources/orders").key(&wanted.key).json(&order);
    scene.attack(ONE_ADDRESS, |attacker| attacker.request(&order)).assert_harmless();
}

fn orders_at_events_with_many_prices(database: Database) {
    let scene = Scene::start(database);
    let sales: Vec<Sale> = (0..FAT_EVENTS).map(|_| Sale::of(&scene.attacker, &scene.server, WANTED_TICKETS)).collect();
    let day = |day: u32| format!("{}-{:02}-{:02}T00:00:00Z", 2040 + day / 360, 1 + day / 30 % 12, 1 + day % 28);
    let rules = (0..PRICE_RULES).map(|at| json!({"start": day(at * 30), "finish": day(at * 30 + 1), "price": "1.00"}));
    let set = json!({"name": "Seldom", "amount": 0, "rules": rules.collect::<Vec<_>>()});
    for sale in &sales {
        let client = sale.client(&scene.server);
        for _ in 0..FAT_SETS {
            client.post(&format!("/v1/resources/events/{}/sets", sale.event), &set).success_body();
        }
    }
    let order = |sale: &Sale| {
        let order = json!({"event": sale.event, "random": {sale.set.as_str(): 1}});
        Request::new("POST", "/v1/resources/orders").key(&sale.key).json(&order)
    };
    let orders: Vec<Request> = sales.iter().map(order).collect();
    let outcome = scene.attack(ONE_ADDRESS, |attacker| {
        attacker.request(&orders[(attacker.index + attacker.round) % orders.len()]);
    });
    outcome.assert_harmless();
}

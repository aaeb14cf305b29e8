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

on_both_databases!(resizing, crowd_at_another_event);

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

//! Memory that one tenant holds for as long as it can: answers of which it reads nothing, and bodies that never end. The
//! other one sells by short requests; its office asks for a long list, and sends a long body, now and then. These are
//! measured apart: a list waits for its turns, and has a second.

use std::time::Duration;

use serde_json::json;

use super::attackers::{EIGHT_ADDRESSES, ONE_ADDRESS};
use super::connection::Request;
use super::on_both_databases;
use super::readers::open_large_event;
use super::scene::{Database, Scene};
use crate::sale::Sale;

/// Tickets in the seller's list.
const LISTED_TICKETS: u32 = 1_000;
/// The length of the seller's body.
const BODY_BYTES: usize = 300_000;
/// How often who reads nothing asks.
const UNREAD_REQUESTS: usize = 4;
/// What comes at once of a body, and how long it says to be.
const DRIPPED_BYTES: [usize; 2] = [9_000_000, 15_000_000];
const DRIP_PAUSE: Duration = Duration::from_millis(200);

on_both_databases!(unread_lists, dripped_bodies);

/// A scene whose seller has long requests, too.
#[track_caller]
fn start(database: Database) -> Scene {
    let mut scene = Scene::start(database);
    let client = scene.sale.client(&scene.server);
    let set = json!({"name": "Balcony", "amount": LISTED_TICKETS, "price": "1.00"});
    let event = client.post("/v1/resources/events", &crate::sale::public_event_body()).success_id();
    let set = client.post(&format!("/v1/resources/events/{event}/sets"), &set).success_id();
    let long = Sale { key: scene.sale.key.clone(), event, set };
    let mut body = json!({"title": {"text": "A long body"}}).to_string().into_bytes();
    body.resize(BODY_BYTES, b' ');
    let path = format!("/v1/resources/events/{}", long.event);
    scene.seller_long_requests = vec![
        Request::get(&long.tickets_path("vacant")).key(&long.key),
        Request::new("PATCH", &path).key(&long.key).body("application/json", body),
    ];
    scene
}

fn unread_lists(database: Database) {
    let scene = start(database);
    let list = Request::get(&open_large_event(&scene).tickets_path("vacant"));
    let quiet = scene.sell_quietly();
    for addresses in [ONE_ADDRESS, EIGHT_ADDRESSES] {
        let attack = scene.attack_after(&quiet, addresses, |attacker| {
            attacker.request_and_read_nothing(&list, UNREAD_REQUESTS);
        });
        attack.assert_harmless();
    }
}

fn dripped_bodies(database: Database) {
    let scene = start(database);
    let client = scene.attacker.client(&scene.server);
    let venue = client.post("/v1/resources/venues", &json!({"name": "Opera"})).success_id();
    let [at_once, said] = DRIPPED_BYTES;
    let map = Request::new("POST", &format!("/v1/resources/venues/{venue}/maps")).key(&scene.attacker.key);
    let map = map.header("Content-Type", "application/json").header("Content-Length", &said.to_string());
    let begun = [map.bytes(), vec![b' '; at_once]].concat();
    scene.attack(ONE_ADDRESS, |attacker| attacker.drip(&begun, 1, DRIP_PAUSE)).assert_harmless();
}

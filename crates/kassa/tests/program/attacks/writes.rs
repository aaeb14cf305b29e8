//! Writes that say nothing, and whose answers are long.

use serde_json::{Value, json};

use super::answers::FatEvent;
use super::attackers::ONE_ADDRESS;
use super::connection::Request;
use super::on_both_databases;
use super::scene::{Database, Scene};

/// Sectors of a hall, and rows of each, with a seat each: what is shown of them is twice as long as what is sent, and as
/// long as the client of these tests reads at most.
const SECTORS: u32 = 8;
const ROWS: u32 = 10_000;

on_both_databases!(unread_maps, shaped_writes);

/// The path of the map of the hall.
#[track_caller]
fn store_hall(scene: &Scene) -> String {
    let client = scene.attacker.client(&scene.server);
    let venue = client.post("/v1/resources/venues", &json!({"name": "Stadium"})).success_id();
    let maps = format!("/v1/resources/venues/{venue}/maps");
    let rows: Vec<Value> = (0..ROWS).map(|row| json!({"row": row, "from": 1, "to": 1})).collect();
    let sectors: Vec<Value> =
        (0..SECTORS).map(|sector| json!({"id": format!("{sector}"), "name": "Block", "rows": rows})).collect();
    let map = client.post(&maps, &json!({"name": "Bowl", "sectors": sectors})).success_id();
    format!("{maps}/{map}")
}

fn unread_maps(database: Database) {
    let scene = Scene::start(database);
    let map = store_hall(&scene);
    let write = Request::new("PATCH", &map).key(&scene.attacker.key).json(&json!({}));
    scene.attack(ONE_ADDRESS, |attacker| attacker.request_and_read_nothing(&write, 1)).assert_harmless();
}

fn shaped_writes(database: Database) {
    let mut scene = Scene::start(database);
    let event = FatEvent::open(&scene, 20);
    scene.seller_long_requests = vec![Request::get("/v1/resources/events?limit=5")];
    let write = |set: &String| {
        let path = format!("{set}?fields-schema=event{{sets{{event{{sets{{desc}}}}}}}}");
        Request::new("PATCH", &path).key(&scene.attacker.key).json(&json!({}))
    };
    let writes: Vec<Request> = event.sets.iter().map(write).collect();
    let attacked = scene.attack(ONE_ADDRESS, |attacker| {
        attacker.request(&writes[(attacker.index + attacker.round) % writes.len()]);
    });
    attacked.assert_harmless();
}

//! Writes that say nothing, and ask to be shown much.

use serde_json::json;

use super::answers::FatEvent;
use super::attackers::{EIGHT_ADDRESSES, ONE_ADDRESS};
use super::connection::Request;
use super::on_both_databases;
use super::scene::{Database, Scene};

/// Rows of a map whose answer has some megabytes: in all, and in one sector.
const ROWS: u32 = 48_000;
const ROWS_PER_SECTOR: u32 = 8_000;

on_both_databases!(shaped_writes, unread_maps);

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

fn unread_maps(database: Database) {
    let mut scene = Scene::start(database);
    let client = scene.attacker.client(&scene.server);
    let venue = client.post("/v1/resources/venues", &json!({"name": "Stadium"})).success_id();
    let maps = format!("/v1/resources/venues/{venue}/maps");
    let rows: Vec<_> = (0..ROWS_PER_SECTOR).map(|row| json!({"row": row, "from": 1, "to": 1})).collect();
    let sector = |sector: u32| json!({"id": sector.to_string(), "name": "Stand", "rows": rows});
    let sectors: Vec<_> = (0..ROWS / ROWS_PER_SECTOR).map(sector).collect();
    let map = client.post(&maps, &json!({"name": "Bowl", "sectors": sectors})).success_id();
    let write = Request::new("PATCH", &format!("{maps}/{map}")).key(&scene.attacker.key).json(&json!({}));
    scene.seller_long_requests = vec![Request::get("/v1/resources/events?limit=5")];
    let quiet = scene.sell_quietly();
    for addresses in [ONE_ADDRESS, EIGHT_ADDRESSES] {
        let outcome = scene.attack_after(&quiet, addresses, |attacker| {
            if attacker.index % 4 == 0 {
                attacker.request(&write);
            } else {
                attacker.request_and_read_nothing(&write, 1);
            }
        });
        outcome.assert_harmless();
        assert!(outcome.count("200") > 0, "nothing was written: {outcome}");
    }
}

//! Writes that say nothing, and ask to be shown much.

use serde_json::json;

use super::answers::FatEvent;
use super::attackers::ONE_ADDRESS;
use super::connection::Request;
use super::on_both_databases;
use super::scene::{Database, Scene};

on_both_databases!(shaped_writes);

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

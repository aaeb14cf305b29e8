//! Drawings of the largest hall that can be stored, for clients that read nothing of them.

use serde_json::json;

use super::attackers::{EIGHT_ADDRESSES, ONE_ADDRESS};
use super::connection::Request;
use super::on_both_databases;
use super::scene::{Database, Scene};

/// Seats of halls, the largest first: the first that can be stored and drawn is.
const HALLS: [u32; 6] = [1_000_000, 300_000, 100_000, 30_000, 10_000, 3_000];
/// Rows of a hall.
const ROWS: u32 = 50;

on_both_databases!(drawings);

/// The path of the drawing of the largest hall.
#[track_caller]
fn store_hall(scene: &Scene) -> String {
    let client = scene.attacker.client(&scene.server);
    let venue = client.post("/v1/resources/venues", &json!({"name": "Stadium"})).success_id();
    let maps = format!("/v1/resources/venues/{venue}/maps");
    let stored = HALLS.into_iter().find_map(|seats| {
        let rows: Vec<_> = (0..ROWS).map(|row| json!({"row": row, "from": 1, "to": seats / ROWS})).collect();
        let map = client.post(&maps, &json!({"name": "Bowl", "sectors": [{"id": "A", "name": "All", "rows": rows}]}));
        let path = (map.status == 201).then(|| format!("{maps}/{}.svg", map.success_id()))?;
        (client.get(&path).status == 200).then_some(path)
    });
    stored.unwrap()
}

fn drawings(database: Database) {
    let scene = Scene::start(database);
    let drawing = Request::get(&store_hall(&scene));
    let quiet = scene.sell_quietly();
    for addresses in [ONE_ADDRESS, EIGHT_ADDRESSES] {
        let outcome = scene.attack_after(&quiet, addresses, |attacker| {
            if attacker.index % 4 == 0 {
                attacker.request(&drawing);
            } else {
                attacker.request_and_read_nothing(&drawing, 1);
            }
        });
        outcome.assert_harmless();
        assert_eq!(outcome.count("400"), 0, "nothing was drawn: {outcome}");
    }
}

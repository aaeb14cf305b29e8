//! Long reads that overlap, so that there is always one, beside many writes: the log of SQLite has an end.

use serde_json::json;

use super::answers::{FatEvent, noise};
use super::attackers::ONE_ADDRESS;
use super::connection::Request;
use super::readers::open_large_event;
use super::scene::{Database, Scene};
use crate::buyers::SeededRandom;

/// The longest that the log may become.
const LOG_MIB_MAX: u64 = 128;
/// How many of the attackers read.
const READERS: usize = 12;
/// Sets that the others write.
const SETS: usize = 20;

#[test]
fn overlapping_reads() {
    let scene = Scene::start(Database::Sqlite);
    let large = open_large_event(&scene);
    let lists = [large.tickets_path("sold"), format!("/v1/resources/orders?event={}", large.event)];
    let lists = lists.map(|path| Request::get(&path).key(&scene.attacker.key));
    let written = FatEvent::open(&scene, SETS).sets;
    let descriptions: Vec<String> = (0..7).map(|seed| noise(&mut SeededRandom(seed))).collect();
    let outcome = scene.attack(ONE_ADDRESS, |attacker| {
        if attacker.index < READERS {
            return attacker.request(&lists[attacker.index % lists.len()]);
        }
        let description = &descriptions[attacker.round % descriptions.len()];
        let patch = Request::new("PATCH", &written[attacker.index % SETS]).key(&scene.attacker.key);
        attacker.request(&patch.json(&json!({ "description": description })));
    });
    assert!(outcome.log_bytes_max > 0, "there is a log: {outcome}");
    let log_mib_max = outcome.log_bytes_max / 1024 / 1024;
    assert!(log_mib_max <= LOG_MIB_MAX, "the log is {log_mib_max} MiB long: {outcome}");
    outcome.assert_harmless();
}

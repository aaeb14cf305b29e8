//! Answers that are much longer than what was asked: `fields-schema` that names the same texts again and again, and
//! public lists of fat events.

use serde_json::json;

use super::attackers::{EIGHT_ADDRESSES, ONE_ADDRESS};
use super::connection::Request;
use super::on_both_databases;
use super::scene::{Database, Scene};
use crate::buyers::SeededRandom;
use crate::sale::public_event_body;

/// The longest description that a set may have, in characters.
const DESCRIPTION_CHARS: usize = 10_000;
/// Sets of an event that answers with tens of megabytes, and of one that answers with gigabytes.
const SETS: [usize; 2] = [60, 350];
/// How often who reads nothing asks.
const UNREAD_REQUESTS: usize = 4;

on_both_databases!(fields_schema_bombs, fat_public_lists, fat_events);

/// An event of the attacker's, public, with many sets of the longest descriptions.
pub(super) struct FatEvent {
    pub(super) path: String,
    /// The paths of its sets.
    pub(super) sets: Vec<String>,
}

impl FatEvent {
    #[track_caller]
    pub(super) fn open(scene: &Scene, sets: usize) -> Self {
        let client = scene.attacker.client(&scene.server);
        let event = client.post("/v1/resources/events", &public_event_body()).success_id();
        let path = format!("/v1/resources/events/{event}");
        let mut dice = SeededRandom(0);
        let sets = (0..sets).map(|at| {
            let set =
                json!({"name": format!("Set {at}"), "amount": 1, "price": "1.00", "description": noise(&mut dice)});
            let set = client.post(&format!("{path}/sets"), &set).success_id();
            format!("{path}/sets/{set}")
        });
        Self { sets: sets.collect(), path }
    }

    /// Requests whose answers name each description once for each set, or once more.
    fn bombs(&self) -> [Request; 2] {
        let sets = format!("{}/sets?fields-schema", self.path);
        [
            Request::get(&format!("{sets}=event{{sets{{desc,description}}}}")),
            Request::get(&format!("{sets}=event{{sets{{event{{sets{{desc}}}}}}}}")),
        ]
    }
}

/// A description that compresses to little less.
pub(super) fn noise(dice: &mut SeededRandom) -> String {
    let chars: Vec<char> = ('\u{100}'..='\u{1ff}').collect();
    (0..DESCRIPTION_CHARS).map(|_| chars[dice.below(256)]).collect()
}

fn fields_schema_bombs(database: Database) {
    let scene = Scene::start(database);
    let bombs = SETS.map(|sets| FatEvent::open(&scene, sets).bombs()).concat();
    let quiet = scene.sell_quietly();
    for addresses in [ONE_ADDRESS, EIGHT_ADDRESSES] {
        let outcome = scene.attack_after(&quiet, addresses, |attacker| {
            attacker.request(&bombs[(attacker.index + attacker.round) % bombs.len()]);
        });
        outcome.assert_harmless();
    }
}

fn fat_public_lists(database: Database) {
    let scene = Scene::start(database);
    for sets in SETS {
        FatEvent::open(&scene, sets);
    }
    let lists = ["/v1/resources/events", "/v1/resources/events?fields-schema=sets{description}"].map(Request::get);
    let quiet = scene.sell_quietly();
    for addresses in [ONE_ADDRESS, EIGHT_ADDRESSES] {
        let outcome = scene.attack_after(&quiet, addresses, |attacker| {
            let list = &lists[attacker.index / 2 % lists.len()];
            if attacker.index % 2 == 0 {
                attacker.request(list);
            } else {
                attacker.request_and_read_nothing(list, UNREAD_REQUESTS);
            }
        });
        outcome.assert_harmless();
    }
}

fn fat_events(database: Database) {
    let scene = Scene::start(database);
    let events = SETS.map(|sets| Request::get(&FatEvent::open(&scene, sets).path));
    let quiet = scene.sell_quietly();
    for addresses in [ONE_ADDRESS, EIGHT_ADDRESSES] {
        let outcome =
            scene.attack_after(&quiet, addresses, |attacker| attacker.request(&events[attacker.index % events.len()]));
        outcome.assert_harmless();
    }
}

//! Guesses at promocodes, with many keys of one partner.

use serde_json::json;

use super::attackers::{CONNECTIONS, ONE_ADDRESS};
use super::connection::Request;
use super::scene::{Database, Scene};
use super::{attack_time, on_both_databases};
use crate::sale::Sale;

/// How often a partner may guess at once, and again in each minute.
const CHECKS_PER_MINUTE: u64 = 60;

on_both_databases!(promocode_guesses);

fn promocode_guesses(database: Database) {
    let scene = Scene::start(database);
    let sale = Sale::of(&scene.attacker, &scene.server, 10);
    let keys: Vec<String> = (0..CONNECTIONS).map(|_| scene.attacker.new_key()).collect();
    let outcome = scene.attack(ONE_ADDRESS, |attacker| {
        let guess = json!({"event": sale.event, "code": format!("GUESS{}", attacker.round)});
        let check = Request::new("POST", "/v2/services/promocodes/check").key(&keys[attacker.index]);
        attacker.request(&check.json(&guess));
    });
    outcome.assert_harmless();
    let checked = outcome.count("400") + outcome.count("200");
    // The attack lasts somewhat longer than the sale beside it.
    let allowed = CHECKS_PER_MINUTE + CHECKS_PER_MINUTE * (attack_time().as_secs() + 10) / 60;
    assert!(u64::try_from(checked).unwrap() <= allowed, "{checked} guesses were answered: {outcome}");
    assert!(outcome.count("429") > 0, "{outcome}");
    assert!(outcome.was_limited("promocode_checks"), "operators see it: {outcome}");
}

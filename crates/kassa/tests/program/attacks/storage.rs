//! One tenant fills the disk: with answers that are kept under idempotency keys, and with attachments.

use serde_json::json;

use super::answers::FatEvent;
use super::attackers::{Attacker, ONE_ADDRESS};
use super::connection::Request;
use super::on_both_databases;
use super::scene::{Database, Scene};

/// Sets of an event whose answer is more than a megabyte.
const SETS: usize = 60;
const ATTACHMENT_BYTES: usize = 1024 * 1024;
/// What one tenant may store, so that an attack of some seconds stores more if nothing stops it. By default it may
/// store more attachments, which would only take longer.
const QUOTAS: &str = "answer_bytes=8388608,attachment_bytes=16777216";
/// The most that the installation may grow by: what the seller sells is in it, and what the database leaves free.
const GROWTH_MIB_MAX: u64 = 192;

on_both_databases!(kept_answers, attachments);

/// Attacks with requests that store something, each under a name of its own: what is stored stays bounded, and the
/// attacker is told so.
#[track_caller]
fn fill(scene: &Scene, storing: impl Fn(&str) -> Request + Sync) {
    let before = scene.stored_bytes();
    let store = |attacker: &mut Attacker<'_>| {
        attacker.request(&storing(&format!("{}-of-{}", attacker.round, attacker.index)).key(&scene.attacker.key));
    };
    let outcome = scene.attack(ONE_ADDRESS, store);
    let growth_mib = scene.stored_bytes().saturating_sub(before) / 1024 / 1024;
    println!("  storage:   {growth_mib} MiB more");
    outcome.assert_harmless();
    assert!(outcome.count("200") > 0, "the attacker has stored nothing: {outcome}");
    assert!(growth_mib <= GROWTH_MIB_MAX, "the attacker has stored {growth_mib} MiB: {outcome}");
    assert!(outcome.count("400") > 0, "the attacker was told of no quota: {outcome}");
}

fn kept_answers(database: Database) {
    let scene = Scene::start_with(database, |server| {
        server.env("KASSA_QUOTAS", QUOTAS);
    });
    let event = FatEvent::open(&scene, SETS).path;
    fill(&scene, |name| {
        let patch = Request::new("PATCH", &event).header("Idempotency-Key", name);
        patch.json(&json!({"title": {"text": name}}))
    });
}

fn attachments(database: Database) {
    let scene = Scene::start_with(database, |server| {
        server.env("KASSA_QUOTAS", QUOTAS);
    });
    fill(&scene, |name| {
        let mut bytes = format!("GIF89a {name}").into_bytes();
        bytes.resize(ATTACHMENT_BYTES, 0);
        Request::new("POST", "/v1/resources/attachments").body("image/gif", bytes)
    });
}

//! Exports, one after the other: customers of others get their tickets by mail all the same.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Read as _;
use std::path::Path;
use std::time::{Duration, SystemTime};

use serde_json::json;

use super::attackers::ONE_ADDRESS;
use super::connection::Request;
use super::on_both_databases;
use super::scene::{Database, Scene};
use super::seller::Sold;
use crate::buyers::request_order;
use crate::client::Client;
use crate::mails::{token_line, wait_for_message};
use crate::sale::Sale;
use crate::waiting::wait_for;

/// Orders in each export.
const ORDERS: usize = 500;
/// The longest that a customer may wait for its tickets.
const MAIL_DELAY_MAX: Duration = Duration::from_secs(5);
/// Where a message says whom it is for.
const HEAD_BYTES: u64 = 4 * 1024;

on_both_databases!(exports);

/// The attacker shows that the address is its own.
#[track_caller]
fn confirm_attacker(scene: &Scene, outbox: &Path) {
    let message = wait_for_message(outbox, "attacker@example.org");
    let confirmation = json!({"token": token_line(&message), "password": "secret-word"});
    Client::anonymous(&scene.server.url).post("/v1/services/confirm", &confirmation).success_body();
}

/// Whom messages were written for, and when.
fn written_messages(outbox: &Path) -> BTreeMap<String, SystemTime> {
    let read = |path: &Path| {
        let (mut head, file) = (String::new(), File::open(path).ok()?);
        file.take(HEAD_BYTES).read_to_string(&mut head).ok()?;
        let to = head.lines().find_map(|line| line.strip_prefix("To: "))?;
        Some((to.to_owned(), path.metadata().ok()?.modified().ok()?))
    };
    let paths = fs::read_dir(outbox).unwrap().map(|entry| entry.unwrap().path());
    paths
        .filter(|path| path.extension().is_some_and(|extension| extension == "eml"))
        .filter_map(|path| read(&path))
        .collect()
}

/// The longest time from a payment to the message with the tickets.
#[track_caller]
fn longest_delay(outbox: &Path, sold: &Sold) -> Duration {
    wait_for("all customers have their tickets", || {
        let written = written_messages(outbox);
        let delays = sold.paid.iter().map(|(email, paid)| {
            // A message may have been written before the payment was answered.
            Some(written.get(email)?.duration_since(*paid).unwrap_or_default())
        });
        delays.collect::<Option<Vec<Duration>>>()?.into_iter().max()
    })
}

fn exports(database: Database) {
    let mut scene = Scene::start(database);
    scene.seller_mails = true;
    let outbox = scene.folder.path().join("outbox");
    confirm_attacker(&scene, &outbox);
    let sale = Sale::of(&scene.attacker, &scene.server, 10_000);
    let client = sale.client(&scene.server);
    for _ in 0..ORDERS {
        request_order(&client, &sale, 1, true).unwrap().success_body();
    }
    let export = Request::new("POST", "/v2/resources/orders/export").key(&sale.key);
    let export = export.json(&json!({"email": "attacker@example.org"}));
    let quiet = scene.sell_quietly();
    let quiet_delay = longest_delay(&outbox, &quiet);
    let outcome = scene.attack_after(&quiet, ONE_ADDRESS, |attacker| attacker.request(&export));
    let delay = longest_delay(&outbox, &outcome.sold);
    println!("  mails:     after {quiet_delay:.1?} at most when quiet, after {delay:.1?} when attacked");
    outcome.assert_harmless();
    assert!(delay <= MAIL_DELAY_MAX, "a customer waited {delay:.1?} for its tickets: {outcome}");
}

//! Webhooks whose senders and receivers die at any moment: each change that was committed is told, in the order of its
//! resource, and nothing else is.
//!
//! `KASSA_WEBHOOK_CYCLES` says how often a sender is killed, on each of the databases; `--profile long` lets it take its
//! time.

pub(crate) mod receiver;

use std::collections::HashSet;
use std::process::Command;
use std::time::Duration;

use serde_json::json;

use crate::buyers::SeededRandom;
use crate::client::{Client, text};
use crate::commands::kassa_serve;
use crate::crashes::{act_until_killed, add_seats_and_promocode, configured_cycles};
use crate::feed_reader::FeedReader;
use crate::sale::Sale;
use crate::server::Server;
use crate::tenant::TestDatabase;
use crate::verify::{assert_no_mismatch, kassa_verify};
use crate::waiting::wait_for_within;
use receiver::{Receiver, Told};

/// How often a sender is killed, unless somebody says how often.
const CYCLES: usize = 4;
/// Times that one installation is killed, before the next begins.
const CYCLES_PER_INSTALLATION: usize = 20;
/// Answers before a kill: more than none, and up to so many.
const ANSWERS_BEFORE_KILL_MAX: u32 = 60;
/// What a sender had claimed when it died is free after five seconds, and a message that failed is due after as long.
const CATCH_UP_TIMEOUT: Duration = Duration::from_mins(4);

#[test]
fn whoever_dies_what_was_committed_is_told_and_nothing_else() {
    kill_senders(|cycles, dice| {
        let folder = tempfile::tempdir().unwrap();
        tell(cycles, dice, || kassa_serve(folder.path()), || kassa_verify(folder.path()));
    });
}

#[test]
fn whoever_dies_what_was_committed_is_told_and_nothing_else_on_postgres() {
    kill_senders(|cycles, dice| {
        let (folder, tenant) = (tempfile::tempdir().unwrap(), TestDatabase::new());
        let verify = || {
            let mut command = kassa_verify(folder.path());
            command.env("KASSA_DATABASE", tenant.url());
            command
        };
        tell(cycles, dice, || tenant.serve(folder.path()), verify);
    });
}

fn kill_senders(tell: impl Fn(usize, &mut SeededRandom)) {
    let (mut dice, cycles) = (SeededRandom(1), configured_cycles("KASSA_WEBHOOK_CYCLES", CYCLES));
    for done in (0..cycles).step_by(CYCLES_PER_INSTALLATION) {
        tell(CYCLES_PER_INSTALLATION.min(cycles - done), &mut dice);
    }
}

/// An endpoint, and from where on it is told.
pub(crate) struct Endpoint {
    pub(crate) path: String,
    pub(crate) since: String,
}

fn tell(cycles: usize, dice: &mut SeededRandom, serve: impl Fn() -> Command, verify: impl Fn() -> Command) {
    let receiver = Receiver::dying(u32::try_from(dice.below(1 << 16)).unwrap());
    let serve = || {
        let mut command = serve();
        command.args(["--webhook-allow", "127.0.0.0/8"]);
        command
    };
    let mut server = Server::run(&mut serve());
    let sale = Sale::open(&server, 2_000);
    let hall = add_seats_and_promocode(&server, &sale);
    let mut endpoints = Vec::new();
    for cycle in 0..cycles {
        // What the one before had claimed is not free yet; somebody new is told at once.
        endpoints.push(add_endpoint(&sale.client(&server), &receiver, format!("/{cycle}")));
        let answers = 1 + dice.below(ANSWERS_BEFORE_KILL_MAX);
        act_until_killed(&server, &sale, &hall, dice, answers);
        server.assert_killed();
        server = Server::run(&mut serve());
    }
    // Whoever gave places is dead, and its claim is free after a second.
    wait_for_within(CATCH_UP_TIMEOUT, "all that was committed has its place in the feed", || {
        let metrics = text(&Client::anonymous(&server.ops).get("/metrics").success_body());
        metrics.lines().any(|line| line == "kassa_feed_unplaced_seconds 0.000").then_some(())
    });
    let client = sale.client(&server);
    for endpoint in endpoints {
        let committed = committed_since(&client, &endpoint.since);
        assert!(!committed.is_empty(), "nothing has happened");
        let told = wait_for_within(CATCH_UP_TIMEOUT, "all is told that was committed", || {
            let told = receiver.told(&endpoint.path);
            committed.is_subset(&told.ids).then_some(told)
        });
        assert_eq!(told.ids, committed, "something was told that was not committed");
        assert_in_order(&told);
    }
    server.stop();
    assert_no_mismatch(&mut verify());
}

pub(crate) fn add_endpoint(client: &Client, receiver: &Receiver, path: String) -> Endpoint {
    let body = json!({"url": format!("{}{path}", receiver.url), "types": ["order.*", "ticket.*"]});
    let webhook = client.post("/v2/resources/webhooks", &body).success_body();
    Endpoint { path, since: text(&webhook["data"]["cursor"]) }
}

/// The ids of all changes of orders and tickets from a cursor on.
pub(crate) fn committed_since(client: &Client, since: &str) -> HashSet<String> {
    FeedReader::new(client.clone(), "types=order.*,ticket.*", since).read_ids()
}

pub(crate) fn assert_in_order(told: &Told) {
    for (resource, versions) in &told.versions {
        assert!(versions.is_sorted(), "{resource} was told in the order {versions:?}");
    }
}

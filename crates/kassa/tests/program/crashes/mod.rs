//! A server that is killed at any moment, again and again, while everything is done to orders that can be: what was
//! answered has happened, what was not has happened as a whole or not at all, and all that can be counted agrees.
//!
//! `KASSA_CRASH_CYCLES` says how often, on each of the databases; `--profile long` lets it take its time.

mod order_actor;

use std::collections::BTreeSet;
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use serde_json::json;

use crate::buyers::SeededRandom;
use crate::client::Client;
use crate::commands::kassa_serve;
use crate::sale::Sale;
use crate::server::Server;
use crate::tenant::TestDatabase;
use crate::verify::{assert_no_mismatch, kassa_verify};
use crate::waiting::wait_for;
use order_actor::{OrderActor, TrackedOrder};

/// Says how often a server is killed.
const VARIABLE: &str = "KASSA_CRASH_CYCLES";
/// How often that is, unless somebody says.
const CYCLES_ON_SQLITE: usize = 30;
const CYCLES_ON_POSTGRES: usize = 20;
/// Times that one installation is killed, before the next begins: its orders are all counted after each.
const CYCLES_PER_INSTALLATION: usize = 10;
/// Who acts at the same time.
const ACTORS: u32 = 16;
/// Answers before a kill: more than none, and up to so many.
const ANSWERS_BEFORE_KILL_MAX: u32 = 200;

/// How often something is killed, as a variable of the environment says.
pub(crate) fn configured_cycles(variable: &str, usually: usize) -> usize {
    std::env::var(variable).map_or(usually, |text| text.parse().unwrap())
}

#[test]
fn kill_9_at_any_moment_leaves_no_partial_change() {
    run_cycles(configured_cycles(VARIABLE, CYCLES_ON_SQLITE), |cycles, dice| {
        let folder = tempfile::tempdir().unwrap();
        crash(cycles, dice, || kassa_serve(folder.path()), || kassa_verify(folder.path()));
    });
}

#[test]
fn kill_9_at_any_moment_leaves_no_partial_change_on_postgres() {
    run_cycles(configured_cycles(VARIABLE, CYCLES_ON_POSTGRES), |cycles, dice| {
        let (folder, tenant) = (tempfile::tempdir().unwrap(), TestDatabase::new());
        let verify = || {
            let mut command = kassa_verify(folder.path());
            command.env("KASSA_DATABASE", tenant.url());
            command
        };
        crash(cycles, dice, || tenant.serve(folder.path()), verify);
    });
}

/// So many cycles in all, some on each of several installations.
fn run_cycles(cycles: usize, crash: impl Fn(usize, &mut SeededRandom)) {
    let mut dice = SeededRandom(0);
    for done in (0..cycles).step_by(CYCLES_PER_INSTALLATION) {
        crash(CYCLES_PER_INSTALLATION.min(cycles - done), &mut dice);
    }
}

fn crash(cycles: usize, dice: &mut SeededRandom, serve: impl Fn() -> Command, verify: impl Fn() -> Command) {
    let mut server = Server::run(&mut serve());
    let sale = Sale::open(&server, 400);
    let hall = add_seats_and_promocode(&server, &sale);
    let (mut deeds, mut seen): (Vec<TrackedOrder>, BTreeSet<&str>) = Default::default();
    for _ in 0..cycles {
        let answers = 1 + dice.below(ANSWERS_BEFORE_KILL_MAX);
        deeds.extend(act_until_killed(&server, &sale, &hall, dice, answers));
        server.assert_killed();
        server = Server::run(&mut serve());
        assert_no_mismatch(&mut verify());
        let client = sale.client(&server);
        for deed in &mut deeds {
            seen.insert(deed.reconcile(&client));
        }
        // What is settled for good stays so, as the next one counts.
        deeds.retain(|deed| !deed.is_final());
    }
    let all = BTreeSet::from(["canceled", "done", "executed", "refunded"]);
    assert!(seen == all || cycles < CYCLES_PER_INSTALLATION, "not all has happened: {seen:?}");
    server.stop();
}

/// A set with seats, and a code: the set.
pub(crate) fn add_seats_and_promocode(server: &Server, sale: &Sale) -> String {
    let client = sale.client(server);
    let hall =
        json!({"name": "Hall", "seats": {"1": [[1, 60]], "2": [[1, 60]], "3": [[1, 40], [50, 70]]}, "price": "50.00"});
    let hall = client.post(&format!("/v1/resources/events/{}/sets", sale.event), &hall).success_id();
    let code = json!({"code": order_actor::PROMOCODE, "discount": {"percentage": "10%"}});
    client.post(&format!("/v1/resources/events/{}/promocodes", sale.event), &code).success_body();
    hall
}

/// All act until so many requests were answered; then the server is killed. What they did and were told.
pub(crate) fn act_until_killed(
    server: &Server,
    sale: &Sale,
    hall: &str,
    dice: &mut SeededRandom,
    answers: usize,
) -> Vec<TrackedOrder> {
    let (answered, deeds) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let seeds: Vec<u32> = (0..ACTORS).map(|_| u32::try_from(dice.below(1 << 16)).unwrap()).collect();
    thread::scope(|scope| {
        for seed in seeds {
            let client: Client = sale.client(server);
            let sets = [sale.set.clone(), hall.to_owned()];
            let actor =
                OrderActor { client, event: sale.event.clone(), sets, dice: SeededRandom(seed), answered: &answered };
            let deeds = &deeds;
            scope.spawn(move || {
                let mine = actor.run();
                deeds.lock().unwrap().extend(mine);
            });
        }
        wait_for("requests are answered", || (answered.load(Ordering::Relaxed) >= answers).then_some(()));
        server.process_id().kill();
    });
    deeds.into_inner().unwrap()
}

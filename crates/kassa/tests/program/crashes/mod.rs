//! A server that is killed at any moment, again and again, while everything is done to orders that can be: what was
//! answered has happened, what was not has happened as a whole or not at all, and all that can be counted agrees.
//!
//! `KASSA_CRASH_CYCLES` says how often, on each of the databases; `--profile long` lets it take its time.

mod actor;

use std::collections::BTreeSet;
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use serde_json::json;

use crate::client::Client;
use crate::crowd::Dice;
use crate::patience::soon;
use crate::program::kassa_serve;
use crate::sale::Sale;
use crate::server::Server;
use crate::tenant::Tenant;
use crate::verify::{all_agrees, kassa_verify};
use actor::{Actor, Deed};

/// How often a server is killed, unless somebody says how often.
const CYCLES_ON_SQLITE: usize = 30;
const CYCLES_ON_POSTGRES: usize = 20;
/// Times that one installation is killed, before the next begins: its orders are all counted after each.
const CYCLES_OF_ONE: usize = 10;
/// Who acts at the same time.
const ACTORS: u32 = 16;
/// Answers before a kill: more than none, and up to so many.
const ANSWERS_MAX: u32 = 200;

fn cycles(usually: usize) -> usize {
    std::env::var("KASSA_CRASH_CYCLES").map_or(usually, |text| text.parse().unwrap())
}

#[test]
fn kill_9_at_any_moment_leaves_nothing_half_done() {
    leave_nothing_half_done(cycles(CYCLES_ON_SQLITE), |cycles, dice| {
        let folder = tempfile::tempdir().unwrap();
        crash(cycles, dice, || kassa_serve(folder.path()), || kassa_verify(folder.path()));
    });
}

#[test]
fn kill_9_at_any_moment_leaves_nothing_half_done_on_postgres() {
    leave_nothing_half_done(cycles(CYCLES_ON_POSTGRES), |cycles, dice| {
        let (folder, tenant) = (tempfile::tempdir().unwrap(), Tenant::new());
        let verify = || {
            let mut command = kassa_verify(folder.path());
            command.env("KASSA_DATABASE", tenant.url());
            command
        };
        crash(cycles, dice, || tenant.serve(folder.path()), verify);
    });
}

/// So many cycles in all, some on each of several installations.
fn leave_nothing_half_done(cycles: usize, crash: impl Fn(usize, &mut Dice)) {
    let mut dice = Dice(0);
    for done in (0..cycles).step_by(CYCLES_OF_ONE) {
        crash(CYCLES_OF_ONE.min(cycles - done), &mut dice);
    }
}

fn crash(cycles: usize, dice: &mut Dice, serve: impl Fn() -> Command, verify: impl Fn() -> Command) {
    let mut server = Server::run(&mut serve());
    let sale = Sale::open(&server, 400);
    let hall = more_on_sale(&server, &sale);
    let (mut deeds, mut seen): (Vec<Deed>, BTreeSet<&str>) = Default::default();
    for _ in 0..cycles {
        let answers = 1 + dice.below(ANSWERS_MAX);
        deeds.extend(act_until_killed(&server, &sale, &hall, dice, answers));
        server.killed();
        server = Server::run(&mut serve());
        all_agrees(&mut verify());
        let client = sale.client(&server);
        for deed in &mut deeds {
            seen.insert(deed.stands(&client));
        }
        // What is settled for good stays so, as the next one counts.
        deeds.retain(|deed| !deed.is_over());
    }
    let all = BTreeSet::from(["canceled", "done", "executed", "refunded"]);
    assert!(seen == all || cycles < CYCLES_OF_ONE, "not all has happened: {seen:?}");
    server.stop();
}

/// A set with seats, and a code: the set.
fn more_on_sale(server: &Server, sale: &Sale) -> String {
    let client = sale.client(server);
    let hall =
        json!({"name": "Hall", "seats": {"1": [[1, 60]], "2": [[1, 60]], "3": [[1, 40], [50, 70]]}, "price": "50.00"});
    let hall = client.post(&format!("/v1/resources/events/{}/sets", sale.event), &hall).id();
    let code = json!({"code": actor::CODE, "discount": {"percentage": "10%"}});
    client.post(&format!("/v1/resources/events/{}/promocodes", sale.event), &code).ok();
    hall
}

/// All act until so many requests were answered; then the server is killed. What they did and were told.
fn act_until_killed(server: &Server, sale: &Sale, hall: &str, dice: &mut Dice, answers: usize) -> Vec<Deed> {
    let (answered, deeds) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let seeds: Vec<u32> = (0..ACTORS).map(|_| u32::try_from(dice.below(1 << 16)).unwrap()).collect();
    thread::scope(|scope| {
        for seed in seeds {
            let client: Client = sale.client(server);
            let sets = [sale.set.clone(), hall.to_owned()];
            let actor = Actor { client, event: sale.event.clone(), sets, dice: Dice(seed), answered: &answered };
            let deeds = &deeds;
            scope.spawn(move || {
                let mine = actor.act();
                deeds.lock().unwrap().extend(mine);
            });
        }
        soon("requests are answered", || (answered.load(Ordering::Relaxed) >= answers).then_some(()));
        server.process_id().kill();
    });
    deeds.into_inner().unwrap()
}

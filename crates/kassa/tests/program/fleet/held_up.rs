//! A server that dies or stands still in the middle of the sale holds the others up for a moment only.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use crate::books::Books;
use crate::fleet::load::{Load, bought};
use crate::fleet::rounds;
use crate::fleet::servers::{Servers, numbers_of};
use crate::patience::{now, soon};
use crate::sale::Sale;
use crate::server::Server;

/// How long one server may keep others from answering.
const GAP_MAX: Duration = Duration::from_secs(3);
/// Tickets for each round.
const AMOUNT: usize = 20_000;
/// How long it is looked whether a server stands in a transaction: longer than that is a sign of it.
const LOOK: Duration = Duration::from_millis(400);

#[track_caller]
fn open(servers: &Servers) -> Sale {
    Sale::open(&servers.all[0], u32::try_from(AMOUNT * rounds(1)).unwrap())
}

#[track_caller]
fn others_went_on(load: &Load, servers: &Servers, than: usize, since: Instant, accident: &str) {
    for other in servers.others(than) {
        let gap = load.longest_gap(other, since);
        eprintln!("server {than} {accident}: server {other} answered nobody for {gap:?}");
        assert!(gap < GAP_MAX, "server {other} answered nobody for {gap:?} after server {than} {accident}");
    }
}

#[test]
fn a_server_that_is_killed_holds_nobody_up() {
    let mut servers = Servers::three();
    let sale = open(&servers);
    let mut answered = Vec::new();
    for victim in (0..3).cycle().take(3 * rounds(1)) {
        answered.extend(Load::run(&servers.refs(), &sale, |load| {
            load.each_sells(&[0, 1, 2], 30);
            load.kill(victim, &servers.all[victim]);
            let killed = now();
            load.each_sells(&servers.others(victim), 30);
            others_went_on(load, &servers, victim, killed, "was killed");
        }));
        let new = servers.another();
        std::mem::replace(&mut servers.all[victim], new).killed();
    }
    for server in &servers.all {
        let books = Books::read(server, &sale);
        books.balance();
        books.hold_all(bought(&answered));
        assert!(books.count("vacant") > 0, "it was not in the middle");
    }
    servers.stop();
}

#[test]
fn a_server_that_stands_still_holds_nobody_up_and_writes_nothing_late() {
    let servers = Servers::three();
    let sale = open(&servers);
    let sold = Load::run(&servers.refs(), &sale, |load| {
        for _ in 0..rounds(1) {
            for victim in [1, 2] {
                stands_still_for_a_moment(load, &servers, victim);
            }
            loses_its_numbers(load, &servers, 0);
        }
    });
    let answered: BTreeSet<&String> = bought(&sold).map(|order| &order.id).collect();
    for server in &servers.all {
        let books = Books::read(server, &sale);
        books.balance();
        books.hold_all(bought(&sold));
        assert!(books.count("vacant") > 0, "it was not in the middle");
        assert_eq!(answered, books.orders.keys().collect(), "what nobody was told of was not written");
    }
    servers.stop();
}

/// It stands still with locks that the others need, and goes on before anybody has claimed its numbers.
#[track_caller]
fn stands_still_for_a_moment(load: &Load, servers: &Servers, victim: usize) {
    load.each_sells(&[0, 1, 2], 30);
    let frozen = freeze_in_a_transaction(servers, &servers.all[victim]);
    load.each_sells(&servers.others(victim), 30);
    others_went_on(load, servers, victim, frozen, "was stopped");
    servers.all[victim].process_id().thaw();
    load.each_sells(&[victim], 30);
}

/// It stands still for so long that others have taken its numbers when it goes on.
#[track_caller]
fn loses_its_numbers(load: &Load, servers: &Servers, victim: usize) {
    let server = &servers.all[victim];
    let losses = || server.log().iter().filter(|line| line.contains("was taken by another")).count();
    let (before, mut heirs) = (losses(), Vec::new());
    load.each_sells(&[0, 1, 2], 30);
    let frozen = freeze_in_a_transaction(servers, server);
    load.each_sells(&servers.others(victim), 30);
    others_went_on(load, servers, victim, frozen, "was stopped for long");
    servers.numbers_are_free(server);
    let mut left = numbers_of(server);
    while !left.is_empty() {
        // Whoever starts takes the lowest that are free.
        let heir = servers.another();
        left = &left - &numbers_of(&heir);
        heirs.push(heir);
    }
    server.process_id().thaw();
    let thawed = now();
    load.each_sells(&[victim], 30);
    eprintln!("server {victim} sold again {:?} after it had gone on under other numbers", thawed.elapsed());
    soon("each of its lanes has found out", || (losses() >= before + 4).then_some(()));
    others_went_on(load, servers, victim, frozen, "was stopped for long, and went on");
    for heir in heirs {
        heir.stop();
    }
}

/// Stops it while it holds locks in a transaction, and tells when.
#[track_caller]
fn freeze_in_a_transaction(servers: &Servers, server: &Server) -> Instant {
    soon("it stands in a transaction", || {
        server.process_id().freeze();
        let frozen = now();
        while frozen.elapsed() < LOOK {
            if servers.stand_in_transactions() != "0" {
                return Some(frozen);
            }
        }
        server.process_id().thaw();
        None
    })
}

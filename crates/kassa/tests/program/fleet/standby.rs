//! An order is answered when the standby has it, and not before.

use std::time::Duration;

use crate::books::Books;
use crate::fleet::cluster::{Cluster, serve};
use crate::fleet::load::{Load, bought};
use crate::fleet::rounds;
use crate::patience::{now, soon, stays};
use crate::sale::Sale;
use crate::server::Server;

/// How long it is seen that nothing is answered.
const SILENCE: Duration = Duration::from_secs(2);

#[test]
fn no_order_is_answered_before_the_standby_has_it() {
    let folder = tempfile::tempdir().unwrap();
    let mut primary = Cluster::new();
    let mut standby = Cluster::following(&primary);
    let server = Server::run(&mut serve(folder.path(), &[&primary, &standby]));
    let sale = Sale::open(&server, 10_000);
    let mut answered = Load::run(&[&server], &sale, |load| {
        for _ in 0..rounds(1) {
            load.sells(100);
            standby.freeze();
            nothing_is_sold_whatever_becomes_of_commits(load, &primary);
            standby.thaw();
            load.sells(100);
        }
    });
    // This time the standby never hears of what waits for it.
    answered.extend(Load::run(&[&server], &sale, |load| {
        load.sells(100);
        standby.kill();
        nothing_is_sold_whatever_becomes_of_commits(load, &primary);
        primary.kill();
        standby.start();
        standby.promote();
        load.sells_within(Duration::from_secs(10), 100);
    }));
    let books = Books::read(&server, &sale);
    books.balance();
    books.hold_all(bought(&answered));
    server.stop();
}

/// The standby is away. A commit that is told not to wait for it has happened here, and not there.
#[track_caller]
fn nothing_is_sold_whatever_becomes_of_commits(load: &Load, primary: &Cluster) {
    let away = now();
    let waiting = "FROM pg_stat_activity WHERE wait_event = 'SyncRep'";
    for end in ["pg_cancel_backend", "pg_terminate_backend"] {
        soon("a commit waits for the standby", || {
            let ended = primary.ask(&format!("SELECT count({end}(pid)) {waiting}"));
            (ended != "0").then_some(())
        });
        stays("nothing is answered that is on one machine only", SILENCE, || load.sold_since(away) == 0);
    }
}

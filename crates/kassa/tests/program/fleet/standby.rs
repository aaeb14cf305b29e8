//! An order is answered when the standby has it, and not before.

use std::time::Duration;

use crate::fleet::cluster::{PostgresCluster, serve};
use crate::fleet::configured_rounds;
use crate::fleet::load::{FleetLoad, orders_of};
use crate::sale::Sale;
use crate::sales_snapshot::SalesSnapshot;
use crate::server::Server;
use crate::waiting::{assert_stays, now, wait_for};

/// How long nothing may be answered. A server that does not wait for the standby answers within milliseconds.
const SILENCE_TIME: Duration = Duration::from_secs(2);

#[test]
fn no_order_is_answered_before_the_standby_has_it() {
    let folder = tempfile::tempdir().unwrap();
    let mut primary = PostgresCluster::new();
    let mut standby = PostgresCluster::following(&primary);
    let server = Server::run(&mut serve(folder.path(), &[&primary, &standby]));
    let sale = Sale::open(&server, 10_000);
    let mut answered = FleetLoad::run(&[&server], &sale, |load| {
        for _ in 0..configured_rounds(1) {
            load.wait_for_sales(100);
            standby.freeze();
            assert_no_order_is_answered(load, &primary);
            standby.thaw();
            load.wait_for_sales(100);
        }
    });
    // This time the standby never hears of what waits for it.
    answered.extend(FleetLoad::run(&[&server], &sale, |load| {
        load.wait_for_sales(100);
        standby.kill();
        assert_no_order_is_answered(load, &primary);
        primary.kill();
        standby.start();
        standby.promote();
        load.wait_for_sales(100);
    }));
    let snapshot = SalesSnapshot::read(&server, &sale);
    snapshot.assert_consistent();
    snapshot.assert_contains_all(orders_of(&answered));
    server.stop();
}

/// The standby is away. A commit that is told not to wait for it has happened here, and not there.
#[track_caller]
fn assert_no_order_is_answered(load: &FleetLoad, primary: &PostgresCluster) {
    let away = now();
    let waiting = "FROM pg_stat_activity WHERE wait_event = 'SyncRep'";
    for end in ["pg_cancel_backend", "pg_terminate_backend"] {
        wait_for("a commit waits for the standby", || {
            let ended = primary.query(&format!("SELECT count({end}(pid)) {waiting}"));
            (ended != "0").then_some(())
        });
        assert_stays("nothing is answered that is on one machine only", SILENCE_TIME, || load.sold_since(away) == 0);
    }
}

//! Backups of a database on a server, by the tools of that.

use std::sync::atomic::Ordering;

use crate::buyers::sell_out;
use crate::commands::kassa_serve;
use crate::fleet::cluster::{PostgresCluster, serve};
use crate::sale::Sale;
use crate::sales_snapshot::SalesSnapshot;
use crate::server::Server;
use crate::verify::{assert_no_mismatch, kassa_verify};
use crate::waiting::wait_for;

#[test]
fn a_dump_made_under_load_is_complete() {
    let folder = tempfile::tempdir().unwrap();
    let cluster = PostgresCluster::new();
    let server = Server::run(&mut serve(folder.path(), &[&cluster]));
    let sale = Sale::open(&server, 20_000);
    let process = server.process_id();
    let mut before = 0;
    let bought = sell_out(&server, &sale, |answered| {
        wait_for("orders are answered", || (answered.load(Ordering::Relaxed) >= 200).then_some(()));
        before = answered.load(Ordering::Relaxed);
        cluster.dump_into("again");
        let after = answered.load(Ordering::Relaxed);
        wait_for("orders are answered", || (answered.load(Ordering::Relaxed) > after).then_some(()));
        process.kill();
    });
    server.assert_killed();

    let on_it = |command: &mut std::process::Command| {
        command.env("KASSA_DATABASE", cluster.url("again"));
    };
    let mut verify = kassa_verify(folder.path());
    on_it(&mut verify);
    assert_no_mismatch(&mut verify);
    let mut again = kassa_serve(folder.path());
    on_it(&mut again);
    let server = Server::run(&mut again);
    let snapshot = SalesSnapshot::read(&server, &sale);
    snapshot.assert_consistent();
    assert!(
        (before..bought.len()).contains(&snapshot.orders.len()),
        "{before} {} {}",
        snapshot.orders.len(),
        bought.len()
    );
    server.stop();
}

//! A database that goes away under load, and comes back.

use crate::fleet::cluster::{PostgresCluster, serve};
use crate::fleet::configured_rounds;
use crate::fleet::load::{FleetLoad, orders_of};
use crate::sale::Sale;
use crate::sales_snapshot::SalesSnapshot;
use crate::server::Server;
use crate::verify::{assert_no_mismatch, kassa_verify};

#[test]
fn servers_recover_from_a_database_restart_without_restarting() {
    let folder = tempfile::tempdir().unwrap();
    let mut cluster = PostgresCluster::new();
    let server = Server::run(&mut serve(folder.path(), &[&cluster]));
    let sale = Sale::open(&server, 20_000);
    let sold = FleetLoad::run(&[&server], &sale, |load| {
        for _ in 0..configured_rounds(2) {
            load.wait_for_sales(100);
            cluster.kill();
            load.wait_for_retry_responses(20);
            cluster.start();
            load.wait_for_sales(100);
        }
    });
    let snapshot = SalesSnapshot::read(&server, &sale);
    snapshot.assert_consistent();
    snapshot.assert_contains_all(orders_of(&sold));
    let mut verify = kassa_verify(folder.path());
    assert_no_mismatch(verify.env("KASSA_DATABASE", cluster.url("postgres")));
    server.stop();
}

//! Backups that servers of one database make, and what is made of them again.

use std::fs;
use std::sync::atomic::Ordering;

use crate::backup::{kassa_restore, run_successfully};
use crate::buyers::sell_out;
use crate::commands::kassa_serve;
use crate::fleet::cluster::{PostgresCluster, serve};
use crate::sale::Sale;
use crate::sales_snapshot::SalesSnapshot;
use crate::scheduled_backups::{backups_in, count_made};
use crate::server::Server;
use crate::verify::{assert_no_mismatch, kassa_verify};
use crate::waiting::wait_for;

#[test]
fn a_backup_of_servers_on_one_database_can_sell_again() {
    let folder = tempfile::tempdir().unwrap();
    let [one, other, new, place] = ["one", "other", "new", "backups"].map(|name| folder.path().join(name));
    fs::create_dir(&place).unwrap();
    let cluster = PostgresCluster::new();
    let start = |data| {
        let mut command = serve(data, &[&cluster]);
        command.env("KASSA_SECRET", "a secret that is long enough for it");
        Server::run(command.args(["--backup-every", "1s", "--backup-keep", "1h", "--backup-to"]).arg(&place))
    };
    let servers = [start(&one), start(&other)];
    let made = || servers.iter().map(count_made).sum::<u64>();
    let sale = Sale::open(&servers[0], 20_000);
    let mut before = 0;
    let bought = sell_out(&servers[0], &sale, |answered| {
        wait_for("orders are answered", || (answered.load(Ordering::Relaxed) >= 200).then_some(()));
        before = answered.load(Ordering::Relaxed);
        let made_before = made();
        wait_for("backups are made", || (made() >= made_before + 2).then_some(()));
        let after = answered.load(Ordering::Relaxed);
        wait_for("orders are answered", || (answered.load(Ordering::Relaxed) > after).then_some(()));
    });
    for server in servers {
        server.stop();
    }
    let backups = backups_in(&place);
    assert!((1..=2).contains(&backups.len()), "{backups:?}");

    cluster.create_database("again");
    let on_it = |command: &mut std::process::Command| {
        command.env("KASSA_DATABASE", cluster.url("again")).env("KASSA_SECRET", "a secret that is long enough for it");
    };
    let mut restore = kassa_restore(backups.last().unwrap(), &new);
    on_it(&mut restore);
    run_successfully(&mut restore);
    let mut verify = kassa_verify(&new);
    on_it(&mut verify);
    assert_no_mismatch(&mut verify);
    let mut again = kassa_serve(&new);
    on_it(&mut again);
    let server = Server::run(&mut again);
    let snapshot = SalesSnapshot::read(&server, &sale);
    snapshot.assert_consistent();
    let orders = snapshot.orders.len();
    assert!((before..=bought.len()).contains(&orders), "{before} {orders} {}", bought.len());
    server.stop();
}

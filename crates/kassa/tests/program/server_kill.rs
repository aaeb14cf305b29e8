//! A server that is killed in the middle of the sale.

use std::process::Command;
use std::sync::atomic::Ordering;

use crate::buyers::sell_out;
use crate::commands::kassa_serve;
use crate::sale::Sale;
use crate::sales_snapshot::SalesSnapshot;
use crate::server::Server;
use crate::tenant::TestDatabase;
use crate::waiting::wait_for;

/// Times that the server is killed.
const ROUNDS: usize = 3;
/// Orders that are answered before it is.
const ANSWERS_BEFORE_KILL: usize = 200;

#[test]
fn kill_9_in_the_middle_loses_no_answered_order() {
    let folder = tempfile::tempdir().unwrap();
    assert_no_answered_order_is_lost(|| kassa_serve(folder.path()));
}

#[test]
fn kill_9_in_the_middle_loses_no_answered_order_on_postgres() {
    let (folder, tenant) = (tempfile::tempdir().unwrap(), TestDatabase::new());
    assert_no_answered_order_is_lost(|| tenant.serve(folder.path()));
}

fn assert_no_answered_order_is_lost(serve: impl Fn() -> Command) {
    let mut server = Server::run(&mut serve());
    let sale = Sale::open(&server, 3_000);
    sale.block(&server, 10);
    let mut answered = Vec::new();
    for _ in 0..ROUNDS {
        let process = server.process_id();
        let bought = sell_out(&server, &sale, |count| {
            wait_for("orders are answered", || (count.load(Ordering::Relaxed) >= ANSWERS_BEFORE_KILL).then_some(()));
            process.kill();
        });
        server.assert_killed();
        answered.extend(bought);

        server = Server::run(&mut serve());
        let snapshot = SalesSnapshot::read(&server, &sale);
        snapshot.assert_contains_all(&answered);
        snapshot.assert_consistent();
        assert_eq!((snapshot.ticket_statuses.len(), snapshot.count_tickets("blocked")), (3_000, 10));
        assert!(snapshot.count_tickets("vacant") > 0, "it was not killed in the middle");
    }
    let rest = sell_out(&server, &sale, |_| ());
    let snapshot = SalesSnapshot::read(&server, &sale);
    snapshot.assert_consistent();
    snapshot.assert_contains_all(answered.iter().chain(&rest));
    assert_eq!(snapshot.count_tickets("vacant"), 0);
    server.stop();
}

//! Beside a server that sells: what changes while it is looked at is no finding.

use std::process::Command;
use std::sync::atomic::Ordering;

use crate::buyers::sell_out;
use crate::commands::kassa_serve;
use crate::sale::Sale;
use crate::server::Server;
use crate::tenant::TestDatabase;
use crate::verify::{assert_no_mismatch, kassa_verify};
use crate::waiting::wait_for;

/// Times that all is counted while a crowd buys.
const ROUNDS: usize = 3;

#[test]
fn verify_reports_nothing_while_buyers_order() {
    let folder = tempfile::tempdir().unwrap();
    assert_no_finding_under_load(&mut kassa_serve(folder.path()), || kassa_verify(folder.path()));
}

#[test]
fn verify_reports_nothing_while_buyers_order_on_postgres() {
    let (folder, tenant) = (tempfile::tempdir().unwrap(), TestDatabase::new());
    assert_no_finding_under_load(&mut tenant.serve(folder.path()), || {
        let mut command = kassa_verify(folder.path());
        command.env("KASSA_DATABASE", tenant.url());
        command
    });
}

fn assert_no_finding_under_load(serve: &mut Command, verify: impl Fn() -> Command) {
    let server = Server::run(serve);
    let sale = Sale::open(&server, 20_000);
    let process = server.process_id();
    sell_out(&server, &sale, |answered| {
        for _ in 0..ROUNDS {
            let before = answered.load(Ordering::Relaxed);
            wait_for("orders are answered", || (answered.load(Ordering::Relaxed) >= before + 100).then_some(()));
            assert_no_mismatch(&mut verify());
            assert!(answered.load(Ordering::Relaxed) > before + 100, "nothing was sold meanwhile");
        }
        process.kill();
    });
    server.assert_killed();
    assert_no_mismatch(&mut verify());
}

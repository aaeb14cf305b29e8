//! Beside a server that sells: what changes while it is looked at is no finding.

use std::process::Command;
use std::sync::atomic::Ordering;

use crate::crowd::sell;
use crate::patience::soon;
use crate::program::kassa_serve;
use crate::sale::Sale;
use crate::server::Server;
use crate::tenant::Tenant;
use crate::verify::{all_agrees, kassa_verify};

/// Times that all is counted while a crowd buys.
const ROUNDS: usize = 3;

#[test]
fn a_crowd_that_buys_is_no_finding() {
    let folder = tempfile::tempdir().unwrap();
    is_no_finding(&mut kassa_serve(folder.path()), || kassa_verify(folder.path()));
}

#[test]
fn a_crowd_that_buys_is_no_finding_on_postgres() {
    let (folder, tenant) = (tempfile::tempdir().unwrap(), Tenant::new());
    is_no_finding(&mut tenant.serve(folder.path()), || {
        let mut command = kassa_verify(folder.path());
        command.env("KASSA_DATABASE", tenant.url());
        command
    });
}

fn is_no_finding(serve: &mut Command, verify: impl Fn() -> Command) {
    let server = Server::run(serve);
    let sale = Sale::open(&server, 20_000);
    let process = server.process_id();
    sell(&server, &sale, |answered| {
        for _ in 0..ROUNDS {
            let before = answered.load(Ordering::Relaxed);
            soon("orders are answered", || (answered.load(Ordering::Relaxed) >= before + 100).then_some(()));
            all_agrees(&mut verify());
            assert!(answered.load(Ordering::Relaxed) > before + 100, "nothing was sold meanwhile");
        }
        process.kill();
    });
    server.killed();
    all_agrees(&mut verify());
}

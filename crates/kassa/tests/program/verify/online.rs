//! Beside a server that sells: what changes while it is looked at is no finding.

use std::net::{SocketAddr, TcpListener};
use std::process::Command;
use std::sync::atomic::Ordering;

use serde_json::json;

use crate::buyers::sell_out;
use crate::commands::kassa_serve;
use crate::sale::Sale;
use crate::server::Server;
use crate::tenant::TestDatabase;
use crate::verify::{assert_no_mismatch, kassa_verify};
use crate::waiting::wait_for;
use crate::webhooks::receiver::Receiver;

/// Times that all is counted while a crowd buys: that ends before everything is sold.
const ROUNDS: usize = 2;

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
    let server = Server::run(serve.args(["--webhook-allow", "127.0.0.0/8"]));
    let sale = Sale::open(&server, 20_000);
    // One takes most of what it is told, and the other nothing: for both, messages are held back.
    let receiver = Receiver::dying(1);
    for url in [format!("{}/all", receiver.url), format!("http://{}/", closed_address())] {
        let webhook = json!({"url": url, "types": ["order.*", "ticket.*", "set.*"]});
        sale.client(&server).post("/v2/resources/webhooks", &webhook).success_body();
    }
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
    assert!(!receiver.told("/all").ids.is_empty(), "nothing was sent meanwhile");
    assert_no_mismatch(&mut verify());
}

/// An address where nobody listens.
fn closed_address() -> SocketAddr {
    TcpListener::bind(("127.0.0.1", 0)).and_then(|listener| listener.local_addr()).unwrap()
}

//! A server that is told to stop.

use std::collections::BTreeSet;
use std::io::Write as _;
use std::net::TcpStream;
use std::sync::atomic::Ordering;

use serde_json::json;

use crate::buyers::sell_out;
use crate::client::Client;
use crate::sale::Sale;
use crate::sales_snapshot::SalesSnapshot;
use crate::server::Server;
use crate::waiting::wait_for;

#[test]
fn stop_finishes_what_is_queued() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = Server::start(folder.path());
    let sale = Sale::open(&server, 3_000);
    let process = server.process_id();
    let bought = sell_out(&server, &sale, |count| {
        wait_for("orders are answered", || (count.load(Ordering::Relaxed) >= 200).then_some(()));
        process.terminate();
    });
    assert_eq!(server.wait_for_exit().code(), Some(0), "{:?}", server.log());
    server.assert_no_errors_logged();
    assert!(TcpStream::connect(server.address()).is_err(), "somebody still listens");

    let server = Server::start(folder.path());
    let snapshot = SalesSnapshot::read(&server, &sale);
    snapshot.assert_consistent();
    snapshot.assert_contains_all(&bought);
    // What was taken was answered: no order is there that its buyer does not know of.
    let answered: BTreeSet<&String> = bought.iter().map(|order| &order.id).collect();
    assert_eq!(answered, snapshot.orders.keys().collect());
    assert!(snapshot.count_tickets("vacant") > 0, "it was not stopped in the middle");
    server.stop();
}

#[test]
fn idle_connections_do_not_delay_a_stop() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    let silent = TcpStream::connect(server.address()).unwrap();
    let kept_alive = Client::anonymous(&server.url);
    kept_alive.get("/v1/resources/events").success_body();
    server.stop();
    drop((silent, kept_alive));
}

#[test]
fn an_unfinished_head_does_not_delay_a_stop() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    let mut half = TcpStream::connect(server.address()).unwrap();
    half.write_all(b"GET /v1/resources/events HTTP/1.1\r\nHost: ").unwrap();
    // Answered after it, and so the half has arrived.
    Client::anonymous(&server.url).get("/v1/resources/events").success_body();
    server.stop();
}

#[test]
fn a_server_is_configured_by_its_environment() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = crate::commands::kassa();
    command.arg("serve").env("KASSA_DATA", folder.path()).env("KASSA_SECRET", "a secret that is long enough for it");
    command.env("KASSA_LISTEN", "127.0.0.1:0").env("KASSA_OPS_LISTEN", "127.0.0.1:0").env("KASSA_LOG", "kassa=info");
    let server = Server::run(&mut command);
    assert!(folder.path().join("kassa.db").exists());
    assert!(!folder.path().join("secret").exists(), "the secret was given");
    let ops = Client::anonymous(&server.ops);
    assert_eq!(ops.get("/healthz").success_body(), "ok\n");
    let parts = json!({ "database": { "ready": true }, "lanes": { "ready": true } });
    assert_eq!(ops.get("/readyz").success_body(), json!({ "ready": true, "parts": parts }));
    assert_eq!(Client::anonymous(&server.url).get("/healthz").status, 404);
    server.stop();
}

//! A server that is told to stop.

use std::collections::BTreeSet;
use std::io::Write as _;
use std::net::TcpStream;
use std::sync::atomic::Ordering;

use crate::books::Books;
use crate::client::Client;
use crate::crowd::sell;
use crate::patience::soon;
use crate::sale::Sale;
use crate::server::Server;

#[test]
fn stop_finishes_what_is_queued() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = Server::start(folder.path());
    let sale = Sale::open(&server, 3_000);
    let process = server.process_id();
    let bought = sell(&server, &sale, |count| {
        soon("orders are answered", || (count.load(Ordering::Relaxed) >= 200).then_some(()));
        process.terminate();
    });
    assert_eq!(server.ended().code(), Some(0), "{:?}", server.log());
    server.was_calm();
    assert!(TcpStream::connect(server.address()).is_err(), "somebody still listens");

    let server = Server::start(folder.path());
    let books = Books::read(&server, &sale);
    books.balance();
    books.hold_all(&bought);
    // What was taken was answered: no order is there that its buyer does not know of.
    let answered: BTreeSet<&String> = bought.iter().map(|order| &order.id).collect();
    assert_eq!(answered, books.orders.keys().collect());
    assert!(books.count("vacant") > 0, "it was not stopped in the middle");
    server.stop();
}

#[test]
fn idle_connections_do_not_hold_a_stop() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    let silent = TcpStream::connect(server.address()).unwrap();
    let kept_alive = Client::anonymous(&server.url);
    kept_alive.get("/v1/resources/events").ok();
    server.stop();
    drop((silent, kept_alive));
}

#[test]
fn half_a_head_does_not_hold_a_stop() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    let mut half = TcpStream::connect(server.address()).unwrap();
    half.write_all(b"GET /v1/resources/events HTTP/1.1\r\nHost: ").unwrap();
    // Answered after it, and so the half has arrived.
    Client::anonymous(&server.url).get("/v1/resources/events").ok();
    server.stop();
}

#[test]
fn a_server_works_as_its_environment_says() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = crate::program::kassa();
    command.arg("serve").env("KASSA_DATA", folder.path()).env("KASSA_SECRET", "a secret that is long enough for it");
    command.env("KASSA_LISTEN", "127.0.0.1:0").env("KASSA_OPS_LISTEN", "127.0.0.1:0").env("KASSA_LOG", "kassa=info");
    let server = Server::run(&mut command);
    assert!(folder.path().join("kassa.db").exists());
    assert!(!folder.path().join("secret").exists(), "the secret was given");
    let ops = Client::anonymous(&server.ops);
    for path in ["/healthz", "/readyz"] {
        assert_eq!(ops.get(path).ok(), "ok\n");
    }
    assert_eq!(Client::anonymous(&server.url).get("/healthz").status, 404);
    server.stop();
}

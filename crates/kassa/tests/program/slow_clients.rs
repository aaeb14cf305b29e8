//! Thousands of clients that do nothing, or what they do all too slowly: others are served meanwhile, and the
//! server's memory stays bounded.

use std::io::{ErrorKind, Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use serde_json::json;

use crate::misbehaving_sockets::connect;
use crate::sale::Sale;
use crate::server::Server;
use crate::waiting::{now, wait_for};

/// Connections on which nothing is ever said.
const IDLE_CONNECTIONS: usize = 10_000;
/// Clients that send a part of a head, or of a body; and clients that take no answer.
const PARTIAL_HEADS: usize = 500;
const PARTIAL_BODIES: usize = 300;
const NON_READING_CLIENTS: usize = 100;
/// What a slow body sends at once: with all others, more than the server has room for.
const BODY_BYTES: usize = 1024 * 1024 - 1;
/// The longest that an order may take meanwhile. It takes milliseconds if nothing holds it up, even on a busy machine. If
/// slow clients hold it up, it waits until the server disconnects one: after ten seconds without a byte, at the earliest.
const ORDER_TIME_MAX: Duration = Duration::from_secs(5);
/// The most memory that the server may take: 256 MiB for bodies, and the rest for 11,000 connections.
const MEMORY_BYTES_MAX: u64 = 768 * 1024 * 1024;

#[test]
fn thousands_of_slow_clients_do_not_stop_sales() {
    let connections = raise_file_limit(IDLE_CONNECTIONS + PARTIAL_HEADS + PARTIAL_BODIES + NON_READING_CLIENTS);
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    let sale = Sale::open(&server, 1_000);

    let part = b"GET /v1/resources/events HTTP/1.1\r\nHost: kassa\r\nX-Slow: ";
    let body = "POST /v1/resources/orders HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n";
    let body = format!("{body}Authorization: key {}\r\nContent-Length: {}\r\n\r\n", sale.key, BODY_BYTES + 1);
    let body = body + &" ".repeat(BODY_BYTES);
    // Together their answers are longer than what the system buffers for a client that does not read.
    let requests = "GET /openapi.json HTTP/1.1\r\nHost: kassa\r\n\r\n".repeat(50);
    let mut idle = open_slow_clients(&server, connections - PARTIAL_HEADS - PARTIAL_BODIES - NON_READING_CLIENTS, b"");
    let heads = open_slow_clients(&server, PARTIAL_HEADS, part);
    let bodies = open_slow_clients(&server, PARTIAL_BODIES, body.as_bytes());
    let mut non_readers = open_slow_clients(&server, NON_READING_CLIENTS, requests.as_bytes());

    let client = sale.client(&server);
    let order = json!({ "event": sale.event, "random": { sale.set.as_str(): 2 } });
    let slowest = (0..100).map(|_| {
        let start = now();
        client.post("/v1/resources/orders", &order).success_body();
        start.elapsed()
    });
    let slowest = slowest.max().unwrap();
    assert!(slowest < ORDER_TIME_MAX, "an order took {slowest:?}");
    let memory = server.process_id().memory_bytes();
    assert!(memory < MEMORY_BYTES_MAX, "the server takes {} MiB", memory / 1024 / 1024);
    let patient = idle.last_mut().unwrap();
    patient.write_all(b"GET /v1/resources/events HTTP/1.0\r\n\r\n").unwrap();
    let mut answer = String::new();
    patient.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.0 200 OK\r\n"), "{answer}");

    wait_for("a body for which there is no room is refused", || bodies.iter().any(is_refused).then_some(()));
    wait_for("who takes no answer is cut off", || {
        non_readers.retain(|non_reader| !is_cut_off(non_reader));
        non_readers.is_empty().then_some(())
    });
    drop((idle, heads, bodies));
    server.stop();
}

/// Lets this process have so many connections, or as many as the system allows; how many these are.
fn raise_file_limit(connections: usize) -> usize {
    /// Files of the test beside them.
    const OTHERS: u64 = 100;
    let limit = getrlimit(Resource::Nofile);
    let reachable = limit.maximum.unwrap_or(u64::MAX).min(connections as u64 + OTHERS);
    setrlimit(Resource::Nofile, Rlimit { current: Some(reachable), ..limit }).unwrap();
    let reachable = usize::try_from(reachable - OTHERS).unwrap();
    assert!(
        reachable > 2 * (PARTIAL_HEADS + PARTIAL_BODIES + NON_READING_CLIENTS),
        "too few files may be open for this test: {limit:?}"
    );
    // The server has as many, and needs some for itself.
    reachable.min(connections)
}

/// So many connections, on each of which these bytes were sent.
fn open_slow_clients(server: &Server, count: usize, bytes: &[u8]) -> Vec<TcpStream> {
    let open = || {
        let mut stream = connect(server);
        stream.write_all(bytes).unwrap();
        stream
    };
    (0..count).map(|_| open()).collect()
}

/// Whether the server said that it is busy.
fn is_refused(stream: &TcpStream) -> bool {
    let mut head = [0; 12];
    stream.set_nonblocking(true).unwrap();
    match stream.peek(&mut head) {
        Ok(length) => head[..length] == *b"HTTP/1.1 503",
        Err(error) if error.kind() == ErrorKind::WouldBlock => false,
        Err(error) => panic!("{error}"),
    }
}

/// Whether the server has broken the connection; that is told once.
fn is_cut_off(stream: &TcpStream) -> bool {
    stream.take_error().unwrap().is_some_and(|error| error.kind() == ErrorKind::ConnectionReset)
}

//! Sockets that do not behave: each gets an answer or is closed, and the others notice nothing.

use std::io::{ErrorKind, Read as _, Write as _};
use std::net::{Shutdown, TcpStream};
use std::ops::RangeInclusive;

use serde_json::json;

use crate::client::{Client, items, text};
use crate::sale::Sale;
use crate::server::Server;
use crate::waiting::WAIT_TIMEOUT;

const EVENTS_REQUEST: &str = "GET /v1/resources/events HTTP/1.1\r\nHost: kassa\r\n\r\n";
const EVENTS_REQUEST_WITH_CLOSE: &str = "GET /v1/resources/events HTTP/1.1\r\nHost: kassa\r\nConnection: close\r\n\r\n";

/// A socket to a server that was just started.
struct RawSocket {
    server: Server,
    stream: TcpStream,
    _folder: tempfile::TempDir,
}

impl RawSocket {
    fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let server = Server::start(folder.path());
        let stream = connect(&server);
        Self { server, stream, _folder: folder }
    }

    /// Sends what the server may not want to read to its end.
    fn send(&mut self, bytes: &[u8]) {
        // A server that has closed the connection has answered already, or never will.
        let _ = self.stream.write_all(bytes);
    }

    /// The statuses of all answers until the server closes the connection.
    #[track_caller]
    fn statuses(&mut self) -> Vec<u16> {
        let mut bytes = Vec::new();
        if let Err(error) = self.stream.read_to_end(&mut bytes) {
            assert_eq!(error.kind(), ErrorKind::ConnectionReset, "the server neither answers nor closes: {error}");
        }
        let text = String::from_utf8_lossy(&bytes);
        let statuses = text.split("HTTP/1.1 ").skip(1);
        statuses.map(|answer| answer[..3].parse().unwrap()).collect()
    }

    /// It was answered with one status of these, or closed; and the server still answers.
    #[track_caller]
    fn assert_refused(mut self, allowed: RangeInclusive<u16>) {
        let statuses = self.statuses();
        assert!(statuses.len() <= 1 && statuses.iter().all(|status| allowed.contains(status)), "{statuses:?}");
        self.assert_others_are_served();
    }

    #[track_caller]
    fn assert_others_are_served(self) {
        Client::anonymous(&self.server.url).get("/v1/resources/events").success_body();
        self.server.stop();
    }
}

pub(crate) fn connect(server: &Server) -> TcpStream {
    let stream = TcpStream::connect(server.address()).unwrap();
    stream.set_read_timeout(Some(WAIT_TIMEOUT)).unwrap();
    stream.set_write_timeout(Some(WAIT_TIMEOUT)).unwrap();
    stream
}

#[test]
fn a_slow_head_delays_no_other_client() {
    let mut raw = RawSocket::start();
    let others = Client::anonymous(&raw.server.url);
    for byte in EVENTS_REQUEST_WITH_CLOSE.as_bytes() {
        raw.send(&[*byte]);
        others.get("/v1/resources/events").success_body();
    }
    assert_eq!(raw.statuses(), [200]);
    raw.assert_others_are_served();
}

#[test]
fn a_huge_head_is_refused() {
    for (lines, length) in [(1, 200_000), (5_000, 20)] {
        let mut raw = RawSocket::start();
        let head = format!("X-Long: {}\r\n", "a".repeat(length)).repeat(lines);
        raw.send(format!("GET /v1/resources/events HTTP/1.1\r\nHost: kassa\r\n{head}\r\n").as_bytes());
        raw.assert_refused(431..=431);
    }
}

#[test]
fn a_huge_path_is_refused() {
    let mut raw = RawSocket::start();
    let path = "a".repeat(200_000);
    raw.send(format!("GET /{path} HTTP/1.1\r\nHost: kassa\r\nConnection: close\r\n\r\n").as_bytes());
    raw.assert_refused(400..=431);
}

#[test]
fn garbage_is_refused() {
    let garbage: [&[u8]; 8] = [
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03 hello\r\n\r\n",
        b"\0\xff\xfe\r\n\r\n\r\n",
        b"GET\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: a\0b\r\n\r\n",
        b"GET /v1/resources/events HTTP/1.1\r\n\r\n",
        b"GET /v1/resources/events HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n",
        b"POST /v1/resources/users HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nContent-Length: 5\r\n\r\n{}{}{}",
    ];
    for bytes in garbage {
        let mut raw = RawSocket::start();
        raw.send(bytes);
        raw.stream.shutdown(Shutdown::Write).unwrap();
        raw.assert_refused(400..=499);
    }
}

#[test]
fn a_broken_chunk_is_refused() {
    let mut raw = RawSocket::start();
    let head = "POST /v1/resources/users HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n";
    raw.send(format!("{head}Transfer-Encoding: chunked\r\n\r\nzz\r\n{{}}\r\n0\r\n\r\n").as_bytes());
    raw.assert_refused(400..=400);
}

#[test]
fn conflicting_body_lengths_smuggle_no_request() {
    let head = "POST /v1/resources/users HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n";
    let hidden = "GET /v1/nothing HTTP/1.1\r\nHost: a\r\n\r\n";
    let length = format!("Content-Length: {}\r\n", 5 + hidden.len());
    for said in [
        format!("{length}Transfer-Encoding: chunked\r\n"),
        format!("Transfer-Encoding: chunked\r\n{length}"),
        format!("Transfer-Encoding: chunked, identity\r\n{length}"),
        format!("Transfer-Encoding: identity\r\nTransfer-Encoding: chunked, x\r\n{length}"),
        format!("Transfer-Encoding : chunked\r\n{length}"),
        "Content-Length: +5\r\n".to_owned(),
        "Content-Length: 5, 6\r\n".to_owned(),
    ] {
        let mut raw = RawSocket::start();
        raw.send(format!("{head}{said}\r\n0\r\n\r\n{hidden}").as_bytes());
        raw.stream.shutdown(Shutdown::Write).unwrap();
        // No such path is 404: the hidden request was never seen.
        raw.assert_refused(400..=400);
    }
}

#[test]
fn unusual_but_valid_chunks_are_accepted() {
    let head = "POST /v1/resources/users HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n\
                Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n";
    let body = json!({"email": "a@example.org", "password": "secret-word"}).to_string();
    let small: Vec<String> = body.chars().map(|letter| format!("001;a=b\r\n{letter}\r\n")).collect();
    let small = small.concat();
    let mut raw = RawSocket::start();
    raw.send(format!("{head}{small}0\r\nTrailer: more\r\n\r\n").as_bytes());
    assert_eq!(raw.statuses(), [201]);
    raw.assert_others_are_served();
    let extension = "e".repeat(1024 * 1024);
    let huge = ["FFFFFFFFFFFFFFFFF\r\n{}".to_owned(), format!("1;{extension}\r\n"), "-1\r\n{}\r\n".to_owned()];
    for chunk in huge {
        let mut raw = RawSocket::start();
        raw.send(format!("{head}{chunk}").as_bytes());
        raw.assert_refused(400..=400);
    }
}

#[test]
fn old_clients_are_answered_in_their_own_version() {
    let mut raw = RawSocket::start();
    raw.send(b"GET /v1/resources/events HTTP/1.0\r\n\r\n");
    let mut answer = String::new();
    raw.stream.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.0 200 OK\r\n") && answer.ends_with("\r\n\r\n[]"), "{answer}");
    raw.assert_others_are_served();
}

#[test]
fn a_long_body_is_refused_and_the_connection_stays() {
    let mut raw = RawSocket::start();
    let body = " ".repeat(3 * 1024 * 1024);
    let head = "POST /v1/resources/users HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n";
    raw.send(format!("{head}Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes());
    raw.send(EVENTS_REQUEST_WITH_CLOSE.as_bytes());
    assert_eq!(raw.statuses(), [413, 200]);
    raw.assert_others_are_served();
}

#[test]
fn an_error_is_heard_by_a_client_that_is_still_sending() {
    let mut raw = RawSocket::start();
    // 404, 405 and 415 are known before the body: it is taken off the line all the same.
    let fields = "Host: kassa\r\nContent-Type: text/plain\r\nContent-Length: 900000";
    let head = |request: &str| format!("{request} HTTP/1.1\r\n{fields}\r\n\r\n");
    let body = vec![b'x'; 900_000];
    for request in ["POST /nowhere", "PUT /v1/resources/events", "POST /v1/resources/users"] {
        raw.stream.write_all(head(request).as_bytes()).unwrap();
        raw.stream.write_all(&body).unwrap();
    }
    raw.stream.write_all(EVENTS_REQUEST_WITH_CLOSE.as_bytes()).unwrap();
    assert_eq!(raw.statuses(), [404, 405, 415, 200]);
    raw.assert_others_are_served();
}

#[test]
fn a_body_without_end_is_cut_off() {
    let mut raw = RawSocket::start();
    let head = "POST /v1/resources/users HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n";
    raw.send(format!("{head}Content-Length: 1099511627776\r\n\r\n").as_bytes());
    let piece = vec![b' '; 1024 * 1024];
    let taken = (0..200).take_while(|_| raw.stream.write_all(&piece).is_ok()).count();
    assert!(taken < 200, "the server reads on and on");
    raw.assert_refused(413..=413);
}

#[test]
fn pipelined_requests_are_answered_in_order() {
    let mut raw = RawSocket::start();
    let unknown = "GET /v1/nothing HTTP/1.1\r\nHost: a\r\n\r\n";
    let brew = "BREW /v1/resources/events HTTP/1.1\r\nHost: a\r\n\r\n";
    raw.send(format!("{EVENTS_REQUEST}{unknown}{EVENTS_REQUEST}{brew}{EVENTS_REQUEST_WITH_CLOSE}").as_bytes());
    assert_eq!(raw.statuses(), [200, 404, 200, 405, 200]);
    raw.assert_others_are_served();
}

#[test]
fn a_half_closed_client_is_answered() {
    let mut raw = RawSocket::start();
    // The hash of the password takes longer than the news that the client has no more to say.
    let body = json!({"email": "a@example.org", "password": "secret-word"}).to_string();
    let head = "POST /v1/resources/users HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n";
    raw.send(format!("{head}Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes());
    raw.stream.shutdown(Shutdown::Write).unwrap();
    assert_eq!(raw.statuses(), [201]);
    raw.assert_others_are_served();
}

#[test]
fn orders_of_a_disconnected_client_are_complete_or_absent() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    let sale = Sale::open(&server, 100);
    let body = json!({ "event": sale.event, "random": { sale.set.as_str(): 2 } }).to_string();
    let head = format!("POST /v1/resources/orders HTTP/1.1\r\nHost: a\r\nAuthorization: key {}\r\n", sale.key);
    let request = format!("{head}Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}", body.len());
    for length in [request.len(), request.len() - 1, head.len()] {
        for half in [Shutdown::Write, Shutdown::Both] {
            let mut stream = connect(&server);
            stream.write_all(&request.as_bytes()[..length]).unwrap();
            stream.shutdown(half).unwrap();
            let mut answer = Vec::new();
            // Reset or not, it must end.
            let _ = stream.read_to_end(&mut answer);
        }
    }
    let client = sale.client(&server);
    client.post("/v1/resources/orders", &serde_json::from_str(&body).unwrap()).success_body();
    let orders = client.get("/v1/resources/orders").success_body();
    let tickets: Vec<String> = items(&orders).iter().flat_map(|order| items(&order["tickets"])).map(text).collect();
    assert!((1..=3).contains(&items(&orders).len()), "only whole requests are orders: {orders}");
    assert_eq!(tickets.len(), 2 * items(&orders).len());
    let reserved = client.get(&sale.tickets_path("reserved")).success_body();
    assert_eq!(items(&reserved).len(), tickets.len());
    server.stop();
}

#[test]
fn silent_connections_delay_no_other_client() {
    let raw = RawSocket::start();
    let silent: Vec<TcpStream> = (0..300).map(|_| connect(&raw.server)).collect();
    raw.assert_others_are_served();
    drop(silent);
}

//! A reader of the stream of changes, whose server is killed and stopped.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use serde_json::Value;

use crate::buyers::request_order;
use crate::client::{items, text};
use crate::sale::Sale;
use crate::server::Server;
use crate::tenant::TestDatabase;
use crate::waiting::{WAIT_TIMEOUT, now};

const CHANGES: &str = "/v2/resources/changes?types=order.*";
/// Orders of a round, and how many of their changes are read before the server goes away.
const ORDERS: usize = 5;
const READ: usize = 3;

/// A reader, who comes back.
struct Reader {
    key: String,
    /// The `id` of the last event.
    last: String,
    /// The ids of the changes that it was told.
    told: Vec<String>,
}

/// A connection of its, as the server sends it: in HTTP 1.0 there are no chunks.
type Lines = BufReader<TcpStream>;

impl Reader {
    /// Connects as clients do that were cut off.
    fn connect(&self, server: &Server) -> Lines {
        let mut stream = TcpStream::connect(server.address()).unwrap();
        stream.set_read_timeout(Some(WAIT_TIMEOUT)).unwrap();
        let Self { key, last, .. } = self;
        write!(
            stream,
            "GET /v2/resources/changes/stream?types=order.* HTTP/1.0\r\nHost: kassa\r\nAuthorization: key {key}\r\n\
             Last-Event-ID: {last}\r\n\r\n"
        )
        .unwrap();
        let mut lines = BufReader::new(stream);
        assert!(read_line(&mut lines).is_some_and(|line| line.ends_with(" 200 OK")));
        while read_line(&mut lines).is_some_and(|line| !line.is_empty()) {}
        lines
    }

    /// Reads until it was told of so many changes.
    fn read(&mut self, lines: &mut Lines, changes: usize) {
        let (mut id, mut data) = (String::new(), String::new());
        while self.told.len() < changes {
            let line = read_line(lines).unwrap();
            match line.split_once(": ") {
                Some(("id", value)) => value.clone_into(&mut id),
                Some(("data", value)) => value.clone_into(&mut data),
                _ if line.is_empty() => {
                    let change: Value = serde_json::from_str(&data).unwrap();
                    // Others say only where it is.
                    self.told.extend(change["id"].as_str().map(str::to_owned));
                    self.last.clone_from(&id);
                }
                _ => {}
            }
        }
    }
}

/// The next line; `None` at the end.
fn read_line(lines: &mut Lines) -> Option<String> {
    let mut line = String::new();
    let bytes = lines.read_line(&mut line).ok()?;
    (bytes > 0).then(|| line.trim_end_matches(['\r', '\n']).to_owned())
}

#[test]
fn a_reader_of_the_stream_gets_each_change_once_over_kills_and_a_stop() {
    let folder = tempfile::tempdir().unwrap();
    read_over_restarts(|| Server::start(folder.path()));
}

#[test]
fn a_reader_of_the_stream_gets_each_change_once_over_kills_and_a_stop_on_postgres() {
    let (folder, tenant) = (tempfile::tempdir().unwrap(), TestDatabase::new());
    read_over_restarts(|| Server::run(&mut tenant.serve(folder.path())));
}

fn read_over_restarts(serve: impl Fn() -> Server) {
    let mut server = serve();
    let sale = Sale::open(&server, 100);
    let all = |server: &Server| sale.client(server).get(CHANGES).success_body();
    let begin = text(&all(&server)["pagination"]["cursor"]);
    let mut reader = Reader { key: sale.key.clone(), last: begin, told: Vec::new() };
    for round in 0..3 {
        let mut lines = reader.connect(&server);
        let client = sale.client(&server);
        for _ in 0..ORDERS {
            request_order(&client, &sale, 1, true).unwrap().success_body();
        }
        // Some that it was sent are on the way when the server goes.
        reader.read(&mut lines, round * ORDERS + READ);
        if round == 1 {
            let stopping_since = now();
            server.stop();
            assert!(stopping_since.elapsed() < Duration::from_secs(15), "a stream holds nobody up");
        } else {
            server.process_id().kill();
            server.assert_killed();
        }
        server = serve();
    }
    let mut lines = reader.connect(&server);
    reader.read(&mut lines, 3 * ORDERS);
    let committed: Vec<String> = items(&all(&server)["data"]).iter().map(|change| text(&change["id"])).collect();
    assert_eq!(reader.told, committed);
    drop(lines);
    server.stop();
}

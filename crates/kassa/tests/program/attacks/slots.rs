//! All places taken by one client: the connections by one address, the uploads by one key; and what connections hold.

use std::process::Command;
use std::thread;
use std::time::Duration;

use super::attackers::ONE_ADDRESS;
use super::connection::{Connection, Request};
use super::on_both_databases;
use super::scene::{Database, Scene};

/// Files that the server may have open: few connections are soon all of them.
const OPEN_FILES: u32 = 1_024;
/// Connections of one attacker; together they are more than the server takes.
const IDLE_CONNECTIONS: usize = 40;
/// How often it looks whether one was closed.
const LOOK_INTERVAL: Duration = Duration::from_millis(20);
/// Uploads of one attacker; together they are more than the server takes at a time.
const UPLOADS: usize = 4;
/// What is left to upload; a byte a pause.
const UPLOAD_BYTES: usize = 10_000_000;
const UPLOAD_PAUSE: Duration = Duration::from_millis(200);
/// The same of a question.
const QUESTION_BYTES: usize = 1_000_000;

/// Connections of one attacker, each of which begins a long head.
const LONG_HEADS: usize = 250;
/// The length of that, in bytes: nearly as long as it may be.
const LONG_HEAD_BYTES: usize = 60 * 1024;

on_both_databases!(
    connections_of_one_address,
    uploads_of_one_key,
    slow_questions,
    long_heads_without_end,
    pieces_of_bodies
);

/// The same program, which may have few files open.
fn limit_open_files(command: &mut Command) {
    let program = command.get_program().to_owned();
    let mut limited = Command::new("/bin/sh");
    limited.args(["-c", &format!("ulimit -n {OPEN_FILES} && exec \"$0\" \"$@\"")]).arg(program);
    limited.args(command.get_args()).env_clear();
    limited.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
    limited.stdin(std::process::Stdio::null());
    limited.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
    *command = limited;
}

fn connections_of_one_address(database: Database) {
    let scene = Scene::start_with(database, limit_open_files);
    let outcome = scene.attack(ONE_ADDRESS, |attacker| {
        let mut open: Vec<Connection> = Vec::new();
        while !attacker.is_over() {
            open.retain(Connection::is_open);
            let missing = IDLE_CONNECTIONS - open.len();
            open.extend((0..missing).map_while(|_| attacker.open_idle()));
            thread::sleep(LOOK_INTERVAL);
        }
    });
    outcome.assert_harmless();
}

fn uploads_of_one_key(database: Database) {
    let mut scene = Scene::start(database);
    scene.seller_uploads = true;
    let upload = Request::new("POST", "/v1/resources/attachments").key(&scene.attacker.key);
    let upload = upload.header("Content-Type", "image/gif").header("Content-Length", &UPLOAD_BYTES.to_string()).bytes();
    let outcome = scene.attack(ONE_ADDRESS, |attacker| attacker.drip(&upload, UPLOADS, UPLOAD_PAUSE));
    outcome.assert_harmless();
}

/// What is asked by a long body takes its turn with lists when the body is there.
fn slow_questions(database: Database) {
    let mut scene = Scene::start(database);
    scene.seller_long_requests = vec![Request::get("/v1/resources/events")];
    let question = Request::new("POST", "/v2/services/orders/quote").header("Content-Type", "application/json");
    let question = question.header("Content-Length", &QUESTION_BYTES.to_string());
    let [own, anonymous] = [question.clone().key(&scene.attacker.key), question].map(|request| request.bytes());
    let outcome = scene.attack(ONE_ADDRESS, |attacker| {
        let question = if attacker.index % 2 == 0 { &own } else { &anonymous };
        attacker.drip(question, UPLOADS, UPLOAD_PAUSE);
    });
    outcome.assert_harmless();
}

fn long_heads_without_end(database: Database) {
    let line = format!("X-Long: {}\r\n", "x".repeat(LONG_HEAD_BYTES));
    hold_unfinished(database, &format!("GET /v1/services/confirm HTTP/1.1\r\nHost: kassa\r\n{line}").into_bytes());
}

fn pieces_of_bodies(database: Database) {
    let start = Request::new("POST", "/v1/services/confirm").header("Content-Type", "application/json");
    let mut start = start.header("Content-Length", "900000").bytes();
    start.extend(vec![b' '; LONG_HEAD_BYTES]);
    hold_unfinished(database, &start);
}

/// Attacks with connections that begin a request with so many bytes, and say no more.
fn hold_unfinished(database: Database, start: &[u8]) {
    let scene = Scene::start(database);
    let outcome = scene.attack(ONE_ADDRESS, |attacker| {
        let mut open: Vec<Connection> = Vec::new();
        while !attacker.is_over() {
            open.retain(Connection::is_open);
            let missing = LONG_HEADS - open.len();
            let begun =
                (0..missing).map_while(|_| attacker.open_idle()).filter(|connection| connection.send(start).is_ok());
            open.extend(begun);
            thread::sleep(LOOK_INTERVAL);
        }
    });
    outcome.assert_harmless();
}

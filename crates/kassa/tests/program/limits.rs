//! Limits of clients, over real connections.

use serde_json::json;

use crate::client::{Client, HttpResponse};
use crate::commands::{kassa_serve, run_command};
use crate::server::Server;

/// The statuses of so many log-ins, and the last answer.
fn send_log_ins(server: &Server, count: usize) -> (Vec<u16>, HttpResponse) {
    let nobody = Client::anonymous(&server.url);
    let log_in = || nobody.post("/v1/services/whoami", &json!({"email": "ann@example.org", "password": "a guess"}));
    let mut answers: Vec<HttpResponse> = (0..count).map(|_| log_in()).collect();
    (answers.iter().map(|answer| answer.status).collect(), answers.remove(count - 1))
}

#[test]
fn a_client_is_known_by_its_connection() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::run(kassa_serve(folder.path()).args(["--limit-log-ins", "2"]));
    let (statuses, last) = send_log_ins(&server, 3);
    assert_eq!(statuses, [401, 401, 429], "{last:?}");
    let wait_s: u64 = last.headers["retry-after"].to_str().unwrap().parse().unwrap();
    assert!((1..=30).contains(&wait_s), "{last:?}");
    server.stop();
}

#[test]
fn one_switch_disables_all_limits() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = kassa_serve(folder.path());
    command.env("KASSA_RATE_LIMIT", "off").args(["--limit-log-ins", "2", "--limit-log-in-failures", "2"]);
    let server = Server::run(&mut command);
    assert_eq!(send_log_ins(&server, 15).0, [401; 15]);
    server.stop();
}

#[test]
fn an_invalid_limit_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let told = run_command(kassa_serve(folder.path()).args(["--limit-registrations", "0"]), "");
    assert!(!told.status.success() && told.stderr.contains("must be a number of 1 or more, or off"), "{told:?}");
}

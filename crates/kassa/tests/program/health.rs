//! `kassa health`, for containers that have nothing else to ask with.

use std::net::TcpListener;

use crate::commands::{kassa, run_command};
use crate::server::Server;

#[test]
fn a_server_is_asked_whether_it_is_ready() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(&folder.path().join("data"));
    let address = server.ops.trim_start_matches("http://").to_owned();
    let output = run_command(kassa().args(["health", "--ops-listen", &address]), "");
    assert!(output.status.success(), "{output:?}");
    assert!(output.stdout.contains("ready"), "{output:?}");
    // A server that listens everywhere is asked here.
    let port = address.rsplit(':').next().unwrap();
    let output = run_command(kassa().arg("health").env("KASSA_OPS_LISTEN", format!("0.0.0.0:{port}")), "");
    assert!(output.status.success(), "{output:?}");
    server.stop();
    run_command(kassa().args(["health", "--ops-listen", &address]), "").assert_failed_naming(&[&address]);
}

#[test]
fn a_server_that_does_not_answer_is_not_ready() {
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = silent.local_addr().unwrap().to_string();
    let output = run_command(kassa().args(["health", "--timeout", "1", "--ops-listen", &address]), "");
    output.assert_failed_naming(&[&address]);
    run_command(kassa().arg("health"), "").assert_failed_naming(&["--ops-listen"]);
}

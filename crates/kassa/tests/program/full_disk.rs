//! A disk that is full, and then has room again.

use std::fs::{self, File};
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::client::{Client, items};
use crate::commands::{kassa_serve, run_command};
use crate::sale::{Sale, public_event_body};
use crate::sales_snapshot::SalesSnapshot;
use crate::server::Server;
use crate::verify::{assert_no_mismatch, kassa_verify};
use crate::waiting::wait_for;

const EVENTS_PATH: &str = "/v1/resources/events";
const ORDERS_PATH: &str = "/v1/resources/orders";

/// Mounts a small file system that only this process and its children see, and becomes the rest.
const ON_A_SMALL_DISK: &str = "mount -t tmpfs -o size=\"$0\" kassa \"$1\" && shift && exec \"$@\"";

/// A folder on a disk of this size, and what makes a command one that sees it.
#[track_caller]
pub(crate) fn small_disk(size: &'static str) -> (TempDir, impl Fn(&Command) -> Command) {
    let folder = tempfile::tempdir().unwrap();
    let mount = folder.path().to_owned();
    let on_it = move |inner: &Command| {
        let mut command = Command::new("unshare");
        command.args(["--user", "--map-root-user", "--mount", "sh", "-c", ON_A_SMALL_DISK, size]).arg(&mount);
        command.arg(inner.get_program()).args(inner.get_args());
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    };
    let probe = on_it(&Command::new("true")).output();
    let can_be_had = probe.as_ref().is_ok_and(|probe| probe.status.success());
    assert!(can_be_had, "a small file system cannot be mounted here: {probe:?}");
    (folder, on_it)
}

#[test]
fn a_full_disk_refuses_writes_until_there_is_room() {
    let (folder, on_it) = small_disk("4m");
    let server = Server::run(&mut on_it(&kassa_serve(&folder.path().join("data"))));
    let sale = Sale::open(&server, 10);
    let client = sale.client(&server);
    let order = json!({ "event": sale.event, "random": { sale.set.as_str(): 1 } });
    let filler = server.process_id().path_in_mount_namespace(&folder.path().join("filler"));
    fill_disk(&filler);

    let mut made = [(EVENTS_PATH, long_event(), 1), (ORDERS_PATH, order, 0)].map(|(path, body, before)| {
        let made = before + post_until_refused(&client, path, &body);
        assert_eq!(count(&client, path), made, "reads go on, and what was refused is not there");
        (path, body, made)
    });
    fs::remove_file(&filler).unwrap();
    for (path, body, made) in &mut made {
        wait_for("writes work again", || (client.post(path, body).status != 503).then_some(()));
        *made += 1;
        client.post(path, body).success_body();
        *made += 1;
        assert_eq!(count(&client, path), *made);
    }
    SalesSnapshot::read(&server, &sale).assert_consistent();
    assert_no_mismatch(&mut server.process_id().in_mount_namespace(&kassa_verify(&folder.path().join("data"))));
    server.stop();
}

#[test]
fn a_disk_too_small_to_start_on_is_named() {
    for size in ["16k", "300k"] {
        let (folder, on_it) = small_disk(size);
        let ended = run_command(&mut on_it(&kassa_serve(&folder.path().join("data"))), "");
        assert_eq!(ended.status.code(), Some(1), "{ended:?}");
        assert!(ended.stderr.lines().last().is_some_and(|line| line.contains("full")), "{ended:?}");
    }
}

#[test]
fn a_failed_start_on_a_full_disk_does_not_block_the_next_start() {
    const FULL_AND_THEN_NOT: &str = "cd \"$0\" && mkdir data; head -c 8388608 /dev/zero >filler
        \"$1\" serve --data data --listen 127.0.0.1:0 && exit 3
        rm filler && exec \"$1\" serve --data data --listen 127.0.0.1:0";
    let (folder, on_it) = small_disk("8m");
    let mut twice = Command::new("sh");
    twice.args(["-c", FULL_AND_THEN_NOT]).arg(folder.path()).arg(env!("CARGO_BIN_EXE_kassa"));
    Server::run(&mut on_it(&twice)).stop();
}

/// Writes a file until nothing more fits.
pub(crate) fn fill_disk(path: &Path) {
    let mut file = File::create(path).unwrap();
    while file.write_all(&[0; 4_096]).is_ok() {}
    while file.write_all(&[0]).is_ok() {}
}

/// Posts until the server says that it cannot, and tells how often it could.
#[track_caller]
pub(crate) fn post_until_refused(client: &Client, path: &str, body: &Value) -> usize {
    let mut made = 0;
    wait_for("the disk is full", || {
        let answer = client.post(path, body);
        if answer.status != 503 {
            answer.success_body();
            made += 1;
            return None;
        }
        assert_eq!(answer.body["code"], "unavailable", "{answer:?}");
        assert!(answer.headers.contains_key("retry-after"), "{answer:?}");
        Some(())
    });
    made
}

/// An event that takes some pages.
pub(crate) fn long_event() -> Value {
    let mut event = public_event_body();
    event["title"]["desc"] = "long ".repeat(1_900).into();
    event
}

fn count(client: &Client, path: &str) -> usize {
    items(&client.get(path).success_body()).len()
}

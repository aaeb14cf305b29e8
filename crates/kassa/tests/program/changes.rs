//! `kassa changes` beside a running server, and without one.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::client::text;
use crate::commands::{CommandOutput, kassa, run_command, wait_for_exit};
use crate::sale::Sale;
use crate::server::Server;
use crate::tenant::TestDatabase;

fn command(data: &Path, arguments: &[&str]) -> Command {
    let mut command = kassa();
    command.arg("changes").arg("--data").arg(data).args(arguments);
    command
}

fn changes(data: &Path, arguments: &[&str]) -> CommandOutput {
    run_command(&mut command(data, arguments), "")
}

fn types(lines: &[Value]) -> Vec<String> {
    lines.iter().map(|line| text(&line["type"])).collect()
}

#[test]
fn the_feed_is_printed_in_its_order_and_by_what_is_wanted() {
    let folder = tempfile::tempdir().unwrap();
    let (server, data) = (Server::start(folder.path()), folder.path());
    let sale = Sale::open(&server, 9);
    let client = sale.client(&server);
    let order = client.post("/v2/resources/orders", &json!({"event": sale.event, "random": {&sale.set: 2}}));
    let order = order.success_body()["data"].clone();
    let path = format!("/v2/resources/orders/{}", text(&order["id"]));
    client.patch(&path, &json!({"status": "done"})).success_body();

    let all = changes(data, &["--json"]).json_lines();
    let paid = ["order.reserved", "order.paid", "ticket.issued"];
    assert!(types(&all).ends_with(&paid.map(str::to_owned)), "{all:#?}");
    let [.., reserved, payment, issued] = &all[..] else { panic!("{all:#?}") };
    assert_eq!(reserved["resource"], json!({"type": "order", "id": order["id"], "version": 1}));
    assert_eq!(payment["facts"]["status"], json!({"from": "executed", "to": "done"}));
    assert_eq!(payment["origin"], json!({"node": 0, "address": "loopback"}));
    assert_eq!((&payment["actor"]["type"], &payment["actor"]["partner"]), (&json!("api_key"), &order["org"]));

    let cursor = text(&reserved["cursor"]);
    let partner = text(&order["org"]);
    for (arguments, found) in [
        (vec!["--after", &cursor], &paid[1..]),
        (vec!["--types", "order.*"], &paid[..2]),
        (vec!["--types", "order.paid,ticket.*"], &paid[1..]),
        (vec!["--event", &sale.event, "--types", "order.*", "--limit", "1"], &paid[..1]),
        (vec!["--partner", &partner, "--after", &cursor], &paid[1..]),
        (vec!["--partner", "0123456789abcdef01234567"], &[]),
        (vec!["--event", "0123456789abcdef01234567"], &[]),
        (vec!["--after", &text(&issued["cursor"])], &[]),
    ] {
        let arguments: Vec<&str> = ["--json"].into_iter().chain(arguments).collect();
        assert_eq!(types(&changes(data, &arguments).json_lines()), found, "{arguments:?}");
    }

    server.stop();
    let plain = changes(data, &["--after", &cursor]);
    assert!(plain.status.success(), "{plain:?}");
    let lines: Vec<&str> = plain.stdout.lines().collect();
    assert_eq!(lines.len(), 2, "without a server, too: {lines:?}");
    assert!(
        lines[0].starts_with(&text(&payment["cursor"])) && lines[0].contains("status: executed -> done"),
        "{lines:?}"
    );

    changes(data, &["--after", "999-0"]).assert_failed_naming(&["the feed ends before"]);
    for wrong in [["--after", "x"], ["--types", "order"], ["--limit", "0"]] {
        assert_eq!(changes(data, &wrong).status.code(), Some(2), "{wrong:?}");
    }
    changes(&data.join("none"), &[]).assert_failed_naming(&["none"]);
}

#[test]
fn a_follower_is_told_of_what_comes() {
    let folder = tempfile::tempdir().unwrap();
    let (server, data) = (Server::start(folder.path()), folder.path());
    let sale = Sale::open(&server, 9);
    let arguments = ["--follow", "--json", "--types", "order.*", "--limit", "2"];
    let mut follower = command(data, &arguments).stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(follower.stdout.take().unwrap()).lines();
    let client = sale.client(&server);
    let body = json!({"event": sale.event, "random": {&sale.set: 1}});
    for _ in 0..2 {
        let order = client.post("/v2/resources/orders", &body).success_body()["data"]["id"].clone();
        let line: Value = serde_json::from_str(&lines.next().unwrap().unwrap()).unwrap();
        assert_eq!((&line["type"], &line["resource"]["id"]), (&json!("order.reserved"), &order));
    }
    assert!(lines.next().is_none() && wait_for_exit(&mut follower).success());
}

#[test]
fn on_postgres_changes_are_printed_once_they_have_their_places() {
    let (folder, tenant) = (tempfile::tempdir().unwrap(), TestDatabase::new());
    let server = Server::run(&mut tenant.serve(folder.path()));
    let sale = Sale::open(&server, 9);
    let body = json!({"event": sale.event, "random": {&sale.set: 1}});
    let order = sale.client(&server).post("/v2/resources/orders", &body).success_body()["data"]["id"].clone();
    let mut follower =
        command(&folder.path().join("none"), &["--follow", "--json", "--types", "order.*", "--limit", "1"]);
    let line = run_command(follower.env("KASSA_DATABASE", tenant.url()), "").json_line();
    assert_eq!((&line["resource"]["id"], &line["resource"]["version"]), (&order, &json!(1)));
    server.stop();
}

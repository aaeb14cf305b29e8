//! `kassa admin` beside a running server.

use std::path::Path;
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use crate::client::{Client, text};
use crate::commands::{CommandOutput, kassa, kassa_admin, run_command};
use crate::server::Server;
use crate::waiting::wait_for_within;

fn admin(data: &Path, arguments: &[&str], input: &str) -> CommandOutput {
    run_command(&mut kassa_admin(data, arguments), input)
}

/// Makes a user and its partner, and gives the partner's id.
fn make_partner(data: &Path) -> String {
    admin(data, &["create-user", "org@example.org", "--confirmed"], "secret-word\n").json_line();
    let partner = ["create-partner", "Big Hall", "--user", "org@example.org", "--role", "org"];
    text(&admin(data, &partner, "").json_line()["id"])
}

fn log_in(client: &Client, password: &str) -> u16 {
    client.post("/v1/services/whoami", &json!({"email": "org@example.org", "password": password})).status
}

#[test]
fn admin_works_beside_a_running_server() {
    let folder = tempfile::tempdir().unwrap();
    let (server, data) = (Server::start(folder.path()), folder.path());
    let partner = make_partner(data);
    let key = admin(data, &["create-key", &partner, "--name", "till"], "").json_line();
    let client = Client::with_key(&server.url, key["key"].as_str().unwrap());
    let shown = client.get(&format!("/v1/resources/partners/{partner}")).success_body();
    assert_eq!((&shown["name"], &shown["roles"]), (&json!("Big Hall"), &json!(["org"])));

    let users = admin(data, &["list", "users"], "").json_lines();
    assert_eq!((users.len(), &users[0]["email"], &users[0]["confirmed"]), (1, &json!("org@example.org"), &json!(true)));
    let partners = admin(data, &["list", "partners"], "").json_lines();
    assert_eq!((partners.len(), &partners[0]["id"]), (1, &json!(partner)));
    let keys = admin(data, &["list", "keys", &partner], "").json_lines();
    assert_eq!(keys, [json!({"id": key["id"], "name": "till", "partner": partner, "removed": false})]);
    server.stop();
}

#[test]
fn a_revoked_key_in_use_is_refused_by_a_running_server() {
    let folder = tempfile::tempdir().unwrap();
    let (server, data) = (Server::start(folder.path()), folder.path());
    let partner = make_partner(data);
    let key = admin(data, &["create-key", &partner], "").json_line();
    let client = Client::with_key(&server.url, key["key"].as_str().unwrap());
    client.get("/v1/resources/orders").success_body();
    let revoked = admin(data, &["revoke-key", key["id"].as_str().unwrap()], "").json_line();
    assert_eq!(revoked["removed"], true);
    // docs/operations.md promises five seconds; a loaded machine takes longer to ask.
    wait_for_within(Duration::from_secs(15), "the key is refused", || {
        (client.get("/v1/resources/orders").status == 401).then_some(())
    });
    let again = Client::with_key(&server.url, key["key"].as_str().unwrap());
    assert_eq!(again.get("/v1/resources/events").status, 401, "on a public endpoint, too");
    let keys = admin(data, &["list", "keys", &partner], "").json_lines();
    assert_eq!((keys.len(), &keys[0]["removed"]), (1, &json!(true)));
    server.stop();
}

#[test]
fn setting_a_password_replaces_the_old_one() {
    let folder = tempfile::tempdir().unwrap();
    let (server, data) = (Server::start(folder.path()), folder.path());
    let client = Client::anonymous(&server.url);
    admin(data, &["create-user", "Org@Example.org"], "secret-word\n").json_line();
    assert_eq!(log_in(&client, "secret-word"), 200);
    admin(data, &["set-password", "org@example.org"], "another-word\nsecret-word\n").json_line();
    assert_eq!((log_in(&client, "secret-word"), log_in(&client, "another-word")), (401, 200));
    assert_eq!(admin(data, &["list", "users"], "").json_line()["confirmed"], false);
    assert_eq!(admin(data, &["confirm-email", "ORG@example.org"], "").json_line()["confirmed"], true);
    assert_eq!(admin(data, &["list", "users"], "").json_line()["confirmed"], true);
    server.stop();
}

#[test]
fn concurrent_commands_do_not_conflict() {
    let folder = tempfile::tempdir().unwrap();
    let (server, data) = (Server::start(folder.path()), folder.path());
    let partner = make_partner(data);
    let keys: Vec<Value> = thread::scope(|scope| {
        let make = || admin(data, &["create-key", &partner], "").json_line();
        let threads: Vec<_> = (0..6).map(|_| scope.spawn(make)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    for key in &keys {
        Client::with_key(&server.url, key["key"].as_str().unwrap()).get("/v1/resources/orders").success_body();
    }
    assert_eq!(admin(data, &["list", "keys", &partner], "").json_lines().len(), keys.len());
    server.stop();
}

#[test]
fn a_command_that_fails_reports_why() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path();
    Server::start(data).stop();
    let nobody = "0123456789abcdef01234567";
    make_partner(data);
    admin(data, &["create-user", "b@example.org"], "short\n").assert_failed_naming(&["password", "8 to 128"]);
    admin(data, &["create-user", "ORG@example.org"], "secret-word\n").assert_failed_naming(&["e-mail"]);
    admin(data, &["set-password", "b@example.org"], "secret-word\n").assert_failed_naming(&["no user b@example.org"]);
    admin(data, &["create-partner", "Hall", "--user", "b@example.org"], "")
        .assert_failed_naming(&["no user b@example.org"]);
    admin(data, &["create-key", nobody], "").assert_failed_naming(&["partner"]);
    admin(data, &["revoke-key", nobody], "").assert_failed_naming(&["no key", nobody]);
    assert_eq!(admin(data, &["create-user", "nobody"], "secret-word\n").status.code(), Some(2));
    assert_eq!(admin(data, &["create-key", "12"], "").status.code(), Some(2));
    assert_eq!(admin(data, &["list", "users"], "").json_lines().len(), 1);
}

#[test]
fn the_program_prints_its_version() {
    let ended = run_command(kassa().arg("--version"), "");
    assert!(ended.status.success(), "{ended:?}");
    assert_eq!(ended.stdout, format!("kassa {}\n", env!("CARGO_PKG_VERSION")));
}

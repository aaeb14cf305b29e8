//! `kassa admin` beside a running server.

use std::path::Path;
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use crate::client::{Client, text};
use crate::patience::within;
use crate::program::{Ended, kassa, kassa_admin, run};
use crate::server::Server;

/// A key that was removed is refused by then, with a second for a machine that is busy.
const REVOKED_WITHIN: Duration = Duration::from_secs(6);

fn admin(data: &Path, arguments: &[&str], input: &str) -> Ended {
    run(&mut kassa_admin(data, arguments), input)
}

/// Makes a user and its partner, and gives the partner's id.
fn make_partner(data: &Path) -> String {
    admin(data, &["create-user", "org@example.org", "--confirmed"], "secret-word\n").line();
    let partner = ["create-partner", "Big Hall", "--user", "org@example.org", "--role", "org"];
    text(&admin(data, &partner, "").line()["id"])
}

fn log_in(client: &Client, password: &str) -> u16 {
    client.post("/v1/services/whoami", &json!({"email": "org@example.org", "password": password})).status
}

#[test]
fn admin_works_beside_a_running_server() {
    let folder = tempfile::tempdir().unwrap();
    let (server, data) = (Server::start(folder.path()), folder.path());
    let partner = make_partner(data);
    let key = admin(data, &["create-key", &partner, "--name", "till"], "").line();
    let client = Client::with_key(&server.url, key["key"].as_str().unwrap());
    let shown = client.get(&format!("/v1/resources/partners/{partner}")).ok();
    assert_eq!((&shown["name"], &shown["roles"]), (&json!("Big Hall"), &json!(["org"])));

    let users = admin(data, &["list", "users"], "").lines();
    assert_eq!((users.len(), &users[0]["email"], &users[0]["confirmed"]), (1, &json!("org@example.org"), &json!(true)));
    let partners = admin(data, &["list", "partners"], "").lines();
    assert_eq!((partners.len(), &partners[0]["id"]), (1, &json!(partner)));
    let keys = admin(data, &["list", "keys", &partner], "").lines();
    assert_eq!(keys, [json!({"id": key["id"], "name": "till", "partner": partner, "removed": false})]);
    server.stop();
}

#[test]
fn a_revoked_key_is_refused_within_five_seconds() {
    let folder = tempfile::tempdir().unwrap();
    let (server, data) = (Server::start(folder.path()), folder.path());
    let partner = make_partner(data);
    let key = admin(data, &["create-key", &partner], "").line();
    let client = Client::with_key(&server.url, key["key"].as_str().unwrap());
    client.get("/v1/resources/orders").ok();
    let revoked = admin(data, &["revoke-key", key["id"].as_str().unwrap()], "").line();
    assert_eq!(revoked["removed"], true);
    within(REVOKED_WITHIN, "the key is refused", || (client.get("/v1/resources/orders").status == 401).then_some(()));
    let again = Client::with_key(&server.url, key["key"].as_str().unwrap());
    assert_eq!(again.get("/v1/resources/events").status, 401, "on a public endpoint, too");
    let keys = admin(data, &["list", "keys", &partner], "").lines();
    assert_eq!((keys.len(), &keys[0]["removed"]), (1, &json!(true)));
    server.stop();
}

#[test]
fn a_password_that_was_set_is_the_only_one() {
    let folder = tempfile::tempdir().unwrap();
    let (server, data) = (Server::start(folder.path()), folder.path());
    let client = Client::anonymous(&server.url);
    admin(data, &["create-user", "Org@Example.org"], "secret-word\n").line();
    assert_eq!(log_in(&client, "secret-word"), 200);
    admin(data, &["set-password", "org@example.org"], "another-word\nsecret-word\n").line();
    assert_eq!((log_in(&client, "secret-word"), log_in(&client, "another-word")), (401, 200));
    assert_eq!(admin(data, &["list", "users"], "").line()["confirmed"], false);
    assert_eq!(admin(data, &["confirm-email", "ORG@example.org"], "").line()["confirmed"], true);
    assert_eq!(admin(data, &["list", "users"], "").line()["confirmed"], true);
    server.stop();
}

#[test]
fn commands_at_once_do_not_meet() {
    let folder = tempfile::tempdir().unwrap();
    let (server, data) = (Server::start(folder.path()), folder.path());
    let partner = make_partner(data);
    let keys: Vec<Value> = thread::scope(|scope| {
        let make = || admin(data, &["create-key", &partner], "").line();
        let threads: Vec<_> = (0..6).map(|_| scope.spawn(make)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    for key in &keys {
        Client::with_key(&server.url, key["key"].as_str().unwrap()).get("/v1/resources/orders").ok();
    }
    assert_eq!(admin(data, &["list", "keys", &partner], "").lines().len(), keys.len());
    server.stop();
}

#[test]
fn what_a_command_cannot_do_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path();
    Server::start(data).stop();
    let nobody = "0123456789abcdef01234567";
    make_partner(data);
    admin(data, &["create-user", "b@example.org"], "short\n").failed_naming(&["password", "8 to 128"]);
    admin(data, &["create-user", "ORG@example.org"], "secret-word\n").failed_naming(&["e-mail"]);
    admin(data, &["set-password", "b@example.org"], "secret-word\n").failed_naming(&["no user b@example.org"]);
    admin(data, &["create-partner", "Hall", "--user", "b@example.org"], "").failed_naming(&["no user b@example.org"]);
    admin(data, &["create-key", nobody], "").failed_naming(&["partner"]);
    admin(data, &["revoke-key", nobody], "").failed_naming(&["no key", nobody]);
    assert_eq!(admin(data, &["create-user", "nobody"], "secret-word\n").status.code(), Some(2));
    assert_eq!(admin(data, &["create-key", "12"], "").status.code(), Some(2));
    assert_eq!(admin(data, &["list", "users"], "").lines().len(), 1);
}

#[test]
fn the_program_tells_its_version() {
    let ended = run(kassa().arg("--version"), "");
    assert!(ended.status.success(), "{ended:?}");
    assert_eq!(ended.stdout, format!("kassa {}\n", env!("CARGO_PKG_VERSION")));
}

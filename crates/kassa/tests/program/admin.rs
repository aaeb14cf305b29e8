//! `kassa admin` beside a running server.

use std::path::Path;
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use crate::client::{Client, text};
use crate::commands::{CommandOutput, kassa_admin, kassa_serve, run_command};
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

    let told = ["create-key", &partner, "--name", "crm", "--scope", "customers"];
    let told = admin(data, &told, "").json_line();
    assert_eq!((&key["scopes"], &told["scopes"]), (&json!([]), &json!(["customers"])));
    let shown = client.get(&format!("/v1/resources/partners/{partner}/api_keys/{}", text(&told["id"]))).success_body();
    assert_eq!(shown["scopes"], json!(["customers"]));
    let unknown = ["create-key", &partner, "--scope", "everything"];
    assert_eq!(admin(data, &unknown, "").status.code(), Some(2));

    let users = admin(data, &["list", "users"], "").json_lines();
    assert_eq!((users.len(), &users[0]["email"], &users[0]["confirmed"]), (1, &json!("org@example.org"), &json!(true)));
    let partners = admin(data, &["list", "partners"], "").json_lines();
    assert_eq!((partners.len(), &partners[0]["id"]), (1, &json!(partner)));
    let keys = admin(data, &["list", "keys", &partner], "").json_lines();
    let till = json!({"id": key["id"], "name": "till", "partner": partner, "scopes": [], "removed": false});
    let crm = json!({"id": told["id"], "name": "crm", "partner": partner, "scopes": ["customers"], "removed": false});
    assert_eq!(keys, [crm, till]);
    server.stop();
}

#[test]
fn usage_shows_what_partners_store_against_their_quotas() {
    let folder = tempfile::tempdir().unwrap();
    let (server, data) = (Server::start(folder.path()), folder.path());
    let small = make_partner(data);
    let large = ["create-partner", "Arena", "--user", "org@example.org", "--role", "org"];
    let large = text(&admin(data, &large, "").json_line()["id"]);
    let key = text(&admin(data, &["create-key", &large], "").json_line()["key"]);
    let client = Client::with_key(&server.url, &key);
    for title in ["One", "Two"] {
        client.post("/v1/resources/events", &json!({"title": title})).success_body();
    }
    let allowed = admin(data, &["quota", &large, "events=2", "deals=7"], "").json_line();
    assert_eq!(allowed["usage"]["events"], json!({"used": 2, "quota": 2}));
    let refused = client.post("/v1/resources/events", &json!({"title": "Three"}));
    assert_eq!((refused.status, &refused.body["code"]), (400, &json!("quota_exceeded")));

    let lines = admin(data, &["usage", "--quota", "events=500,api_keys=9"], "").json_lines();
    let shown: Vec<&Value> = lines.iter().map(|line| &line["id"]).collect();
    assert_eq!(shown, [&json!(large), &json!(small)], "the fullest comes first");
    assert_eq!(lines[0]["usage"]["deals"], json!({"used": 0, "quota": 7}));
    assert_eq!(lines[0]["usage"]["api_keys"], json!({"used": 1, "quota": 9}));
    assert_eq!(lines[1]["usage"]["events"], json!({"used": 0, "quota": 500}));
    for kind in ["attachment_bytes", "answer_bytes"] {
        assert_eq!(lines[0]["usage"][kind]["used"], 0, "{kind}");
    }
    let one = admin(data, &["usage", &small], "").json_lines();
    assert_eq!((one.len(), &one[0]["name"]), (1, &json!("Big Hall")));

    admin(data, &["quota", &large, "events=default"], "").json_line();
    client.post("/v1/resources/events", &json!({"title": "Three"})).success_body();
    let unknown = "5e0be1000000000000000001";
    admin(data, &["usage", unknown], "").assert_failed_naming(&["there is no partner", unknown]);
    let refused = admin(data, &["quota", &large, "seats=1"], "");
    assert_eq!(refused.status.code(), Some(2), "{refused:?}");
    assert!(refused.stderr.contains("there is no quota seats"), "{refused:?}");
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
fn a_suspended_partner_and_user_are_refused_by_a_running_server() {
    let folder = tempfile::tempdir().unwrap();
    let (server, data) = (Server::start(folder.path()), folder.path());
    let partner = make_partner(data);
    let key = admin(data, &["create-key", &partner], "").json_line();
    let client = Client::with_key(&server.url, key["key"].as_str().unwrap());
    client.get("/v1/resources/orders").success_body();
    let suspended = admin(data, &["suspend-partner", &partner, "--reason", "chargebacks"], "").json_line();
    assert_eq!(suspended["suspension"]["reason"], "chargebacks");
    assert_eq!(client.get("/v1/resources/orders").status, 401, "the command has waited until the server knows");
    assert_eq!(admin(data, &["restore-partner", &partner], "").json_line()["suspension"], json!(null));
    client.get("/v1/resources/orders").success_body();
    let anonymous = Client::anonymous(&server.url);
    admin(data, &["suspend-user", "org@example.org"], "").json_line();
    assert_eq!(log_in(&anonymous, "secret-word"), 401);
    admin(data, &["restore-user", "org@example.org"], "").json_line();
    assert_eq!(log_in(&anonymous, "secret-word"), 200);
    server.stop();
}

#[test]
fn registration_is_for_whom_the_operator_invites() {
    let folder = tempfile::tempdir().unwrap();
    let (server, data) = (Server::run(kassa_serve(folder.path()).args(["--registration", "invite"])), folder.path());
    let client = Client::anonymous(&server.url);
    let register = || {
        let body = json!({"email": "ann@example.org", "password": "secret-word"});
        client.post("/v1/resources/users", &body).status
    };
    assert_eq!(register(), 403);
    assert_eq!(admin(data, &["invite", "Ann@example.org"], "").json_line()["email"], "ann@example.org");
    assert_eq!(register(), 201);
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
    let sets_password = ["confirm-email", "org@example.org", "--set-password"];
    admin(data, &sets_password, "the-owners-word\n").json_line();
    assert_eq!((log_in(&client, "another-word"), log_in(&client, "the-owners-word")), (401, 200));
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

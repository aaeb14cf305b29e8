//! The runbooks of databases on servers, played with the commands that stand there.

use std::fs;

use serde_json::json;

use crate::buyers::request_order;
use crate::client::Client;
use crate::fleet::cluster::{PostgresCluster, url_of};
use crate::runbooks::{Machine, Runbook};
use crate::waiting::wait_for;

#[test]
fn database_away() {
    let mut cluster = PostgresCluster::new();
    let url = cluster.url("postgres");
    let machine = Machine::new(&format!("database = '{url}'"));
    let (server, sale) = machine.start();
    let client = sale.client(&server);
    cluster.kill();
    wait_for("it is seen", || (request_order(&client, &sale, 1, true).unwrap().status == 503).then_some(()));
    let runbook = Runbook::of("Database away");
    let names = [("DATABASE", url.as_str())];
    let signs = machine.run(Some(&server), &runbook.signs, &names);
    assert!(signs.stdout.contains("\"ready\":false") && signs.stdout.contains("PROBLEM database: "), "{signs:?}");
    cluster.start();
    let afterwards = machine.run(Some(&server), &runbook.afterwards, &names);
    assert!(afterwards.stdout.contains("\"ready\":true"), "{afterwards:?}");
    request_order(&client, &sale, 1, true).unwrap().success_body();
    let signs = machine.run(Some(&server), &runbook.signs, &names);
    assert!(signs.stdout.contains("\"ready\":true") && signs.stdout.contains("(1 row)"), "{signs:?}");
    server.stop();
}

#[test]
fn promote_a_standby() {
    let mut primary = PostgresCluster::new();
    let standby = PostgresCluster::following(&primary);
    let machine = Machine::new(&format!("database = '{}'", url_of(&[&primary, &standby])));
    let (server, sale) = machine.start();
    let client = sale.client(&server);
    let order = request_order(&client, &sale, 1, true).unwrap().success_id();
    primary.kill();
    let url = standby.url("postgres");
    let runbook = Runbook::of("Promote a standby");
    machine.run(Some(&server), &runbook.measures, &[("STANDBY", &url)]);
    let afterwards = machine.run(Some(&server), &runbook.afterwards, &[("STANDBY", &url)]);
    assert!(afterwards.stdout.starts_with("f\n") && afterwards.stdout.contains("\"ready\":true"), "{afterwards:?}");
    client.get(&format!("/v1/resources/orders/{order}")).success_body();
    wait_for("it sells", || (request_order(&client, &sale, 1, true).unwrap().status == 201).then_some(()));
    server.stop();
}

#[test]
fn move_to_postgresql() {
    let cluster = PostgresCluster::new();
    let machine = Machine::new("");
    let (mut server, sale) = machine.start();
    let order = request_order(&sale.client(&server), &sale, 1, true).unwrap().success_id();
    cluster.create_database("kassa");
    fs::write(machine.path("etc/database"), cluster.url("kassa")).unwrap();
    let runbook = Runbook::of("Move to PostgreSQL");
    machine.run(Some(&server), &runbook.measures, &[]);
    assert_eq!(server.wait_for_exit().code(), Some(0));
    let afterwards = machine.run(None, &runbook.afterwards, &[]);
    assert!(
        afterwards.stdout.contains("\"ready\":true") && afterwards.stdout.contains("PostgreSQL "),
        "{afterwards:?}"
    );
    assert_eq!(afterwards.stdout.lines().last(), Some("1"), "{afterwards:?}");
    let client = Client::with_key(&machine.url(), &sale.key);
    assert_eq!(client.get(&format!("/v1/resources/orders/{order}")).success_body()["status"], json!("executed"));
    request_order(&client, &sale, 1, true).unwrap().success_body();
    machine.run(None, "systemctl stop kassa", &[]);
}

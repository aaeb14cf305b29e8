//! The runbooks: each is played, with the commands that stand there. What takes a database on a server is in `fleet`.

mod machine;
mod page;

pub(crate) use machine::Machine;
pub(crate) use page::Runbook;

use std::collections::BTreeSet;
use std::fs;
use std::time::SystemTime;

use serde_json::{Value, json};

use crate::buyers::{pay, request_order};
use crate::client::{Client, items, text};
use crate::full_disk::{fill_disk, long_event, post_until_refused, small_disk};
use crate::metrics::read_sample;
use crate::sale::Sale;
use crate::server::Server;
use crate::waiting::{time_of_day, wait_for};

/// The cases that tests play, here and in `fleet/runbooks.rs`.
const PLAYED: [&str; 12] = [
    "Names",
    "Disk full",
    "Database away",
    "Promote a standby",
    "Stolen key",
    "Wrong price on sale",
    "Sold twice, says a buyer",
    "Double payment",
    "Backups fail",
    "Restore to a moment",
    "Restore a backup",
    "Move to PostgreSQL",
];

/// What a heading is linked by.
fn anchor(heading: &str) -> String {
    let kept = heading.to_lowercase().replace(' ', "-");
    kept.chars().filter(|letter| letter.is_alphanumeric() || *letter == '-').collect()
}

fn anchors_of(page: &str) -> BTreeSet<String> {
    let text = fs::read_to_string(page::docs().join(page)).unwrap();
    text.lines().filter(|line| line.starts_with('#')).map(|line| anchor(line.trim_start_matches(['#', ' ']))).collect()
}

#[test]
fn each_case_is_played_and_each_alert_leads_to_one() {
    let cases: Vec<String> = page::cases().into_iter().map(|(title, _)| title).collect();
    assert_eq!(cases, PLAYED);
    let alerts = fs::read_to_string(page::docs().join("alerts.yml")).unwrap();
    let urls: Vec<&str> = alerts.lines().filter_map(|line| line.trim().strip_prefix("runbook_url: docs/")).collect();
    assert_eq!(urls.len(), alerts.matches("- alert: ").count());
    for url in urls {
        let (page, anchor) = url.split_once('#').unwrap();
        assert!(anchors_of(page).contains(anchor), "{url}");
    }
}

#[test]
fn disk_full() {
    let (folder, on_it) = small_disk("8m");
    let data = folder.path().join("data");
    let machine = Machine::with_data(tempfile::tempdir().unwrap(), data, "");
    let mut serve = machine.serve();
    serve.arg("--config").arg(machine.path("etc/kassa.toml"));
    let server = Server::run(&mut on_it(&serve));
    let sale = Sale::open(&server, 10);
    let client = sale.client(&server);
    let ballast = folder.path().join("ballast");
    fill_disk(&server.process_id().path_in_mount_namespace(&ballast));
    let mut made = post_until_refused(&client, "/v1/resources/events", &long_event());

    let runbook = Runbook::of("Disk full");
    let run = |commands: &str| {
        let shell = machine.shell(Some(&server), commands, &[("BALLAST", ballast.to_str().unwrap())]);
        let output = crate::commands::run_command(&mut server.process_id().in_mount_namespace(&shell), "");
        assert!(output.status.success(), "{commands}\n{output:?}");
        output
    };
    let signs = run(&runbook.signs);
    assert!(signs.stdout.contains("PROBLEM disk: "), "{signs:?}");
    assert!(signs.stdout.contains("100%") && signs.stdout.contains("is full"), "{signs:?}");
    assert!(signs.stdout.contains("kassa.db-wal"), "{signs:?}");
    run(&runbook.measures);
    wait_for("writes work again", || {
        (client.post("/v1/resources/events", &long_event()).status != 503).then(|| made += 1)
    });
    let afterwards = run(&runbook.afterwards);
    assert!(afterwards.stdout.contains("\"ready\":true"), "{afterwards:?}");
    assert_eq!(items(&client.get("/v1/resources/events").success_body()).len(), made + 1);
    let log = server.log();
    let lines = log.iter().filter(|line| line.contains("could not be moved")).count();
    assert!(lines <= 2, "a full disk is not filled by the log: {log:?}");
    server.stop();
}

#[test]
fn stolen_key() {
    let machine = Machine::new("");
    let (server, sale) = machine.start();
    let client = sale.client(&server);
    let event = client.get(&format!("/v1/resources/events/{}", sale.event)).success_body();
    let partner = text(&event["org"]);
    let keys = client.get(&format!("/v1/resources/partners/{partner}/api_keys")).success_body();
    let stolen = text(&items(&keys)[0]["id"]);
    let order = request_order(&client, &sale, 1, true).unwrap().success_id();
    let names = [("PARTNER", partner.as_str()), ("STOLEN", &stolen), ("STOLEN_KEY", &sale.key)];
    let runbook = Runbook::of("Stolen key");
    let measures = machine.run(Some(&server), &runbook.measures, &names);
    assert!(measures.stdout.contains(&partner) && measures.stdout.contains(&stolen), "{measures:?}");
    let did = fs::read_to_string(machine.path("work/by-the-stolen-key")).unwrap();
    assert!(did.lines().any(|line| line.contains(&order) && line.contains("order.reserved")), "{did}");
    let afterwards = machine.run(Some(&server), &runbook.afterwards, &names);
    assert_eq!(afterwards.stdout.lines().collect::<Vec<_>>(), ["401", "200"], "{afterwards:?}");
    server.stop();
}

#[test]
fn wrong_price_on_sale() {
    let machine = Machine::new("");
    let (server, sale) = machine.start();
    let client = sale.client(&server);
    let [paid, unpaid] = [(); 2].map(|()| request_order(&client, &sale, 1, true).unwrap().success_id());
    pay(&client, &paid).unwrap().success_body();
    let names = [("KEY", sale.key.as_str()), ("EVENT", &sale.event), ("SET", &sale.set), ("PRICE", "12.50")];
    let runbook = Runbook::of("Wrong price on sale");
    let measures = machine.run(Some(&server), &runbook.measures, &names);
    for expected in ["stand_by", "\"price\":\"12.50\"", "canceled", "public"] {
        assert!(measures.stdout.contains(expected), "{expected}: {measures:?}");
    }
    let status = |order: &str| text(&client.get(&format!("/v1/resources/orders/{order}")).success_body()["status"]);
    assert_eq!([status(&paid), status(&unpaid)], ["done", "canceled"]);
    let afterwards = machine.run(Some(&server), &runbook.afterwards, &names);
    let told: Vec<&str> = afterwards.stdout.lines().collect();
    assert_eq!(told, ["{\"price\":\"12.50\",\"amount_vacant\":19}", "0"], "{afterwards:?}");
    let order = request_order(&client, &sale, 1, true).unwrap().success_body();
    assert_eq!(order["value"], "12.50");
    server.stop();
}

#[test]
fn sold_twice_says_a_buyer() {
    let machine = Machine::new("");
    let (server, sale) = machine.start();
    let client = sale.client(&server);
    let order = request_order(&client, &sale, 1, true).unwrap().success_id();
    pay(&client, &order).unwrap().success_body();
    let tickets = client.get(&format!("/v1/resources/orders/{order}/tickets")).success_body();
    let barcode = text(&items(&tickets)[0]["barcode"]);
    let names = [("KEY", sale.key.as_str()), ("EVENT", &sale.event), ("BARCODE", &barcode)];
    let runbook = Runbook::of("Sold twice, says a buyer");
    // What orders are found by is made behind them.
    let found = format!("/v2/resources/orders?search={barcode}");
    wait_for("the order is found", || (!items(&client.get(&found).success_body()["data"]).is_empty()).then_some(()));
    let measures = machine.run(Some(&server), &runbook.measures, &names);
    assert!(measures.stdout.contains(&format!("\"id\":\"{order}\"")), "{measures:?}");
    assert!(measures.stdout.contains("order.reserved"), "{measures:?}");
    machine.run(Some(&server), &runbook.afterwards, &names);
    let kept = fs::read_dir(machine.path("backups")).unwrap().count();
    assert_eq!(kept, 1);

    let number = client.get(&format!("/v1/resources/orders/{order}")).success_body()["number"].to_string();
    let id = machine.run(Some(&server), &Runbook::of("Names").names[1], &[("KEY", &sale.key), ("NUMBER", &number)]);
    assert_eq!(id.stdout.trim(), order);
    server.stop();
}

#[test]
fn double_payment() {
    let machine = Machine::new("");
    let (server, sale) = machine.start();
    let client = sale.client(&server);
    let event = client.get(&format!("/v1/resources/events/{}", sale.event)).success_body();
    let shop = json!({"shop": {"open": true, "payments": ["TRANSFER"],
        "transfer": {"iban": "DE02120300000000202051", "holder": "Big Hall", "days": 7}}});
    client.patch(&format!("/v1/resources/partners/{}", text(&event["org"])), &shop).success_body();
    let body = json!({"event": sale.event, "random": {sale.set.as_str(): 1},
        "settings": {"customer": {"email": "ann@example.org"}}});
    let order = text(&client.post("/v2/resources/orders", &body).success_body()["data"]["id"]);
    let payments = format!("/v2/resources/orders/{order}/payments");
    let payment = text(&client.post(&payments, &json!({"provider": "TRANSFER"})).success_body()["data"]["id"]);
    for _ in 0..2 {
        client.post(&format!("{payments}/{payment}/received"), &json!({"amount": "100.00"})).success_body();
    }
    let names = [("KEY", sale.key.as_str()), ("ORDER", &order)];
    let runbook = Runbook::of("Double payment");
    let parsed = |output: &str| -> Value { serde_json::from_str(output.trim()).unwrap() };
    let signs = parsed(&machine.run(Some(&server), &runbook.signs, &names).stdout);
    assert_eq!((&signs["status"], &signs["reason"]), (&json!("returning"), &json!("surplus")), "{signs}");
    let measures = parsed(&machine.run(Some(&server), &runbook.measures, &names).stdout);
    let settled = json!({"status": "paid", "received": "200.00", "used": "100.00", "returned": "100.00"});
    assert_eq!(measures, settled);
    let again = parsed(&machine.run(Some(&server), &runbook.signs, &names).stdout);
    assert_eq!(again["returned"], "100.00");
    let afterwards = parsed(&machine.run(Some(&server), &runbook.afterwards, &names).stdout);
    assert_eq!((&afterwards["status"], &afterwards["tickets"]), (&json!("done"), &json!(1)));
    server.stop();
}

#[test]
fn backups_fail() {
    let folder = tempfile::tempdir().unwrap();
    let away = folder.path().join("away");
    let machine = Machine::new(&format!("backup-every = '1s'\nbackup-to = '{}'", away.display()));
    let (server, _) = machine.start();
    wait_for("there is no backup", || {
        server.log().iter().any(|line| line.contains("there is no new backup")).then_some(())
    });
    let names = [("ELSEWHERE", folder.path().to_str().unwrap())];
    let runbook = Runbook::of("Backups fail");
    let signs = machine.run(Some(&server), &runbook.signs, &names);
    assert!(signs.stdout.contains("PROBLEM backups: ") && signs.stdout.contains("No such file"), "{signs:?}");
    assert!(signs.stdout.contains("kassa_backups_made_total 0"), "{signs:?}");
    machine.run(Some(&server), &runbook.measures, &names);
    let afterwards = machine.run(Some(&server), &runbook.afterwards, &names);
    assert!(afterwards.stdout.contains("is whole"), "{afterwards:?}");
    server.stop();
}

#[test]
fn restore_to_a_moment() {
    let machine = Machine::new_with(|folder| format!("ship-log-to = '{}'", folder.join("logs").display()));
    let (mut server, sale) = machine.start();
    let client = sale.client(&server);
    let kept = request_order(&client, &sale, 1, true).unwrap().success_id();
    let restorable = || read_sample(&Client::anonymous(&server.ops), "kassa_log_restorable_timestamp_seconds").unwrap();
    let seconds = |at: jiff::Timestamp| at.as_duration().as_secs_f64();
    let answered_at = time_of_day();
    wait_for("the order is shipped, with a base", || (restorable() > seconds(answered_at)).then_some(()));
    let moment = time_of_day();
    wait_for("the moment is over", || (restorable() > seconds(moment)).then_some(()));
    let lost = request_order(&client, &sale, 1, true).unwrap().success_id();
    let runbook = Runbook::of("Restore to a moment");
    let moment = moment.to_string();
    let names = [("MOMENT", moment.as_str())];
    let signs = machine.run(Some(&server), &runbook.signs, &names);
    assert!(signs.stdout.contains(&lost), "{signs:?}");
    let measures = machine.run(Some(&server), &runbook.measures, &names);
    assert!(measures.stdout.contains("the database is as of 20"), "{measures:?}");
    assert_eq!(server.wait_for_exit().code(), Some(0));
    let afterwards = machine.run(None, &runbook.afterwards, &names);
    assert!(afterwards.stdout.contains("\"ready\":true"), "{afterwards:?}");
    assert!(afterwards.stdout.contains("kassa_log_lines_total 1"), "{afterwards:?}");
    let client = Client::with_key(&machine.url(), &sale.key);
    client.get(&format!("/v1/resources/orders/{kept}")).success_body();
    assert_eq!(client.get(&format!("/v1/resources/orders/{lost}")).status, 404);
    machine.run(None, "systemctl stop kassa", &[]);
}

#[test]
fn restore_a_backup() {
    let machine = Machine::new("");
    let (mut server, sale) = machine.start();
    let client = sale.client(&server);
    let kept = request_order(&client, &sale, 1, true).unwrap().success_id();
    let to = machine.path("backups");
    crate::backup::run_successfully(
        crate::commands::kassa().arg("backup").arg("--data").arg(machine.data()).arg("--to").arg(&to),
    );
    // An older one, which is not the one to take.
    let older = to.join("kassa-00000000-20200101T000000Z.tar");
    fs::write(&older, "old").unwrap();
    fs::File::options().write(true).open(&older).unwrap().set_modified(SystemTime::UNIX_EPOCH).unwrap();
    let lost = request_order(&client, &sale, 1, true).unwrap().success_id();
    let runbook = Runbook::of("Restore a backup");
    machine.run(Some(&server), &runbook.measures, &[]);
    assert_eq!(server.wait_for_exit().code(), Some(0));
    let afterwards = machine.run(None, &runbook.afterwards, &[]);
    assert!(afterwards.stdout.contains("\"ready\":true") && afterwards.stdout.contains("executed"), "{afterwards:?}");
    let client = Client::with_key(&machine.url(), &sale.key);
    client.get(&format!("/v1/resources/orders/{kept}")).success_body();
    assert_eq!(client.get(&format!("/v1/resources/orders/{lost}")).status, 404);
    request_order(&client, &sale, 1, true).unwrap().success_body();
    assert!(fs::exists(machine.path("data-lost/kassa.db")).unwrap());
    machine.run(None, "systemctl stop kassa", &[]);
}

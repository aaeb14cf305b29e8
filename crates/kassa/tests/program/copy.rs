//! `kassa copy`: an installation moves from its folder into a PostgreSQL database.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::os::unix::fs::PermissionsExt as _;
use std::process::Child;

use serde_json::{Value, json};

use crate::client::{Client, items, text};
use crate::commands::{CommandOutput, kassa_admin, kassa_copy, kassa_demo, kassa_serve, run_command, wait_for_exit};
use crate::demo_output::{DemoOutput, PrintedPartner};
use crate::sale::Sale;
use crate::sales_snapshot::SalesSnapshot;
use crate::server::Server;
use crate::tenant::TestDatabase;
use crate::waiting::wait_for;

/// What partners see, but for where the server listens.
fn partner_views(server: &Server, partners: &[PrintedPartner]) -> Vec<String> {
    let lists = ["orders", "events", "deals", "partners", "refund_requests", "attachments"];
    let client = |partner: &PrintedPartner| Client::with_key(&server.url, &partner.key);
    let bodies = partners.iter().flat_map(|partner| {
        let client = client(partner);
        lists.map(|list| {
            client.get(&format!("/v1/resources/{list}")).success_body().to_string().replace(&server.url, "")
        })
    });
    bodies.collect()
}

/// The cover of the first event that has one.
fn cover(server: &Server) -> String {
    let events = Client::anonymous(&server.url).get("/v1/resources/events?fields-schema=media").success_body();
    let url = items(&events).iter().find_map(|event| event["media"]["cover"]["url"].as_str()).unwrap();
    let picture = Client::anonymous(&server.url).get(url.strip_prefix(&server.url).unwrap());
    assert_eq!(picture.status, 200, "{picture:?}");
    text(&picture.body)
}

#[track_caller]
fn assert_success(ended: &CommandOutput) {
    assert!(ended.status.success(), "{ended:?}");
}

#[test]
fn a_copied_demo_keeps_working_in_its_new_database() {
    let (folder, tenant) = (tempfile::tempdir().unwrap(), TestDatabase::new());
    let (old, new) = (folder.path().join("old"), folder.path().join("new"));
    let server = Server::run(&mut kassa_demo(&old));
    let partners = DemoOutput::read(&server).partners();
    let copy =
        |arguments: &[&str]| run_command(kassa_copy(&old, tenant.url()).arg("--data").arg(&new).args(arguments), "");
    copy(&[]).assert_failed_naming(&["a server is running on", "stop it first"]);
    let (before, picture) = (partner_views(&server, &partners), cover(&server));
    server.stop();

    let copied = copy(&[]);
    assert_success(&copied);
    assert!(copied.stderr.contains("verifying tickets: ") && copied.stderr.contains("(100 %)"), "{copied:?}");
    assert!(copied.stdout.contains(" copied, 0 were there already"), "{copied:?}");
    assert!(!format!("{copied:?}").contains(&format!(":{}@", tenant.name())), "{copied:?}");
    assert_eq!(fs::metadata(new.join("secret")).unwrap().permissions().mode() & 0o777, 0o600);

    let server = Server::run(&mut tenant.serve(&new));
    assert_eq!(partner_views(&server, &partners), before);
    assert_eq!(cover(&server), picture);
    let sells = partners.iter().any(|partner| {
        let client = Client::with_key(&server.url, &partner.key);
        let events = client.get("/v1/resources/events").success_body();
        items(&events).iter().any(|event| {
            let sets = items(&event["sets"]).iter();
            let requests = sets.map(|set| json!({"event": event["id"], "random": {text(&set["id"]): 1}}));
            requests
                .into_iter()
                .any(|request| (200..300).contains(&client.post("/v1/resources/orders", &request).status))
        })
    });
    assert!(sells, "nothing can be sold");
    server.stop();
    copy(&["--anew"]).assert_failed_naming(&["complete copy of this installation already"]);
    assert_another_copy_is_refused(&tenant);
}

/// Another installation finds no place there.
#[track_caller]
fn assert_another_copy_is_refused(tenant: &TestDatabase) {
    let folder = tempfile::tempdir().unwrap();
    run_command(&mut kassa_copy(folder.path(), tenant.url()), "").assert_failed_naming(&["no data folder of Kassa"]);
    Server::start(folder.path()).stop();
    run_command(&mut kassa_copy(folder.path(), tenant.url()), "").assert_failed_naming(&["must be an empty database"]);
}

/// Waits until a copy says a line that begins like this.
#[track_caller]
fn wait_for_line(process: &mut Child, begins: &str) -> String {
    let lines = BufReader::new(process.stderr.as_mut().unwrap()).lines();
    lines.map_while(Result::ok).find(|line| line.starts_with(begins)).unwrap_or_else(|| panic!("never: {begins}"))
}

#[test]
fn a_copy_that_is_killed_goes_on_when_it_is_run_again() {
    const TICKETS: u32 = 40_000;
    let (folder, tenant) = (tempfile::tempdir().unwrap(), TestDatabase::new());
    let data = folder.path();
    let server = Server::start(data);
    let sale = Sale::open(&server, TICKETS);
    let vacant = || sale.client(&server).get(&sale.set_path()).success_body()["amount_vacant"] == TICKETS;
    wait_for("all tickets are made", || vacant().then_some(()));
    sale.block(&server, 7);
    server.stop();

    let mut process = kassa_copy(data, tenant.url()).spawn().unwrap();
    wait_for_line(&mut process, "copying tickets: 4000 ");
    process.kill().unwrap();
    wait_for_exit(&mut process);
    run_command(&mut tenant.serve(data), "").assert_failed_naming(&["not complete", "kassa copy"]);
    let mut list = kassa_admin(data, ["list", "users"]);
    run_command(list.env("KASSA_DATABASE", tenant.url()), "").assert_failed_naming(&["not complete"]);

    let copied = run_command(&mut kassa_copy(data, tenant.url()), "");
    assert_success(&copied);
    let first = copied.stderr.lines().find_map(|line| line.strip_prefix("copying tickets: ")).unwrap();
    let done: u32 = first.split(' ').next().unwrap().parse().unwrap();
    assert!((4_000..TICKETS).contains(&done), "{copied:?}");
    assert!(copied.stdout.contains("Files stay where they are"), "{copied:?}");

    let server = Server::run(&mut tenant.serve(data));
    let snapshot = SalesSnapshot::read(&server, &sale);
    snapshot.assert_consistent();
    assert_eq!((snapshot.ticket_statuses.len(), snapshot.count_tickets("blocked")), (TICKETS as usize, 7));
    let request = json!({"event": sale.event, "random": {sale.set.as_str(): 2}});
    let order: Value = sale.client(&server).post("/v1/resources/orders", &request).success_body();
    assert_eq!(items(&order["tickets"]).len(), 2);
    server.stop();
}

#[test]
fn mismatched_files_and_secrets_are_named() {
    let (folder, tenant) = (tempfile::tempdir().unwrap(), TestDatabase::new());
    let (data, new) = (folder.path().join("old"), folder.path().join("new"));
    Server::run(&mut kassa_demo(&data)).stop();
    fs::create_dir(&new).unwrap();
    fs::write(new.join("secret"), "the secret of somebody else, long enough").unwrap();
    let copy = || run_command(kassa_copy(&data, tenant.url()).arg("--data").arg(&new), "");
    copy().assert_failed_naming(&["new/secret", "another installation"]);
    fs::remove_file(new.join("secret")).unwrap();
    fs::rename(data.join("files"), data.join("moved")).unwrap();
    let ended = copy();
    assert!(!ended.status.success() && ended.stdout.is_empty(), "{ended:?}");
    let lost: Vec<&str> =
        ended.stderr.lines().filter(|line| line.ends_with(" are lost: there is no such file")).collect();
    assert!(lost.len() > 1 && lost.iter().all(|line| line.starts_with("the bytes of attachment ")), "{ended:?}");
    assert!(ended.stderr.contains(&format!("the bytes of {} attachments", lost.len())), "{ended:?}");
    assert!(ended.stderr.contains("--without-lost-files"), "{ended:?}");
    run_command(&mut tenant.serve(&new), "").assert_failed_naming(&["not complete"]);
    let mut found = kassa_copy(&data, tenant.url());
    found.arg("--data").arg(&new).arg("--from-files").arg(data.join("moved"));
    assert_success(&run_command(&mut found, ""));
    Server::run(&mut tenant.serve(&new)).stop();
    Server::run(&mut kassa_serve(&data)).stop();
}

#[test]
fn lost_files_are_left_out_where_that_is_wanted() {
    let (folder, tenant) = (tempfile::tempdir().unwrap(), TestDatabase::new());
    let (data, new) = (folder.path().join("old"), folder.path().join("new"));
    Server::run(&mut kassa_demo(&data)).stop();
    let lost = fs::read_dir(data.join("files")).unwrap().next().unwrap().unwrap().path();
    fs::remove_dir_all(lost).unwrap();
    let copied = run_command(kassa_copy(&data, tenant.url()).arg("--data").arg(&new).arg("--without-lost-files"), "");
    assert_success(&copied);
    let lost = copied.stderr.lines().filter(|line| line.contains(" are lost: ")).count();
    assert!(lost > 0 && copied.stdout.contains(&format!(", {lost} lost or damaged and left out.")), "{copied:?}");
    assert!(!copied.stdout.contains("Files: 0 copied"), "{copied:?}");
    Server::run(&mut tenant.serve(&new)).stop();
}

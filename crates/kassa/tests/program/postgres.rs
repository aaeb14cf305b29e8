//! The program on PostgreSQL.

use std::path::Path;
use std::process::Child;

use crate::client::Client;
use crate::commands::{kassa, kassa_admin, kassa_serve, run_command, wait_for_output};
use crate::migrate::migrate;
use crate::sale::Sale;
use crate::server::Server;
use crate::tenant::TestDatabase;
use crate::waiting::wait_for;

const OTHER_SECRET: &str = "another secret that is long enough";

#[test]
fn an_installation_on_postgres_outlives_its_server() {
    let (folder, tenant) = (tempfile::tempdir().unwrap(), TestDatabase::new());
    let data = folder.path().join("data");
    let server = Server::run(&mut tenant.serve(&data));
    let sale = Sale::open(&server, 10);
    sale.block(&server, 2);
    server.stop();
    assert!(!data.join("kassa.db").exists(), "nothing of it is in the folder");

    let server = Server::run(&mut tenant.serve(&data));
    let vacant = sale.client(&server).get(&sale.tickets_path("vacant")).success_body();
    assert_eq!(vacant.as_array().unwrap().len(), 8);
    // Beside the server.
    let mut list = kassa_admin(&data, ["list", "users"]);
    assert_eq!(run_command(list.env("KASSA_DATABASE", tenant.url()), "").json_line()["email"], "org@example.org");
    server.stop();
}

#[test]
fn during_a_database_outage_callers_get_retry_after() {
    let (folder, tenant) = (tempfile::tempdir().unwrap(), TestDatabase::new());
    let server = Server::run(&mut tenant.serve(folder.path()));
    let sale = Sale::open(&server, 10);
    let (client, ops) = (sale.client(&server), Client::anonymous(&server.ops));
    let order = serde_json::json!({"event": sale.event, "random": {sale.set.as_str(): 1}});
    for _ in 0..2 {
        client.post("/v1/resources/orders", &order).success_body();
        assert_eq!(ops.get("/readyz").status, 200);
        tenant.block_connections();
        for answer in [client.get(&sale.set_path()), client.post("/v1/resources/orders", &order)] {
            assert_eq!((answer.status, &answer.body["code"]), (503, &"unavailable".into()), "{answer:?}");
            assert!(answer.headers.contains_key("Retry-After"), "{answer:?}");
        }
        let (ready, health) = (ops.get("/readyz"), ops.get("/healthz"));
        assert_eq!((ready.status, health.status), (503, 200));
        assert_eq!(ready.body["parts"]["database"]["ready"], false, "{ready:?}");
        tenant.allow_connections();
        wait_for("it is ready again", || (ops.get("/readyz").status == 200).then_some(()));
    }
    assert_eq!(client.get(&sale.tickets_path("reserved")).success_body().as_array().unwrap().len(), 2);
    let log = server.log();
    server.stop();
    let url = tenant.url();
    let told = log.iter().any(|line| line.contains(url) || line.contains(&format!(":{}@", tenant.name())));
    assert!(!told, "the password is in the log: {log:?}");
}

#[test]
fn a_database_outage_is_logged_once() {
    let (folder, tenant) = (tempfile::tempdir().unwrap(), TestDatabase::new());
    let server = Server::run(tenant.serve(folder.path()).env("KASSA_LOG", "kassa_engine=debug,info"));
    let lines = |words: &str| server.log().iter().filter(|line| line.contains(words)).count();
    for round in 1..=2 {
        let before = lines("expire_orders still failing");
        tenant.block_connections();
        // Each of these would have been a warning.
        wait_for("it tries again and again", || (lines("expire_orders still failing") >= before + 4).then_some(()));
        tenant.allow_connections();
        wait_for("it works again", || (lines("expire_orders recovered") == round).then_some(()));
        assert_eq!(lines("expire_orders failed; retrying"), round, "{:?}", server.log());
    }
    server.stop();
}

#[test]
fn an_unusable_database_is_reported_in_one_sentence() {
    let (folder, tenant) = (tempfile::tempdir().unwrap(), TestDatabase::new());
    let data = folder.path().join("data");
    let with = |url: &str| {
        let mut command = kassa_serve(&data);
        command.env("KASSA_DATABASE", url);
        run_command(&mut command, "")
    };
    for (url, names) in [
        ("postgres://ann:s3cret@127.0.0.1:1/kassa", &["postgres://ann@127.0.0.1:1/kassa", "Connection refused"][..]),
        ("postgres://ann:s3cret@127.0.0.1:1/kassa?sslmode=perhaps", &["sslmode"]),
        ("mysql://ann:s3cret@127.0.0.1:1/kassa", &["postgres://"]),
    ] {
        let ended = with(url);
        ended.assert_failed_naming(names);
        assert!(!ended.stderr.contains("s3cret"), "{ended:?}");
    }
    let mut beside = kassa_admin(&data, ["list", "users"]);
    run_command(beside.env("KASSA_DATABASE", tenant.url()), "")
        .assert_failed_naming(&["nothing of Kassa", "start the server"]);
    assert!(!data.exists(), "nothing was made");

    Server::run(&mut tenant.serve(&data)).stop();
    let mut other = tenant.serve(&data);
    run_command(other.env("KASSA_SECRET", OTHER_SECRET), "").assert_failed_naming(&["secret", "not the one"]);
    run_command(&mut tenant.serve(&folder.path().join("empty")), "").assert_failed_naming(&["secret", "is missing"]);
}

#[test]
fn a_sqlite_database_takes_one_lane() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let mut command = kassa_serve(&data);
    run_command(command.env("KASSA_LANES", "2"), "").assert_failed_naming(&["--lanes 2", "takes one", "--database"]);
    assert!(!data.exists(), "nothing was made");
    Server::run(kassa_serve(&data).env("KASSA_LANES", "1")).stop();
    let tenant = TestDatabase::new();
    for (lanes, ends) in [("65", true), ("0", true), ("16", false)] {
        let mut command = tenant.serve(&folder.path().join("served"));
        command.env("KASSA_LANES", lanes);
        if ends {
            run_command(&mut command, "").assert_failed_naming(&[lanes, "lanes", "64"]);
        } else {
            Server::run(&mut command).stop();
        }
    }
}

/// Starts servers on an empty database and does `meanwhile` when each has looked at it and made a secret, before any
/// of them has a number.
fn start_blocked<const N: usize>(tenant: &TestDatabase, folders: [&Path; N], meanwhile: &str) -> [Child; N] {
    let name = tenant.name();
    assert!(migrate(folders[0], Some(tenant.url()), &[]).status.success());
    let limits = "SET idle_in_transaction_session_timeout = 0";
    tenant.execute_as_owner(&format!("{limits}; BEGIN; LOCK TABLE {name}.nodes IN EXCLUSIVE MODE"));
    let servers = folders.map(|folder| tenant.serve(folder).spawn().unwrap());
    wait_for("all have made a secret", || folders.iter().all(|folder| folder.join("secret").exists()).then_some(()));
    tenant.execute_as_owner(&format!("{meanwhile}; COMMIT"));
    servers
}

#[test]
fn when_two_servers_start_together_the_second_discards_its_secret() {
    let (folder, tenant) = (tempfile::tempdir().unwrap(), TestDatabase::new());
    let folders = ["one", "other"].map(|name| folder.path().join(name));
    let mut servers = start_blocked(&tenant, [&folders[0], &folders[1]], "SELECT 1");
    let over =
        wait_for("one of them ends", || servers.iter_mut().position(|server| server.try_wait().unwrap().is_some()));
    let [one, other] = servers;
    let (ended, mut winner) = if over == 0 { (one, other) } else { (other, one) };
    winner.kill().unwrap();
    winner.wait().unwrap();
    wait_for_output(ended).assert_failed_naming(&[
        "secret is not the one",
        "another server has begun",
        "is removed again",
    ]);
    assert_eq!(folders.each_ref().map(|folder| folder.join("secret").exists()), [over == 1, over == 0]);
    run_command(&mut tenant.serve(&folders[over]), "").assert_failed_naming(&["secret", "is missing"]);
    Server::run(&mut tenant.serve(&folders[1 - over])).stop();
}

#[test]
fn a_server_that_starts_while_a_copy_begins_does_not_serve() {
    let (folder, tenant) = (tempfile::tempdir().unwrap(), TestDatabase::new());
    let (data, table) = (folder.path().join("data"), format!("{}.kassa_copy", tenant.name()));
    let begin = format!(
        "CREATE TABLE {table} (name TEXT PRIMARY KEY, value TEXT NOT NULL); ALTER TABLE {table} OWNER TO {}; \
         INSERT INTO {table} VALUES ('state', 'unfinished')",
        tenant.name()
    );
    let [server] = start_blocked(&tenant, [&data], &begin);
    wait_for_output(server).assert_failed_naming(&["not complete", "kassa copy"]);
    assert!(!data.join("secret").exists(), "it would bar the copy's own");
}

#[test]
fn the_help_shows_no_password() {
    for name in ["serve", "admin", "copy", "migrate"] {
        let mut command = kassa();
        command.args([name, "--help"]).env("KASSA_DATABASE", "postgres://ann:s3cret@db/kassa");
        let ended = run_command(&mut command, "");
        assert!(ended.stdout.contains("KASSA_DATABASE") && !ended.stdout.contains("s3cret"), "{ended:?}");
    }
}

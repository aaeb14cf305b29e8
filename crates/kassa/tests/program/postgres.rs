//! The program on PostgreSQL.

use std::path::Path;
use std::process::Child;

use crate::client::Client;
use crate::migrate::migrate;
use crate::patience::soon;
use crate::program::{kassa, kassa_admin, kassa_serve, outcome, run};
use crate::sale::Sale;
use crate::server::Server;
use crate::tenant::Tenant;

const OTHER_SECRET: &str = "another secret that is long enough";

#[test]
fn an_installation_on_postgres_outlives_its_server() {
    let (folder, tenant) = (tempfile::tempdir().unwrap(), Tenant::new());
    let data = folder.path().join("data");
    let server = Server::run(&mut tenant.serve(&data));
    let sale = Sale::open(&server, 10);
    sale.block(&server, 2);
    server.stop();
    assert!(!data.join("kassa.db").exists(), "nothing of it is in the folder");

    let server = Server::run(&mut tenant.serve(&data));
    let vacant = sale.client(&server).get(&sale.tickets_path("vacant")).ok();
    assert_eq!(vacant.as_array().unwrap().len(), 8);
    // Beside the server.
    let mut list = kassa_admin(&data, ["list", "users"]);
    assert_eq!(run(list.env("KASSA_DATABASE", tenant.url()), "").line()["email"], "org@example.org");
    server.stop();
}

#[test]
fn while_the_database_is_away_callers_are_told_to_come_back() {
    let (folder, tenant) = (tempfile::tempdir().unwrap(), Tenant::new());
    let server = Server::run(&mut tenant.serve(folder.path()));
    let sale = Sale::open(&server, 10);
    let (client, ops) = (sale.client(&server), Client::anonymous(&server.ops));
    let order = serde_json::json!({"event": sale.event, "random": {sale.set.as_str(): 1}});
    for _ in 0..2 {
        client.post("/v1/resources/orders", &order).ok();
        assert_eq!(ops.get("/readyz").status, 200);
        tenant.lock_out();
        for answer in [client.get(&sale.set_path()), client.post("/v1/resources/orders", &order)] {
            assert_eq!((answer.status, &answer.body["code"]), (503, &"unavailable".into()), "{answer:?}");
            assert!(answer.headers.contains_key("Retry-After"), "{answer:?}");
        }
        assert_eq!((ops.get("/readyz").status, ops.get("/healthz").status), (503, 200));
        tenant.let_in();
        soon("it is ready again", || (ops.get("/readyz").status == 200).then_some(()));
    }
    assert_eq!(client.get(&sale.tickets_path("reserved")).ok().as_array().unwrap().len(), 2);
    let log = server.log();
    server.stop();
    let url = tenant.url();
    let told = log.iter().any(|line| line.contains(url) || line.contains(&format!(":{}@", tenant.name())));
    assert!(!told, "the password is in the log: {log:?}");
}

#[test]
fn while_the_database_is_away_the_log_says_so_once() {
    let (folder, tenant) = (tempfile::tempdir().unwrap(), Tenant::new());
    let server = Server::run(tenant.serve(folder.path()).env("KASSA_LOG", "kassa_engine=debug,info"));
    let lines = |words: &str| server.log().iter().filter(|line| line.contains(words)).count();
    for round in 1..=2 {
        let before = lines("due orders still cannot");
        tenant.lock_out();
        // Each of these would have been a warning.
        soon("it tries again and again", || (lines("due orders still cannot") >= before + 4).then_some(()));
        tenant.let_in();
        soon("it works again", || (lines("due orders can be looked after again") == round).then_some(()));
        assert_eq!(lines("due orders could not be looked after"), round, "{:?}", server.log());
    }
    server.stop();
}

#[test]
fn a_database_that_cannot_be_used_is_told_in_one_sentence() {
    let (folder, tenant) = (tempfile::tempdir().unwrap(), Tenant::new());
    let data = folder.path().join("data");
    let with = |url: &str| {
        let mut command = kassa_serve(&data);
        command.env("KASSA_DATABASE", url);
        run(&mut command, "")
    };
    for (url, names) in [
        ("postgres://ann:s3cret@127.0.0.1:1/kassa", &["postgres://ann@127.0.0.1:1/kassa", "Connection refused"][..]),
        ("postgres://ann:s3cret@127.0.0.1:1/kassa?sslmode=perhaps", &["sslmode"]),
        ("mysql://ann:s3cret@127.0.0.1:1/kassa", &["postgres://"]),
    ] {
        let ended = with(url);
        ended.failed_naming(names);
        assert!(!ended.stderr.contains("s3cret"), "{ended:?}");
    }
    let mut beside = kassa_admin(&data, ["list", "users"]);
    run(beside.env("KASSA_DATABASE", tenant.url()), "").failed_naming(&["nothing of Kassa", "start the server"]);
    assert!(!data.exists(), "nothing was made");

    Server::run(&mut tenant.serve(&data)).stop();
    let mut other = tenant.serve(&data);
    run(other.env("KASSA_SECRET", OTHER_SECRET), "").failed_naming(&["secret", "not the one"]);
    run(&mut tenant.serve(&folder.path().join("empty")), "").failed_naming(&["secret", "is missing"]);
}

#[test]
fn a_database_in_the_folder_takes_one_lane() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let mut command = kassa_serve(&data);
    run(command.env("KASSA_LANES", "2"), "").failed_naming(&["--lanes 2", "takes one", "--database"]);
    assert!(!data.exists(), "nothing was made");
    Server::run(kassa_serve(&data).env("KASSA_LANES", "1")).stop();
    let tenant = Tenant::new();
    for (lanes, ends) in [("65", true), ("0", true), ("16", false)] {
        let mut command = tenant.serve(&folder.path().join("served"));
        command.env("KASSA_LANES", lanes);
        if ends {
            run(&mut command, "").failed_naming(&[lanes, "lanes", "64"]);
        } else {
            Server::run(&mut command).stop();
        }
    }
}

/// Starts servers on an empty database and does `meanwhile` when each has looked at it and made a secret, before any
/// of them has a number.
fn starts<const N: usize>(tenant: &Tenant, folders: [&Path; N], meanwhile: &str) -> [Child; N] {
    let name = tenant.name();
    assert!(migrate(folders[0], Some(tenant.url()), &[]).status.success());
    let limits = "SET idle_in_transaction_session_timeout = 0";
    tenant.order(&format!("{limits}; BEGIN; LOCK TABLE {name}.nodes IN EXCLUSIVE MODE"));
    let servers = folders.map(|folder| tenant.serve(folder).spawn().unwrap());
    soon("all have made a secret", || folders.iter().all(|folder| folder.join("secret").exists()).then_some(()));
    tenant.order(&format!("{meanwhile}; COMMIT"));
    servers
}

#[test]
fn of_two_servers_that_begin_together_the_second_keeps_no_secret() {
    let (folder, tenant) = (tempfile::tempdir().unwrap(), Tenant::new());
    let folders = ["one", "other"].map(|name| folder.path().join(name));
    let mut servers = starts(&tenant, [&folders[0], &folders[1]], "SELECT 1");
    let over = soon("one of them ends", || servers.iter_mut().position(|server| server.try_wait().unwrap().is_some()));
    let [one, other] = servers;
    let (ended, mut winner) = if over == 0 { (one, other) } else { (other, one) };
    winner.kill().unwrap();
    winner.wait().unwrap();
    outcome(ended).failed_naming(&["secret is not the one", "another server has begun", "is removed again"]);
    assert_eq!(folders.each_ref().map(|folder| folder.join("secret").exists()), [over == 1, over == 0]);
    run(&mut tenant.serve(&folders[over]), "").failed_naming(&["secret", "is missing"]);
    Server::run(&mut tenant.serve(&folders[1 - over])).stop();
}

#[test]
fn a_server_that_starts_while_a_copy_begins_does_not_serve() {
    let (folder, tenant) = (tempfile::tempdir().unwrap(), Tenant::new());
    let (data, table) = (folder.path().join("data"), format!("{}.kassa_copy", tenant.name()));
    let begin = format!(
        "CREATE TABLE {table} (name TEXT PRIMARY KEY, value TEXT NOT NULL); ALTER TABLE {table} OWNER TO {}; \
         INSERT INTO {table} VALUES ('state', 'unfinished')",
        tenant.name()
    );
    let [server] = starts(&tenant, [&data], &begin);
    outcome(server).failed_naming(&["not complete", "kassa copy"]);
    assert!(!data.join("secret").exists(), "it would bar the copy's own");
}

#[test]
fn the_help_shows_no_password() {
    for name in ["serve", "admin", "copy", "migrate"] {
        let mut command = kassa();
        command.args([name, "--help"]).env("KASSA_DATABASE", "postgres://ann:s3cret@db/kassa");
        let ended = run(&mut command, "");
        assert!(ended.stdout.contains("KASSA_DATABASE") && !ended.stdout.contains("s3cret"), "{ended:?}");
    }
}

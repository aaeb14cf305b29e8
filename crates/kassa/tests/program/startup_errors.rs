//! A server that cannot start says why in one sentence, and changes nothing.

use std::fs;
use std::net::TcpListener;

use crate::commands::{kassa, kassa_admin, kassa_serve, run_command};
use crate::sale::Sale;
use crate::server::Server;

const SECRET: &str = "a secret that is long enough for it";
const OTHER_SECRET: &str = "another secret that is long enough";

#[test]
fn a_taken_port_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let data = folder.path().join("data");
    for (flag, other) in [("--listen", "--ops-listen"), ("--ops-listen", "--listen")] {
        let mut command = kassa();
        command.args(["serve", flag, &address, other, "127.0.0.1:0", "--data"]).arg(&data);
        run_command(&mut command, "").assert_failed_naming(&[flag, &address, "in use"]);
        assert!(!data.exists());
    }
}

#[test]
fn a_folder_of_another_server_is_locked() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    let sale = Sale::open(&server, 10);
    let path = folder.path().display().to_string();
    run_command(&mut kassa_serve(folder.path()), "").assert_failed_naming(&["another server", &path]);
    sale.client(&server).get(&sale.set_path()).success_body();
    server.stop();
    Server::start(folder.path()).stop();
}

#[test]
fn a_server_with_another_secret_does_not_start() {
    let folder = tempfile::tempdir().unwrap();
    let serve = |secret: &str| {
        let mut command = kassa_serve(folder.path());
        command.env("KASSA_SECRET", secret);
        command
    };
    let server = Server::run(&mut serve(SECRET));
    let sale = Sale::open(&server, 10);
    server.stop();

    run_command(&mut serve(OTHER_SECRET), "").assert_failed_naming(&["secret", "not the one"]);
    run_command(&mut serve("short"), "").assert_failed_naming(&["KASSA_SECRET", "at least 32 bytes"]);
    run_command(&mut kassa_serve(folder.path()), "").assert_failed_naming(&["secret", "is missing"]);
    let mut list = kassa_admin(folder.path(), ["list", "users"]);
    run_command(list.env("KASSA_SECRET", OTHER_SECRET), "").assert_failed_naming(&["secret", "not the one"]);
    assert!(!folder.path().join("secret").exists());

    let server = Server::run(&mut serve(SECRET));
    sale.client(&server).get("/v1/resources/orders").success_body();
    server.stop();
}

#[test]
fn a_secret_file_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let (data, file) = (folder.path().join("data"), folder.path().join("my-secret"));
    let mut serve = kassa_serve(&data);
    serve.arg("--secret-file").arg(&file);
    run_command(&mut serve, "").assert_failed_naming(&["my-secret", "No such file"]);
    fs::write(&file, "short\n").unwrap();
    run_command(&mut serve, "").assert_failed_naming(&["my-secret", "at least 32 bytes"]);
    fs::write(&file, [0xff; 40]).unwrap();
    run_command(&mut serve, "").assert_failed_naming(&["my-secret", "UTF-8"]);
    fs::write(&file, format!("{SECRET}\n")).unwrap();
    Server::run(&mut serve).stop();
    let mut without = kassa_serve(&data);
    Server::run(without.env("KASSA_SECRET", SECRET)).stop();
}

#[test]
fn a_secret_that_has_gone_is_not_made_anew() {
    let folder = tempfile::tempdir().unwrap();
    Server::start(folder.path()).stop();
    let secret = folder.path().join("secret");
    let text = fs::read(&secret).unwrap();
    fs::remove_file(&secret).unwrap();
    let path = secret.display().to_string();
    run_command(&mut kassa_serve(folder.path()), "").assert_failed_naming(&[&path, "is missing"]);
    run_command(&mut kassa_admin(folder.path(), ["list", "users"]), "").assert_failed_naming(&[&path, "is missing"]);
    assert!(!secret.exists());
    fs::write(&secret, text).unwrap();
    Server::start(folder.path()).stop();
}

#[test]
fn mail_that_cannot_be_sent_is_said_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let (data, file) = (folder.path().join("data"), folder.path().join("file"));
    let with = |flags: &[&str]| {
        let mut command = kassa_serve(&data);
        command.args(["--smtp-host", "127.0.0.1", "--smtp-tls", "off"]).args(flags);
        command
    };
    let from = ["--mail-from", "tickets@example.org"];
    let user = [&from[..], &["--smtp-user", "kassa"]].concat();
    let path = file.display().to_string();
    run_command(&mut with(&[]), "").assert_failed_naming(&["--smtp-host", "--mail-from"]);
    run_command(&mut with(&user), "").assert_failed_naming(&["--smtp-user", "KASSA_SMTP_PASSWORD"]);
    run_command(with(&from).env("KASSA_SMTP_PASSWORD", SECRET), "").assert_failed_naming(&["password", "--smtp-user"]);
    run_command(with(&user).args(["--smtp-password-file", &path]), "").assert_failed_naming(&[&path, "No such file"]);
    run_command(with(&from).args(["--smtp-ca-file", &path]), "").assert_failed_naming(&[&path, "No such file"]);
    assert!(!data.exists());
    fs::write(&file, "").unwrap();
    let outbox = format!("{path}/outbox");
    let ended = run_command(kassa_serve(&data).args(["--outbox", &outbox]), "");
    assert_eq!(ended.status.code(), Some(1), "{ended:?}");
    assert!(ended.stderr.contains(&format!("kassa: the outbox cannot be used: {outbox}")), "{ended:?}");
}

#[test]
fn bad_flags_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    for (flag, value) in [
        ("--listen", "nowhere"),
        ("--ops-listen", "127.0.0.1:65536"),
        ("--public-url", "ftp://example.org"),
        ("--commission", "101"),
        ("--json-bytes-max", "-1"),
        ("--mail-from", "Harbour Hall"),
        ("--smtp-host", ""),
        ("--smtp-port", "smtp"),
        ("--smtp-tls", "perhaps"),
        ("--confirm-page", "/confirm"),
        ("--reset-page", "/reset"),
        ("--log-format", "xml"),
        ("--colour", "red"),
    ] {
        let ended = run_command(kassa_serve(&data).arg(format!("{flag}={value}")), "");
        assert_eq!(ended.status.code(), Some(2), "{ended:?}");
        assert!(ended.stderr.starts_with("error: ") && ended.stderr.contains(flag), "{ended:?}");
        assert!(!data.exists());
    }
    run_command(kassa_serve(&data).arg("--log=a=b=c"), "").assert_failed_naming(&["--log", "a=b=c"]);
    assert!(!data.exists());
    let mut by_environment = kassa();
    let ended = run_command(by_environment.arg("serve").env("KASSA_LISTEN", "nowhere"), "");
    assert_eq!(ended.status.code(), Some(2), "{ended:?}");
    assert!(ended.stderr.contains("nowhere"), "{ended:?}");
}

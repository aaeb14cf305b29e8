//! Mails of the whole program: into the outbox, and to a mail server.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread;

use serde_json::{Value, json};

use crate::client::{Client, items, text};
use crate::commands::{kassa_admin, kassa_serve, run_command};
use crate::sale::Sale;
use crate::server::Server;
use crate::waiting::{WAIT_TIMEOUT, wait_for};

const PASSWORD: &str = "the word of the mail server";

/// Waits for the message to somebody in the outbox.
#[track_caller]
pub(crate) fn wait_for_message(folder: &Path, email: &str) -> String {
    let addressed = format!("\r\nTo: {email}\r\n");
    wait_for("the message is in the outbox", || {
        let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let whole = files.filter(|file| file.extension().is_some_and(|extension| extension == "eml"));
        whole.map(|file| fs::read_to_string(file).unwrap()).find(|message| message.contains(&addressed))
    })
}

/// The line of a message that is a token.
#[track_caller]
pub(crate) fn token_line(message: &str) -> &str {
    let is_token = |line: &&str| line.len() == 64 && line.bytes().all(|byte| byte.is_ascii_hexdigit());
    message.lines().find(is_token).unwrap()
}

fn register(server: &Server, email: &str) {
    Client::anonymous(&server.url)
        .post("/v1/resources/users", &json!({"email": email, "password": "secret-word"}))
        .success_body();
}

fn list_mails(data: &Path) -> Vec<Value> {
    run_command(&mut kassa_admin(data, ["list", "mails"]), "").json_lines()
}

#[test]
fn a_registration_is_in_the_outbox_and_its_token_confirms() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    register(&server, "ann@example.org");
    let message = wait_for_message(&folder.path().join("outbox"), "ann@example.org");
    let client = Client::anonymous(&server.url);
    let token = token_line(&message);
    assert_eq!(client.post("/v1/services/confirm", &json!({"token": token})).status, 400, "a click opens nothing");
    let confirmed = client.post("/v1/services/confirm", &json!({"token": token, "password": "secret-word"}));
    assert_eq!(confirmed.success_body()["email"], "ann@example.org");
    let users = run_command(&mut kassa_admin(folder.path(), ["list", "users"]), "").json_line();
    assert_eq!(users["confirmed"], true);
    wait_for("nothing waits", || list_mails(folder.path()).is_empty().then_some(()));
    server.stop();
}

#[test]
fn tickets_are_sent_when_their_order_is_done() {
    let folder = tempfile::tempdir().unwrap();
    let outbox = folder.path().join("mails");
    let server = Server::run(kassa_serve(&folder.path().join("data")).arg("--outbox").arg(&outbox));
    let sale = Sale::open(&server, 10);
    let client = sale.client(&server);
    let wanted = json!({"event": sale.event, "random": {&sale.set: 2}, "payment": {"send_tickets": true},
        "customer": {"email": "bob@example.org"}});
    let order = client.post("/v1/resources/orders", &wanted).success_id();
    client.patch(&format!("/v1/resources/orders/{order}"), &json!({"status": "done"})).success_body();
    let message = wait_for_message(&outbox, "bob@example.org");
    let sold = client.get(&sale.tickets_path("sold")).success_body();
    assert_eq!(items(&sold).len(), 2);
    for ticket in items(&sold) {
        assert!(message.contains(&format!("\r\n{}\r\n", text(&ticket["barcode"]))), "{ticket} {message}");
    }
    server.stop();
}

/// A mail server for one message, which it tells with the log-in before it.
fn mail_server() -> (u16, Receiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let (sender, message) = sync_channel(1);
    thread::spawn(move || {
        let (stream, _) = listener.accept().unwrap();
        sender.send(receive_message(&stream)).unwrap();
    });
    (port, message)
}

fn receive_message(mut stream: &TcpStream) -> String {
    stream.write_all(b"220 mail.example.org\r\n").unwrap();
    let mut heard = String::new();
    let mut in_message = false;
    for line in BufReader::new(stream).lines() {
        let line = line.unwrap();
        heard.push_str(&line);
        heard.push('\n');
        let answer = match line.get(..4).unwrap_or_default() {
            _ if in_message && line != "." => continue,
            "EHLO" => "250 AUTH PLAIN",
            "AUTH" => "235 welcome",
            "DATA" => "354 go on",
            "QUIT" => return heard,
            _ => "250 ok",
        };
        in_message = line == "DATA";
        stream.write_all(format!("{answer}\r\n").as_bytes()).unwrap();
    }
    heard
}

#[test]
fn mail_goes_to_the_server_that_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let (data, password) = (folder.path().join("data"), folder.path().join("password"));
    fs::write(&password, format!("{PASSWORD}\n")).unwrap();
    let (port, message) = mail_server();
    let mut command = kassa_serve(&data);
    command.args(["--smtp-host", "127.0.0.1", "--smtp-tls", "off", "--smtp-user", "kassa"]).arg("--smtp-port");
    command.arg(port.to_string()).arg("--smtp-password-file").arg(&password);
    command.env("KASSA_MAIL_FROM", "Harbour Hall <tickets@example.org>");
    command.env("KASSA_CONFIRM_PAGE", "https://shop.example.org/confirm").args(["--log", "trace"]);
    let server = Server::run(&mut command);
    register(&server, "ann@example.org");
    let heard = message.recv_timeout(WAIT_TIMEOUT).unwrap();
    // The base64 of "\0kassa\0" and the password.
    assert!(heard.contains("\nAUTH PLAIN AGthc3NhAHRoZSB3b3JkIG9mIHRoZSBtYWlsIHNlcnZlcg==\n"), "{heard}");
    assert!(heard.contains("\nRCPT TO:<ann@example.org>\n"), "{heard}");
    assert!(heard.contains("\nFrom: \"Harbour Hall\" <tickets@example.org>\n"), "{heard}");
    assert!(heard.contains("https://shop.example.org/confirm?token=3D"), "{heard}");
    wait_for("nothing waits", || list_mails(&data).is_empty().then_some(()));
    assert!(!data.join("outbox").exists());
    let told: Vec<String> = server.log().into_iter().filter(|line| line.contains(PASSWORD)).collect();
    assert!(told.is_empty(), "{told:?}");
    server.stop();
}

#[test]
fn a_silent_mail_server_keeps_nobody_waiting() {
    let folder = tempfile::tempdir().unwrap();
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let mut command = kassa_serve(folder.path());
    command.args([
        "--smtp-host",
        "127.0.0.1",
        "--smtp-tls",
        "off",
        "--mail-from",
        "tickets@example.org",
        "--smtp-port",
    ]);
    let server = Server::run(command.arg(silent.local_addr().unwrap().port().to_string()));
    for email in ["ann@example.org", "bob@example.org"] {
        register(&server, email);
    }
    let waiting = wait_for("both are under way", || {
        let mails = list_mails(folder.path());
        mails.iter().all(|mail| mail["attempts"] == 1).then_some(mails)
    });
    let shown: Vec<(&Value, &Value)> = waiting.iter().map(|mail| (&mail["to"], &mail["state"])).collect();
    let waits = json!("waiting");
    assert_eq!(shown, [(&json!("bob@example.org"), &waits), (&json!("ann@example.org"), &waits)]);
    server.process_id().kill();
    server.assert_killed();
}

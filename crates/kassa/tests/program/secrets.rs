//! No log holds a secret, however much it tells.

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};
use ureq::http::Method;

use crate::client::{Client, text};
use crate::commands::{kassa_serve, run_command};
use crate::mails::{token_line, wait_for_message};
use crate::sale::public_event_body;
use crate::server::Server;
use crate::tenant::TestDatabase;

const SECRET: &str = "this-secret-is-of-these-tests-and-long-enough";
const PASSWORD: &str = "correct-horse-7391";
const NEW_PASSWORD: &str = "battery-staple-8264";
const WRONG_PASSWORD: &str = "a-guess-that-is-nearly-right-5517";
const EMAIL: &str = "ann@example.org";
const BUYER_EMAIL: &str = "buyer.of.tickets@example.org";
const BUYER_PHONE: &str = "+79161234567";
const WHOAMI_PATH: &str = "/v1/services/whoami";

/// What nobody may find in a log, each by its name.
type NamedSecrets = Vec<(&'static str, String)>;

/// Lives through what has to do with secrets, good and bad, and gives those that came up.
fn exercise_secrets(server: &Server, outbox: &Path) -> NamedSecrets {
    let nobody = Client::anonymous(&server.url);
    let person = |password: &str| json!({"email": EMAIL, "password": password});
    nobody.post("/v1/resources/users", &person(PASSWORD)).success_body();
    assert_eq!(nobody.post(WHOAMI_PATH, &person(WRONG_PASSWORD)).status, 401);
    assert_eq!(nobody.post(WHOAMI_PATH, &json!({"email": 7, "password": [PASSWORD]})).status, 400);
    let confirmation = token_line(&wait_for_message(outbox, EMAIL)).to_owned();
    nobody.post("/v1/services/confirm", &json!({"token": confirmation, "password": PASSWORD})).success_body();
    assert_eq!(nobody.post("/v1/resources/users", &person(PASSWORD)).status, 400);
    let spoiled = format!("{}0", &confirmation[..63]);
    nobody.send(&Method::POST, "/v1/services/confirm", Some(&json!({"token": spoiled, "password": PASSWORD}))).unwrap();
    let logged_in = nobody.post(WHOAMI_PATH, &person(PASSWORD));
    let session = session_of(&logged_in.headers["set-cookie"]);
    let ann = Client::with_cookie_of(&server.url, &logged_in);
    let id = text(&logged_in.body["id"]);
    let change = |current: &str| json!({"password": NEW_PASSWORD, "current_password": current});
    assert_eq!(ann.patch(&format!("/v1/resources/users/{id}"), &change(WRONG_PASSWORD)).status, 400);
    ann.patch(&format!("/v1/resources/users/{id}"), &change(PASSWORD)).success_body();
    let partner = ann.post("/v1/resources/partners", &json!({"name": "Big Hall"})).success_id();
    let key = ann.post(&format!("/v1/resources/partners/{partner}/api_keys"), &json!({"name": "till"})).success_body();
    let key = text(&key["key"]);
    let till = Client::with_key(&server.url, &key);
    let (event, set) = sell_and_refuse(&till);
    let link = buy_in_the_shop(&server.url, &till, &partner, (&event, &set));
    let wrong_key = key.chars().rev().collect::<String>();
    assert_eq!(Client::with_key(&server.url, &wrong_key).get("/v1/resources/events").status, 401);
    assert_eq!(Client::with_key(&server.url, &format!("{key}0")).get("/v1/resources/events").status, 401);
    ann.send(&Method::DELETE, WHOAMI_PATH, None).unwrap();
    assert_eq!(ann.get(WHOAMI_PATH).status, 401);
    vec![
        ("a password", PASSWORD.to_owned()),
        ("a new password", NEW_PASSWORD.to_owned()),
        ("a wrong password", WRONG_PASSWORD.to_owned()),
        ("a session", session),
        ("a key", key),
        ("a key that is none", wrong_key),
        ("a token that confirms an e-mail", confirmation),
        ("the secret of the server", SECRET.to_owned()),
        ("the link of an order", link),
    ]
}

fn session_of(cookie: &ureq::http::HeaderValue) -> String {
    let value = cookie.to_str().unwrap().split(';').next().unwrap();
    value.strip_prefix("auth_tkt=").unwrap().to_owned()
}

/// An order that is paid, and one that is refused; gives the event and the set.
fn sell_and_refuse(till: &Client) -> (String, String) {
    let event = till.post("/v1/resources/events", &public_event_body()).success_id();
    let set = json!({"name": "Parterre", "amount": 10, "price": "100.00"});
    let set = till.post(&format!("/v1/resources/events/{event}/sets"), &set).success_id();
    let customer = json!({"email": BUYER_EMAIL, "name": "Ben Buyer", "phone": BUYER_PHONE});
    let order = |customer: &Value| {
        json!({"event": event, "random": {&set: 1}, "customer": customer,
            "payment": {"send_tickets": true}})
    };
    let paid = till.post("/v1/resources/orders", &order(&customer)).success_id();
    till.patch(&format!("/v1/resources/orders/{paid}"), &json!({"status": "done"})).success_body();
    assert_eq!(till.post("/v1/resources/orders", &order(&json!({"email": PASSWORD}))).status, 400);
    (event, set)
}

/// Somebody buys by the pages of a shop; gives the secret of the order's link. Browsers name it in paths, in the header of
/// the page that they come from, and, with a slip, in those of pages that are not there.
fn buy_in_the_shop(url: &str, till: &Client, partner: &str, (event, set): (&str, &str)) -> String {
    let shop = json!({"shop": {"open": true, "payments": ["DOOR"]}});
    till.patch(&format!("/v1/resources/partners/{partner}"), &shop).success_body();
    let config = ureq::Agent::config_builder().http_status_as_error(false).max_redirects(0).proxy(None);
    let browser: ureq::Agent = config.build().into();
    let made = browser.post(format!("{url}/e/{event}/order")).send_form([(format!("random.{set}"), "1".to_owned())]);
    let made = made.unwrap();
    assert_eq!(made.status(), 303, "{made:?}");
    let page = made.headers()["location"].to_str().unwrap().to_owned();
    let (order, secret) = page.strip_prefix("/order/").and_then(|token| token.split_once('.')).unwrap();
    let see = |path: &str, status: u16| {
        let answer = browser.get(format!("{url}{path}")).header("Referer", format!("{url}{page}")).call().unwrap();
        assert_eq!(answer.status(), status, "{path}");
    };
    let act = |action: &str, fields: &[(&str, &str)], status: u16| {
        let form = browser.post(format!("{url}{page}/{action}")).header("Referer", format!("{url}{page}"));
        assert_eq!(form.send_form(fields.iter().copied()).unwrap().status(), status, "{action}");
    };
    see(&page, 200);
    see(&format!("{page}?notice=some-taken"), 200);
    see(&format!("{page}/tickets.pdf"), 404);
    see(&format!("{page}/nothing"), 404);
    see(&format!("{page}/a/b/c"), 404);
    see(&format!("/nothing{page}"), 404);
    see(&format!("/v2{page}"), 404);
    see(&format!("/pay/test/{order}.{secret}/000000000000000000000000"), 303);
    act("extend", &[("expired_after", "nonsense")], 422);
    act("pay", &[("provider", "DOOR"), ("settings.customer.email", BUYER_EMAIL)], 303);
    see(&page, 200);
    act("cancel", &[], 303);
    let buyer = Client::with_link(url, &format!("{order}.{secret}"));
    buyer.get(&format!("/v2/resources/orders/{order}")).success_body();
    buyer.get(&format!("/v2/resources/orders/{order}/payments")).success_body();
    assert_eq!(buyer.patch(&format!("/v2/resources/orders/{order}"), &json!({"random": 7})).status, 400);
    secret.to_owned()
}

/// Runs a server that says all it can, and holds its log against the secrets.
#[track_caller]
fn assert_log_has_no_secret(command: &mut Command, outbox: &Path, more: NamedSecrets) {
    let server = Server::run(command.args(["--log", "trace", "--outbox"]).arg(outbox).env("KASSA_SECRET", SECRET));
    let secrets: NamedSecrets = exercise_secrets(&server, outbox).into_iter().chain(more).collect();
    wait_for_message(outbox, BUYER_EMAIL);
    let log = server.log();
    assert!(log.iter().any(|line| line.contains(" DEBUG ")), "it says more than usual");
    let personal = [("an e-mail", EMAIL), ("a customer's e-mail", BUYER_EMAIL), ("a phone", BUYER_PHONE)];
    let all = secrets.into_iter().chain(personal.map(|(name, text)| (name, text.to_owned())));
    let told = |(name, secret): (&str, String)| {
        let line = log.iter().find(|line| line.contains(&secret))?;
        Some(format!("{name}: {line}"))
    };
    let told: Vec<String> = all.filter_map(told).collect();
    assert!(told.is_empty(), "the log holds {told:#?}");
    server.stop();
}

#[test]
fn the_most_talkative_log_holds_no_secret() {
    let folder = tempfile::tempdir().unwrap();
    let outbox = folder.path().join("mails");
    assert_log_has_no_secret(&mut kassa_serve(&folder.path().join("data")), &outbox, Vec::new());
}

#[test]
fn the_most_talkative_log_holds_no_secret_on_postgres() {
    let (folder, tenant) = (tempfile::tempdir().unwrap(), TestDatabase::new());
    let outbox = folder.path().join("mails");
    let password = vec![("the URL of the database", tenant.url().to_owned())];
    assert_log_has_no_secret(&mut tenant.serve(&folder.path().join("data")), &outbox, password);
}

#[test]
fn a_failed_start_prints_no_secret() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let mut short = kassa_serve(&data);
    let told = run_command(short.env("KASSA_SECRET", "short-but-secret"), "");
    assert!(!told.status.success() && !told.stderr.contains("short-but-secret"), "{told:?}");
    Server::run(kassa_serve(&data).env("KASSA_SECRET", SECRET)).stop();
    let mut other = kassa_serve(&data);
    let told = run_command(other.env("KASSA_SECRET", "another-secret-of-these-tests-and-long"), "");
    assert!(!told.status.success() && !told.stderr.contains("another-secret"), "{told:?}");
}

//! The OpenAPI document against the server: what it describes happens, and what it does not describe
//! does not.

use std::collections::BTreeSet;

use kassa_domain::RegistrationPolicy;
use kassa_http::{HttpConfig, Rate, RateLimits};
use serde_json::{Value, json};

use crate::access::{Callers, filled};
use crate::client::{Answer, Client};
use crate::conditions::{routes, tags};
use crate::contract::Contract;
use crate::harness::{NOTHING, PASSWORD, Shop};
use crate::{order_life, v2};

/// The longest body in the shop of these tests.
const BYTES_MAX: usize = 4_096;

async fn small_shop() -> Shop {
    Shop::with(HttpConfig {
        json_bytes_max: BYTES_MAX,
        map_bytes_max: BYTES_MAX,
        attachment_bytes_max: BYTES_MAX,
        ..HttpConfig::default()
    })
    .await
}

/// A key that may ask once a minute, from an address that may log in and register as often.
async fn hasty() -> Client {
    let once = Rate::per_minute(1);
    let rates = RateLimits {
        log_ins: once,
        registrations: once,
        password_resets: once,
        order_links: once,
        key_requests: once,
        ..RateLimits::default()
    };
    let shop = Shop::with(HttpConfig { rate_limits: rates, ..HttpConfig::default() }).await;
    shop.organizer("org@example.org").await.at_address("192.0.2.1")
}

/// The path with an id of nothing in every place.
fn somewhere(path: &str, id: &str) -> String {
    let segment = |segment: &str| match segment.split_once('}') {
        Some(("{vendor", "")) if id == NOTHING => "mosbilet".to_owned(),
        Some((_, ending)) => format!("{id}{ending}"),
        None => segment.to_owned(),
    };
    path.split('/').map(segment).collect::<Vec<String>>().join("/")
}

/// A request that a status is the answer to, whatever the operation.
async fn provoke(status: &str, (user, hasty): (&Client, &Client), method: &str, path: &str) -> Option<Answer> {
    let there = somewhere(path, NOTHING);
    let json = Some("application/json");
    let answer = match status {
        "400" => user.send(method, &format!("{there}?x=%"), json, b"{}".to_vec()).await,
        "401" => user.with("authorization", "key None").send(method, &there, json, b"{}".to_vec()).await,
        "403" => user.for_partner(NOTHING).send(method, &there, json, b"{}".to_vec()).await,
        "404" => user.send(method, &somewhere(path, "x"), json, b"{}".to_vec()).await,
        "413" => user.send(method, &there, json, vec![b' '; BYTES_MAX + 1]).await,
        "429" => {
            hasty.send(method, &there, json, b"{}".to_vec()).await;
            hasty.send(method, &there, json, b"{}".to_vec()).await
        }
        // A file may be of any type, and has one.
        "415" => {
            user.send(method, &there, (!path.ends_with("/attachments")).then_some("text/plain"), b"{}".to_vec()).await
        }
        _ => return None,
    };
    Some(answer)
}

#[tokio::test]
async fn every_documented_status_is_seen() {
    let shop = small_shop().await;
    let contracts = Contract::all(&shop).await;
    let callers = Callers::of(&shop).await;
    callers.go_through_the_table(|name| name == "own key" || name == "own user").await;
    let (user, hasty) = (shop.user("user@example.org").await, hasty().await);
    for (method, path, operation) in contracts.iter().flat_map(|contract| contract.operations()) {
        for status in operation["responses"].as_object().unwrap().keys() {
            if let Some(answer) = provoke(status, (&user, &hasty), &method.to_uppercase(), path).await {
                // Who has no account yet has no credentials that would be looked at.
                let is_open = ["log_in", "register"].contains(&operation["operationId"].as_str().unwrap());
                let is_met = answer.status.to_string() == *status || is_open;
                assert!(is_met, "{method} {path}: {}, not {status}", answer.status);
            }
        }
    }
    let stranger = json!({"email": "nobody@example.org", "password": "wrong horse"});
    shop.anonymous().post("/v1/services/whoami", stranger).await.refused(401, "credential_invalid");
    let person = json!({"email": "new@example.org", "password": PASSWORD});
    let closed = Shop::with_registration(RegistrationPolicy::Closed).await;
    closed.anonymous().post("users", person.clone()).await.refused(403, "registration_closed");
    let invited = Shop::with_registration(RegistrationPolicy::Invite).await;
    invited.anonymous().post("users", person).await.refused(403, "registration_by_invitation");
    user.patch(&user.path(), json!({})).await.ok();
    let org = shop.organizer("org@example.org").await;
    let set = org.event("Concert").await.set(1, "1.00").await;
    org.delete(&set.path).await.ok();
    order_life::late_money_is_refused_when_tickets_are_gone_or_dearer(Shop::open().await).await;
    v2::orders::late_money_is_told(Shop::open().await).await;
    v2::changes::gone_is_told(Shop::open().await).await;
    v2::availability::what_is_known_is_not_sent_again(Shop::open().await).await;
    v2::platform::an_operator_finds_partners_suspends_one_and_restores_it(Shop::open().await).await;
    v2::platform::an_operator_sees_what_waits_and_whether_the_books_agree(Shop::open().await).await;
    // The sessions of the others have ended.
    let shop = Shop::memory().await;
    let callers = Callers::of(&shop).await;
    routes::each_write_is_answered_once_under_its_key(&shop, &callers).await;
    routes::each_write_heeds_what_is_expected(&shop, &callers).await;
    tags::each_read_of_a_resource_has_a_tag(&callers).await;
    // Behind a closed gate nobody could look up anything in memory.
    let busy = Shop::sqlite().await;
    routes::each_write_tells_that_its_key_is_in_use(&busy, &Callers::of(&busy).await).await;
    for contract in contracts {
        assert_eq!(unseen(contract), [], "documented, but never seen");
    }
}

/// What needs a code, an invitation, a mailed token, a second session, an operator, or Stripe: it has tests of its own.
const TESTED_ELSEWHERE: [&str; 14] = [
    "answer_invitation",
    "confirm_second_factor",
    "create_second_factor",
    "end_session",
    "end_sessions",
    "list_invitations",
    "list_sessions",
    "open_checkout",
    "receive_stripe_notice",
    "remove_second_factor",
    "reset_password",
    "restore_partner",
    "start_verification",
    "suspend_partner",
];

fn unseen(contract: &Contract) -> Vec<(String, String)> {
    let documented = contract.operations().flat_map(|(_, _, operation)| {
        let statuses = operation["responses"].as_object().unwrap().keys().filter(|status| *status != "5XX");
        statuses.map(|status| (operation["operationId"].as_str().unwrap().to_owned(), status.clone()))
    });
    let seen = contract.seen();
    documented.filter(|pair| !TESTED_ELSEWHERE.contains(&pair.0.as_str()) && !seen.contains(pair)).collect()
}

#[tokio::test]
async fn parameters_are_described_where_they_are_read() {
    let shop = Shop::open().await;
    let callers = Callers::of(&shop).await;
    let mut things = callers.things().await;
    let customer = things.iter().find(|(place, _)| *place == "{customer}").unwrap().1.clone();
    things.push(("{user}", customer));
    let operator = v2::platform::operator(&shop, "operator@example.org").await;
    for contract in Contract::all(&shop).await {
        assert_eq!(misdescribed(contract, (&callers.owner, &operator), &things).await, [""; 0]);
    }
}

/// Parameters that are read and not described, or the other way round.
async fn misdescribed(
    contract: &Contract,
    (owner, operator): (&Client, &Client),
    things: &[(&str, String)],
) -> Vec<String> {
    /// Any text will do.
    const FREE: [&str; 1] = ["sector"];
    let reads: Vec<(&str, BTreeSet<&str>)> = contract
        .operations()
        // Of a drawing no fields are chosen, though a choice that cannot be is refused.
        .filter(|(method, _, operation)| *method == "get" && operation["operationId"] != "draw_map")
        // A paid order's documents, and its payments, have tests of their own.
        .filter(|(_, path, _)| !["tickets.pdf", "event.ics", "{payment}"].iter().any(|end| path.ends_with(end)))
        // Only its own user sees what is open to a person alone.
        .filter(|(_, path, _)| !path.ends_with("/sessions") && !path.contains("/invitations"))
        .map(|(_, path, operation)| {
            let parameters = operation["parameters"].as_array().unwrap().iter().map(|one| contract.resolved(one));
            let in_query = parameters.filter(|parameter| parameter["in"] == "query");
            (path, in_query.map(|parameter| parameter["name"].as_str().unwrap()).collect())
        })
        .collect();
    let all: BTreeSet<&str> = reads.iter().flat_map(|(_, names)| names).copied().collect();
    let mut wrong = Vec::new();
    for (path, names) in &reads {
        let caller = if path.starts_with("/v2/platform/") { operator } else { owner };
        for name in all.iter().filter(|name| !FREE.contains(name)) {
            // A control character is a good value of none of them.
            let answer = caller.get(&format!("{}?{name}=%01", filled(path, things))).await;
            let is_read = answer.status == 400 && answer.json().to_string().contains(name);
            if is_read != names.contains(name) || (!is_read && answer.status != 200) {
                wrong.push(format!("{name} of {path}: {}", answer.status));
            }
        }
    }
    wrong
}

#[tokio::test]
async fn fields_are_required_as_described() {
    let shop = Shop::open().await;
    let contracts = Contract::all(&shop).await;
    let callers = Callers::of(&shop).await;
    let things = callers.things().await;
    let mut checked = 0;
    let operations = contracts.iter().flat_map(|contract| contract.operations().map(move |found| (contract, found)));
    for (contract, (method, path, operation)) in operations.filter(|(_, (method, ..))| *method == "post") {
        let Some(media) = operation["requestBody"]["content"].get("application/json") else { continue };
        let schema = contract.resolved(&media["schema"]);
        let required = schema["required"].as_array().into_iter().flatten();
        let mut described: BTreeSet<String> = required.map(|name| format!("$.{}", name.as_str().unwrap())).collect();
        if ["create_order", "quote_order"].contains(&operation["operationId"].as_str().unwrap()) {
            // For an event, which the tickets that it names can say in its place.
            described.insert("$.event".to_owned());
        }
        // Of oneself only: see second_factors.rs. How an order is paid need not be said of one that costs nothing: see
        // v2/payments.rs. Of a notice its signature is looked at before anything else. Of operators only: see
        // v2/platform.rs.
        if path.contains("/platform/")
            || path.contains("/users/{user}/")
            || path.contains("/payments")
            || path.contains("/stripe_notices")
        {
            continue;
        }
        let answer = callers.owner.post(&filled(path, &things), json!({})).await;
        if described.is_empty() {
            answer.ok();
            continue;
        }
        let details = answer.refused(400, "invalid_fields");
        let missing = details.as_array().unwrap().iter().filter(|detail| detail["problem"] == "is required");
        let missing: BTreeSet<String> = missing.map(|detail| detail["field"].as_str().unwrap().to_owned()).collect();
        assert_eq!(described, missing, "{method} {path}");
        checked += 1;
    }
    assert!(checked > 5);
}

#[tokio::test]
async fn what_is_not_described_is_noticed() {
    let shop = Shop::open().await;
    let contract = Contract::of(&shop).await;
    let org = shop.organizer("org@example.org").await;
    let body = json!({"name": "till"});
    let path = format!("/v1/resources/{}/api_keys", org.path());
    let answer = org.post(&path, body.clone()).await;
    let hold = |status: u16, content: &Value, sent: &Value, content_type: &str| {
        let bytes = content.to_string().into_bytes();
        let mut answer = Answer { status, headers: answer.headers.clone(), bytes, has_texts: false };
        answer.headers.insert("content-type", content_type.parse().unwrap());
        contract.hold("POST", &path, sent.to_string().as_bytes(), &answer)
    };
    let key = answer.json();
    let changed = |field: &str, value: Value| {
        let mut key = key.clone();
        key[field] = value;
        key
    };
    let mut without = key.clone();
    without.as_object_mut().unwrap().remove("partner");
    let json = "application/json; charset=UTF-8";
    assert_eq!(hold(201, &key, &body, json), Ok(()));
    for (about, held) in [
        ("an unknown field", hold(201, &changed("colour", json!("red")), &body, json)),
        ("a missing field", hold(201, &without, &body, json)),
        ("another type", hold(201, &changed("removed", json!("no")), &body, json)),
        ("another form", hold(201, &changed("id", json!("x")), &body, json)),
        ("another status", hold(200, &key, &body, json)),
        ("another type of body", hold(201, &key, &body, "text/plain")),
        ("a bad request that is granted", hold(201, &key, &json!({"name": 7}), json)),
    ] {
        assert!(held.is_err(), "{about} was not noticed");
    }
    let mut list = org.get(&path).await;
    list.headers.remove("total");
    assert!(contract.hold("GET", &path, b"", &list).is_err(), "a missing header was not noticed");
}

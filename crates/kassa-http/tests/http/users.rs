//! `/v1/resources/users`: registration, one's own data, and customers.

use kassa_domain::invitation::InviteToRegister;
use kassa_domain::{Actor, RegistrationPolicy};
use kassa_engine::metrics::Limit;
use serde_json::json;

use crate::access::{Row, open, row};
use crate::client::shape;
use crate::harness::{DAY_MS, MINUTE_MS, NOTHING, OPEN_END, PASSWORD, Shop, text};

/// What each kind of caller gets.
#[rustfmt::skip]
pub(crate) const ACCESS: &[Row] = &[
    open("POST users", r#"{"email": "new{n}@example.org", "password": "correct horse"}"#, 201),
    row("GET users", "", 401, [200, 200], [200, 200], 200),
    row("GET users/{customer}/orders", "", 401, [404, 404], [200, 200], 200),
    row("GET users/{customer}", "", 401, [404, 404], [200, 200], 200),
    row("PATCH users/{customer}", "{}", 401, [404, 404], [403, 403], 403),
    row("GET users/{customer}/invitations", "", 401, [404, 404], [404, 404], 404),
    row("PATCH users/{customer}/invitations/{partner}", r#"{"status": "accepted"}"#, 401, [404, 404], [404, 404], 404),
];

#[tokio::test]
async fn registration_answers_the_user_without_names() {
    let shop = Shop::open().await;
    let body = json!({"email": "Ann@Example.org", "password": PASSWORD, "first_name": "Ann"});
    let user = shop.anonymous().post("users", body).await.created();
    insta::assert_snapshot!(shape(&user), @r#"
    {
      "created_at": "2026-01-01T00:00:00.000000+00:00",
      "email": "ann@example.org",
      "id": "[id]",
      "partners": [],
      "tags": [],
      "updated_at": "2026-01-01T00:00:00.000000+00:00"
    }
    "#);
    let ann = shop.log_in("ann@example.org", PASSWORD).await;
    assert_eq!(ann.get(&ann.path()).await.ok()["first_name"], "Ann");
}

#[tokio::test]
async fn an_email_is_taken_whatever_its_case() {
    let shop = Shop::open().await;
    let ann = shop.user("ann@example.org").await;
    shop.confirm(&ann.id, "ann@example.org").await;
    shop.pass_ms(MINUTE_MS);
    let again = json!({"email": "ANN@example.org", "password": "another password"});
    shop.anonymous().post("users", again).await.refused(400, "email_taken");
}

#[tokio::test]
async fn emails_compare_by_idna_and_nfc() {
    let shop = Shop::open().await;
    let ann = shop.user("J\u{fc}rgen@b\u{fc}hne.example").await;
    let normal = "j\u{fc}rgen@xn--bhne-0ra.example";
    assert_eq!(ann.get(&ann.path()).await.ok()["email"], normal);
    shop.confirm(&ann.id, normal).await;
    shop.pass_ms(MINUTE_MS);
    for same in [normal, "JU\u{308}RGEN@BU\u{308}HNE.example"] {
        let again = json!({"email": same, "password": "another password"});
        shop.anonymous().post("users", again).await.refused(400, "email_taken");
        assert_eq!(shop.log_in(same, PASSWORD).await.id, ann.id);
    }
}

#[tokio::test]
async fn a_later_registration_replaces_one_that_was_not_confirmed() {
    let shop = Shop::open().await;
    let stranger = shop.user("ann@example.org").await;
    shop.pass_ms(MINUTE_MS);
    let body = json!({"email": "Ann@example.org", "password": "a password of hers", "first_name": "Ann"});
    shop.anonymous().post("users", body).await.created();
    stranger.get(&stranger.path()).await.refused(401, "credential_invalid");
    let strangers = json!({"email": "ann@example.org", "password": PASSWORD});
    shop.anonymous().post("/v1/services/whoami", strangers).await.refused(401, "credential_invalid");
    let ann = shop.log_in("ann@example.org", "a password of hers").await;
    assert_eq!(ann.get(&ann.path()).await.ok()["first_name"], "Ann");
}

#[tokio::test]
async fn nobody_stops_an_unconfirmed_manager_by_registering_its_email() {
    let shop = Shop::open().await;
    let ann = shop.user("ann@example.org").await;
    let hall = ann.partner("Harbour Hall").await;
    shop.pass_ms(MINUTE_MS);
    let thief = json!({"email": "ann@example.org", "password": "a thief's password"});
    let registered = shop.anonymous().post("users", thief.clone()).await.created();
    assert_eq!(registered["created_at"], "2026-01-01T00:01:00.000000+00:00", "nothing of the account is shown");
    shop.anonymous().post("/v1/services/whoami", thief).await.refused(401, "email_unconfirmed");
    ann.get(&ann.path()).await.ok();
    shop.log_in("ann@example.org", PASSWORD).await;
    let token = shop.confirm_token("ann@example.org").await;
    let own = json!({"token": token, "password": PASSWORD});
    assert_eq!(shop.anonymous().post("/v1/services/confirm", own).await.ok()["partners"], json!([hall]));
    ann.get(&ann.path()).await.ok();
}

#[tokio::test]
async fn the_owner_of_an_address_takes_over_what_waits_for_it() {
    let shop = Shop::open().await;
    let stranger = shop.user("ann@example.org").await;
    let hall = stranger.partner("Harbour Hall").await;
    shop.pass_ms(MINUTE_MS);
    let own = json!({"email": "ann@example.org", "password": "a password of hers"});
    shop.anonymous().post("users", own).await.created();
    let token = shop.confirm_token("ann@example.org").await;
    let confirmation = json!({"token": token, "password": "a password of hers"});
    assert_eq!(shop.anonymous().post("/v1/services/confirm", confirmation).await.ok()["partners"], json!([hall]));
    stranger.get(&stranger.path()).await.refused(401, "credential_invalid");
    shop.log_in("ann@example.org", "a password of hers").await;
}

#[tokio::test]
async fn nobody_holds_an_address_for_ever_that_is_not_its_own() {
    let shop = Shop::open().await;
    let mover = shop.user("a1@example.org").await;
    shop.confirm(&mover.id, "a1@example.org").await;
    let change = json!({"email": "victim@example.org", "current_password": PASSWORD});
    mover.patch(&mover.path(), change).await.ok();
    shop.pass_ms(MINUTE_MS);
    let squatter = shop.user("a1@example.org").await;
    let victim = shop.user("victim@example.org").await;
    assert_eq!(mover.get(&mover.path()).await.ok()["email"], "a1@example.org");
    let displaced = format!("{}@displaced.invalid", squatter.id);
    assert_eq!(squatter.get(&squatter.path()).await.ok()["email"], displaced);
    for reserved in [&displaced, &displaced.to_uppercase()] {
        let body = json!({"email": reserved, "password": PASSWORD});
        shop.anonymous().post("users", body).await.refused(400, "invalid_fields");
    }
    shop.confirm(&victim.id, "victim@example.org").await;
}

#[tokio::test]
async fn a_registration_shows_nothing_of_the_record_that_orders_know() {
    let shop = Shop::open().await;
    let org = shop.organizer("org@example.org").await;
    let event = org.event("Concert").await;
    org.order(&event, json!({"tickets": [], "customer": {"email": "ann@example.org"}})).await;
    shop.pass_ms(DAY_MS);
    let registered = json!({"email": "ann@example.org", "password": PASSWORD});
    let shown = shop.anonymous().post("users", registered).await.created();
    let now = json!("2026-01-02T00:00:00.000000+00:00");
    assert_eq!((&shown["created_at"], &shown["updated_at"]), (&now, &now));
    shop.confirm(&text(&shown["id"]), "ann@example.org").await;
    let ann = shop.log_in("ann@example.org", PASSWORD).await;
    assert_eq!(ann.get(&ann.path()).await.ok()["created_at"], now, "it is when the account was made");
}

#[tokio::test]
async fn a_registration_lapses_unless_it_is_confirmed_in_time() {
    let shop = Shop::open().await;
    let (ann, bob) = (shop.user("ann@example.org").await, shop.user("bob@example.org").await);
    shop.confirm(&bob.id, "bob@example.org").await;
    shop.pass_ms(7 * DAY_MS - 1);
    assert_eq!(shop.engine.lapse_registrations().await.unwrap(), 0);
    ann.get(&ann.path()).await.ok();
    shop.pass_ms(1);
    assert_eq!(shop.engine.lapse_registrations().await.unwrap(), 1);
    ann.get(&ann.path()).await.refused(401, "credential_invalid");
    bob.get(&bob.path()).await.ok();
    let credentials = json!({"email": "ann@example.org", "password": PASSWORD});
    shop.anonymous().post("/v1/services/whoami", credentials).await.refused(401, "credential_invalid");
}

#[tokio::test]
async fn a_user_sees_itself_with_what_it_has_bought() {
    let shop = Shop::open().await;
    let ann = shop.user("ann@example.org").await;
    insta::assert_snapshot!(shape(&ann.get(&ann.path()).await.ok()), @r#"
    {
      "created_at": "2026-01-01T00:00:00.000000+00:00",
      "crm": {
        "counters": {
          "orders": 0,
          "tickets": 0
        },
        "values": {
          "avg": "0.00",
          "sum": "0.00"
        }
      },
      "email": "ann@example.org",
      "first_name": null,
      "id": "[id]",
      "last_name": null,
      "partners": [],
      "tags": [],
      "updated_at": "2026-01-01T00:00:00.000000+00:00"
    }
    "#);
}

#[tokio::test]
async fn names_change_and_null_clears_them() {
    let shop = Shop::open().await;
    let ann = shop.user("ann@example.org").await;
    let path = ann.path();
    shop.pass_ms(1_234);
    let changed = ann.patch(&path, json!({"first_name": "Ann", "last_name": "Lee"})).await.ok();
    assert_eq!(changed["updated_at"], "2026-01-01T00:00:01.234000+00:00");
    let cleared = ann.patch(&path, json!({"last_name": null})).await.ok();
    assert_eq!((&cleared["first_name"], &cleared["last_name"]), (&json!("Ann"), &json!(null)));
    assert_eq!(ann.patch(&path, json!({})).await.ok()["first_name"], "Ann");
}

#[tokio::test]
async fn what_is_not_known_or_read_only_is_ignored() {
    let shop = Shop::open().await;
    let ann = shop.user("ann@example.org").await;
    let before = ann.get(&ann.path()).await.ok();
    let body = json!({"id": NOTHING, "created_at": "x", "crm": 1, "tags": ["x"], "partners": [NOTHING], "shoe_size": {"eu": 38}});
    ann.patch(&ann.path(), body).await.ok();
    assert_eq!(ann.get(&ann.path()).await.ok(), before);
}

#[tokio::test]
async fn email_and_password_change_with_the_current_password_only() {
    let shop = Shop::open().await;
    let ann = shop.user("ann@example.org").await;
    let path = ann.path();
    for change in [json!({"email": "new@example.org"}), json!({"password": "a new password"})] {
        ann.patch(&path, change.clone()).await.refused(400, "current_password_required");
        let mut wrong = change;
        wrong["current_password"] = json!("not this one");
        ann.patch(&path, wrong).await.refused(400, "current_password_wrong");
    }
    let change = json!({"email": "new@example.org", "password": "a new password", "current_password": PASSWORD});
    assert_eq!(ann.patch(&path, change).await.ok()["email"], "new@example.org");
    shop.log_in("new@example.org", "a new password").await;
    let old = json!({"email": "ann@example.org", "password": PASSWORD});
    shop.anonymous().post("/v1/services/whoami", old).await.refused(401, "credential_invalid");
}

#[tokio::test]
async fn an_email_does_not_change_to_one_that_is_taken() {
    let shop = Shop::open().await;
    let ann = shop.user("ann@example.org").await;
    shop.user("bob@example.org").await;
    shop.pass_ms(MINUTE_MS);
    let change = json!({"email": "bob@example.org", "current_password": PASSWORD});
    ann.patch(&ann.path(), change).await.refused(400, "email_taken");
    assert_eq!(ann.get(&ann.path()).await.ok()["email"], "ann@example.org");
}

#[tokio::test]
async fn an_email_is_changed_ten_times_an_hour() {
    let shop = Shop::open().await;
    let ann = shop.user("ann@example.org").await;
    for number in 0..11 {
        let change = json!({"email": format!("ann{number}@example.org"), "current_password": PASSWORD});
        let answer = ann.patch(&ann.path(), change).await;
        if number < 10 {
            answer.ok();
        } else {
            assert_eq!(answer.header("retry-after"), "360");
            answer.refused(429, "too_many_requests");
        }
    }
    assert_eq!(shop.engine.limit_hits().get(Limit::EmailChanges), 1);
}

#[tokio::test]
async fn an_invitation_to_register_is_used_once() {
    let shop = Shop::with_registration(RegistrationPolicy::Invite).await;
    let invite = InviteToRegister { email: "ann@example.org".parse().unwrap() };
    shop.engine.execute(&Actor::Operator, invite, |_, _| ()).await.unwrap();
    let person = json!({"email": "ann@example.org", "password": PASSWORD});
    for _ in 0..2 {
        // Nobody has confirmed it: the invited one may come second.
        shop.anonymous().post("users", person.clone()).await.created();
    }
    let record = shop.record("ann@example.org").await.id.to_string();
    shop.confirm(&record, "ann@example.org").await;
    let ann = shop.log_in("ann@example.org", PASSWORD).await;
    let change = json!({"email": "elsewhere@example.org", "current_password": PASSWORD});
    ann.patch(&ann.path(), change).await.ok();
    shop.anonymous().post("users", person).await.refused(403, "registration_by_invitation");
}

#[tokio::test]
async fn a_user_does_not_see_others() {
    let shop = Shop::open().await;
    let (ann, bob) = (shop.user("ann@example.org").await, shop.user("bob@example.org").await);
    ann.get(&bob.path()).await.refused(404, "not_found");
    ann.patch(&bob.path(), json!({"first_name": "X"})).await.refused(404, "not_found");
    ann.get(&format!("users/{NOTHING}")).await.refused(404, "not_found");
}

#[tokio::test]
async fn a_partner_sees_its_customers_and_nobody_else() {
    let shop = Shop::open().await;
    let (org, stranger) = (shop.organizer("org@example.org").await, shop.organizer("other@example.org").await);
    let bob = shop.user("bob@example.org").await;
    let event = org.event("Concert").await;
    let set = event.set(10, "33.35").await;
    let mut wanted = set.random(3);
    wanted["customer"] = json!({"email": "ann@example.org"});
    let order = org.order(&event, wanted).await;
    let customer = format!("users/{}", text(&order.now().await["customer"]["user"]));
    assert_eq!(org.get(&customer).await.ok()["crm"]["counters"], json!({"orders": 0, "tickets": 0}));
    order.becomes("done").await;
    let crm = json!({"values": {"avg": "100.05", "sum": "100.05"}, "counters": {"orders": 1, "tickets": 3}});
    assert_eq!(org.get(&customer).await.ok()["crm"], crm);
    stranger.get(&customer).await.refused(404, "not_found");
    org.get(&bob.path()).await.refused(404, "not_found");
}

#[tokio::test]
async fn the_average_rounds_half_a_cent_up() {
    let shop = Shop::open().await;
    let org = shop.organizer("org@example.org").await;
    let event = org.event("Concert").await;
    let (one, two) = (event.set(1, "0.01").await, event.set(1, "0.02").await);
    let mut customer = String::new();
    for set in [one, two] {
        let mut wanted = set.random(1);
        wanted["customer"] = json!({"email": "ann@example.org"});
        let done = org.order(&event, wanted).await.becomes("done").await;
        customer = text(&done["customer"]["user"]);
    }
    let crm = org.get(&format!("users/{customer}")).await.ok()["crm"].clone();
    assert_eq!(crm["values"], json!({"avg": "0.02", "sum": "0.03"}));
}

#[tokio::test]
async fn an_email_that_orders_know_registers_at_once_and_logs_in_once_confirmed() {
    let shop = Shop::open().await;
    let org = shop.organizer("org@example.org").await;
    let event = org.event("Concert").await;
    let mut wanted = event.set(10, "10.00").await.random(1);
    wanted["customer"] = json!({"email": "ann@example.org"});
    let order = org.order(&event, wanted).await;
    let credentials = json!({"email": "ann@example.org", "password": PASSWORD});
    let user = text(&shop.anonymous().post("users", credentials.clone()).await.created()["id"]);
    assert_eq!(order.now().await["customer"]["user"], user);
    shop.pass_ms(MINUTE_MS);
    assert_eq!(shop.anonymous().post("users", credentials.clone()).await.created()["id"], user);
    shop.anonymous().post("/v1/services/whoami", credentials).await.refused(401, "email_unconfirmed");
    shop.confirm(&user, "ann@example.org").await;
    let ann = shop.log_in("ann@example.org", PASSWORD).await;
    assert_eq!(ann.get(&order.path).await.ok()["id"], order.id);
}

#[tokio::test]
async fn orders_follow_an_email_only_once_it_is_confirmed() {
    let shop = Shop::open().await;
    let org = shop.organizer("org@example.org").await;
    let ann = shop.user("ann@example.org").await;
    let event = org.event("Concert").await;
    let mut wanted = event.set(10, "10.00").await.random(1);
    wanted["customer"] = json!({"email": "ann@example.org"});
    let order = org.order(&event, wanted).await;
    ann.get(&order.path).await.refused(404, "not_found");
    assert_eq!(ann.get("orders").await.ok(), json!([]));
    shop.confirm(&ann.id, "ann@example.org").await;
    let ann = shop.log_in("ann@example.org", PASSWORD).await;
    assert_eq!(ann.get("orders").await.ok()[0]["id"], order.id);
    ann.patch(&order.path, json!({"status": "canceled"})).await.refused(403, "forbidden");
    ann.delete(&order.path).await.refused(403, "forbidden");
    let change = json!({"email": "new@example.org", "current_password": PASSWORD});
    ann.patch(&ann.path(), change).await.ok();
    ann.get(&order.path).await.ok();
    order.patch(json!({"customer": {"email": "new@example.org"}})).await;
    ann.get(&order.path).await.refused(404, "not_found");
}

#[tokio::test]
async fn a_key_that_changes_a_user_it_does_not_see_finds_nobody() {
    let shop = Shop::open().await;
    let org = shop.organizer("org@example.org").await;
    let bob = shop.user("bob@example.org").await;
    org.patch(&bob.path(), json!({"first_name": "X"})).await.refused(404, "not_found");
    org.patch(&format!("users/{NOTHING}"), json!({"first_name": "X"})).await.refused(404, "not_found");
}

#[tokio::test]
async fn a_user_may_not_change_the_customers_it_sees() {
    let shop = Shop::open().await;
    let ann = shop.user("ann@example.org").await;
    ann.partner("Hall").await;
    let event =
        ann.post("events", json!({"title": {"text": "Concert"}, "status": "public", "lifetime": OPEN_END})).await.ok();
    let body = json!({"event": event["id"], "tickets": [], "customer": {"email": "bob@example.org"}});
    let order = ann.post("orders", body).await.created();
    let customer = format!("users/{}", text(&order["customer"]["user"]));
    ann.get(&customer).await.ok();
    ann.patch(&customer, json!({"first_name": "X"})).await.refused(403, "forbidden");
}

#[tokio::test]
async fn whatever_password_registration_takes_logs_in() {
    let shop = Shop::open().await;
    let credentials = json!({"email": "ann@example.org", "password": "tab\tin the middle"});
    let answer = shop.anonymous().post("users", credentials.clone()).await;
    if answer.status == 201 {
        shop.anonymous().post("/v1/services/whoami", credentials).await.ok();
    } else {
        answer.refused(400, "invalid_fields");
    }
}

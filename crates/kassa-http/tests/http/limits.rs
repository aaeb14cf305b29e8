//! What may not be done as often as one likes.

use kassa_engine::metrics::Limit;
use kassa_http::{HttpConfig, Rate, RateLimits};
use serde_json::{Value, json};

use crate::client::Answer;
use crate::harness::{MINUTE_MS, NOTHING, PASSWORD, Shop};

const WHOAMI: &str = "/v1/services/whoami";
const CHECK: &str = "/v2/services/promocodes/check";
const HERE: &str = "192.0.2.1";
const ELSEWHERE: &str = "192.0.2.2";

fn login(email: &str, password: &str) -> Value {
    json!({"email": email, "password": password})
}

/// It is told to wait so many seconds, and gets nothing.
#[track_caller]
fn must_wait(answer: Answer, seconds: &str) {
    assert_eq!((answer.header("retry-after"), answer.header("set-cookie")), (seconds, ""));
    answer.refused(429, "too_many_requests");
}

#[tokio::test]
async fn an_address_logs_in_thirty_times_a_minute() {
    let shop = Shop::open().await;
    shop.user("ann@example.org").await;
    let here = shop.anonymous().at_address(HERE);
    for _ in 0..30 {
        here.post(WHOAMI, login("ann@example.org", PASSWORD)).await.ok();
    }
    must_wait(here.post(WHOAMI, login("ann@example.org", PASSWORD)).await, "2");
    // Nothing of the request is looked at: that it is too much is said first.
    must_wait(here.send("POST", WHOAMI, None, b"?".to_vec()).await, "2");
    shop.anonymous().at_address(ELSEWHERE).post(WHOAMI, login("ann@example.org", PASSWORD)).await.ok();
    here.post("users", login("bob@example.org", PASSWORD)).await.created();
    here.delete(WHOAMI).await.ok();
    shop.pass_ms(2_000);
    here.post(WHOAMI, login("ann@example.org", PASSWORD)).await.ok();
    must_wait(here.post(WHOAMI, login("ann@example.org", PASSWORD)).await, "2");
}

#[tokio::test]
async fn wrong_passwords_for_an_email_are_limited_wherever_they_come_from() {
    let shop = Shop::open().await;
    shop.user("ann@example.org").await;
    shop.user("bob@example.org").await;
    let from = |host: usize| shop.anonymous().at_address(&format!("198.51.100.{host}"));
    for host in 0..10 {
        from(host).post(WHOAMI, login("Ann@example.org", "a guess")).await.refused(401, "credential_invalid");
    }
    // The right one would be a lucky guess, too.
    for password in ["a guess", PASSWORD] {
        must_wait(from(11).post(WHOAMI, login("ann@example.org", password)).await, "6");
    }
    from(11).post(WHOAMI, login("bob@example.org", PASSWORD)).await.ok();
    shop.pass_ms(6_000);
    from(11).post(WHOAMI, login("ann@example.org", PASSWORD)).await.ok();
}

#[tokio::test]
async fn who_has_a_session_does_not_guess_the_password_either() {
    let shop = Shop::open().await;
    let ann = shop.user("ann@example.org").await;
    let (path, again) = (ann.path(), shop.log_in("ann@example.org", PASSWORD).await);
    let change = |current: &str| json!({"password": "battery staple", "current_password": current});
    for _ in 0..10 {
        ann.patch(&path, change("a guess")).await.refused(400, "current_password_wrong");
    }
    for client in [&ann, &again] {
        must_wait(client.patch(&path, change(PASSWORD)).await, "6");
    }
    shop.log_in("ann@example.org", PASSWORD).await;
    shop.pass_ms(6_000);
    ann.patch(&path, change(PASSWORD)).await.ok();
}

#[tokio::test]
async fn the_limit_of_failures_does_not_tell_which_accounts_there_are() {
    let shop = Shop::open().await;
    for _ in 0..10 {
        let answer = shop.anonymous().post(WHOAMI, login("nobody@example.org", PASSWORD)).await;
        answer.refused(401, "credential_invalid");
    }
    must_wait(shop.anonymous().post(WHOAMI, login("nobody@example.org", PASSWORD)).await, "6");
}

#[tokio::test]
async fn log_ins_that_succeed_are_no_failures() {
    let shop = Shop::open().await;
    shop.user("ann@example.org").await;
    for _ in 0..20 {
        shop.anonymous().post(WHOAMI, login("ann@example.org", PASSWORD)).await.ok();
    }
}

#[tokio::test]
async fn guesses_at_the_same_time_gain_nothing() {
    let shop = Shop::open().await;
    shop.user("ann@example.org").await;
    let guess = || async { shop.anonymous().post(WHOAMI, login("ann@example.org", "a guess")).await.status };
    let tried = futures_util::future::join_all((0..40).map(|_| guess())).await;
    let verified = tried.iter().filter(|status| **status == 401).count();
    assert!(verified > 10, "each was let in before another had failed: {tried:?}");
    // What was tried beyond the ten is owed.
    shop.pass_ms(i64::try_from(verified - 10).unwrap() * 6_000);
    must_wait(shop.anonymous().post(WHOAMI, login("ann@example.org", PASSWORD)).await, "6");
    shop.pass_ms(6_000);
    shop.anonymous().post(WHOAMI, login("ann@example.org", PASSWORD)).await.ok();
}

#[tokio::test]
async fn an_address_registers_thirty_times_a_minute() {
    let shop = Shop::open().await;
    let here = shop.anonymous().at_address(HERE);
    for number in 0..30 {
        here.post("users", login(&format!("user{number}@example.org"), PASSWORD)).await.created();
    }
    must_wait(here.post("users", login("more@example.org", PASSWORD)).await, "2");
    here.get("users").await.refused(401, "credential_required");
    shop.anonymous().at_address(ELSEWHERE).post("users", login("more@example.org", PASSWORD)).await.created();
    shop.pass_ms(MINUTE_MS);
    here.post("users", login("one.more@example.org", PASSWORD)).await.created();
}

#[tokio::test]
async fn an_email_is_asked_for_its_confirmation_five_times_a_minute() {
    let shop = Shop::open().await;
    let ann = shop.user("ann@example.org").await;
    let hits = || shop.engine.limit_hits().get(Limit::Confirmations);
    let register = async |email: &str| shop.anonymous().post("users", login(email, PASSWORD)).await;
    for email in ["bob@example.org", "Bob@example.org", "bob@Example.org", "BOB@example.org", "bob@example.org"] {
        register(email).await.created();
    }
    must_wait(register("bob@example.org").await, "12");
    let moves = |email: &str| json!({"email": email, "current_password": PASSWORD});
    must_wait(ann.patch(&ann.path(), moves("bob@example.org")).await, "12");
    assert_eq!(hits(), 2);
    shop.log_in("bob@example.org", PASSWORD).await;
    for _ in 0..10 {
        // Nothing is mailed for the address that it has.
        ann.patch(&ann.path(), json!({"email": "ann@example.org"})).await.ok();
    }
    shop.pass_ms(MINUTE_MS);
    register("bob@example.org").await.created();
    for _ in 0..2 {
        ann.patch(&ann.path(), moves("eve@example.org")).await.ok();
        ann.patch(&ann.path(), moves("ann@example.org")).await.ok();
    }
    assert_eq!(hits(), 2);
}

#[tokio::test]
async fn a_partner_checks_sixty_promocodes_a_minute_however_many_keys_it_has() {
    let shop = Shop::open().await;
    let (org, other) = (shop.organizer("org@example.org").await, shop.organizer("other@example.org").await);
    let guess = json!({"event": NOTHING, "code": "GUESS"});
    for _ in 0..60 {
        org.post(CHECK, guess.clone()).await.refused(400, "event_not_found");
    }
    must_wait(org.post(CHECK, guess.clone()).await, "1");
    let wrong = shop.anonymous().with("authorization", "key None");
    wrong.post(CHECK, guess.clone()).await.refused(401, "credential_invalid");
    other.post(CHECK, guess.clone()).await.refused(400, "event_not_found");
    let second = org.post(&format!("{}/api_keys", org.path()), json!({"name": "second"})).await.created();
    let second = shop.anonymous().with_key(second["key"].as_str().unwrap());
    must_wait(second.post(CHECK, guess.clone()).await, "1");
    org.get("events").await.ok();
    assert_eq!(shop.engine.limit_hits().get(Limit::PromocodeChecks), 2);
}

#[tokio::test]
async fn users_of_a_partner_share_its_checks_of_promocodes() {
    let shop = Shop::open().await;
    let ann = shop.user("ann@example.org").await;
    let hall = ann.partner("Hall").await;
    let again = shop.log_in("ann@example.org", PASSWORD).await;
    let guess = json!({"event": NOTHING, "code": "GUESS"});
    for client in [&ann, &again].into_iter().cycle().take(60) {
        client.post(CHECK, guess.clone()).await.refused(400, "event_not_found");
    }
    must_wait(ann.post(CHECK, guess.clone()).await, "1");
    must_wait(again.post(CHECK, guess.clone()).await, "1");
    let key = ann.post(&format!("partners/{hall}/api_keys"), json!({"name": "till"})).await.created();
    let till = shop.anonymous().with_key(key["key"].as_str().unwrap());
    must_wait(till.post(CHECK, guess.clone()).await, "1");
    // Another partner of the same user has its own.
    let club = ann.partner("Club").await;
    ann.for_partner(&club).post(CHECK, guess.clone()).await.refused(400, "event_not_found");
    must_wait(ann.for_partner(&hall).post(CHECK, guess).await, "1");
}

#[tokio::test]
async fn the_requests_of_keys_are_limited_where_the_operator_says_so() {
    let rates = RateLimits { key_requests: Rate::per_minute(3), ..RateLimits::default() };
    let shop = Shop::with(HttpConfig { rate_limits: rates, ..HttpConfig::default() }).await;
    let org = shop.organizer("org@example.org").await;
    for _ in 0..3 {
        org.get("events").await.ok();
    }
    for path in ["events", "/v2/resources/orders", "nowhere"] {
        let answer = org.get(path).await;
        assert_eq!(answer.header("x-partner"), org.id);
        must_wait(answer, "20");
    }
    shop.organizer("other@example.org").await.get("events").await.ok();
    shop.anonymous().get("events").await.ok();
    shop.pass_ms(20_000);
    org.get("events").await.ok();
}

#[tokio::test]
async fn behind_proxies_a_client_is_whom_they_name() {
    let rates = RateLimits { log_ins: Rate::per_minute(1), ..RateLimits::default() };
    let shop = Shop::with(HttpConfig { rate_limits: rates, trusted_proxies: 1, ..HttpConfig::default() }).await;
    shop.user("ann@example.org").await;
    let through = |forwarded: &str| shop.anonymous().at_address("10.0.0.1").with("x-forwarded-for", forwarded);
    through(HERE).post(WHOAMI, login("ann@example.org", PASSWORD)).await.ok();
    through(ELSEWHERE).post(WHOAMI, login("ann@example.org", PASSWORD)).await.ok();
    let forged = through(&format!("203.0.113.77, {HERE}"));
    must_wait(forged.post(WHOAMI, login("ann@example.org", PASSWORD)).await, "60");
}

#[tokio::test]
async fn without_proxies_nobody_chooses_an_address() {
    let rates = RateLimits { log_ins: Rate::per_minute(1), ..RateLimits::default() };
    let shop = Shop::with(HttpConfig { rate_limits: rates, ..HttpConfig::default() }).await;
    shop.user("ann@example.org").await;
    let here = shop.anonymous().at_address(HERE);
    here.post(WHOAMI, login("ann@example.org", PASSWORD)).await.ok();
    let forged = here.with("x-forwarded-for", ELSEWHERE);
    must_wait(forged.post(WHOAMI, login("ann@example.org", PASSWORD)).await, "60");
}

#[tokio::test]
async fn without_limits_nothing_is_too_often() {
    let shop = Shop::with(HttpConfig { rate_limits: RateLimits::OFF, ..HttpConfig::default() }).await;
    let here = shop.anonymous().at_address(HERE);
    for _ in 0..40 {
        here.post(WHOAMI, login("nobody@example.org", PASSWORD)).await.refused(401, "credential_invalid");
    }
}

//! `/v1/resources/users/{user}/second_factor`, and log-ins with it.

use serde_json::{Value, json};
use totp_rs::{Builder, Secret, Totp};

use crate::access::{Row, row};
use crate::harness::{PASSWORD, Shop, User, text};

/// What each kind of caller gets. What a user does to itself has tests of its own.
#[rustfmt::skip]
pub(crate) const ACCESS: &[Row] = &[
    row("POST users/{customer}/second_factor", r#"{"current_password": "correct horse"}"#, 401, [403, 403], [403, 403], 403),
    row("POST users/{customer}/second_factor/confirm", r#"{"code": "000000"}"#, 401, [403, 403], [403, 403], 403),
    row("DELETE users/{customer}/second_factor", r#"{"current_password": "correct horse", "code": "000000"}"#, 401, [403, 403], [403, 403], 403),
];

const WHOAMI: &str = "/v1/services/whoami";
const STEP_MS: i64 = 30_000;
const MINUTE_MS: i64 = 60_000;

/// An app that computes codes.
struct App(Totp);

impl App {
    fn with_secret(secret: &str) -> Self {
        Self(Builder::new().with_secret(Secret::try_from_base32(secret).unwrap()).build().unwrap())
    }

    /// The code of the step that is so many after the present one.
    fn code(&self, shop: &Shop, steps: i64) -> String {
        let at_ms = shop.engine.now().ms() + steps * STEP_MS;
        self.0.generate(u64::try_from(at_ms / 1_000).unwrap()).to_string()
    }
}

impl User {
    fn factor(&self) -> String {
        format!("{}/second_factor", self.path())
    }

    /// Sets a second factor up: the app, and the recovery codes.
    async fn enrol(&self, shop: &Shop) -> (App, Vec<String>) {
        let begun = self.post(&self.factor(), json!({"current_password": PASSWORD})).await.created();
        let app = App::with_secret(begun["secret"].as_str().unwrap());
        let code = app.code(shop, 0);
        let codes = self.post(&format!("{}/confirm", self.factor()), json!({"code": code})).await.ok();
        (app, codes["recovery_codes"].as_array().unwrap().iter().map(text).collect())
    }
}

fn log_in_with(code: &str) -> Value {
    json!({"email": "ann@example.org", "password": PASSWORD, "code": code})
}

#[tokio::test]
async fn a_second_factor_is_set_up_with_the_password_and_a_first_code() {
    let shop = Shop::open().await;
    let ann = shop.user("ann@example.org").await;
    let other = shop.log_in("ann@example.org", PASSWORD).await;
    let confirm = format!("{}/confirm", ann.factor());
    ann.post(&confirm, json!({"code": "000000"})).await.refused(404, "not_found");
    ann.post(&ann.factor(), json!({})).await.refused(400, "current_password_required");
    let wrong = json!({"current_password": "not this one"});
    ann.post(&ann.factor(), wrong).await.refused(400, "current_password_wrong");
    let begun = ann.post(&ann.factor(), json!({"current_password": PASSWORD})).await.created();
    let secret = text(&begun["secret"]);
    assert_eq!(text(&begun["url"]), format!("otpauth://totp/Kassa:ann%40example.org?secret={secret}&issuer=Kassa"));
    let app = App::with_secret(&secret);
    for code in [app.code(&shop, 2), app.code(&shop, -2), String::new(), "12345".to_owned()] {
        ann.post(&confirm, json!({"code": code})).await.refused(400, "second_factor_code_wrong");
    }
    shop.log_in("ann@example.org", PASSWORD).await;
    let codes = ann.post(&confirm, json!({"code": app.code(&shop, 0)})).await.ok();
    let codes: Vec<String> = codes["recovery_codes"].as_array().unwrap().iter().map(text).collect();
    assert_eq!(codes.len(), 10);
    ann.get(WHOAMI).await.ok();
    other.get(WHOAMI).await.refused(401, "credential_invalid");
    ann.post(&ann.factor(), json!({"current_password": PASSWORD})).await.refused(400, "second_factor_active");
    let stored = serde_json::to_string(&shop.record("ann@example.org").await.second_factor).unwrap();
    assert!(!stored.contains(&secret) && codes.iter().all(|code| !stored.contains(&code.replace('-', ""))), "{stored}");
}

#[tokio::test]
async fn a_log_in_takes_a_code_once_within_one_step() {
    let shop = Shop::open().await;
    let (app, recovery) = shop.user("ann@example.org").await.enrol(&shop).await;
    let credentials = json!({"email": "ann@example.org", "password": PASSWORD});
    let without = shop.anonymous().post(WHOAMI, credentials.clone()).await;
    assert_eq!(without.header("set-cookie"), "");
    without.refused(401, "second_factor_required");
    let wrong_password = json!({"email": "ann@example.org", "password": "x", "code": app.code(&shop, 1)});
    shop.anonymous().post(WHOAMI, wrong_password).await.refused(401, "credential_invalid");
    let log_in = async |code: &str| shop.anonymous().post(WHOAMI, log_in_with(code)).await;
    log_in(&app.code(&shop, 0)).await.refused(401, "credential_invalid");
    shop.pass_ms(2 * STEP_MS);
    let code = app.code(&shop, -1);
    log_in(&format!(" {} {} ", &code[..3], &code[3..])).await.ok();
    log_in(&code).await.refused(401, "credential_invalid");
    log_in(&app.code(&shop, 1)).await.ok();
    log_in(&app.code(&shop, 0)).await.refused(401, "credential_invalid");
    shop.pass_ms(60_000);
    log_in(&app.code(&shop, 2)).await.refused(401, "credential_invalid");
    log_in(&recovery[3].to_uppercase().replace('-', " ")).await.ok();
    log_in(&recovery[3]).await.refused(401, "credential_invalid");
    log_in(&recovery[4]).await.ok();
}

#[tokio::test]
async fn wrong_codes_of_a_user_are_few_in_an_hour_wherever_they_are_tried() {
    let shop = Shop::open().await;
    let ann = shop.user("ann@example.org").await;
    let (app, recovery) = ann.enrol(&shop).await;
    let wrong = json!({"current_password": PASSWORD, "code": "0000-0000"});
    for _ in 0..5 {
        shop.anonymous().post(WHOAMI, log_in_with("0000-0000")).await.refused(401, "credential_invalid");
        ann.delete_with(&ann.factor(), wrong.clone()).await.refused(400, "second_factor_code_wrong");
    }
    // Wrong passwords would be let in again.
    shop.pass_ms(MINUTE_MS);
    for code in [&app.code(&shop, 0), &recovery[0]] {
        let refused = shop.anonymous().post(WHOAMI, log_in_with(code)).await;
        assert_eq!(refused.header("retry-after"), "300");
        refused.refused(429, "too_many_requests");
    }
    ann.delete_with(&ann.factor(), wrong).await.refused(429, "too_many_requests");
    shop.pass_ms(5 * MINUTE_MS);
    shop.anonymous().post(WHOAMI, log_in_with(&app.code(&shop, 0))).await.ok();
}

#[tokio::test]
async fn wrong_codes_of_a_user_are_few_in_a_day() {
    let shop = Shop::open().await;
    shop.user("ann@example.org").await.enrol(&shop).await;
    let mut tried = Vec::new();
    for _ in 0..24 {
        let mut of_hour = 0;
        while shop.anonymous().post(WHOAMI, log_in_with("0000-0000")).await.status == 401 {
            of_hour += 1;
        }
        tried.push(of_hour);
        shop.pass_ms(60 * MINUTE_MS);
    }
    assert_eq!(tried[..3], [10, 10, 10]);
    // A day's number at first, and then as many as a day makes up for.
    assert!((30..=60).contains(&tried.iter().sum::<u32>()), "{tried:?}");
    assert!(tried[4..].iter().all(|of_hour| *of_hour <= 2), "{tried:?}");
}

#[tokio::test]
async fn wrong_codes_count_as_wrong_passwords_too_but_not_the_other_way_round() {
    let shop = Shop::open().await;
    let ann = shop.user("ann@example.org").await;
    let (app, _) = ann.enrol(&shop).await;
    let wrong_password = json!({"email": "ann@example.org", "password": "x", "code": "000000"});
    for _ in 0..10 {
        shop.anonymous().post(WHOAMI, wrong_password.clone()).await.refused(401, "credential_invalid");
    }
    shop.anonymous().post(WHOAMI, wrong_password).await.refused(429, "too_many_requests");
    shop.pass_ms(MINUTE_MS);
    for _ in 0..9 {
        shop.anonymous().post(WHOAMI, log_in_with("0000-0000")).await.refused(401, "credential_invalid");
    }
    let forgotten = json!({"email": "ann@example.org", "password": "x"});
    shop.anonymous().post(WHOAMI, forgotten.clone()).await.refused(401, "credential_invalid");
    shop.anonymous().post(WHOAMI, forgotten).await.refused(429, "too_many_requests");
    shop.pass_ms(MINUTE_MS);
    shop.anonymous().post(WHOAMI, log_in_with(&app.code(&shop, 0))).await.ok();
}

#[tokio::test]
async fn a_second_factor_goes_with_password_and_code_or_by_the_operator() {
    let shop = Shop::open().await;
    let ann = shop.user("ann@example.org").await;
    let (app, recovery) = ann.enrol(&shop).await;
    let code = app.code(&shop, 1);
    ann.delete_with(&ann.factor(), json!({"code": code})).await.refused(400, "current_password_required");
    let no_code = json!({"current_password": PASSWORD});
    ann.delete_with(&ann.factor(), no_code.clone()).await.refused(400, "second_factor_code_wrong");
    ann.delete_with(&ann.factor(), json!({"current_password": PASSWORD, "code": code})).await.ok();
    ann.delete_with(&ann.factor(), no_code).await.refused(404, "not_found");
    shop.log_in("ann@example.org", PASSWORD).await;
    let lost = json!({"current_password": PASSWORD, "code": recovery[0]});
    ann.enrol(&shop).await;
    ann.delete_with(&ann.factor(), lost).await.refused(400, "second_factor_code_wrong");
    shop.engine.take_second_factor_away(ann.id.parse().unwrap()).await.unwrap();
    shop.log_in("ann@example.org", PASSWORD).await;
}

#[tokio::test]
async fn a_reset_by_mail_does_not_replace_the_second_factor() {
    let shop = Shop::open().await;
    let ann = shop.user("ann@example.org").await;
    shop.confirm(&ann.id, "ann@example.org").await;
    ann.enrol(&shop).await;
    let token = shop.engine.password_reset_token(&shop.record("ann@example.org").await);
    let reset = json!({"token": token, "password": PASSWORD});
    shop.anonymous().post("/v1/services/password_reset/confirm", reset).await.ok();
    let credentials = json!({"email": "ann@example.org", "password": PASSWORD});
    shop.anonymous().post(WHOAMI, credentials).await.refused(401, "second_factor_required");
}

#[tokio::test]
async fn a_partner_that_demands_a_second_factor_lets_nobody_act_without_one() {
    let shop = Shop::open().await;
    let (ann, bob) = (shop.user("ann@example.org").await, shop.user("bob@example.org").await);
    let hall = ann.partner("Harbour Hall").await;
    let partner = format!("partners/{hall}");
    shop.manage(&hall, &[&ann.id, &bob.id]).await;
    let demand = json!({"require_second_factor": true});
    assert_eq!(ann.get(&partner).await.ok()["require_second_factor"], false);
    ann.patch(&partner, demand.clone()).await.refused(403, "forbidden");
    let key = text(&ann.post(&format!("{partner}/api_keys"), json!({"name": "till"})).await.created()["key"]);
    let till = shop.anonymous().with_key(&key);
    till.patch(&partner, demand.clone()).await.refused(403, "forbidden");
    ann.enrol(&shop).await;
    assert_eq!(ann.patch(&partner, demand).await.ok()["require_second_factor"], true);
    let told = "partner_requires_second_factor";
    bob.patch(&partner, json!({"name": "Mine"})).await.refused(403, told);
    bob.post("events", json!({"title": "Concert"})).await.refused(403, told);
    bob.post(&format!("{partner}/api_keys"), json!({"name": "mine"})).await.refused(403, told);
    bob.for_partner(&hall).get("orders").await.refused(403, told);
    assert_eq!(bob.get("orders").await.ok(), json!([]));
    bob.get(WHOAMI).await.ok();
    ann.post("events", json!({"title": "Concert"})).await.ok();
    till.post("events", json!({"title": "Concert"})).await.ok();
    till.patch(&partner, json!({"require_second_factor": false})).await.refused(403, "forbidden");
    bob.enrol(&shop).await;
    bob.post("events", json!({"title": "Concert"})).await.ok();
}

//! `POST /v1/services/confirm`.

use kassa_domain::user::User;
use kassa_domain::{ReadSet, hex};
use serde_json::json;

use crate::access::{Row, row};
use crate::client::Answer;
use crate::harness::{DAY_MS, MINUTE_MS, PASSWORD, Shop, text};

/// What each kind of caller gets.
#[rustfmt::skip]
pub(crate) const ACCESS: &[Row] = &[
    row("POST /v1/services/confirm", r#"{"token": "{token}", "password": "correct horse"}"#, 200, [200, 200], [200, 200], 200),
    row("POST /v1/services/confirm", r#"{"token": "00", "password": "correct horse"}"#, 400, [400, 400], [400, 400], 400),
];

const CONFIRM: &str = "/v1/services/confirm";

impl Shop {
    pub(crate) async fn record(&self, email: &str) -> User {
        let read_set = ReadSet { users_by_email: vec![email.parse().unwrap()], ..ReadSet::default() };
        self.engine.view(&read_set).await.unwrap().user_by_email(&email.parse().unwrap()).unwrap().clone()
    }

    /// The token that would go by mail.
    pub(crate) async fn confirm_token(&self, email: &str) -> String {
        self.engine.confirmation_token(&self.record(email).await)
    }

    async fn confirms(&self, token: &str) -> Answer {
        self.anonymous().post("/v1/services/confirm", json!({"token": token, "password": PASSWORD})).await
    }
}

#[tokio::test]
async fn a_token_confirms_the_email_at_once() {
    let shop = Shop::open().await;
    let org = shop.organizer("org@example.org").await;
    let event = org.event("Concert").await;
    let body = json!({"tickets": [], "customer": {"email": "ann@example.org"}});
    let order = org.order(&event, body).await;
    let credentials = json!({"email": "ann@example.org", "password": PASSWORD});
    let id = text(&shop.anonymous().post("users", credentials.clone()).await.created()["id"]);
    shop.anonymous().post("/v1/services/whoami", credentials).await.refused(401, "email_unconfirmed");
    let token = shop.confirm_token("ann@example.org").await;
    let user = shop.confirms(&token).await.ok();
    assert_eq!((text(&user["id"]), text(&user["email"])), (id, "ann@example.org".to_owned()));
    let ann = shop.log_in("ann@example.org", PASSWORD).await;
    assert_eq!(ann.get("/v1/services/whoami").await.ok(), user);
    assert_eq!(ann.get(&order.path).await.ok()["id"], order.id);
    assert_eq!(shop.confirms(&token).await.ok(), user, "again: nothing changes");
}

#[tokio::test]
async fn the_answer_names_the_partners_of_the_user() {
    let shop = Shop::open().await;
    let ann = shop.user("ann@example.org").await;
    let partner = ann.partner("Harbour Hall").await;
    let token = shop.confirm_token("ann@example.org").await;
    assert_eq!(shop.confirms(&token).await.ok()["partners"], json!([partner]));
}

#[tokio::test]
async fn a_session_that_is_open_sees_its_orders_once_the_email_is_confirmed() {
    let shop = Shop::open().await;
    let org = shop.organizer("org@example.org").await;
    let ann = shop.user("ann@example.org").await;
    let event = org.event("Concert").await;
    let order = org.order(&event, json!({"tickets": [], "customer": {"email": "ann@example.org"}})).await;
    ann.get(&order.path).await.refused(404, "not_found");
    let token = shop.confirm_token("ann@example.org").await;
    let stale = shop.anonymous().with("authorization", "key None");
    stale
        .post("/v1/services/confirm", json!({"token": token, "password": PASSWORD}))
        .await
        .refused(401, "credential_invalid");
    shop.anonymous()
        .post("/v1/services/confirm?fields-schema=email", json!({"token": token, "password": PASSWORD}))
        .await
        .ok();
    ann.get(&order.path).await.ok();
}

#[tokio::test]
async fn a_token_lasts_seven_days() {
    let shop = Shop::open().await;
    shop.user("ann@example.org").await;
    let token = shop.confirm_token("ann@example.org").await;
    shop.pass_ms(7 * DAY_MS - 1);
    shop.confirms(&token).await.ok();
    shop.pass_ms(1);
    shop.confirms(&token).await.refused(400, "token_invalid");
}

#[tokio::test]
async fn a_token_is_good_for_its_address_and_server_only() {
    let shop = Shop::open().await;
    let ann = shop.user("ann@example.org").await;
    let old = shop.confirm_token("ann@example.org").await;
    let change = json!({"email": "new@example.org", "current_password": PASSWORD});
    ann.patch(&ann.path(), change).await.ok();
    shop.confirms(&old).await.refused(400, "token_invalid");
    let good = shop.confirm_token("new@example.org").await;
    let mut other = good.clone().into_bytes();
    let last = other.len() - 1;
    other[last] = if other[last] == b'0' { b'1' } else { b'0' };
    let other = String::from_utf8(other).unwrap();
    let sealed_for_else = shop.engine.secret().seal(b"x", "api key", [0; 24]).unwrap();
    let sealed_for_else = hex::encode(&sealed_for_else);
    for bad in ["", "0", "zz", "жж", &good[1..], &good[2..], &other, &sealed_for_else] {
        shop.confirms(bad).await.refused(400, "token_invalid");
    }
    assert!(!shop.record("new@example.org").await.is_email_confirmed());
    let org = shop.organizer("org@example.org").await;
    let event = org.event("Concert").await;
    org.order(&event, json!({"tickets": [], "customer": {"email": "customer@example.org"}})).await;
    let no_account = shop.confirm_token("customer@example.org").await;
    shop.confirms(&no_account).await.refused(400, "token_invalid");
    shop.anonymous().post(CONFIRM, json!({})).await.refused(400, "invalid_fields");
    shop.anonymous().post("/v1/services/confirm", json!({"token": 1})).await.refused(400, "invalid_fields");
}

#[tokio::test]
async fn a_token_alone_opens_nobodys_password() {
    let shop = Shop::open().await;
    let stranger = shop.user("ann@example.org").await;
    let token = shop.confirm_token("ann@example.org").await;
    for alone in [json!({"token": token}), json!({"token": token, "password": null, "new_password": null})] {
        let answer = shop.anonymous().post(CONFIRM, alone).await;
        assert_eq!(answer.error()["details"][0]["field"], "$.password");
        answer.refused(400, "invalid_fields");
    }
    let both = json!({"token": token, "password": PASSWORD, "new_password": "a password of hers"});
    shop.anonymous().post(CONFIRM, both).await.refused(400, "invalid_fields");
    let short = json!({"token": token, "new_password": "short"});
    shop.anonymous().post(CONFIRM, short).await.refused(400, "invalid_fields");
    let wrong = json!({"token": token, "password": "not this one"});
    shop.anonymous().post(CONFIRM, wrong).await.refused(400, "current_password_wrong");
    assert!(!shop.record("ann@example.org").await.is_email_confirmed());
    let own = json!({"token": token, "new_password": "a password of hers"});
    let answer = shop.anonymous().post(CONFIRM, own.clone()).await;
    assert_eq!(answer.header("set-cookie"), "", "a mailed link logs nobody in");
    answer.ok();
    stranger.get("/v1/services/whoami").await.refused(401, "credential_invalid");
    let strangers = json!({"email": "ann@example.org", "password": PASSWORD});
    shop.anonymous().post("/v1/services/whoami", strangers).await.refused(401, "credential_invalid");
    shop.log_in("ann@example.org", "a password of hers").await;
    shop.anonymous().post(CONFIRM, own).await.refused(400, "current_password_required");
    let later = shop.confirm_token("ann@example.org").await;
    let theft = json!({"token": later, "new_password": "a third password"});
    shop.anonymous().post(CONFIRM, theft).await.refused(400, "current_password_required");
}

#[tokio::test]
async fn who_registers_an_address_once_more_voids_nobodys_token() {
    let shop = Shop::open().await;
    shop.user("ann@example.org").await;
    let token = shop.confirm_token("ann@example.org").await;
    shop.pass_ms(MINUTE_MS);
    let stranger = json!({"email": "ann@example.org", "password": "a stranger's password"});
    shop.anonymous().post("users", stranger).await.created();
    shop.confirms(&token).await.refused(400, "current_password_wrong");
    let own = json!({"token": token, "new_password": PASSWORD});
    shop.anonymous().post(CONFIRM, own).await.ok();
    shop.log_in("ann@example.org", PASSWORD).await;
}

#[tokio::test]
async fn the_passwords_of_a_confirmation_are_counted() {
    let shop = Shop::open().await;
    shop.user("ann@example.org").await;
    let token = shop.confirm_token("ann@example.org").await;
    let wrong = json!({"token": token, "password": "not this one"});
    for _ in 0..10 {
        shop.anonymous().post(CONFIRM, wrong.clone()).await.refused(400, "current_password_wrong");
    }
    shop.anonymous().post(CONFIRM, wrong).await.refused(429, "too_many_requests");
}

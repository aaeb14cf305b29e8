//! `/v1/services/password_reset`: a new password by mail.

use kassa_domain::ReadSet;
use kassa_domain::mail::MailContent;
use kassa_http::{HttpConfig, Rate, RateLimits};
use kassa_store::PageWindow;
use kassa_store::queries::UnsentMailsFilter;
use serde_json::json;

use crate::access::{Row, checked};
use crate::harness::{PASSWORD, Shop};

/// What each kind of caller gets.
#[rustfmt::skip]
pub(crate) const ACCESS: &[Row] = &[
    checked("POST /v1/services/password_reset", r#"{"email": "reset{n}@example.org"}"#, 200),
    checked("POST /v1/services/password_reset/confirm", r#"{"token": "00", "password": "correct horse"}"#, 400),
];

const RESET: &str = "/v1/services/password_reset";
const CONFIRM: &str = "/v1/services/password_reset/confirm";
const HOUR_MS: i64 = 60 * 60 * 1_000;

impl Shop {
    /// The token that would go by mail.
    async fn reset_token(&self, email: &str) -> String {
        self.engine.password_reset_token(&self.record(email).await)
    }

    async fn resets_to(&self) -> Vec<String> {
        let mails = self.engine.page(UnsentMailsFilter, PageWindow::first(100)).await.unwrap().rows;
        let resets = mails.iter().filter(|mail| mail.content == MailContent::ResetPassword);
        resets.map(|mail| mail.to.to_string()).collect()
    }
}

#[tokio::test]
async fn known_and_unknown_addresses_get_the_same_answer_and_the_same_is_done() {
    let shop = Shop::open().await;
    shop.user("ann@example.org").await;
    let mut written = Vec::new();
    for email in ["ann@example.org", "nobody@example.org"] {
        let before = shop.engine.view(&ReadSet { nodes: (0..8).collect(), ..ReadSet::default() }).await.unwrap();
        let answer = shop.anonymous().post(RESET, json!({"email": email})).await;
        assert_eq!(answer.header("set-cookie"), "");
        assert_eq!(answer.ok(), json!({}));
        let after = shop.engine.view(&ReadSet { nodes: (0..8).collect(), ..ReadSet::default() }).await.unwrap();
        let writes = |view: &kassa_domain::View| (0..8).filter_map(|node| view.nodes.version(node)).sum::<i64>();
        written.push(writes(&after) - writes(&before));
    }
    assert_eq!(written, [1, 1], "one transaction each");
    assert_eq!(shop.resets_to().await, ["nobody@example.org", "ann@example.org"]);
    shop.anonymous().post(RESET, json!({"email": "no address"})).await.refused(400, "invalid_fields");
    shop.anonymous().post(RESET, json!({})).await.refused(400, "invalid_fields");
}

#[tokio::test]
async fn a_credential_that_is_not_good_resets_nothing() {
    let shop = Shop::open().await;
    shop.user("ann@example.org").await;
    let wrong = shop.anonymous().with("authorization", "key None");
    wrong.post(RESET, json!({"email": "ann@example.org"})).await.refused(401, "credential_invalid");
    let new = json!({"token": shop.reset_token("ann@example.org").await, "password": "battery staple"});
    wrong.post(CONFIRM, new).await.refused(401, "credential_invalid");
    assert!(shop.resets_to().await.is_empty());
    shop.log_in("ann@example.org", PASSWORD).await;
}

#[tokio::test]
async fn a_reset_sets_the_password_once_and_ends_all_sessions() {
    let shop = Shop::open().await;
    let ann = shop.user("ann@example.org").await;
    let token = shop.reset_token("ann@example.org").await;
    let short = json!({"token": token, "password": "short"});
    shop.anonymous().post(CONFIRM, short).await.refused(400, "invalid_fields");
    ann.get(&ann.path()).await.ok();
    let new = json!({"token": token, "password": "battery staple"});
    let answer = shop.anonymous().post(CONFIRM, new.clone()).await;
    assert_eq!(answer.header("set-cookie"), "", "it logs nobody in");
    assert_eq!(answer.ok()["id"], ann.id);
    ann.get(&ann.path()).await.refused(401, "credential_invalid");
    assert!(shop.record("ann@example.org").await.is_email_confirmed());
    shop.log_in("ann@example.org", "battery staple").await;
    let old = json!({"email": "ann@example.org", "password": PASSWORD});
    shop.anonymous().post("/v1/services/whoami", old).await.refused(401, "credential_invalid");
    shop.anonymous().post(CONFIRM, new).await.refused(400, "token_invalid");
}

#[tokio::test]
async fn a_token_lasts_an_hour_and_does_nothing_else() {
    let shop = Shop::open().await;
    shop.user("ann@example.org").await;
    let token = shop.reset_token("ann@example.org").await;
    let confirm = json!({"token": token, "password": PASSWORD});
    shop.anonymous().post("/v1/services/confirm", confirm).await.refused(400, "token_invalid");
    let other = json!({"token": shop.confirm_token("ann@example.org").await, "password": "battery staple"});
    shop.anonymous().post(CONFIRM, other).await.refused(400, "token_invalid");
    let new = json!({"token": token, "password": "battery staple"});
    shop.pass_ms(HOUR_MS);
    shop.anonymous().post(CONFIRM, new).await.refused(400, "token_invalid");
    let token = shop.reset_token("ann@example.org").await;
    shop.pass_ms(HOUR_MS - 1);
    shop.anonymous().post(CONFIRM, json!({"token": token, "password": "battery staple"})).await.ok();
}

#[tokio::test]
async fn an_address_gets_few_mails_whether_it_is_known_or_not() {
    let rate_limits = RateLimits { password_resets: Rate::OFF, ..RateLimits::default() };
    let shop = Shop::with(HttpConfig { rate_limits, ..HttpConfig::default() }).await;
    shop.user("ann@example.org").await;
    for email in ["ann@example.org", "nobody@example.org"] {
        shop.anonymous().post(RESET, json!({"email": email})).await.ok();
        let again = json!({"email": email.to_uppercase()});
        shop.anonymous().post(RESET, again.clone()).await.refused(429, "too_many_requests");
        shop.pass_ms(60_000);
        shop.anonymous().post(RESET, again).await.ok();
    }
}

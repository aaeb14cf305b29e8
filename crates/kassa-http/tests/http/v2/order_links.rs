//! `POST /v2/services/order_links`.

use kassa_domain::mail::MailContent;
use kassa_http::{HttpConfig, Rate, RateLimits};
use kassa_store::PageWindow;
use kassa_store::queries::UnsentMailsFilter;
use serde_json::json;

use crate::access::{Row, checked};
use crate::harness::Shop;

/// What each kind of caller gets.
#[rustfmt::skip]
pub(crate) const ACCESS: &[Row] = &[
    checked("POST /v2/services/order_links", r#"{"email": "lost{n}@example.org"}"#, 200),
];

const LINKS: &str = "/v2/services/order_links";

#[tokio::test]
async fn known_and_unknown_addresses_get_the_same_answer() {
    let shop = Shop::open().await;
    shop.user("ann@example.org").await;
    for email in ["ann@example.org", "nobody@example.org"] {
        assert_eq!(shop.anonymous().post(LINKS, json!({"email": email, "lang": "ru"})).await.ok(), json!({}));
    }
    let mails = shop.engine.page(UnsentMailsFilter, PageWindow::first(100)).await.unwrap().rows;
    let links = mails.iter().filter(|mail| mail.content == MailContent::OrderLinks);
    let to: Vec<_> = links.map(|mail| (mail.to.to_string(), mail.lang.clone())).collect();
    let ru = Some("ru".to_owned());
    assert_eq!(to, [("nobody@example.org".to_owned(), ru.clone()), ("ann@example.org".to_owned(), ru)]);
    for bad in [json!({}), json!({"email": "no address"}), json!({"email": "ann@example.org", "lang": "a long one"})] {
        shop.anonymous().post(LINKS, bad).await.refused(400, "invalid_fields");
    }
}

#[tokio::test]
async fn an_address_gets_few_mails_and_a_network_asks_for_few() {
    let rate_limits = RateLimits { order_links_of_email: Rate::per_hour(1), ..RateLimits::default() };
    let shop = Shop::with(HttpConfig { rate_limits, ..HttpConfig::default() }).await;
    shop.anonymous().post(LINKS, json!({"email": "ann@example.org"})).await.ok();
    shop.anonymous().post(LINKS, json!({"email": "Ann@example.org"})).await.refused(429, "too_many_requests");
    let near = shop.anonymous().at_address("192.0.2.1");
    for number in 0..10 {
        near.post(LINKS, json!({"email": format!("lost{number}@example.org")})).await.ok();
    }
    near.post(LINKS, json!({"email": "more@example.org"})).await.refused(429, "too_many_requests");
}

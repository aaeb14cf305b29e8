//! `POST /v2/resources/orders/export`.

use std::sync::Arc;

use kassa_domain::mail::{Mail, MailContent};
use kassa_domain::order::{ExportFilter, OrderStatusKind};
use kassa_engine::mail::{MailLimits, MailRates, MailSettings, Mailer, MemoryMailer};
use kassa_store::PageWindow;
use kassa_store::queries::UnsentMailsFilter;
use serde_json::{Value, json};

use super::given;
use crate::access::{Row, row};
use crate::harness::{NOTHING, Org, Shop, text};

/// What each kind of caller gets.
#[rustfmt::skip]
pub(crate) const ACCESS: &[Row] = &[
    row("POST /v2/resources/orders/export", r#"{"email": "own@example.org"}"#, 401, [400, 400], [200, 200], 400),
];

const EXPORT: &str = "/v2/resources/orders/export";

/// The lists that are to be mailed, in the order in which they were asked for.
async fn mails(shop: &Shop) -> Vec<Mail> {
    let mut mails = shop.engine.page(UnsentMailsFilter, PageWindow::first(100)).await.unwrap().rows;
    mails.retain(|mail| matches!(mail.content, MailContent::Export(_)));
    mails.reverse();
    mails
}

/// The e-mail of the partner's manager, which is confirmed now.
async fn office_of(shop: &Shop, org: &Org) -> &'static str {
    let email = "org@example.org";
    let partner = org.get(&org.path()).await.ok();
    shop.confirm(&text(&partner["users"][0]), email).await;
    email
}

pub(crate) async fn a_list_of_orders_is_mailed(shop: Shop) {
    let (org, event, set) = given(&shop).await;
    let office = office_of(&shop, &org).await;
    org.order_v2(&event, set.random(2)).await;
    let answer = org.post(EXPORT, json!({"email": office})).await;
    assert_eq!(
        (answer.status, answer.bytes.len(), answer.header("content-type")),
        (200, 0, "text/html; charset=UTF-8")
    );
    let mailer = MemoryMailer::default();
    let post = MailSettings {
        mailer: Mailer::Memory(mailer.clone()),
        sender: "tickets@example.org".parse().unwrap(),
        currency: None,
        public_url: None,
        confirm_page: None,
        reset_page: None,
        limits: Arc::new(MailLimits::new(MailRates::default())),
    };
    shop.engine.send_due_mails(&post).await.unwrap();
    let messages = mailer.take_sent();
    let texts = messages.iter().map(|message| String::from_utf8(message.bytes.clone()).unwrap());
    let lists: Vec<String> = texts.filter(|text| text.contains("To: org@example.org\r\n")).collect();
    let [list] = &lists[..] else { panic!("one list is sent: {lists:?}") };
    for part in ["orders.csv", "text/csv; charset=utf-8", "Orders: 1\r\n"] {
        assert!(list.contains(part), "{part} is not in {list}");
    }
    assert_eq!(mails(&shop).await.len(), 0);
}

pub(crate) async fn what_is_wanted_is_said_in_the_body_or_in_the_query(shop: Shop) {
    let (org, event, _) = given(&shop).await;
    office_of(&shop, &org).await;
    let partner = org.id.parse().unwrap();
    let all = ExportFilter { partner, created: None, status: None, events: None, with_customer: false };
    let some = ExportFilter {
        created: Some((
            kassa_domain::Timestamp::from_ms(1_767_225_600_000),
            kassa_domain::Timestamp::from_ms(1_767_312_000_999),
        )),
        status: Some(vec![OrderStatusKind::Paid, OrderStatusKind::Refunded, OrderStatusKind::Canceled]),
        events: Some(vec![event.id.parse().unwrap()]),
        with_customer: true,
        ..all.clone()
    };
    let span = "2026-01-01T00:00:00Z,2026-01-02 00:00:00";
    let query = format!(
        "created_at={}&status=done,cancelled&events={}&only_with_customer=true",
        span.replace(' ', "+"),
        event.id
    );
    let texts = json!({
        "email": "org@example.org", "created_at": span, "status": "done, canceled", "events": event.id,
        "only_with_customer": "true",
    });
    let lists = json!({
        "email": "org@example.org", "created_at": ["2026-01-01T00:00:00.000Z", "2026-01-02 00:00:00"],
        "status": ["done", "cancelled"], "events": [event.id], "only_with_customer": true,
    });
    let email = json!({"email": "org@example.org"});
    let cases = [
        (String::new(), Some(email.clone()), &all),
        ("?email=org@example.org".to_owned(), None, &all),
        (String::new(), Some(texts), &some),
        (String::new(), Some(lists.clone()), &some),
        (format!("?email=org%40example.org&{query}"), None, &some),
        (format!("?{query}"), Some(email), &some),
        (format!("?status=executed&email=b@example.org&events={NOTHING}"), Some(lists), &some),
    ];
    for (at, (query, body, wanted)) in cases.into_iter().enumerate() {
        let path = format!("{EXPORT}{query}");
        let answer = match &body {
            Some(body) => org.post(&path, body.clone()).await,
            None => org.send("POST", &path, None, Vec::new()).await,
        };
        assert_eq!(answer.status, 200, "{path} {body:?}");
        let mails = mails(&shop).await;
        assert_eq!((mails.len(), mails[at].to.as_str()), (at + 1, "org@example.org"));
        assert_eq!(mails[at].content, MailContent::Export(wanted.clone()), "{path} {body:?}");
    }
    let bad = json!({
        "email": "x", "created_at": ["2026-01-02T00:00:00Z", "2026-01-01T00:00:00Z"], "status": "paid", "events": "x",
    });
    let details = org.post(EXPORT, bad).await.refused(400, "invalid_fields");
    let fields: Vec<&Value> = details.as_array().unwrap().iter().map(|detail| &detail["field"]).collect();
    assert_eq!(fields, ["$.created_at", "$.status[0]", "$.events[0]", "$.email"]);
    assert_eq!(org.send("POST", EXPORT, None, Vec::new()).await.told(400, "invalid_fields"), ["email is required"]);
}

pub(crate) async fn a_list_goes_only_to_confirmed_addresses_of_managers(shop: Shop) {
    let (org, _, _) = given(&shop).await;
    let refused = async |email: &str| {
        let texts = org.post(EXPORT, json!({"email": email})).await.told(400, "email_not_allowed");
        let reason = format!(
            "Lists of orders are mailed only to users of the partner whose e-mail is confirmed; {email} is none of these"
        );
        assert_eq!(texts, [reason]);
    };
    refused("org@example.org").await;
    let office = office_of(&shop, &org).await;
    let stranger = shop.user("stranger@example.org").await;
    shop.confirm(&stranger.id, "stranger@example.org").await;
    for email in ["stranger@example.org", "nobody@example.org"] {
        refused(email).await;
    }
    assert_eq!(mails(&shop).await.len(), 0);
    assert_eq!(org.post(EXPORT, json!({"email": "Org@example.org"})).await.status, 200, "in any case");
    assert_eq!(mails(&shop).await[0].to.as_str().to_lowercase(), office);
}

#[tokio::test]
async fn a_partner_has_twenty_lists_an_hour_with_all_its_keys() {
    let shop = Shop::open().await;
    let (org, _, _) = given(&shop).await;
    let email = json!({"email": office_of(&shop, &org).await});
    let other = shop.organizer("other@example.org").await;
    for _ in 0..20 {
        assert_eq!(org.post(EXPORT, email.clone()).await.status, 200);
    }
    let key = org.post(&format!("{}/api_keys", org.path()), json!({"name": "another"})).await.created();
    for client in [&*org, &shop.anonymous().with_key(&text(&key["key"]))] {
        let answer = client.post(EXPORT, email.clone()).await;
        assert_eq!(answer.header("retry-after"), "180");
        answer.told(429, "too_many_requests");
    }
    other.post(EXPORT, email.clone()).await.told(400, "email_not_allowed");
    assert_eq!(mails(&shop).await.len(), 20);
    shop.pass_ms(180_000);
    assert_eq!(org.post(EXPORT, email).await.status, 200);
}

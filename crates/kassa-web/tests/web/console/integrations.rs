//! Webhooks: where programs hear of what happens.

use kassa_http::http::StatusCode;

use super::{Browser, filled, sale};
use crate::harness::{DEAD_RECEIVER, Shop};

#[tokio::test]
async fn a_webhook_is_made_shown_changed_and_removed() {
    let shop = Shop::open().await;
    let (ann, home) = Browser::with_partner(&shop, "ann@example.org", "Harbour Hall").await;
    let list = format!("{home}/webhooks");
    ann.get(&list).await.assert_has(&["None yet.", "value=\"\"", "order.*"]);
    for (url, types) in [("http://example.org/x", "order.*"), ("https://example.org/x", "order.sold"), ("", "*")] {
        let page = ann.send(&list, &[("url", url), ("types", types)]).await;
        assert_eq!(page.status, StatusCode::UNPROCESSABLE_ENTITY, "{url} {types}");
        assert!(page.text().contains("class=\"wrong\""), "{}", page.text());
        assert!(page.text().contains(types), "what was typed is kept");
    }
    let form = [("url", "https://example.org/hooks"), ("types", "order.*\r\nset.*"), ("_key", "one")];
    let made = ann.send(&list, &form).await.leads_to().to_owned();
    assert_eq!(ann.send(&list, &form).await.leads_to(), made, "the button is pressed twice");
    let path = made.split('?').next().unwrap();
    ann.get(&made).await.assert_has(&["whsec_", "https://example.org/hooks", "Sends", "order.*\nset.*"]);
    let secret = |page: String| page.split_once("whsec_").map(|(_, rest)| rest.split('<').next().unwrap().to_owned());
    let before = secret(ann.get(&made).await.text().to_owned());
    assert_eq!(secret(ann.get(path).await.text().to_owned()), None, "it is shown only when it is asked for");
    let rotated = ann.send(path, &[("_do", "rotate")]).await.leads_to().to_owned();
    assert_ne!(secret(ann.get(&rotated).await.text().to_owned()), before);
    let page = ann.get(path).await.text().to_owned();
    let tag = super::plain(super::after(&page, "name=\"_tag\" value=\""));
    let change = [
        ("url", "https://example.org/new"),
        ("types", "*"),
        ("customers", "true"),
        ("thin", "true"),
        ("description", "The till"),
        ("_tag", tag.as_str()),
    ];
    assert_eq!(ann.send(path, &change).await.leads_to(), format!("{path}?done=saved"));
    ann.get(path).await.assert_has(&["https://example.org/new", "value=\"The till\"", "checked"]);
    // Of two who save, the second is shown what the first has changed, and does not undo it by saving again.
    let theirs = [("url", "https://example.org/theirs"), ("types", "set.*")];
    let (theirs, mine) = (ann.fill(path, &theirs).await, ann.fill(path, &[("description", "The door")]).await);
    ann.send_filled(path, &theirs).await.leads_to();
    let late = ann.send_filled(path, &mine).await;
    assert_eq!(late.status, StatusCode::CONFLICT);
    assert!(late.text().contains("Somebody else has saved this meanwhile"), "{}", late.text());
    assert_eq!(ann.send_filled(path, &filled(late.text(), &[])).await.leads_to(), format!("{path}?done=saved"));
    ann.get(path).await.assert_has(&[
        "value=\"https://example.org/theirs\"",
        ">set.*</textarea>",
        "value=\"The door\"",
    ]);
    ann.send(path, &[("_do", "disable")]).await.leads_to();
    ann.get(&list).await.assert_has(&["Off", "The door"]);
    ann.send(path, &[("_do", "enable")]).await.leads_to();
    ann.get(path).await.assert_has(&["Nothing in the last 30 days."]);
    assert_eq!(ann.send(path, &[("_do", "remove")]).await.leads_to(), format!("{list}?done=saved"));
    ann.get(&list).await.assert_has(&["None yet."]);
    assert_eq!(ann.get(path).await.status, StatusCode::NOT_FOUND);
    let (eve, _) = Browser::with_partner(&shop, "eve@example.org", "Other Hall").await;
    assert_eq!(eve.get(&list).await.status, StatusCode::FORBIDDEN);
}

#[tokio::test]
async fn what_was_sent_is_shown_with_what_came_of_it() {
    let shop = Shop::open().await;
    let (ann, event, _) = sale(&shop).await;
    let home = event.split("/events").next().unwrap();
    let url = format!("http://{DEAD_RECEIVER}/x");
    let form = [("url", url.as_str()), ("types", "webhook.*"), ("_key", "one")];
    let made = ann.send(&format!("{home}/webhooks"), &form).await.leads_to().to_owned();
    let path = made.split('?').next().unwrap();
    let tested = ann.send(path, &[("_do", "test")]).await;
    tested.assert_has(&["What came of the test", "No connection"]);
    ann.get(path).await.assert_has(&["webhook.test", "No connection", "Only what was not accepted"]);
    ann.get(&format!("{path}?failed=true")).await.assert_has(&["webhook.test", "Show all"]);
    let unknown = ann.send(path, &[("_do", "replay"), ("change", "chg_none")]).await;
    assert_eq!(unknown.status, StatusCode::UNPROCESSABLE_ENTITY);
    // Saved as the page has them now, the settings are what they were.
    let settings = filled(unknown.text(), &[]);
    assert!(
        settings.contains(&("url".to_owned(), url.clone()))
            && settings.contains(&("types".to_owned(), "webhook.*".to_owned()))
    );
    ann.send_filled(path, &settings).await.leads_to();
    ann.get(path).await.assert_has(&[&format!("value=\"{url}\""), ">webhook.*</textarea>"]);
}

#[tokio::test]
async fn a_piece_for_other_sites_is_made_copied_and_taken_back() {
    let shop = Shop::open().await;
    let (ann, event, _) = sale(&shop).await;
    let (home, id) = event.split_once("/events/").unwrap();
    let path = format!("{home}/widgets");
    ann.get(&path).await.assert_has(&["None yet.", "Night Concert"]);
    for (event, key) in [("", "one"), (id, "two")] {
        assert_eq!(ann.send(&path, &[("event", event), ("_key", key)]).await.leads_to(), format!("{path}?done=saved"));
    }
    let page = ann.get(&path).await;
    page.assert_has(&["Everything that you sell", "kassa-shop", "/widget/v1.js", &format!("event=&#34;{id}&#34;")]);
    let html = page.text().to_owned();
    let token = super::after(&html, "name=\"_remove\" value=\"").to_owned();
    ann.send(&path, &[("_remove", &token)]).await.leads_to();
    assert!(!ann.get(&path).await.text().contains(&token));
    assert_eq!(ann.send(&path, &[("_remove", "../keys")]).await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn what_the_shop_says_of_a_partner_is_set_in_the_console() {
    let shop = Shop::open().await;
    let (ann, home) = Browser::with_partner(&shop, "ann@example.org", "Harbour Hall").await;
    let path = format!("{home}/shop");
    let said = [
        ("about", "By the water."),
        ("shop_email", "hello@example.org"),
        ("phone", "+49 40 555"),
        ("accent", "#1f6f6b"),
        ("terms", "No dogs."),
        ("origins", "https://www.example.org\r\nhttps://blog.example.org"),
    ];
    let page = ann.get(&path).await.text().to_owned();
    let filled = |fields: &[(&str, &str)]| {
        let tag = super::plain(super::after(&page, "name=\"_tag\" value=\""));
        let mut form = vec![("_tag".to_owned(), tag), ("name".to_owned(), "Harbour Hall".to_owned())];
        form.push(("_was.name".to_owned(), "Harbour Hall".to_owned()));
        form.extend(fields.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
        form
    };
    let wrong = ann.send_filled(&path, &filled(&[("accent", "teal"), ("origins", "https://*.example.org")])).await;
    assert_eq!(wrong.status, StatusCode::UNPROCESSABLE_ENTITY);
    for name in ["accent", "origins"] {
        assert!(wrong.text().contains(&format!("id=\"wrong-{name}\"")), "{}", wrong.text());
    }
    assert_eq!(ann.send_filled(&path, &filled(&said)).await.leads_to(), format!("{path}?done=saved"));
    ann.get(&path).await.assert_has(&[
        "By the water.",
        "hello@example.org",
        "#1f6f6b",
        "No dogs.",
        "https://www.example.org\nhttps://blog.example.org",
    ]);
}

#[tokio::test]
async fn a_key_gets_another_name_and_stays_the_same_key() {
    let shop = Shop::open().await;
    let (ann, home) = Browser::with_partner(&shop, "ann@example.org", "Harbour Hall").await;
    let keys = format!("{home}/keys");
    let made = ann.send(&keys, &[("name", "Till"), ("_key", "a-key")]).await.leads_to().to_owned();
    let id = made.rsplit_once("shown=").unwrap().1;
    let renamed = ann.send(&keys, &[("_rename", id), ("new_name", "Box office")]).await;
    assert_eq!(renamed.leads_to(), format!("{keys}?done=saved"), "its secret is not shown by the way");
    let page = ann.get(&made).await;
    page.assert_has(&["Box office", "Authorization: key"]);
    assert!(!page.text().contains("Till"));
    let refused = ann.send(&keys, &[("_rename", id), ("new_name", " ")]).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(refused.text().contains("id=\"wrong-new_name\""), "it is said beside the name");
    assert_eq!(ann.send(&keys, &[("_rename", "../keys"), ("new_name", "X")]).await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn what_was_asked_with_a_key_is_shown_by_how_it_was_answered() {
    let shop = Shop::open().await;
    let (ann, home) = Browser::with_partner(&shop, "ann@example.org", "Harbour Hall").await;
    let keys = format!("{home}/keys");
    let made = ann.send(&keys, &[("name", "Till"), ("_key", "a-key")]).await.leads_to().to_owned();
    let id = made.rsplit_once("shown=").unwrap().1.to_owned();
    let page = ann.get(&made).await;
    let secret = page.html().split_once("Authorization: key ").unwrap().1[..32].to_owned();
    let requests = format!("{keys}/{id}/requests");
    page.assert_has(&[&format!("href=\"{requests}\"")]);
    ann.get(&requests).await.assert_has(&["Requests: Till", "No requests."]);
    let authorization = format!("key {secret}");
    let headers = [("authorization", authorization.as_str())];
    shop.ask("GET", "/v1/resources/orders?customer=bob%40example.org", &headers).await;
    shop.ask("GET", "/v1/resources/events/none", &headers).await;
    let all = ann.get(&requests).await;
    all.assert_has(&[
        "/v1/resources/orders</code>",
        "/v1/resources/events/none",
        ">200<",
        ">404<",
        "2026-01-01 00:00:00 UTC",
    ]);
    assert!(!all.text().contains("bob") && !all.text().contains(&secret), "queries and keys are not kept");
    let refused = ann.get(&format!("{requests}?status=4xx")).await;
    refused.assert_has(&["/v1/resources/events/none", "aria-current=\"page\">Refused"]);
    assert!(!refused.text().contains("/v1/resources/orders<"));
    ann.get(&format!("{requests}?status=5xx")).await.assert_has(&["No requests."]);
    for _ in 0..50 {
        shop.ask("GET", "/v1/services/whoami", &headers).await;
    }
    ann.get(&requests).await.assert_has(&[&format!("rel=\"next\" href=\"{requests}?page=2\"")]);
    ann.get(&format!("{requests}?page=2")).await.assert_has(&["/v1/resources/orders</code>", "rel=\"prev\""]);
    shop.pass_days(1);
    shop.pass_ms(1);
    ann.get(&requests).await.assert_has(&["No requests."]);
    let (eve, other) = Browser::with_partner(&shop, "eve@example.org", "Other Hall").await;
    assert_eq!(eve.get(&requests).await.status, StatusCode::FORBIDDEN);
    assert_eq!(eve.get(&format!("{other}/keys/{id}/requests")).await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn days_are_in_words_on_every_page_that_names_one() {
    let shop = Shop::open().await;
    let (ann, event, set) = sale(&shop).await;
    let (home, id) = event.split_once("/events/").unwrap();
    let path = |end: &str| format!("{home}/{end}");
    ann.send(&path("keys"), &[("name", "Till"), ("_key", "a")]).await.leads_to();
    let webhook = [("url", "https://example.org/hooks"), ("types", "*"), ("_key", "b")];
    ann.send(&path("webhooks"), &webhook).await.leads_to();
    ann.send(&path("widgets"), &[("event", ""), ("_key", "c")]).await.leads_to();
    ann.send(&path("team"), &[("email", "bob@example.org"), ("role", "reader")]).await.leads_to();
    let (eve, agency) = Browser::with_partner(&shop, "eve@example.org", "City Tickets").await;
    let deal = [("event", id), ("org", "91"), ("extra", "10"), ("_key", "d")];
    eve.send(&format!("{agency}/deals/new"), &deal).await.leads_to();
    let sold = ann.send(&path(&format!("sale/{id}")), &[(&format!("random.{set}"), "1"), ("_key", "e")]).await;
    let order = sold.leads_to().split('?').next().unwrap();
    let ticket = super::after(ann.get(order).await.html(), "name=\"ticket.").to_owned();
    ann.send(&format!("{order}/refund"), &[(&format!("ticket.{ticket}"), "true")]).await.leads_to();
    let pages = ["keys", "webhooks", "widgets", "team", "deals", "refunds"].map(path);
    for page in pages.iter().map(String::as_str).chain(["/console/account"]) {
        let shown = ann.get(page).await;
        assert!(shown.html().contains(" January 2026"), "{page}: {}", shown.text());
        assert!(!shown.text().contains("2026-01-"), "{page}: {}", shown.text());
    }
}

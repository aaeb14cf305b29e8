//! Who comes in, and who does not; what holds for every page.

use kassa_domain::partner::PartnerRole;
use kassa_http::http::{StatusCode, header};
use serde_json::{Value, json};

use super::{Browser, PASSWORD, after, draft, user};
use crate::harness::Shop;

#[tokio::test]
async fn whoever_signs_in_wrongly_stays_outside() {
    let shop = Shop::open().await;
    let ann = Browser::registered(&shop, "ann@example.org").await;
    let out = ann.send("/console/sign-out", &[]).await;
    assert_eq!(out.leads_to(), "/console/sign-in?done=signed-out");
    assert_eq!(ann.get("/console/new").await.leads_to(), "/console/sign-in?next=/console/new");
    for (email, password) in [("ann@example.org", "wrong horse"), ("nobody@example.org", PASSWORD)] {
        let page = ann.send("/console/sign-in", &[("email", email), ("password", password)]).await;
        assert_eq!((page.status, page.header(header::SET_COOKIE)), (StatusCode::UNPROCESSABLE_ENTITY, ""));
        assert!(page.text().contains("E-mail, password or code is wrong.") && page.text().contains(email));
        assert!(!page.text().contains(password), "no password is sent back");
    }
    assert_eq!(ann.get("/console?done=%0D%0Ax").await.leads_to(), "/console/sign-in");
    let form = [("email", "ann@example.org"), ("password", PASSWORD), ("_next", "/console/new")];
    assert_eq!(ann.send("/console/sign-in", &form).await.leads_to(), "/console/new");
    for next in [
        "https://evil.example.org",
        "//evil.example.org",
        "/consoles",
        "/console\\evil",
        "/console/ä",
        "/console/\r\nx: y",
    ] {
        let form = [("email", "ann@example.org"), ("password", PASSWORD), ("_next", next)];
        assert_eq!(ann.send("/console/sign-in", &form).await.leads_to(), "/console", "{next}");
    }
    assert_eq!(
        ann.get("/console?done=%0D%0Ax%C3%A4").await.leads_to(),
        "/console/new",
        "no word is taken for a header"
    );
}

#[tokio::test]
async fn forms_of_other_sites_change_nothing() {
    let shop = Shop::open().await;
    let (ann, _) = Browser::with_partner(&shop, "ann@example.org", "Harbour Hall").await;
    let cookie = ann.session.borrow().clone();
    for (name, value) in
        [("sec-fetch-site", "cross-site"), ("sec-fetch-site", "same-site"), ("origin", "https://evil.org")]
    {
        let headers = [("cookie", cookie.as_str()), (name, value)];
        let page = shop.send("POST", "/console/sign-out", &headers, "").await;
        assert_eq!(page.status, StatusCode::FORBIDDEN, "{name}: {value}");
    }
    assert_ne!(ann.get("/console").await.leads_to(), "/console/sign-in");
    assert_eq!(ann.get("/console/sign-out").await.status, StatusCode::METHOD_NOT_ALLOWED, "a link signs nobody out");
}

#[tokio::test]
async fn the_console_of_others_is_closed() {
    let shop = Shop::open().await;
    let (_, home) = Browser::with_partner(&shop, "ann@example.org", "Harbour Hall").await;
    let (eve, own) = Browser::with_partner(&shop, "eve@example.org", "Other Hall").await;
    for path in [home.clone(), format!("{home}/events"), format!("{home}/events/new"), format!("{home}/shop")] {
        let page = eve.get(&path).await;
        assert_eq!(page.status, StatusCode::FORBIDDEN, "{path}");
        assert!(!page.text().contains("Harbour Hall"), "{path}");
        assert_eq!(Browser::new(&shop).get(&path).await.leads_to(), format!("/console/sign-in?next={path}"));
    }
    // A public event of others is no event of this console.
    let organizer = shop.partner("Third Hall", &[PartnerRole::Organizer]).await;
    let event = organizer.event("Open Air", json!({})).await;
    assert_eq!(eve.get(&format!("{own}/events/{event}")).await.status, StatusCode::NOT_FOUND);
    assert_eq!(eve.send(&format!("{own}/events/{event}/stop"), &[]).await.status, StatusCode::NOT_FOUND);
    for path in ["/console/nothing", "/console/x/y/z", &format!("{own}/nothing"), &format!("{own}/events/none")] {
        assert!([StatusCode::NOT_FOUND, StatusCode::FORBIDDEN].contains(&eve.get(path).await.status), "{path}");
    }
}

#[tokio::test]
async fn a_password_that_was_forgotten_is_set_anew() {
    let shop = Shop::open().await;
    let ann = Browser::registered(&shop, "ann@example.org").await;
    for email in ["ann@example.org", "nobody@example.org"] {
        let page = ann.send("/console/forgotten", &[("email", email)]).await;
        page.assert_has(&["a link is on its way", email]);
    }
    let token = shop.engine.password_reset_token(&user(&shop, "ann@example.org").await);
    let short = ann.send("/console/password", &[("token", &token), ("password", "short")]).await;
    assert!(short.text().contains("8 to 128 characters."), "{}", short.text());
    let set = ann.send("/console/password", &[("token", &token), ("password", "battery staple")]).await;
    assert_eq!(set.leads_to(), "/console/sign-in?done=password");
    let again = ann.send("/console/password", &[("token", &token), ("password", "battery staple")]).await;
    assert!(again.text().contains("This link is no longer good."), "{}", again.text());
    let form = [("email", "ann@example.org"), ("password", "battery staple")];
    assert_eq!(ann.send("/console/sign-in", &form).await.leads_to(), "/console");
}

#[tokio::test]
async fn every_page_is_in_every_language_and_has_no_inline_code() {
    let shop = Shop::open().await;
    let (ann, event) = draft(&shop).await;
    let hostile = "</title><script>alert(1)</script>\"><img src=x>";
    ann.send(&format!("{event}/new-set"), &[("name", hostile), ("amount", "1"), ("price", "1"), ("desc", hostile)])
        .await
        .leads_to();
    let home = event.split("/events").next().unwrap();
    let open = ["sign-in", "register", "confirm", "forgotten", "password", "new", "account"]
        .map(|page| format!("/console/{page}"));
    let own = [
        "",
        "/events",
        "/events/new",
        "/shop",
        "/orders",
        "/sale",
        "/deals",
        "/catalogue",
        "/keys",
        "/team",
        "/webhooks",
    ]
    .map(|end| format!("{home}{end}"));
    let of_event = ["", "/edit", "/new-set", "/new-promocode", "/new-promocodes", "/cancel", "/history"]
        .map(|end| format!("{event}{end}"));
    for path in open.iter().chain(&own).chain(&of_event) {
        for language in ["en", "de", "ru"] {
            let page = ann.get(&format!("{path}?lang={language}")).await;
            page.assert_has(&[&format!("<html lang=\"{language}\">"), "<h1>", "id=\"main\""]);
            assert_eq!(page.header(header::CACHE_CONTROL), "private, no-store", "{path}");
            assert!(page.header(header::CONTENT_SECURITY_POLICY).starts_with("default-src 'self'; "), "{path}");
            for code in ["<script>", "<img src=x", " style=", "<style", " onclick="] {
                assert!(!page.text().contains(code), "{path} has {code}");
            }
        }
    }
}

#[tokio::test]
async fn the_shop_says_who_sells_and_how_to_pay() {
    let shop = Shop::open().await;
    let (ann, home) = Browser::with_partner(&shop, "ann@example.org", "Harbour Hall").await;
    let path = format!("{home}/shop");
    let wrong =
        ann.fill(&path, &[("TRANSFER", "true"), ("open", "true"), ("iban", "DE00"), ("holder", "Harbour Hall")]).await;
    let page = ann.send_filled(&path, &wrong).await;
    assert!(page.text().contains("id=\"wrong-iban\""), "{}", page.text());
    let right = ann
        .fill(
            &path,
            &[("TRANSFER", "true"), ("open", "true"), ("iban", "DE89370400440532013000"), ("holder", "Harbour Hall")],
        )
        .await;
    assert_eq!(ann.send_filled(&path, &right).await.leads_to(), format!("{path}?done=saved"));
    let id = home.rsplit('/').next().unwrap();
    let shown: Value = serde_json::from_slice(&shop.get(&format!("/v1/resources/partners/{id}")).await.bytes).unwrap();
    assert_eq!((&shown["shop"]["open"], &shown["shop"]["payments"]), (&json!(true), &json!(["TRANSFER"])));
}

#[tokio::test]
async fn a_key_is_made_shown_again_and_removed() {
    let shop = Shop::open().await;
    let (ann, home) = Browser::with_partner(&shop, "ann@example.org", "Harbour Hall").await;
    let path = format!("{home}/keys");
    ann.get(&path).await.assert_has(&["No key yet"]);
    let made = ann.send(&path, &[("name", "till"), ("_key", "k1")]).await.leads_to().to_owned();
    let page = ann.get(&made).await;
    let (_, rest) = page.html().split_once("Authorization: key ").unwrap();
    let key = format!("key {}", &rest[..32]);
    let partner = home.rsplit('/').next().unwrap();
    let events = format!("/v1/resources/partners/{partner}/api_keys");
    assert_eq!(shop.ask("GET", &events, &[("authorization", &key)]).await.status, StatusCode::OK, "{key}");
    let id = after(page.html(), "name=\"_remove\" value=\"").to_owned();
    assert_eq!(ann.send(&path, &[("_remove", &id)]).await.leads_to(), format!("{path}?done=saved"));
    assert_eq!(shop.ask("GET", &events, &[("authorization", &key)]).await.status, StatusCode::UNAUTHORIZED);
    assert_eq!(ann.send(&path, &[("_remove", "../users")]).await.status, StatusCode::NOT_FOUND);
    let eve = Browser::with_partner(&shop, "eve@example.org", "Other Hall").await;
    assert_eq!(eve.0.get(&path).await.status, StatusCode::FORBIDDEN);
}

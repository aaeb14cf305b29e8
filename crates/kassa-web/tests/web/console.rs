//! The console, by forms alone.

use std::cell::{Cell, RefCell};

use kassa_domain::partner::PartnerRole;
use kassa_domain::user::User;
use kassa_domain::{ReadSet, user::Email};
use kassa_http::http::{StatusCode, header};
use serde_json::{Value, json};

use crate::harness::{Page, Shop};

const PASSWORD: &str = "correct horse";

/// A text of a page, as whoever reads the page has it.
fn plain(html: &str) -> String {
    [("&#34;", "\""), ("&#39;", "'"), ("&#60;", "<"), ("&#62;", ">"), ("&#38;", "&")]
        .iter()
        .fold(html.to_owned(), |text, (code, letter)| text.replace(code, letter))
}

/// Somebody with a browser: its cookies, and how many forms it has sent.
struct Browser<'s> {
    shop: &'s Shop,
    session: RefCell<String>,
    forms: Cell<u32>,
}

/// A value as forms carry it.
fn encoded(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

/// What stands behind a mark in a page, up to a quotation mark.
fn after<'p>(page: &'p str, mark: &str) -> &'p str {
    let (_, rest) = page.split_once(mark).unwrap_or_else(|| panic!("{mark} is not in\n{page}"));
    rest.split_once('"').unwrap().0
}

impl<'s> Browser<'s> {
    fn new(shop: &'s Shop) -> Self {
        Self { shop, session: RefCell::default(), forms: Cell::default() }
    }

    /// One that has registered.
    async fn registered(shop: &'s Shop, email: &str) -> Self {
        let browser = Self::new(shop);
        let made = browser.send("/console/register", &[("email", email), ("password", PASSWORD)]).await;
        assert_eq!(made.leads_to(), "/console?done=created");
        browser
    }

    /// One whose user has a partner: the path of its console.
    async fn with_partner(shop: &'s Shop, email: &str, name: &str) -> (Self, String) {
        let browser = Self::registered(shop, email).await;
        let made = browser.send("/console/new", &[("name", name), ("org", "true")]).await;
        let home = made.leads_to().split('?').next().unwrap().to_owned();
        (browser, home)
    }

    async fn get(&self, path: &str) -> Page {
        let cookie = self.session.borrow().clone();
        let page = self.shop.ask("GET", path, &[("cookie", &cookie)]).await;
        self.keep(page)
    }

    /// Sends a form of these fields, and what the page has in it besides.
    async fn send(&self, path: &str, fields: &[(&str, &str)]) -> Page {
        self.forms.set(self.forms.get() + 1);
        let form: Vec<String> = fields.iter().map(|(name, value)| format!("{name}={}", encoded(value))).collect();
        let cookie = self.session.borrow().clone();
        let headers = [
            ("content-type", "application/x-www-form-urlencoded"),
            ("sec-fetch-site", "same-origin"),
            ("cookie", cookie.as_str()),
        ];
        let page = self.shop.send("POST", path, &headers, &form.join("&")).await;
        self.keep(page)
    }

    fn keep(&self, page: Page) -> Page {
        let set = page.header(header::SET_COOKIE);
        if set.starts_with("auth_tkt=") {
            *self.session.borrow_mut() = set.split(';').next().unwrap().to_owned();
        }
        page
    }

    /// The fields of an event's form as a browser would send them, some of them changed.
    async fn fill(&self, path: &str, changes: &[(&str, &str)]) -> Vec<(String, String)> {
        let page = self.get(path).await;
        let html = page.html();
        let form = html.split_once("<form class=\"sheet-form\"").unwrap().1;
        let mut fields: Vec<(String, String)> = Vec::new();
        for tag in form.split("<input ").skip(1) {
            let tag = tag.split_once('>').unwrap().0;
            let is_choice = tag.contains("type=\"radio\"") || tag.contains("type=\"checkbox\"");
            if tag.contains("name=\"") && (!is_choice || tag.contains(" checked")) {
                fields.push((after(tag, "name=\"").to_owned(), plain(after(tag, "value=\""))));
            }
        }
        for area in form.split("<textarea ").skip(1) {
            let text = area.split_once('>').unwrap().1.split_once("</textarea>").unwrap().0;
            fields.push((after(area, "name=\"").to_owned(), text.to_owned()));
        }
        for (name, value) in changes {
            fields.retain(|(other, _)| other != name);
            fields.push(((*name).to_owned(), (*value).to_owned()));
        }
        fields
    }

    async fn send_filled(&self, path: &str, fields: &[(String, String)]) -> Page {
        let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        self.send(path, &fields).await
    }
}

async fn user(shop: &Shop, email: &str) -> User {
    let email: Email = email.parse().unwrap();
    let view = shop.engine.view(&ReadSet { users_by_email: vec![email.clone()], ..ReadSet::default() }).await.unwrap();
    view.user_by_email(&email).unwrap().clone()
}

#[tokio::test]
async fn from_registration_to_an_event_on_sale_in_at_most_twelve_forms() {
    let shop = Shop::open().await;
    let browser = Browser::new(&shop);
    assert_eq!(browser.get("/console").await.leads_to(), "/console/sign-in");
    browser.send("/console/register", &[("email", "ann@example.org"), ("password", PASSWORD)]).await.leads_to();
    let token = shop.engine.confirmation_token(&user(&shop, "ann@example.org").await);
    let confirm = format!("/console/confirm?token={token}");
    browser.get(&confirm).await.assert_has(&[&token]);
    let confirmed = browser.send("/console/confirm", &[("token", &token), ("password", PASSWORD)]).await;
    assert_eq!(confirmed.leads_to(), "/console?done=confirmed");
    assert_eq!(browser.get("/console").await.leads_to(), "/console/new");
    let made = browser.send("/console/new", &[("name", "Harbour Hall"), ("org", "true")]).await;
    let home = made.leads_to().split('?').next().unwrap().to_owned();
    browser.get(&home).await.assert_has(&["Harbour Hall", "Put your first event on sale"]);
    let event = [
        ("title", "Night Concert"),
        ("start", "2026-06-01T20:00"),
        ("venue_name", "Old Pier"),
        ("venue_city", "Hamburg"),
    ];
    let made = browser.send(&format!("{home}/events/new"), &event).await;
    let event = made.leads_to().split('?').next().unwrap().to_owned();
    browser.get(&event).await.assert_has(&[
        "Draft",
        "Until it is on sale",
        "1 June 2026, 20:00",
        "Europe/Berlin",
        " disabled",
    ]);
    let set = [("name", "Stalls"), ("amount", "100"), ("price", "25,50"), ("_next", "another")];
    assert_eq!(
        browser.send(&format!("{event}/new-set"), &set).await.leads_to(),
        format!("{event}/new-set?done=created")
    );
    let set = [("name", "Gallery"), ("amount", "50"), ("price", "12"), ("from1", "2026-03-01T00:00"), ("price1", "15")];
    browser.send(&format!("{event}/new-set"), &set).await.leads_to();
    let code = [("code", "Spring"), ("kind", "percent"), ("value", "30"), ("amount", "10")];
    browser.send(&format!("{event}/new-promocode"), &code).await.leads_to();
    browser
        .send(
            &format!("{home}/shop"),
            &[("name", "Harbour Hall"), ("_was.name", "Harbour Hall"), ("open", "true"), ("DOOR", "true")],
        )
        .await
        .leads_to();
    browser.get(&format!("{event}/preview")).await.assert_has(&[
        "This is a preview",
        "Night Concert",
        "Stalls",
        "€25.50",
    ]);
    let published = browser.send(&format!("{event}/publish"), &[]).await;
    assert_eq!(published.leads_to(), format!("{event}?done=published"));
    assert!(browser.forms.get() <= 12, "{} forms", browser.forms.get());
    let page = browser.get(&event).await;
    page.assert_has(&["On sale", "Stalls", "€25.50", "Gallery", "€15", "Spring", "30%", "0 / 10"]);
    // Whoever buys sees it, and can order.
    let id = event.rsplit('/').next().unwrap();
    let shown = shop.get(shop.get(&format!("/e/{id}")).await.moved_to()).await;
    shown.assert_has(&[
        "Night Concert",
        "Old Pier",
        "Hamburg",
        "€25.50",
        "Stalls",
        "Gallery",
        "<select name=\"random.",
    ]);
}

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
    let form = [("email", "ann@example.org"), ("password", PASSWORD), ("_next", "/console/new")];
    assert_eq!(ann.send("/console/sign-in", &form).await.leads_to(), "/console/new");
    for next in ["https://evil.example.org", "//evil.example.org", "/consoles", "/console\\evil"] {
        let form = [("email", "ann@example.org"), ("password", PASSWORD), ("_next", next)];
        assert_eq!(ann.send("/console/sign-in", &form).await.leads_to(), "/console", "{next}");
    }
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

/// A console with a draft: its browser, and the path of the event.
async fn draft(shop: &Shop) -> (Browser<'_>, String) {
    let (ann, home) = Browser::with_partner(shop, "ann@example.org", "Harbour Hall").await;
    let event = [("title", "Night Concert"), ("desc", "Old"), ("start", "2026-06-01T20:00")];
    let made = ann.send(&format!("{home}/events/new"), &event).await;
    let event = made.leads_to().split('?').next().unwrap().to_owned();
    (ann, event)
}

#[tokio::test]
async fn of_two_who_save_an_event_the_second_sees_both_and_nothing_is_lost() {
    let shop = Shop::open().await;
    let (ann, event) = draft(&shop).await;
    let edit = format!("{event}/edit");
    let first = ann.fill(&edit, &[("title", "Night of Lanterns"), ("age_rating", "12")]).await;
    let second = ann.fill(&edit, &[("title", "Late Concert"), ("desc", "New")]).await;
    assert_eq!(ann.send_filled(&edit, &first).await.leads_to(), format!("{event}?done=saved"));
    let refused = ann.send_filled(&edit, &second).await;
    assert_eq!(refused.status, StatusCode::CONFLICT);
    for part in ["Somebody else has saved this meanwhile", "Late Concert", "Night of Lanterns", ">New</textarea>"] {
        assert!(refused.text().contains(part), "{part} is not in\n{}", refused.text());
    }
    assert_eq!(after(refused.text(), "name=\"age_rating\" value=\""), "12", "what only the first has changed stays");
    // Saved again as the page has it, both changes are there, and the second's title.
    let tag = after(refused.text(), "name=\"_tag\" value=\"");
    let tag = plain(tag);
    let mut again = second.clone();
    again.retain(|(name, _)| name != "_tag" && name != "age_rating" && !name.starts_with("_was."));
    again.extend(
        [("_tag", tag.as_str()), ("age_rating", "12"), ("_was.age_rating", "12")]
            .map(|(a, b)| (a.to_owned(), b.to_owned())),
    );
    for name in ["tickets_limit", "hold_minutes", "start", "end"] {
        let was = second.iter().find(|(other, _)| *other == format!("_was.{name}")).unwrap();
        again.push(was.clone());
    }
    assert_eq!(ann.send_filled(&edit, &again).await.leads_to(), format!("{event}?done=saved"));
    let fields = ann.fill(&edit, &[]).await;
    let value = |name: &str| fields.iter().find(|(other, _)| other == name).unwrap().1.clone();
    assert_eq!([value("title"), value("desc"), value("age_rating")], ["Late Concert", "New", "12"]);
}

#[tokio::test]
async fn what_was_typed_is_kept_and_what_is_wrong_stands_beside_it() {
    let shop = Shop::open().await;
    let (ann, event) = draft(&shop).await;
    let home = event.split("/events").next().unwrap();
    let form = [
        ("title", "Again"),
        ("start", "2026-06-01T20:00"),
        ("end", "2026-06-01T19:00"),
        ("venue_name", "Pier"),
        ("venue_city", "Hamburk"),
    ];
    let page = ann.send(&format!("{home}/events/new"), &form).await;
    assert_eq!(page.status, StatusCode::UNPROCESSABLE_ENTITY);
    for part in [
        "value=\"Again\"",
        "value=\"Hamburk\"",
        "id=\"wrong-end\"",
        "It has to end after it begins",
        "id=\"wrong-venue_city\"",
    ] {
        assert!(page.text().contains(part), "{part} is not in\n{}", page.text());
    }
    let page = ann.send(&format!("{event}/new-set"), &[("name", ""), ("amount", "many"), ("price", "a lot")]).await;
    for part in ["id=\"wrong-name\"", "id=\"wrong-amount\"", "id=\"wrong-price\"", "value=\"a lot\""] {
        assert!(page.text().contains(part), "{part} is not in\n{}", page.text());
    }
    let page = ann.send(&format!("{event}/publish"), &[]).await;
    assert_eq!(page.leads_to(), format!("{event}?done=published"), "the interface decides what can be public");
}

#[tokio::test]
async fn a_copy_takes_sets_and_promocodes_along() {
    let shop = Shop::open().await;
    let (ann, event) = draft(&shop).await;
    ann.send(&format!("{event}/new-set"), &[("name", "Stalls"), ("amount", "10"), ("price", "25")]).await.leads_to();
    ann.send(&format!("{event}/new-promocode"), &[("code", "Spring"), ("kind", "fixed"), ("value", "5")])
        .await
        .leads_to();
    let (home, id) = event.split_once("/events/").unwrap();
    let page = ann.get(&format!("{home}/events/new?copy={id}")).await;
    page.assert_has(&["value=\"Night Concert\"", &format!("name=\"_copy\" value=\"{id}\"")]);
    let form = [("title", "Night Concert II"), ("start", "2026-07-01T20:00"), ("_copy", id), ("_key", "k1")];
    let copy = ann.send(&format!("{home}/events/new"), &form).await.leads_to().split('?').next().unwrap().to_owned();
    ann.get(&copy).await.assert_has(&["Night Concert II", "Stalls", "€25", "Spring", "€5"]);
    assert_ne!(copy, event);
    ann.get(&format!("{home}/events")).await.assert_has(&["2 events", "Night Concert II", "Draft"]);
}

#[tokio::test]
async fn a_picture_is_uploaded_and_anything_else_is_refused() {
    let shop = Shop::open().await;
    let (ann, event) = draft(&shop).await;
    let cookie = ann.session.borrow().clone();
    let headers = [
        ("cookie", cookie.as_str()),
        ("sec-fetch-site", "same-origin"),
        ("content-type", "multipart/form-data; boundary=x"),
    ];
    let part = |kind: &str, body: &str| {
        format!(
            "--x\r\ncontent-disposition: form-data; name=\"picture\"; filename=\"a.gif\"\r\ncontent-type: {kind}\r\n\r\n{body}\r\n--x--\r\n"
        )
    };
    let path = format!("{event}/picture");
    let page = shop.send("POST", &path, &headers, &part("text/plain", "no picture")).await;
    assert_eq!(page.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(page.text().contains("That is no picture of these kinds."), "{}", page.text());
    // Longer than other forms may be.
    let gif = format!("GIF89a\u{1}\0\u{1}\0\0\0\0;{}", " ".repeat(100_000));
    let page = shop.send("POST", &path, &headers, &part("image/gif", &gif)).await;
    assert_eq!(page.leads_to(), format!("{event}?done=picture"));
    ann.get(&event).await.assert_has(&["class=\"picture__now\" src=\"/files/"]);
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
    let open =
        ["sign-in", "register", "confirm", "forgotten", "password", "new"].map(|page| format!("/console/{page}"));
    let own = ["", "/events", "/events/new", "/shop", "/orders", "/sale", "/deals", "/catalogue"]
        .map(|end| format!("{home}{end}"));
    let of_event = ["", "/edit", "/new-set", "/new-promocode", "/cancel"].map(|end| format!("{event}{end}"));
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

/// A console with an event on sale: its browser, the path of the event, and the id of its set of ten tickets at 25.00.
async fn sale(shop: &Shop) -> (Browser<'_>, String, String) {
    let (ann, event) = draft(shop).await;
    ann.send(&format!("{event}/new-set"), &[("name", "Stalls"), ("amount", "10"), ("price", "25")]).await.leads_to();
    ann.send(&format!("{event}/publish"), &[]).await.leads_to();
    let (home, id) = event.split_once("/events/").unwrap();
    let page = ann.get(&format!("{home}/sale/{id}")).await;
    let set = after(page.html(), "name=\"random.").to_owned();
    (ann, event.clone(), set)
}

#[tokio::test]
async fn tickets_are_sold_at_the_door_once_and_found_again() {
    let shop = Shop::open().await;
    let (ann, event, set) = sale(&shop).await;
    let (home, id) = event.split_once("/events/").unwrap();
    let path = format!("{home}/sale/{id}");
    assert_eq!(ann.get(&format!("{home}/sale")).await.leads_to(), path, "there is one event on sale");
    let count = format!("random.{set}");
    let form = [(count.as_str(), "2"), ("_key", "till-1")];
    let sold = ann.send(&path, &form).await.leads_to().to_owned();
    assert_eq!(ann.send(&path, &form).await.leads_to(), sold, "the button is pressed twice");
    let order = sold.strip_suffix("?done=sold").unwrap();
    let page = ann.get(order).await;
    page.assert_has(&[
        "Paid",
        "€50",
        "Stalls",
        "tickets.pdf",
        "Tickets were reserved",
        "It was paid",
        "ann@example.org",
    ]);
    let tickets = ann.get(&format!("{order}/tickets.pdf")).await;
    assert_eq!((tickets.status, tickets.header(header::CONTENT_TYPE)), (StatusCode::OK, "application/pdf"));
    let number = page.html().split_once("<h1>Order ").unwrap().1.split_once('<').unwrap().0.to_owned();
    let list = format!("{home}/orders");
    ann.get(&format!("{list}?q={number}&status=done&event={id}")).await.assert_has(&[
        "1 order<",
        order,
        "Night Concert",
    ]);
    ann.get(&format!("{list}?status=expired")).await.assert_has(&["No order is here", "Show all"]);
    ann.get(&format!("{list}?q=nobody%40example.org")).await.assert_has(&["No order is here"]);
    let none = ann.send(&path, &[("_key", "till-2")]).await;
    assert!(none.text().contains("Choose tickets first."), "{}", none.text());
    let many = ann.send(&path, &[(count.as_str(), "9"), ("_key", "till-3")]).await;
    assert!(many.text().contains("So many tickets are not left."), "{}", many.text());
    assert!(many.text().contains("value=\"9\""), "what was typed is kept");
}

#[tokio::test]
async fn a_customer_is_found_by_mail_and_gets_its_money_after_the_sum_was_shown() {
    let shop = Shop::open().await;
    let (ann, event, set) = sale(&shop).await;
    let (home, id) = event.split_once("/events/").unwrap();
    let count = format!("random.{set}");
    let form = [(count.as_str(), "2"), ("email", "bob@example.org"), ("name", "Bob Fox"), ("_key", "till-1")];
    let sold = ann.send(&format!("{home}/sale/{id}"), &form).await.leads_to().to_owned();
    let order = sold.split('?').next().unwrap();
    ann.get(&format!("{home}/orders?q=BOB%40exam")).await.assert_has(&["1 order<", "Bob Fox", order]);
    let page = ann.get(order).await;
    let ticket = after(page.html(), "name=\"ticket.").to_owned();
    let asked =
        ann.send(&format!("{order}/refund"), &[(&format!("ticket.{ticket}"), "true"), ("culprit", "org")]).await;
    assert_eq!(asked.leads_to(), format!("{order}?done=refund-asked"));
    let page = ann.get(order).await;
    page.assert_has(&["Asked for", "Pay back €25", "Reject"]);
    let request = after(page.html(), "name=\"request\" value=\"").to_owned();
    ann.send(&format!("{order}/approve"), &[("request", &request)]).await.leads_to();
    ann.get(order).await.assert_has(&["Paid back", "Paid back €25"]);
    let again = ann.send(&format!("{order}/cancel"), &[]).await;
    assert!(again.text().contains("The order is in a state where this cannot be done."), "{}", again.text());
}

#[tokio::test]
async fn a_transfer_that_has_arrived_is_noted_and_the_order_is_paid() {
    let shop = Shop::open().await;
    let (ann, event, set) = sale(&shop).await;
    let (home, id) = event.split_once("/events/").unwrap();
    let settings = format!("{home}/shop");
    let open = ann.fill(&settings, &[("DOOR", "true"), ("open", "true")]).await;
    ann.send_filled(&settings, &open).await.leads_to();
    // Somebody buys in the shop, and pays when the doors open.
    let made = shop.post(&format!("/e/{id}/order"), &format!("random.{set}=2")).await;
    let link = made.leads_to().to_owned();
    shop.post(&format!("{link}/pay"), "settings.customer.email=bob%40example.org&provider=DOOR").await.leads_to();
    let list = ann.get(&format!("{home}/orders?status=in_progress")).await;
    let order = format!("{home}/orders/{}", after(list.html(), &format!("{home}/orders/")));
    let page = ann.get(&order).await;
    page.assert_has(&["Awaits payment", "At the door", "Awaited", "It has arrived", "Cancel the order"]);
    let payment = after(page.html(), "name=\"payment\" value=\"").to_owned();
    let noted = ann.send(&format!("{order}/received"), &[("payment", &payment), ("_key", "p1")]).await;
    assert_eq!(noted.leads_to(), format!("{order}?done=received"));
    ann.get(&order).await.assert_has(&["tickets.pdf", "Mail the links again"]);
    shop.get(&link).await.assert_has(&["See you there!"]);
    assert_eq!(ann.send(&format!("{order}/resend"), &[]).await.leads_to(), format!("{order}?done=resent"));
    let eve = Browser::with_partner(&shop, "eve@example.org", "Other Hall").await;
    let others = order.replace(home, &eve.1);
    assert_eq!(eve.0.get(&others).await.status, StatusCode::NOT_FOUND);
    assert_eq!(eve.0.send(&format!("{others}/cancel"), &[]).await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn an_agent_proposes_the_organizer_sees_the_split_and_accepts_and_orders_are_split_so() {
    let shop = Shop::open().await;
    let (ann, event, _) = sale(&shop).await;
    let (home, id) = event.split_once("/events/").unwrap();
    let (eve, agency) = Browser::with_partner(&shop, "eve@example.org", "City Tickets").await;
    eve.get(&format!("{agency}/catalogue")).await.assert_has(&["Night Concert", "Harbour Hall"]);
    let path = format!("{agency}/deals/new");
    eve.get(&format!("{path}?event={id}")).await.assert_has(&["Propose it", "90%"]);
    let form = [("event", id), ("org", "91"), ("extra", "10"), ("_key", "d1")];
    let shown = eve.send(&path, &[form.as_slice(), &[("_do", "show")]].concat()).await;
    // 25.00: 2.50 on top, 0.75 to the platform, 22.75 to the organizer, the rest to the agent.
    shown.assert_has(&["€27.50", "€22.75", "€4", "€0.75"]);
    let made = eve.send(&path, &form).await.leads_to().to_owned();
    let deal = made.split('?').next().unwrap().rsplit('/').next().unwrap();
    let page = ann.get(&format!("{home}/deals/{deal}")).await;
    page.assert_has(&[
        "Awaits an answer",
        "City Tickets",
        "91.00% to the organizer",
        "€27.50",
        "€22.75",
        "€4",
        "€0.75",
    ]);
    assert_eq!(
        eve.send(&format!("{agency}/deals/{deal}"), &[("answer", "accepted")]).await.status,
        StatusCode::UNPROCESSABLE_ENTITY
    );
    ann.send(&format!("{home}/deals/{deal}"), &[("answer", "accepted")]).await.leads_to();
    ann.get(&format!("{home}/deals?status=accepted")).await.assert_has(&["In force", "They sell"]);
    eve.get(&format!("{agency}/deals")).await.assert_has(&["In force", "You sell"]);
    let cookie = eve.session.borrow().clone();
    let headers = [
        ("cookie", cookie.as_str()),
        ("x-partner", agency.rsplit('/').next().unwrap()),
        ("content-type", "application/json"),
    ];
    let set = shop.get(&format!("/v1/resources/events/{id}/sets")).await;
    let set = serde_json::from_slice::<Value>(&set.bytes).unwrap()[0]["id"].as_str().unwrap().to_owned();
    let quote =
        shop.send("POST", "/v2/services/orders/quote", &headers, &json!({"random": {set: 1}}).to_string()).await;
    let quote: Value = serde_json::from_slice(&quote.bytes).unwrap();
    assert_eq!(quote["data"]["split"], json!({"org": "22.75", "agent": "4.00", "core": "0.75"}));
    let strange = eve.send(&path, &[("event", id), ("org", "99"), ("extra", "0")]).await;
    assert!(strange.text().contains("The parts are more than what the customer pays."), "{}", strange.text());
    let other = Browser::with_partner(&shop, "mallory@example.org", "Others").await;
    assert_eq!(other.0.get(&format!("{}/deals/{deal}", other.1)).await.status, StatusCode::NOT_FOUND);
}

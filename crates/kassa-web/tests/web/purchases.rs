//! Somebody buys, by forms alone.

use kassa_http::http::{StatusCode, header};
use serde_json::json;

use crate::harness::{Partner, Shop};

const MINUTE_MS: i64 = 60_000;
const CUSTOMER: &str =
    "settings.customer.email=ann%40example.org&settings.customer.name=Ann+Fox&settings.customer.phone=";

/// An event with a set of three tickets of 25.00, of an organizer whose shop is open.
struct Sale {
    shop: Shop,
    organizer: Partner,
    event: String,
    set: String,
}

impl Sale {
    async fn open() -> Self {
        let shop = Shop::open().await;
        let organizer = shop.organizer().await;
        let account = json!({"iban": "DE89370400440532013000", "holder": "Harbour Hall", "days": 7});
        let open = json!({"open": true, "payments": ["TEST", "TRANSFER", "DOOR"], "transfer": account});
        organizer.send("PATCH", &format!("partners/{}", organizer.id), &json!({"shop": open})).await;
        let event = organizer.event("Night Concert", json!({})).await;
        let set = organizer.set(&event, json!({"name": "Floor", "amount": 3, "price": "25.00"})).await;
        Self { shop, organizer, event, set }
    }

    /// Reserves tickets: the page of the order.
    async fn reserve(&self, count: u32) -> String {
        let form = format!("random.{}={count}", self.set);
        let made = self.shop.post(&format!("/e/{}/order", self.event), &form).await;
        made.leads_to().to_owned()
    }

    /// Says who buys, and begins to pay in a way: where that leads.
    async fn pay(&self, order: &str, provider: &str) -> String {
        let form = format!("{CUSTOMER}&provider={provider}");
        self.shop.post(&format!("{order}/pay"), &form).await.leads_to().to_owned()
    }

    /// Pays by a test that ends in a way.
    async fn test(&self, order: &str, outcome: &str) {
        let bank = self.pay(order, "TEST").await;
        let path = bank.strip_prefix("http://shop.example.org").unwrap();
        self.shop.get(path).await.assert_has(&["Test payment", "€50"]);
        assert_eq!(self.shop.post(path, &format!("outcome={outcome}")).await.leads_to(), order);
    }
}

#[tokio::test]
async fn two_tickets_are_bought_without_a_script() {
    let sale = Sale::open().await;
    let page = sale.shop.get(&format!("/e/night-concert-{}", sale.event)).await;
    page.assert_has(&[&format!("name=\"random.{}\"", sale.set), &format!("action=\"/e/{}/order\"", sale.event)]);
    let order = sale.reserve(2).await;
    let cart = sale.shop.get(&order).await;
    cart.assert_has(&["Your tickets are held", "Night Concert", "€50", "value=\"TEST\"", "I need more time"]);
    cart.assert_has(&["data-left=\"900\""]);
    assert_eq!(cart.header(header::CACHE_CONTROL), "private, no-store");
    sale.test(&order, "yes").await;
    let paid = sale.shop.get(&order).await;
    paid.assert_has(&["See you there!", "ann@example.org", "tickets.pdf", "aria-label=\"Barcode of the ticket\""]);
    paid.assert_has(&["Tickets can be given back until the event starts. Nothing of their price is kept."]);
    let tickets = sale.shop.get(&format!("{order}/tickets.pdf")).await;
    assert_eq!((tickets.status, tickets.header(header::CONTENT_TYPE)), (StatusCode::OK, "application/pdf"));
    assert!(tickets.bytes.starts_with(b"%PDF-"));
    let entry = sale.shop.get(&format!("{order}/event.ics")).await;
    assert!(entry.text().contains("SUMMARY:Night Concert"), "{}", entry.text());
}

#[tokio::test]
async fn whoever_has_tickets_of_an_event_that_was_called_off_still_sees_them() {
    let sale = Sale::open().await;
    let order = sale.reserve(2).await;
    sale.test(&order, "yes").await;
    sale.organizer.send("PATCH", &format!("events/{}", sale.event), &json!({"status": "canceled"})).await;
    sale.shop.get(&order).await.assert_has(&["This event was called off", "Night Concert", "Give tickets back"]);
}

#[tokio::test]
async fn whoever_has_paid_asks_for_the_money_back() {
    let sale = Sale::open().await;
    let policy = json!({"refund_policy": {"kept_percent": "12.5%", "days_before": 2}});
    sale.organizer.send("PATCH", &format!("events/{}", sale.event), &policy).await;
    let order = sale.reserve(2).await;
    let returns = "Tickets can be given back until 2 days before the event starts. 12.5% of their price is kept.";
    sale.shop.get(&order).await.assert_has(&[returns]);
    sale.test(&order, "yes").await;
    let asked = sale.shop.post(&format!("{order}/refund"), "_key=0123456789").await;
    let told = asked.leads_to().to_owned();
    assert_eq!(told, format!("{order}?notice=refund-asked"));
    sale.shop.get(&told).await.assert_has(&["We have passed your wish on to the organizer."]);
    // The same click again asks for nothing more.
    assert_eq!(sale.shop.post(&format!("{order}/refund"), "_key=0123456789").await.leads_to(), told);
    let again = sale.shop.post(&format!("{order}/refund"), "_key=9876543210").await;
    assert!(again.text().contains("The tickets cannot be given back any more."), "{}", again.text());
}

#[tokio::test]
async fn each_test_payment_ends_on_a_page_that_says_how() {
    let sale = Sale::open().await;
    let order = sale.reserve(2).await;
    sale.test(&order, "no").await;
    sale.shop.get(&order).await.assert_has(&["The payment did not work", "How would you like to pay?"]);
    // Whoever was refused tries again.
    sale.test(&order, "twice").await;
    sale.shop.get(&order).await.assert_has(&["See you there!"]);
}

#[tokio::test]
async fn a_transfer_and_the_door_say_how_to_pay() {
    let sale = Sale::open().await;
    let order = sale.reserve(1).await;
    assert_eq!(sale.pay(&order, "TRANSFER").await, order);
    sale.shop.get(&order).await.assert_has(&[
        "DE89 3704 0044 0532 0130 00",
        "Harbour Hall",
        "RF",
        "€25",
        "<svg class=\"qr\"",
        "bank’s app",
    ]);
    let other = sale.reserve(1).await;
    assert_eq!(sale.pay(&other, "DOOR").await, other);
    sale.shop.get(&other).await.assert_has(&["Your tickets wait for you at the door"]);
}

#[tokio::test]
async fn who_pays_by_card_is_told_when_the_provider_gives_no_answer() {
    let sale = Sale::open().await;
    let account = json!({"secret_key": "sk_test_4eC39HqLyjWDarjtT1zdp7dc"});
    sale.organizer.send_v2("POST", "/v2/services/stripe_account", &account).await;
    let cards = json!({"shop": {"payments": ["STRIPE", "DOOR"]}});
    sale.organizer.send("PATCH", &format!("partners/{}", sale.organizer.id), &cards).await;
    let order = sale.reserve(1).await;
    sale.shop.get(&order).await.assert_has(&["value=\"STRIPE\"", "By card"]);
    let page = sale.pay(&order, "STRIPE").await;
    let path = page.strip_prefix("http://shop.example.org").unwrap();
    assert!(path.starts_with("/pay/stripe/"), "{path}");
    // Nobody charges cards here.
    let told = sale.shop.ask("GET", path, &[]).await;
    assert_eq!(told.status, StatusCode::SERVICE_UNAVAILABLE);
    for part in ["gives no answer", "Try again", path, &order] {
        assert!(told.text().contains(part), "{part}");
    }
    sale.shop.get(&order).await.assert_has(&["Waiting for your payment", path]);
    // Of another payment, and of one that is decided, the page of the order tells.
    let missing = path.rsplit_once('/').unwrap().0;
    let other = sale.shop.ask("GET", &format!("{missing}/0123456789abcdef01234567"), &[]).await;
    assert_eq!(other.status, StatusCode::NOT_FOUND);
    sale.shop.post(&format!("{order}/cancel"), "").await;
    assert_eq!(sale.shop.ask("GET", path, &[]).await.leads_to(), order);
}

#[tokio::test]
async fn what_is_free_is_not_paid() {
    let sale = Sale::open().await;
    let set = sale.organizer.set(&sale.event, json!({"name": "Friends", "amount": 2, "price": "0.00"})).await;
    let form = format!("random.{set}=1");
    let order = sale.shop.post(&format!("/e/{}/order", sale.event), &form).await.leads_to().to_owned();
    assert!(!sale.shop.get(&order).await.html().contains("How would you like to pay?"));
    assert_eq!(sale.shop.post(&format!("{order}/pay"), CUSTOMER).await.leads_to(), order);
    sale.shop.get(&order).await.assert_has(&["See you there!"]);
}

#[tokio::test]
async fn what_cannot_be_had_is_said_beside_the_tickets() {
    let sale = Sale::open().await;
    let path = format!("/e/{}", sale.event);
    let nothing = sale.shop.post(&format!("{path}/order"), &format!("random.{}=0", sale.set)).await;
    assert!(nothing.leads_to().contains("notice=nothing-chosen"), "{}", nothing.leads_to());
    // It is led to the address with the name, which says it.
    let moved = sale.shop.get(&format!("{path}?notice=nothing-chosen")).await;
    let named = format!("/e/night-concert-{}?notice=nothing-chosen", sale.event);
    assert_eq!(moved.moved_to(), named);
    sale.shop.get(&named).await.assert_has(&["Please choose at least one ticket."]);
    sale.reserve(3).await;
    let taken = sale.shop.post(&format!("{path}/order"), &format!("random.{}=1", sale.set)).await;
    assert!(taken.leads_to().contains("notice=all-taken"), "{}", taken.leads_to());
}

#[tokio::test]
async fn what_was_typed_wrong_is_shown_again() {
    let sale = Sale::open().await;
    let order = sale.reserve(1).await;
    for email in ["", "nobody"] {
        let form = format!("settings.customer.email={email}&provider=DOOR");
        let page = sale.shop.post(&format!("{order}/pay"), &form).await;
        assert_eq!(page.status, StatusCode::UNPROCESSABLE_ENTITY);
        assert!(page.text().contains("role=\"alert\""), "{}", page.text());
    }
    let form = "settings.customer.email=nobody&settings.customer.name=Ann+Fox&provider=DOOR";
    let page = sale.shop.post(&format!("{order}/pay"), form).await;
    for said in ["value=\"nobody\"", "value=\"Ann Fox\"", "autofocus", "id=\"email-wrong\""] {
        assert!(page.text().contains(said), "{said}: {}", page.text());
    }
    let page = sale.shop.post(&format!("{order}/promocode"), "_code=NOTHING").await;
    assert!(page.text().contains("There is no such code."), "{}", page.text());
    sale.shop.get(&order).await.assert_has(&["Your tickets are held"]);
}

#[tokio::test]
async fn a_promocode_makes_it_cheaper_until_it_is_removed() {
    let sale = Sale::open().await;
    let code = json!({"code": "TEN", "discount": {"fix": "10.00"}, "sets": [], "amount": 5});
    sale.organizer.send("POST", &format!("events/{}/promocodes", sale.event), &code).await;
    let order = sale.reserve(1).await;
    assert!(sale.shop.post(&format!("{order}/promocode"), "_code=ten").await.leads_to().ends_with("notice=code-used"));
    sale.shop.get(&order).await.assert_has(&["<span class=\"line__price\">€25", "−€10", "€15", "TEN"]);
    sale.shop.post(&format!("{order}/promocode"), "").await.leads_to();
    sale.shop.get(&order).await.assert_has(&["€25"]);
}

#[tokio::test]
async fn tickets_are_held_for_longer_once_and_then_lapse() {
    let sale = Sale::open().await;
    let order = sale.reserve(1).await;
    let form = "expired_after=2026-01-01T00:30:00Z";
    assert!(sale.shop.post(&format!("{order}/extend"), form).await.leads_to().ends_with("notice=longer"));
    assert!(!sale.shop.get(&order).await.html().contains("I need more time"));
    let again = sale.shop.post(&format!("{order}/extend"), "expired_after=2026-01-01T00:45:00Z").await;
    assert_eq!(again.status, StatusCode::UNPROCESSABLE_ENTITY);
    sale.shop.pass_ms(31 * MINUTE_MS);
    sale.shop.engine.expire_due().await.unwrap();
    sale.shop.get(&order).await.assert_has(&["The time for this order ran out", "Choose tickets again"]);
}

#[tokio::test]
async fn who_gives_up_frees_the_tickets() {
    let sale = Sale::open().await;
    let order = sale.reserve(3).await;
    assert!(sale.shop.post(&format!("{order}/cancel"), "").await.leads_to().ends_with("notice=canceled"));
    sale.shop.get(&order).await.assert_has(&["This order was canceled"]);
    sale.reserve(3).await;
}

#[tokio::test]
async fn forms_of_other_sites_change_nothing() {
    let sale = Sale::open().await;
    let order = sale.reserve(1).await;
    let foreign = [("sec-fetch-site", "cross-site"), ("content-type", "application/x-www-form-urlencoded")];
    let refused = sale.shop.send("POST", &format!("{order}/cancel"), &foreign, "").await;
    assert_eq!(refused.status, StatusCode::FORBIDDEN);
    sale.shop.get(&order).await.assert_has(&["Your tickets are held"]);
}

#[tokio::test]
async fn nobody_opens_an_order_without_its_link() {
    let sale = Sale::open().await;
    let order = sale.reserve(1).await;
    let (id, secret) = order.strip_prefix("/order/").unwrap().split_once('.').unwrap();
    let other = secret.chars().rev().collect::<String>();
    for path in
        [format!("/order/{id}.{other}"), format!("/order/{id}"), format!("/order/{id}."), "/order/x.y".to_owned()]
    {
        assert_eq!(sale.shop.get(&path).await.status, StatusCode::NOT_FOUND, "{path}");
        assert_eq!(sale.shop.post(&format!("{path}/cancel"), "").await.status, StatusCode::NOT_FOUND, "{path}");
    }
}

#[tokio::test]
async fn an_order_is_shown_when_its_event_is_not_public_any_more() {
    let sale = Sale::open().await;
    let order = sale.reserve(2).await;
    sale.test(&order, "yes").await;
    let event = format!("events/{}", sale.event);
    sale.organizer.send("PATCH", &event, &json!({"status": "stand_by"})).await;
    let page = sale.shop.get(&order).await;
    page.assert_has(&["See you there!", "Night Concert", "Monday, 1 June"]);
    assert!(!page.text().contains("href=\"/e/"), "there is no page of the event");
    sale.organizer.send("PATCH", &event, &json!({"status": "canceled"})).await;
    sale.shop.get(&order).await.assert_has(&["This event was canceled", "Night Concert"]);
    let canceled = sale.shop.get(&format!("/e/night-concert-{}", sale.event)).await;
    assert_eq!(canceled.status, StatusCode::GONE);
    assert!(canceled.text().contains("This event was canceled"), "{}", canceled.text());
    assert!(canceled.text().contains("Night Concert"), "tickets of it were sold: {}", canceled.text());
    let entry = sale.shop.get(&format!("/e/night-concert-{}.ics", sale.event)).await;
    assert_eq!(entry.status, StatusCode::GONE);
}

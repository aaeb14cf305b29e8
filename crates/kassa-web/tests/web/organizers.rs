//! What an organizer says of itself on the pages, and what it asks of those who buy, by forms alone.

use kassa_domain::partner::PartnerRole;
use kassa_http::http::{StatusCode, header};
use serde_json::json;

use crate::harness::{Partner, Shop};

/// An event with a set of three tickets, of an organizer whose shop is open and says so much.
async fn sale(says: serde_json::Value, asks: serde_json::Value) -> (Shop, Partner, String, String) {
    let shop = Shop::open().await;
    let organizer = shop.organizer().await;
    let mut open = json!({"open": true, "payments": ["DOOR"]});
    open.as_object_mut().unwrap().extend(says.as_object().unwrap().clone());
    organizer.send("PATCH", &format!("partners/{}", organizer.id), &json!({"shop": open})).await;
    let event = organizer.event("Night Concert", asks).await;
    let set = organizer.set(&event, json!({"name": "Floor", "amount": 3, "price": "25.00"})).await;
    (shop, organizer, event, set)
}

async fn reserve(shop: &Shop, event: &str, set: &str, count: u32) -> String {
    shop.post(&format!("/e/{event}/order"), &format!("random.{set}={count}")).await.leads_to().to_owned()
}

#[tokio::test]
async fn an_organizers_pages_say_what_it_says_of_itself_in_its_colour() {
    let says = json!({"accent": "#ffcc00", "about": "A hall by the sea.", "email": "hall@example.org", "phone": "+49 40",
        "terms": {"text": "No refunds."}});
    let (shop, organizer, event, set) = sale(says, json!({})).await;
    let order = reserve(&shop, &event, &set, 1).await;
    let list = format!("/o/harbour-hall-{}", organizer.id);
    for path in [list, format!("/e/night-concert-{event}"), order] {
        let page = shop.get(&path).await;
        page.assert_has(&["/assets/accent-ffcc00.css", "hall@example.org", "+49 40", "No refunds."]);
    }
    let style = shop.get("/assets/accent-ffcc00.css").await;
    assert_eq!((style.status, style.header(header::CONTENT_TYPE)), (StatusCode::OK, "text/css; charset=utf-8"));
    assert!(style.text().contains("--accent: #ffcc00; --on-accent: #0d0e12"), "it stays as it is where pages are dark");
    assert!(!style.text().contains("--accent: #ffcc00; --on-accent: #fff"), "and not where they are light");
    assert_eq!(shop.get("/assets/accent-red.css").await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn terms_are_accepted_at_the_checkout_or_nothing_is_ordered() {
    let (shop, _, event, set) = sale(json!({"terms": {"text": "No refunds."}}), json!({})).await;
    let order = reserve(&shop, &event, &set, 1).await;
    let form = "settings.customer.email=ann%40example.org&provider=DOOR";
    let refused = shop.post(&format!("{order}/pay"), form).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(refused.text().contains("Please accept the terms to order."), "{}", refused.text());
    let accepts = "settings.accepted_terms=2026-01-01T00%3A00%3A00.000000%2B00%3A00";
    assert_eq!(shop.post(&format!("{order}/pay"), &format!("{form}&{accepts}")).await.leads_to(), order);
    shop.get(&order).await.assert_has(&["Your tickets wait for you at the door"]);
}

#[tokio::test]
async fn fields_and_questions_are_asked_as_the_event_says() {
    let asks = json!({"buyer_name": "required", "buyer_phone": "hidden", "questions": [
        {"id": "club", "text": "Which club?", "required": true},
        {"id": "diet", "text": "What do you eat?", "kind": "choice", "per": "ticket", "options": ["Meat", "Vegan"]},
        {"id": "coat", "text": "Bring a coat?", "kind": "yes_no"},
    ]});
    let (shop, organizer, event, set) = sale(json!({}), asks).await;
    let order = reserve(&shop, &event, &set, 1).await;
    let page = shop.get(&order).await;
    page.assert_has(&[
        "Which club?",
        "name=\"answers.club\"",
        "What do you eat?",
        "<option>Vegan</option>",
        "Bring a coat?",
    ]);
    assert!(!page.text().contains("settings.customer.phone"));
    let pay = format!("{order}/pay");
    let form = "settings.customer.email=ann%40example.org&provider=DOOR&answers.club=&answers.coat=true";
    let refused = shop.post(&pay, form).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(refused.text().matches("Please fill this in.").count(), 2, "{}", refused.text());
    let id = &order["/order/".len()..][..24];
    let path = format!("/v2/resources/orders/{id}");
    let ticket = organizer.send_v2("GET", &path, &json!({})).await["data"]["tickets"][0]["id"].clone();
    let ticket = ticket.as_str().unwrap();
    let form = format!(
        "settings.customer.email=ann%40example.org&settings.customer.name=Ann+Fox&provider=DOOR&answers.club=Nord\
         &answers.coat=true&ticket_answers.{ticket}.diet=Vegan"
    );
    assert_eq!(shop.post(&pay, &form).await.leads_to(), order);
    let said = organizer.send_v2("GET", &path, &json!({})).await["data"].clone();
    assert_eq!(said["answers"], json!({"club": "Nord", "coat": true}));
    assert_eq!(said["tickets"][0]["answers"], json!({"diet": "Vegan"}));
}

#[tokio::test]
async fn names_on_tickets_change_until_the_event_says() {
    let (shop, organizer, event, set) = sale(json!({}), json!({"name_change_until": "2026-01-03T00:00:00Z"})).await;
    let free = organizer.set(&event, json!({"name": "Friends", "amount": 2, "price": "0.00"})).await;
    assert_ne!(set, free);
    let order = reserve(&shop, &event, &free, 1).await;
    shop.post(&format!("{order}/pay"), "settings.customer.email=ann%40example.org").await.leads_to();
    let page = shop.get(&order).await;
    page.assert_has(&["Change names on tickets"]);
    let at = page.text().find("name=\"holders.").unwrap() + "name=\"".len();
    let field = page.text()[at..].split('"').next().unwrap().to_owned();
    let names = format!("{order}/names");
    assert!(shop.post(&names, &format!("{field}=Bo+Fox")).await.leads_to().ends_with("?notice=names-changed"));
    shop.get(&order).await.assert_has(&["Bo Fox"]);
    shop.pass_days(3);
    assert!(!shop.get(&order).await.html().contains("Change names on tickets"));
    let late = shop.post(&names, &format!("{field}=Cy+Fox")).await;
    assert_eq!(late.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(late.text().contains("can no longer be changed"), "{}", late.text());
}

#[tokio::test]
async fn an_order_that_awaits_its_payment_can_be_canceled_and_frees_its_tickets() {
    let (shop, _, event, set) = sale(json!({}), json!({})).await;
    let order = reserve(&shop, &event, &set, 3).await;
    let form = "settings.customer.email=ann%40example.org&provider=DOOR";
    assert_eq!(shop.post(&format!("{order}/pay"), form).await.leads_to(), order);
    shop.get(&order).await.assert_has(&["Cancel this order"]);
    shop.post(&format!("{order}/cancel"), "").await.leads_to();
    shop.get(&order).await.assert_has(&["This order was canceled"]);
    reserve(&shop, &event, &set, 3).await;
}

#[tokio::test]
async fn the_page_of_an_event_that_was_called_off_says_which_it_was() {
    let (shop, organizer, event, set) = sale(json!({}), json!({})).await;
    let draft = organizer.event("Secret Night", json!({"status": "stand_by"})).await;
    organizer.send("PATCH", &format!("events/{draft}"), &json!({"status": "canceled"})).await;
    let page = shop.get(&format!("/e/{draft}")).await;
    assert!(!page.text().contains("Secret Night"), "it was never public: {}", page.text());
    reserve(&shop, &event, &set, 1).await;
    let agent = shop.partner("Desk", &[PartnerRole::Agent]).await;
    organizer.send("PATCH", &format!("events/{event}"), &json!({"status": "canceled"})).await;
    for path in [format!("/e/night-concert-{event}"), format!("/e/{event}?seller={}", agent.id)] {
        let page = shop.get(&path).await;
        assert_eq!(page.status, StatusCode::GONE);
        assert!(page.text().contains("Night Concert"), "{}", page.text());
    }
}

//! What is sold: orders and deals.

use kassa_http::http::{StatusCode, header};
use serde_json::{Value, json};

use super::{Browser, after, history_line, order_to_pay, sale};
use crate::harness::Shop;

#[tokio::test]
async fn tickets_are_sold_at_the_door_once_and_found_again() {
    let shop = Shop::open().await;
    let (ann, event, set) = sale(&shop).await;
    let (home, id) = event.split_once("/events/").unwrap();
    let path = format!("{home}/sale/{id}");
    assert_eq!(ann.get(&format!("{home}/sale")).await.leads_to(), path, "there is one event on sale");
    let count = format!("random.{set}");
    let shown = ann.send(&path, &[(count.as_str(), "2"), ("_key", "till-0"), ("_do", "show")]).await;
    shown.assert_has(&["To collect: €50", "value=\"2\"", "Paid: sell"]);
    ann.get(&format!("{home}/orders")).await.assert_has(&["No order is here"]);
    let form = [(count.as_str(), "2"), ("_key", "till-1")];
    let sold = ann.send(&path, &form).await.leads_to().to_owned();
    assert_eq!(ann.send(&path, &form).await.leads_to(), sold, "the button is pressed twice");
    ann.get(&sold).await.assert_has(&["Sold.", "Collected: €50"]);
    let order = sold.strip_suffix("?done=sold").unwrap();
    let page = ann.get(order).await;
    page.assert_has(&[
        "Paid",
        "€50",
        "Stalls",
        "tickets.pdf",
        &history_line("Tickets were reserved", "ann@example.org"),
        &history_line("It was paid", "ann@example.org"),
    ]);
    let tickets = ann.get(&format!("{order}/tickets.pdf")).await;
    assert_eq!((tickets.status, tickets.header(header::CONTENT_TYPE)), (StatusCode::OK, "application/pdf"));
    let signed_out = shop.get(&format!("{order}/tickets.pdf")).await;
    assert!(signed_out.leads_to().starts_with("/console/sign-in?"), "{}", signed_out.leads_to());
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
    shop.count_sales().await;
    ann.get(&format!("{home}/orders?q=BOB%40exam")).await.assert_has(&["1 order<", "Bob Fox", order]);
    let search = format!("{home}/search");
    ann.get(&search).await.assert_has(&["Type some letters"]);
    ann.get(&format!("{search}?q=bob%40exam")).await.assert_has(&["Bob Fox", order]);
    ann.get(&format!("{search}?q=concert")).await.assert_has(&["Night Concert", &event]);
    ann.get(&format!("{search}?q=webh")).await.assert_has(&["Pages", "/webhooks"]);
    let hostile = ann.get(&format!("{search}?q=%3Cscript%3E")).await;
    hostile.assert_has(&["Nothing is found for"]);
    ann.get(&format!("{home}/orders?q=fox+bob")).await.assert_has(&["1 order<", "Bob Fox", order]);
    let page = ann.get(order).await;
    let ticket = after(page.html(), "name=\"ticket.").to_owned();
    let asked =
        ann.send(&format!("{order}/refund"), &[(&format!("ticket.{ticket}"), "true"), ("culprit", "org")]).await;
    assert_eq!(asked.leads_to(), format!("{order}?done=refund-asked"));
    let refunds = format!("{home}/refunds");
    ann.get(&refunds).await.assert_has(&[order, "Night Concert"]);
    ann.get(&format!("{refunds}?status=new")).await.assert_has(&[order]);
    ann.get(&format!("{refunds}?status=rejected")).await.assert_has(&["Nobody asks for money back."]);
    let page = ann.get(order).await;
    page.assert_has(&["Asked for", "Pay back €25", "Reject"]);
    let request = after(page.html(), "name=\"request\" value=\"").to_owned();
    ann.send(&format!("{order}/approve"), &[("request", &request)]).await.leads_to();
    ann.get(order).await.assert_has(&["Approved", "Refund approved €25"]);
    let again = ann.send(&format!("{order}/cancel"), &[]).await;
    assert!(again.text().contains("The order is in a state where this cannot be done."), "{}", again.text());
}

#[tokio::test]
async fn a_transfer_that_has_arrived_is_noted_and_the_order_is_paid() {
    let shop = Shop::open().await;
    let (ann, order, link) = order_to_pay(&shop, "DOOR").await;
    let page = ann.get(&order).await;
    page.assert_has(&["Awaits payment", "At the door", "Awaited", "It has arrived", "Cancel the order"]);
    let payment = after(page.html(), "name=\"payment\" value=\"").to_owned();
    let noted = ann.send(&format!("{order}/received"), &[("payment", &payment), ("_key", "p1")]).await;
    assert_eq!(noted.leads_to(), format!("{order}?done=received"));
    ann.get(&order).await.assert_has(&["tickets.pdf", "Mail the tickets again"]);
    shop.get(&link).await.assert_has(&["See you there!"]);
    assert_eq!(ann.send(&format!("{order}/resend"), &[]).await.leads_to(), format!("{order}?done=resent"));
    let eve = Browser::with_partner(&shop, "eve@example.org", "Other Hall").await;
    let (home, _) = order.split_once("/orders/").unwrap();
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
    page.assert_has(&["Awaits an answer", "City Tickets", "91% to the organizer", "€27.50", "€22.75", "€4", "€0.75"]);
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

//! Documents of orders: tickets as PDF, and the event for calendars.

use serde_json::{Value, json};

use super::{ORDERS, given};
use crate::harness::{Org, Shop, text};

/// A paid order of so many tickets, and its path.
async fn paid(org: &Org, wanted: Value) -> (Value, String) {
    let order = org.post(ORDERS, wanted).await.ok();
    let path = format!("{ORDERS}/{}", text(&order["data"]["id"]));
    let order = org.patch(&path, json!({"status": "done"})).await.ok();
    (order["data"].clone(), path)
}

pub(crate) async fn tickets_are_a_page_each(shop: Shop) {
    let (org, _, set) = given(&shop).await;
    let (order, path) = paid(&org, json!({"random": {&set.id: 3}})).await;
    for (language, title) in [("en", "Tickets: Concert"), ("ru", "Билеты: Concert")] {
        let answer = org.get(&format!("{path}/tickets.pdf?lang={language}")).await;
        assert_eq!((answer.status, answer.header("content-type")), (200, "application/pdf"));
        assert_eq!(answer.header("cache-control"), "private, no-store");
        let name = format!("attachment; filename=\"tickets-{}.pdf\"", order["number"]);
        assert_eq!(answer.header("content-disposition"), name);
        let pdf = String::from_utf8_lossy(&answer.bytes);
        assert!(pdf.starts_with("%PDF-1.7") && pdf.contains("<pdfuaid:part>1</pdfuaid:part>"));
        assert!(pdf.contains("<xmpTPg:NPages>3</xmpTPg:NPages>") && pdf.contains(title), "{language}");
        assert_eq!(pdf.matches(&format!("/Lang({language})")).count(), 1);
    }
    let asked = org.with("accept-language", "de-AT, en;q=0.5");
    let pdf = asked.get(&format!("{path}/tickets.pdf")).await;
    assert!(String::from_utf8_lossy(&pdf.bytes).contains("/Lang(de)"));
}

pub(crate) async fn the_event_is_an_entry_of_a_calendar(shop: Shop) {
    let (org, event, set) = given(&shop).await;
    let (order, path) = paid(&org, json!({"random": {&set.id: 1}})).await;
    let answer = org.get(&format!("{path}/event.ics?lang=de")).await;
    assert_eq!((answer.status, answer.header("content-type")), (200, "text/calendar; charset=utf-8"));
    let ics = String::from_utf8(answer.bytes).unwrap();
    let code = text(&order["code"]);
    for line in [
        format!("UID:{}@kassa", text(&order["id"])),
        "DTSTART:20260601T180000Z".to_owned(),
        "DTEND:20260601T210000Z".to_owned(),
        "SUMMARY:Concert".to_owned(),
        "STATUS:CONFIRMED".to_owned(),
    ] {
        assert!(ics.contains(&format!("\r\n{line}\r\n")), "{line}: {ics}");
    }
    assert!(ics.replace("\r\n ", "").contains(&format!("Bestellung: {}\\nCode: {code}\\n", order["number"])), "{ics}");
    event.patch(json!({"status": "canceled"})).await;
    let ics = String::from_utf8(org.get(&format!("{path}/event.ics")).await.bytes).unwrap();
    assert!(ics.contains("\r\nSTATUS:CANCELLED\r\n"), "{ics}");
}

pub(crate) async fn only_paid_orders_have_documents(shop: Shop) {
    let (org, _, set) = given(&shop).await;
    let order = org.post(ORDERS, json!({"random": {&set.id: 1}})).await.ok();
    let path = format!("{ORDERS}/{}", text(&order["data"]["id"]));
    let other = shop.organizer("other@example.org").await;
    for name in ["tickets.pdf", "event.ics"] {
        org.get(&format!("{path}/{name}")).await.refused(400, "order_not_done");
        org.get(&format!("{path}/{name}?lang=tlh")).await.refused(400, "invalid_fields");
        other.get(&format!("{path}/{name}")).await.refused(404, "not_found");
        shop.anonymous().get(&format!("{path}/{name}")).await.refused(401, "credential_required");
    }
    org.patch(&path, json!({"status": "cancelled"})).await.ok();
    org.get(&format!("{path}/tickets.pdf")).await.refused(400, "order_not_done");
}

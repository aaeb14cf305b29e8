//! Money that came by transfer, lists that are mailed, and histories.

use kassa_http::http::StatusCode;

use super::{Browser, PASSWORD, after, history_line, order_to_pay, plain, sale, user};
use crate::harness::Shop;

#[tokio::test]
async fn a_statement_shows_what_fits_before_it_is_noted() {
    let shop = Shop::open().await;
    let (ann, order, _) = order_to_pay(&shop, "TRANSFER").await;
    let (home, _) = order.split_once("/orders/").unwrap();
    let page = plain(ann.get(&order).await.text());
    let start = page.find("RF").unwrap();
    let reference: String = page[start..].chars().take_while(char::is_ascii_alphanumeric).collect();
    let path = format!("{home}/payments");
    let statement = format!("Buchungstag;Name;Zweck;Betrag\n01.01.2026;Bob Fox;Karten {reference};50,00\n");
    let columns = [("date", "Buchungstag"), ("amount", "Betrag"), ("texts", "Zweck"), ("name", "Name")];
    let with = |more: &[(&'static str, &str)]| -> Vec<(String, String)> {
        let all = columns.iter().chain(more).map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        all.chain([("statement".to_owned(), statement.clone())]).collect()
    };
    let looked = ann.send_filled(&path, &with(&[("_do", "look")])).await;
    looked.assert_has(&["Bob Fox", "50.00 EUR", "The whole sum", &order, "Note what fits"]);
    ann.get(&order).await.assert_has(&["Awaits payment"]);
    let noted = ann.send_filled(&path, &with(&[("_do", "note")])).await;
    noted.assert_has(&["noted", &order]);
    ann.get(&order).await.assert_has(&["tickets.pdf"]);
    ann.send_filled(&path, &with(&[("_do", "look")])).await.assert_has(&["Was noted before"]);
    let none = ann.send(&path, &[("_do", "look"), ("statement", "nothing")]).await;
    assert_eq!(none.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(none.text().contains("nothing</textarea>"), "what was pasted is kept");
}

#[tokio::test]
async fn an_account_at_stripe_is_named_and_taken_away() {
    let shop = Shop::open().await;
    let (ann, home) = Browser::with_partner(&shop, "ann@example.org", "Harbour Hall").await;
    let path = format!("{home}/payments");
    ann.get(&path).await.assert_has(&["/v2/services/stripe_notices/", "Secret key"]);
    let bad = ann.send(&path, &[("_do", "stripe"), ("secret_key", "hello")]).await;
    assert_eq!(bad.status, StatusCode::UNPROCESSABLE_ENTITY);
    let key = "sk_test_4eC39HqLyjWDarjtT1zdp7dc";
    assert!(!bad.text().contains("value=\"hello\""), "no secret is sent back");
    ann.send(&path, &[("_do", "stripe"), ("secret_key", key)]).await.leads_to();
    let page = ann.get(&path).await;
    page.assert_has(&["Take the account away", "7dc"]);
    assert!(!page.text().contains(key));
    ann.send(&path, &[("_do", "no-stripe")]).await.leads_to();
    assert!(!ann.get(&path).await.text().contains("Take the account away"));
}

#[tokio::test]
async fn orders_are_mailed_to_confirmed_addresses_only() {
    let shop = Shop::open().await;
    let (ann, event, _) = sale(&shop).await;
    let (home, id) = event.split_once("/events/").unwrap();
    let path = format!("{home}/orders");
    let form = [("email", "ann@example.org"), ("status", "done"), ("event", id)];
    let refused = ann.send(&path, &form).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(refused.text().contains("value=\"ann@example.org\""), "what was typed is kept");
    let token = shop.engine.confirmation_token(&user(&shop, "ann@example.org").await);
    ann.send("/console/confirm", &[("token", &token), ("password", PASSWORD)]).await.leads_to();
    assert_eq!(ann.send(&path, &form).await.leads_to(), format!("{path}?done=exported"));
    let other = [("email", "eve@example.org")];
    assert_eq!(ann.send(&path, &other).await.status, StatusCode::UNPROCESSABLE_ENTITY);
}

#[tokio::test]
async fn what_a_search_finds_is_not_mailed_with_the_orders_of_everybody() {
    let shop = Shop::open().await;
    let (ann, event, _) = sale(&shop).await;
    let (home, id) = event.split_once("/events/").unwrap();
    let path = format!("{home}/orders");
    let form = "name=\"email\"";
    ann.get(&format!("{path}?status=done&event={id}")).await.assert_has(&[form]);
    let searched = ann.get(&format!("{path}?q=bob&event={id}")).await;
    searched.assert_has(&["What a search finds cannot be mailed"]);
    assert!(!searched.text().contains(form), "the file would have all orders of the event");
}

#[tokio::test]
async fn histories_say_who_changed_what() {
    let shop = Shop::open().await;
    let (ann, event, _) = sale(&shop).await;
    let home = event.split("/events/").next().unwrap();
    let by_ann = ["It was made", "It was put on sale"].map(|what| history_line(what, "ann@example.org"));
    ann.get(&format!("{event}/history")).await.assert_has(&by_ann.each_ref().map(String::as_str));
    ann.get(&format!("{home}/history")).await.assert_has(&[&by_ann[0]]);
    let (eve, _) = Browser::with_partner(&shop, "eve@example.org", "Other Hall").await;
    assert_eq!(eve.get(&format!("{home}/history")).await.status, StatusCode::FORBIDDEN);
    assert_eq!(ann.get(&format!("{home}/deals/none/history")).await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn money_that_came_twice_is_sent_back_and_noted() {
    let shop = Shop::open().await;
    let (ann, order, _) = order_to_pay(&shop, "DOOR").await;
    let (home, order_id) = order.split_once("/orders/").unwrap();
    let payment = after(ann.get(&order).await.html(), "name=\"payment\" value=\"").to_owned();
    ann.send(&format!("{order}/received"), &[("payment", &payment), ("_key", "p1")]).await.leads_to();
    let returned = format!("{order}/returned");
    let none = ann.send(&returned, &[("payment", &payment), ("amount", "1")]).await;
    assert_eq!(none.status, StatusCode::UNPROCESSABLE_ENTITY, "nothing is to go back");
    assert!(!none.text().contains("I have sent it back"));
    // The customer has paid the same at the door once more, which another program notes.
    let cookie = ann.session.borrow().clone();
    let headers = [
        ("cookie", cookie.as_str()),
        ("x-partner", home.rsplit('/').next().unwrap()),
        ("content-type", "application/json"),
        ("sec-fetch-site", "same-origin"),
    ];
    let path = format!("/v2/resources/orders/{order_id}/payments/{payment}/received");
    let noted = shop.send("POST", &path, &headers, "{\"amount\": \"50.00\"}").await;
    assert_eq!(noted.status, StatusCode::OK, "{}", noted.text());
    let money = format!("{home}/payments");
    ann.get(&money).await.assert_has(&[
        "Money to give back",
        &format!("href=\"{order}\""),
        "€50",
        "by you",
        "More came",
    ]);
    let page = ann.get(&order).await;
    page.assert_has(&["To be sent back", "More came than the order costs", "I have sent it back", "value=\"50.00\""]);
    let much = ann.send(&returned, &[("payment", &payment), ("amount", "50.01"), ("_key", "r0")]).await;
    assert_eq!(much.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(much.text().contains("value=\"50.01\""), "what was typed is kept");
    let part = [("payment", payment.as_str()), ("amount", "20,00"), ("_key", "r1")];
    assert_eq!(ann.send(&returned, &part).await.leads_to(), format!("{order}?done=returned"));
    ann.send(&returned, &part).await.leads_to();
    let page = ann.get(&format!("{order}?done=returned")).await;
    page.assert_has(&["the money has gone back", "gone back: €20", "value=\"30.00\""]);
    ann.send(&returned, &[("payment", &payment), ("amount", ""), ("_key", "r2")]).await.leads_to();
    let page = ann.get(&order).await;
    page.assert_has(&["gone back: €50", "tickets.pdf"]);
    assert!(!page.text().contains("I have sent it back"), "all has gone back");
    assert!(!ann.get(&money).await.text().contains("Money to give back"), "nothing is left to send");
    assert_eq!(ann.get(&returned).await.status, StatusCode::METHOD_NOT_ALLOWED);
    assert_eq!(ann.send(&returned, &[("payment", "../x")]).await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn a_set_says_who_changed_it() {
    let shop = Shop::open().await;
    let (ann, event, set) = sale(&shop).await;
    let path = format!("{event}/sets/{set}");
    ann.get(&path).await.assert_has(&[&format!("href=\"{path}/history\"")]);
    ann.get(&format!("{path}/history")).await.assert_has(&[
        "Stalls",
        &path,
        &history_line("It was made", "ann@example.org"),
    ]);
    let home = event.split("/events/").next().unwrap();
    let (eve, other) = Browser::with_partner(&shop, "eve@example.org", "Other Hall").await;
    assert_eq!(eve.get(&format!("{path}/history")).await.status, StatusCode::FORBIDDEN);
    assert_eq!(eve.get(&format!("{}/history", path.replace(home, &other))).await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn what_is_granted_is_called_paid_back_once_it_has_gone() {
    let shop = Shop::open().await;
    let (ann, order, link) = order_to_pay(&shop, "DOOR").await;
    let payment = after(ann.get(&order).await.html(), "name=\"payment\" value=\"").to_owned();
    ann.send(&format!("{order}/received"), &[("payment", &payment), ("_key", "p1")]).await.leads_to();
    let ticket = after(ann.get(&order).await.html(), "name=\"ticket.").to_owned();
    let ticket = format!("ticket.{ticket}");
    ann.send(&format!("{order}/refund"), &[(ticket.as_str(), "true"), ("culprit", "org")]).await.leads_to();
    let request = after(ann.get(&order).await.html(), "name=\"request\" value=\"").to_owned();
    ann.send(&format!("{order}/approve"), &[("request", &request)]).await.leads_to();
    let page = ann.get(&order).await;
    page.assert_has(&["Is being paid back €25", "To be sent back", "I have sent it back"]);
    assert!(!page.text().contains("Paid back"), "nobody has sent anything: {}", page.text());
    shop.get(&link).await.assert_has(&["Is being paid back", "€25"]);
    ann.send(&format!("{order}/returned"), &[("payment", &payment), ("amount", ""), ("_key", "r1")]).await.leads_to();
    ann.get(&order).await.assert_has(&["Paid back €25"]);
    shop.get(&link).await.assert_has(&["Paid back", "€25"]);
}

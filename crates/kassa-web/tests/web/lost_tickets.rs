//! Links of orders that went lost.

use kassa_domain::mail::MailContent;
use kassa_http::http::StatusCode;
use kassa_store::PageWindow;
use kassa_store::queries::UnsentMailsFilter;

use crate::harness::Shop;

#[tokio::test]
async fn whoever_gives_an_address_is_told_the_same_whether_it_has_orders_or_not() {
    let shop = Shop::open().await;
    shop.get("/").await.assert_has(&["href=\"/tickets\"", "Send me my tickets again"]);
    shop.get("/tickets").await.assert_has(&["name=\"email\"", "Send the links"]);
    let answer = shop.post("/tickets?lang=de", "email=ann%40example.org").await;
    answer.assert_has(&["Bitte schauen Sie in Ihr Postfach."]);
    assert!(!answer.text().contains("ann@example.org"), "{}", answer.text());
    let mails = shop.engine.page(UnsentMailsFilter, PageWindow::first(9)).await.unwrap().rows;
    let [mail] = mails.as_slice() else { panic!("{mails:?}") };
    assert_eq!((mail.to.as_str(), &mail.content), ("ann@example.org", &MailContent::OrderLinks));
    assert_eq!(mail.lang.as_deref(), Some("de"));
}

#[tokio::test]
async fn what_is_no_address_is_shown_again() {
    let shop = Shop::open().await;
    let answer = shop.post("/tickets", "email=%3Cann%3E").await;
    assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(
        answer.text().contains("That is no e-mail address") && answer.text().contains("&#60;ann"),
        "{}",
        answer.text()
    );
}

#[tokio::test]
async fn an_address_that_is_asked_for_often_has_to_wait() {
    let shop = Shop::open().await;
    for _ in 0..4 {
        assert_eq!(shop.post("/tickets", "email=ann%40example.org").await.status, StatusCode::OK);
    }
    assert_eq!(shop.post("/tickets", "email=ann%40example.org").await.status, StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(shop.post("/tickets", "email=bob%40example.org").await.status, StatusCode::OK, "others need not");
}

#[tokio::test]
async fn an_order_that_is_not_there_leads_to_where_links_are_found() {
    let shop = Shop::open().await;
    let answer = shop.get("/order/000000000000000000000000.x").await;
    assert_eq!(answer.status, StatusCode::NOT_FOUND);
    assert!(answer.text().matches("href=\"/tickets\"").count() == 2, "{}", answer.text());
}

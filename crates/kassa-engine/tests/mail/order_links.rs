//! Links of orders in mails.

use kassa_domain::order::{Order, OrderStatus};

use crate::harness::{ANN, MailHarness, delivered};
use crate::sale::SaleFixture;

/// The address of an order's page.
fn page_of(harness: &MailHarness, order: &Order) -> String {
    format!("https://tickets.example.org/order/{}", harness.engine.order_link(order.id))
}

#[tokio::test]
async fn tickets_come_with_the_link_of_their_order_where_its_shop_is_open() {
    let harness = MailHarness::memory().await;
    let sale = SaleFixture::default_for(&harness);
    let order = sale.sell().await;
    sale.open_shop(&order).await;
    let letter = harness.only_sent_mail().await;
    assert!(letter.text.contains(&format!("\n{}\n", page_of(&harness, &order))), "{}", letter.text);
    assert!(
        letter.html.contains(&format!("<a href=\"{}\">Your order</a>", page_of(&harness, &order))),
        "{}",
        letter.html
    );
    sale.sell().await;
    let letter = harness.only_sent_mail().await;
    assert!(!letter.text.contains("/order/"), "another organizer, whose shop is closed: {}", letter.text);
}

#[tokio::test]
async fn a_mail_is_in_the_language_of_its_reader() {
    let harness = MailHarness::memory().await;
    let order = SaleFixture { lang: Some("de-AT"), ..SaleFixture::default_for(&harness) }.sell().await;
    let OrderStatus::Paid { code, .. } = &order.status else { panic!("{order:?}") };
    let letter = harness.only_sent_mail().await;
    assert_eq!(letter.subject, "Ihre Karten: Night of the Lanterns");
    let begins = format!(
        "Night of the Lanterns\n\nWann: Freitag, 1. Juni 2035, 20:00 – 23:00 (Europe/Berlin)\n\
         Wo: Harbour Hall, 1 Main St, Hamburg\nBestellung: {}, Code {code}\n",
        order.number
    );
    assert!(letter.text.starts_with(&begins), "{}", letter.text);
    assert!(letter.html.contains("<html lang=\"de\">"), "{}", letter.html);
}

#[tokio::test]
async fn lost_links_go_to_the_address_that_the_orders_were_made_with() {
    let harness = MailHarness::memory().await;
    let sale = SaleFixture::default_for(&harness);
    let (first, second, foreign) = (sale.sell().await, sale.sell().await, sale.sell_to("bob@example.org").await);
    for order in [&first, &second, &foreign] {
        sale.open_shop(order).await;
    }
    let closed = sale.sell().await;
    harness.send().await;
    harness.mailer.take_sent();
    harness.engine.request_order_links(ANN.parse().unwrap(), Some("ru".to_owned())).await.unwrap();
    let letter = harness.only_sent_mail().await;
    assert_eq!(
        (letter.to.as_slice(), letter.subject.as_str()),
        (&[ANN.to_owned()][..], "Ваши заказы: tickets.example.org")
    );
    for order in [&first, &second] {
        assert!(letter.text.contains(&format!("\n{}\n", page_of(&harness, order))), "{}", letter.text);
    }
    for order in [&foreign, &closed] {
        assert!(!letter.text.contains(&page_of(&harness, order)), "{}", letter.text);
    }
    harness.engine.request_order_links("nobody@example.org".parse().unwrap(), None).await.unwrap();
    assert_eq!(harness.send().await, delivered(1), "it is settled");
    assert_eq!(harness.sent_mails().len(), 0, "and not sent");
}

//! How orders are paid, in mails.

use kassa_domain::order::Order;
use kassa_domain::payment::{BeginPayment, BegunPayment, OrderPayment, PaymentProvider, SaleRows};
use kassa_domain::{Actor, ReadSet, View};

use crate::harness::{ANN, MailHarness, delivered};
use crate::sale::SaleFixture;

/// The customer begins to pay.
async fn begin(harness: &MailHarness, order: &Order, provider: PaymentProvider) -> OrderPayment {
    let read_set = ReadSet { orders: vec![order.id], ..ReadSet::default() };
    let view = harness.engine.view(&read_set).await.unwrap();
    let order = view.orders.get(order.id).unwrap();
    let command = BeginPayment { rows: SaleRows::of(order), vendor: order.vendor, provider: Some(provider) };
    let payment = |_: &View, begun: &BegunPayment| begun.payment.clone();
    harness.engine.execute(&Actor::Buyer(order.id), command, payment).await.unwrap().unwrap()
}

#[tokio::test]
async fn whoever_pays_by_transfer_is_told_what_goes_where_and_until_when() {
    let harness = MailHarness::memory().await;
    let order = SaleFixture::default_for(&harness).reserve().await;
    let payment = begin(&harness, &order, PaymentProvider::Transfer).await;
    let letter = harness.only_sent_mail().await;
    assert_eq!(letter.to, [ANN]);
    assert_eq!(letter.subject, "Please pay for your tickets: Night of the Lanterns");
    let page = format!("https://tickets.example.org/order/{}", harness.engine.order_link(order.id));
    assert!(
        letter.text.contains(&format!(
            "Order: {}\nTotal: €50\nRecipient: Harbour Hall\nIBAN: DE02120300000000202051\nBIC: BYLADEM1001\n\
             Reference: {}\nHeld for you until: ",
            order.number, payment.reference
        )),
        "{}",
        letter.text
    );
    assert!(letter.text.contains(" (CE"), "{}", letter.text);
    assert!(letter.text.contains(&format!("\n{page}\n")), "{}", letter.text);
    begin(&harness, &order, PaymentProvider::Transfer).await;
    assert_eq!(harness.send().await, delivered(0), "a second click sends nothing");
}

#[tokio::test]
async fn whoever_pays_at_the_door_is_told_so_in_its_language() {
    let harness = MailHarness::memory().await;
    let order = SaleFixture { lang: Some("de"), ..SaleFixture::default_for(&harness) }.reserve().await;
    begin(&harness, &order, PaymentProvider::Door).await;
    let letter = harness.only_sent_mail().await;
    assert_eq!(letter.subject, "Ihre Karten sind reserviert: Night of the Lanterns");
    let facts = format!("Bestellung: {}\nSumme: 50 €\nFür Sie reserviert bis: ", order.number);
    assert!(letter.text.contains(&facts), "{}", letter.text);
    assert!(!letter.text.contains("IBAN"), "{}", letter.text);
}

#[tokio::test]
async fn a_payment_that_waits_for_nothing_any_more_is_not_spoken_of() {
    let harness = MailHarness::memory().await;
    let order = SaleFixture::default_for(&harness).reserve().await;
    begin(&harness, &order, PaymentProvider::Transfer).await;
    begin(&harness, &order, PaymentProvider::Door).await;
    assert_eq!(harness.send().await, delivered(2), "both are settled");
    let subjects: Vec<String> = harness.sent_mails().into_iter().map(|letter| letter.subject).collect();
    assert_eq!(subjects, ["Your tickets are reserved: Night of the Lanterns"], "the first was replaced");
}

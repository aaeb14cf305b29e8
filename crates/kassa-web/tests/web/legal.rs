//! What the operator says of itself.

use kassa_web::{OperatorTexts, ShopSettings};

use crate::harness::Shop;

#[tokio::test]
async fn the_operators_own_texts_take_the_place_of_what_is_true_of_every_shop() {
    let mut operator_texts = OperatorTexts::default();
    operator_texts.add("imprint.txt", "Harbour <Tickets> Ltd\n1 Quay\n\n# Contact\n\nmail@example.org").unwrap();
    operator_texts.add("imprint.de.txt", "Hafen-Tickets GmbH").unwrap();
    let shop = Shop::with(ShopSettings { operator_texts, ..ShopSettings::default() }).await;
    let page = shop.get("/imprint").await;
    page.assert_has(&["<p>Harbour &#60;Tickets&#62; Ltd<br>1 Quay</p>", "<h2>Contact</h2>", "<p>mail@example.org</p>"]);
    assert!(!page.text().contains("once the operator has entered them"), "{}", page.text());
    shop.get("/imprint?lang=de").await.assert_has(&["<p>Hafen-Tickets GmbH</p>"]);
    shop.get("/terms").await.assert_has(&["you have a contract with the organizer of the event"]);
}

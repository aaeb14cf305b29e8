//! What a partner says of its shop.

use super::Browser;
use crate::harness::Shop;

#[tokio::test]
async fn long_texts_in_any_script_are_saved_and_saved_again() {
    let shop = Shop::open().await;
    let (ann, home) = Browser::with_partner(&shop, "ann@example.org", "Harbour Hall").await;
    let path = format!("{home}/shop");
    for letter in ["щ", "й"] {
        let text = letter.repeat(10_000);
        let form = ann.fill(&path, &[("desc", &text)]).await;
        ann.send_filled(&path, &form).await.leads_to();
        assert!(ann.get(&path).await.text().contains(&text));
    }
}

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

#[tokio::test]
async fn ways_to_pay_stay_where_another_is_added() {
    let shop = Shop::open().await;
    let (ann, home) = Browser::with_partner(&shop, "ann@example.org", "Harbour Hall").await;
    let path = format!("{home}/shop");
    for way in ["STRIPE", "DOOR"] {
        let form = ann.fill(&path, &[(way, "true")]).await;
        ann.send_filled(&path, &form).await.leads_to();
    }
    for way in ["STRIPE", "DOOR"] {
        let checked = format!("name=\"{way}\" value=\"true\" checked");
        assert!(ann.get(&path).await.text().contains(&checked), "{way}");
    }
}

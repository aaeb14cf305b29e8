//! What a partner says of its shop.

use serde_json::{Value, json};

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
async fn ways_to_pay_that_nobody_touches_stay() {
    let shop = Shop::open().await;
    let (ann, home) = Browser::with_partner(&shop, "ann@example.org", "Harbour Hall").await;
    let path = format!("{home}/shop");
    let partner = format!("/v1/resources/partners/{}", home.strip_prefix("/console/").unwrap());
    let all = json!(["TRANSFER", "STRIPE", "DOOR", "TEST"]);
    ann.api(&home, "PATCH", &partner, &json!({"shop": {"payments": all}})).await;
    let mut form = ann.fill(&path, &[]).await;
    form.retain(|(name, _)| name != "DOOR");
    ann.send_filled(&path, &form).await.leads_to();
    let now = ann.api(&home, "GET", &partner, &Value::Null).await;
    assert_eq!(now["shop"]["payments"], json!(["TRANSFER", "STRIPE", "TEST"]));
    let form = ann.fill(&path, &[("DOOR", "true")]).await;
    ann.send_filled(&path, &form).await.leads_to();
    let now = ann.api(&home, "GET", &partner, &Value::Null).await;
    assert_eq!(now["shop"]["payments"], all);
}

//! What a partner says of its shop.

use serde_json::{Value, json};

use super::{Browser, sale};
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
async fn what_a_shop_cannot_take_yet_is_not_offered_and_its_console_says_why() {
    let shop = Shop::open().await;
    let (ann, event, set) = sale(&shop).await;
    let (home, id) = event.split_once("/events/").unwrap();
    let path = format!("{home}/shop");
    let form = ann.fill(&path, &[("open", "true"), ("STRIPE", "true"), ("TRANSFER", "true"), ("DOOR", "true")]).await;
    ann.send_filled(&path, &form).await.leads_to();
    let why = ["the account at Stripe is missing", "the account below is missing"];
    ann.get(&path).await.assert_has(&why);
    let order = shop.post(&format!("/e/{id}/order"), &format!("random.{set}=1")).await.leads_to().to_owned();
    let page = shop.get(&order).await;
    page.assert_has(&["value=\"DOOR\""]);
    assert!(!page.text().contains("STRIPE") && !page.text().contains("TRANSFER"), "{}", page.text());
    let account = json!({"secret_key": "sk_test_4eC39HqLyjWDarjtT1zdp7dc"});
    ann.api(home, "POST", "/v2/services/stripe_account", &account).await;
    let form = ann.fill(&path, &[("iban", "DE02120300000000202051"), ("holder", "Harbour Hall")]).await;
    ann.send_filled(&path, &form).await.leads_to();
    let settled = ann.get(&path).await;
    assert!(why.iter().all(|text| !settled.text().contains(text)), "{}", settled.text());
    shop.get(&order).await.assert_has(&["value=\"STRIPE\"", "value=\"TRANSFER\"", "value=\"DOOR\""]);
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

//! Somebody's own account.

use kassa_http::http::StatusCode;

use super::{Browser, PASSWORD, after};
use crate::harness::Shop;

const ACCOUNT: &str = "/console/account";

#[tokio::test]
async fn somebody_changes_its_names_password_and_e_mail() {
    let shop = Shop::open().await;
    let ann = Browser::registered(&shop, "ann@example.org").await;
    let other = Browser::new(&shop);
    let sign_in = |password| [("email", "ann@example.org"), ("password", password)];
    other.send("/console/sign-in", &sign_in(PASSWORD)).await.leads_to();
    let names = [("_do", "name"), ("first_name", "Ann"), ("last_name", "Fox")];
    assert_eq!(ann.send(ACCOUNT, &names).await.leads_to(), "/console/account?done=saved");
    ann.get(ACCOUNT).await.assert_has(&["value=\"Ann\"", "value=\"Fox\"", "This one", "End it"]);
    let wrong = [("_do", "password"), ("current_password", "wrong horse"), ("password", "battery staple")];
    let refused = ann.send(ACCOUNT, &wrong).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(refused.text().contains("The password is wrong."));
    assert!(!refused.text().contains("wrong horse") && !refused.text().contains("battery staple"));
    let right = [("_do", "password"), ("current_password", PASSWORD), ("password", "battery staple")];
    ann.send(ACCOUNT, &right).await.leads_to();
    ann.get(ACCOUNT).await.assert_has(&["ann@example.org"]);
    assert!(other.get(ACCOUNT).await.leads_to().starts_with("/console/sign-in"), "other sessions have ended");
    let email = [("_do", "email"), ("email", "fox@example.org"), ("current_password", "battery staple")];
    ann.send(ACCOUNT, &email).await.leads_to();
    ann.get(ACCOUNT).await.assert_has(&["fox@example.org"]);
    assert_eq!(ann.send(ACCOUNT, &[("_do", "nothing")]).await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn sessions_are_seen_and_ended() {
    let shop = Shop::open().await;
    let (ann, other) = (Browser::registered(&shop, "ann@example.org").await, Browser::new(&shop));
    other.send("/console/sign-in", &[("email", "ann@example.org"), ("password", PASSWORD)]).await.leads_to();
    let page = ann.get(ACCOUNT).await.text().to_owned();
    let session = after(&page, "name=\"session\" value=\"").to_owned();
    ann.send(ACCOUNT, &[("_do", "session"), ("session", &session)]).await.leads_to();
    assert!(other.get(ACCOUNT).await.leads_to().starts_with("/console/sign-in"));
    let strange = ann.send(ACCOUNT, &[("_do", "session"), ("session", "../../x")]).await;
    assert_eq!(strange.status, StatusCode::NOT_FOUND);
    assert_eq!(ann.send(ACCOUNT, &[("_do", "sessions")]).await.leads_to(), "/console/sign-in?done=signed-out");
    assert!(ann.get(ACCOUNT).await.leads_to().starts_with("/console/sign-in"));
}

#[tokio::test]
async fn a_second_factor_is_begun_shown_and_asked_for_until_a_code_is_right() {
    let shop = Shop::open().await;
    let ann = Browser::registered(&shop, "ann@example.org").await;
    let begun = ann.send(ACCOUNT, &[("_do", "factor"), ("current_password", PASSWORD)]).await;
    begun.assert_has(&["class=\"qr\"", "otpauth://totp/", "Code of the app"]);
    let page = begun.text().to_owned();
    let [secret, url] =
        ["_secret", "_url"].map(|name| super::plain(after(&page, &format!("name=\"{name}\" value=\""))));
    let form = [("_do", "factor-code"), ("_secret", secret.as_str()), ("_url", url.as_str()), ("code", "12")];
    let wrong = ann.send(ACCOUNT, &form).await;
    assert_eq!(wrong.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(wrong.text().contains("class=\"qr\"") && wrong.text().contains(&secret), "it can be read once more");
    assert!(wrong.text().contains("The code is wrong"), "{}", wrong.text());
}

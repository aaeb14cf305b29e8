//! Who works for a partner, and what each sees and does.

use kassa_http::http::StatusCode;

use super::{Browser, PASSWORD, sale, user};
use crate::harness::Shop;

/// Somebody whom the owner has made this, with a browser.
pub(super) async fn colleague<'s>(shop: &'s Shop, owner: &Browser<'_>, home: &str, role: &str) -> Browser<'s> {
    let email = format!("{role}@example.org");
    let browser = Browser::registered(shop, &email).await;
    let token = shop.engine.confirmation_token(&user(shop, &email).await);
    browser.send("/console/confirm", &[("token", &token), ("password", PASSWORD)]).await;
    let asked = owner.send(&format!("{home}/team"), &[("email", &email), ("role", role)]).await;
    assert_eq!(asked.leads_to(), format!("{home}/team?done=saved"));
    let id = home.rsplit('/').next().unwrap();
    let joined = browser.send(&format!("/console/invitations/{id}"), &[("answer", "accepted")]).await;
    assert_eq!(joined.leads_to(), home);
    browser
}

#[tokio::test]
async fn an_owner_asks_somebody_changes_the_role_and_lets_go() {
    let shop = Shop::open().await;
    let (ann, home) = Browser::with_partner(&shop, "ann@example.org", "Harbour Hall").await;
    let team = format!("{home}/team");
    ann.get(&team).await.assert_has(&["ann@example.org", "That is you", "Invite somebody"]);
    let wrong = ann.send(&team, &[("email", "nobody"), ("role", "seller")]).await;
    assert_eq!(wrong.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(wrong.text().contains("value=\"nobody\""), "what was typed is kept");
    assert!(wrong.text().contains("This is no e-mail address."));
    ann.send(&team, &[("email", "eve@example.org"), ("role", "reader")]).await.leads_to();
    ann.get(&team).await.assert_has(&["eve@example.org", "Invited, until 31 January 2026", "Take the invitation back"]);
    let bob = colleague(&shop, &ann, &home, "seller").await;
    let id = user(&shop, "seller@example.org").await.id.to_string();
    bob.get(&team).await.assert_has(&["Owners alone change the team.", "Leave"]);
    let denied = bob.send(&team, &[("_user", &id), ("role", "owner")]).await;
    assert_eq!(denied.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(denied.text().contains("You may not do that."));
    ann.send(&team, &[("_user", &id), ("role", "manager")]).await.leads_to();
    assert_eq!(bob.get(&format!("{home}/events/new")).await.status, StatusCode::OK);
    let own = user(&shop, "ann@example.org").await.id.to_string();
    let last = ann.send(&team, &[("_remove", &own), ("_leave", "true")]).await;
    assert!(last.text().contains("One owner has to stay"));
    assert_eq!(bob.send(&team, &[("_remove", &id), ("_leave", "true")]).await.leads_to(), "/console?done=saved");
    assert_eq!(bob.get(&team).await.status, StatusCode::FORBIDDEN);
}

#[tokio::test]
async fn every_page_answers_every_role_as_the_interface_does() {
    let shop = Shop::open().await;
    let (ann, event, set) = sale(&shop).await;
    let (home, id) = event.split_once("/events/").unwrap();
    let pages = ["", "/events", "/events/new", "/orders", "/sale", "/deals", "/catalogue", "/agents", "/shop", "/team"];
    let sell = (format!("{home}/sale/{id}"), vec![(format!("random.{set}"), "1".to_owned())]);
    let edit = (format!("{event}/new-set"), vec![("name", "More"), ("amount", "1"), ("price", "1")]);
    for (role, sells, organizes) in
        [("manager", true, true), ("seller", true, false), ("accountant", false, false), ("reader", false, false)]
    {
        let somebody = colleague(&shop, &ann, home, role).await;
        for page in pages {
            let status = somebody.get(&format!("{home}{page}")).await.status;
            assert!([StatusCode::OK, StatusCode::SEE_OTHER].contains(&status), "{role}: {page}: {status}");
        }
        let menu = somebody.get(home).await.text().to_owned();
        for (way, may) in
            [("/keys", false), ("/webhooks", false), ("/sale", sells), ("/shop", organizes), ("/team", true)]
        {
            let is_there = menu.contains(&format!("<li><a href=\"{home}{way}\""));
            assert_eq!(is_there, may, "{role}: {way}");
        }
        let keys = somebody.get(&format!("{home}/keys")).await;
        assert_eq!(keys.status, StatusCode::FORBIDDEN, "{role}");
        let mut form = sell.1.clone();
        form.push(("_key".to_owned(), format!("till-{role}")));
        let sold = somebody.send_filled(&sell.0, &form).await;
        let made = somebody.send(&edit.0, &edit.1).await;
        for (page, may) in [(sold, sells), (made, organizes)] {
            let expected = if may { StatusCode::SEE_OTHER } else { StatusCode::UNPROCESSABLE_ENTITY };
            assert_eq!(page.status, expected, "{role}: {}", page.text());
            if !may {
                assert!(page.text().contains("You may not do that."), "{role}");
            }
        }
    }
}

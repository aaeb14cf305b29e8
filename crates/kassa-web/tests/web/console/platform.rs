//! What operators of the platform see and do.

use kassa_domain::Actor;
use kassa_domain::user::SetOperator;
use kassa_http::http::StatusCode;

use super::{Browser, user};
use crate::harness::Shop;

const PLATFORM: &str = "/console/platform";

async fn operator<'s>(shop: &'s Shop, email: &str) -> Browser<'s> {
    let (browser, _) = Browser::with_partner(shop, email, "Operations").await;
    let command = SetOperator { user: user(shop, email).await.id, is_operator: true };
    shop.engine.change_access(&Actor::Operator, command).await.unwrap();
    browser
}

#[tokio::test]
async fn an_operator_finds_a_partner_suspends_it_and_restores_it() {
    let shop = Shop::open().await;
    let (ann, home) = Browser::with_partner(&shop, "ann@example.org", "Harbour Hall").await;
    let eve = operator(&shop, "eve@example.org").await;
    let id = home.rsplit('/').next().unwrap();
    eve.get("/console").await.assert_has(&["Platform", "Operations"]);
    eve.get(&format!("{PLATFORM}/partners")).await.assert_has(&["Harbour Hall", "Operations", "Find partners"]);
    let found = eve.get(&format!("{PLATFORM}/partners?q=harbour")).await;
    found.assert_has(&["Harbour Hall", id]);
    assert!(!found.text().contains("Operations</a>"), "only what was looked for");
    let page = format!("{PLATFORM}/partners/{id}");
    eve.get(&page).await.assert_has(&["<h1>Harbour Hall</h1>", "Active", "attachment bytes", "1000000"]);
    let long = "x".repeat(1_001);
    let refused = eve.send(&page, &[("reason", &long)]).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(refused.text().contains(&long), "what was typed is kept");
    assert_eq!(eve.send(&page, &[("reason", "Fraud & more")]).await.leads_to(), format!("{page}?done=saved"));
    eve.get(&page).await.assert_has(&["Suspended since", "Fraud &#38; more", "Restore"]);
    eve.get(&format!("{PLATFORM}/partners?suspended=true")).await.assert_has(&["Harbour Hall"]);
    assert_eq!(ann.get(&format!("{home}/events/new")).await.status, StatusCode::FORBIDDEN);
    eve.send(&page, &[("_restore", "true")]).await.leads_to();
    assert_eq!(ann.get(&format!("{home}/events/new")).await.status, StatusCode::OK);
}

#[tokio::test]
async fn an_operator_has_all_counted_again() {
    let shop = Shop::open().await;
    let eve = operator(&shop, "eve@example.org").await;
    eve.get(PLATFORM).await.assert_has(&["This server has not counted yet.", "Nodes and lanes", "No webhook fails."]);
    assert_eq!(eve.send(PLATFORM, &[]).await.leads_to(), PLATFORM);
    let mut page = eve.get(PLATFORM).await;
    while page.text().contains("All is being counted again") {
        tokio::task::yield_now().await;
        page = eve.get(PLATFORM).await;
    }
    page.assert_has(&["All agrees"]);
}

#[tokio::test]
async fn nobody_else_sees_the_platform() {
    let shop = Shop::open().await;
    let (ann, home) = Browser::with_partner(&shop, "ann@example.org", "Harbour Hall").await;
    let id = home.rsplit('/').next().unwrap();
    for path in [PLATFORM.to_owned(), format!("{PLATFORM}/partners"), format!("{PLATFORM}/partners/{id}")] {
        assert_eq!(ann.get(&path).await.status, StatusCode::FORBIDDEN, "{path}");
    }
    let refused = ann.send(&format!("{PLATFORM}/partners/{id}"), &[("reason", "X")]).await;
    assert_eq!(refused.status, StatusCode::FORBIDDEN);
    assert_eq!(ann.get("/console").await.leads_to(), home, "the only console that there is");
}

//! The shop in pages of other sites.

use kassa_domain::partner::PartnerRole;
use kassa_http::http::{StatusCode, header};
use serde_json::{Value, json};

use crate::harness::{Page, Partner, Shop};

const SITE: &str = "https://www.example.com";

/// An event of an organizer at 20.00, which an agent sells for 10 % more on a site of its own.
struct Sale {
    shop: Shop,
    organizer: Partner,
    agent: Partner,
    event: String,
    set: String,
}

impl Sale {
    async fn open() -> Self {
        let shop = Shop::open().await;
        let organizer = shop.organizer().await;
        let agent = shop.partner("Ticket Corner", &[PartnerRole::Agent]).await;
        let event = organizer.event("Night Concert", json!({})).await;
        let set = organizer.set(&event, json!({"name": "Floor", "amount": 5, "price": "20.00"})).await;
        organizer
            .send("POST", "deals", &json!({"event": event, "subj": agent.id, "term": {"org": 90, "extra": 10}}))
            .await;
        for (partner, site) in [(&organizer, "https://hall.example.com"), (&agent, SITE)] {
            let open = json!({"open": true, "payments": ["TEST", "DOOR"], "origins": [site]});
            partner.send("PATCH", &format!("partners/{}", partner.id), &json!({"shop": open})).await;
        }
        Self { shop, organizer, agent, event, set }
    }

    /// A token of the agent's shop, and its id.
    async fn token(&self, body: &Value) -> (String, String) {
        let made = self.agent.send_v2("POST", "/v2/services/widget_tokens", body).await;
        let text = |name: &str| made["data"][name].as_str().unwrap().to_owned();
        (text("token"), text("id"))
    }

    /// The page at a path in a frame, wherever it leads first.
    async fn framed(&self, path: &str) -> Page {
        let page = self.shop.get(path).await;
        if page.status.is_redirection() { self.shop.get(page.header(header::LOCATION)).await } else { page }
    }
}

/// Who may frame a page.
fn ancestors(page: &Page) -> String {
    let policy = page.header(header::CONTENT_SECURITY_POLICY);
    let names = policy.split("; ").find_map(|part| part.strip_prefix("frame-ancestors ")).unwrap().to_owned();
    assert_eq!(page.header(header::X_FRAME_OPTIONS).is_empty(), names != "'none'", "{policy}");
    names
}

#[tokio::test]
async fn an_agents_frame_sells_at_its_price_on_its_sites_without_cookies() {
    let sale = Sale::open().await;
    let prefix = format!("/widget/{}/de", sale.agent.id);
    let page = sale.framed(&format!("{prefix}/e/{}", sale.event)).await;
    page.assert_has(&["lang=\"de\"", "22", &format!("action=\"{prefix}/e/{}/order\"", sale.event)]);
    assert_eq!(ancestors(&page), SITE);
    assert_eq!(page.header(header::SET_COOKIE), "");
    let form = format!("random.{}=2", sale.set);
    let made = sale.shop.post(&format!("{prefix}/e/{}/order", sale.event), &form).await;
    let order = made.leads_to().to_owned();
    assert!(order.starts_with(&format!("{prefix}/order/")), "{order}");
    let cart = sale.shop.get(&order).await;
    cart.assert_has(&["44", "Ticket Corner", &format!("action=\"{order}/pay\"")]);
    assert_eq!((ancestors(&cart), cart.header(header::CACHE_CONTROL)), (SITE.to_owned(), "private, no-store"));
    let form = "settings.customer.email=ann%40example.org&provider=TEST";
    let bank = sale.shop.post(&format!("{order}/pay"), form).await.leads_to().to_owned();
    assert!(bank.starts_with(&format!("{prefix}/pay/test/")), "{bank}");
    assert_eq!(sale.shop.post(&bank, "outcome=yes").await.leads_to(), order);
    sale.shop.get(&order).await.assert_has(&["data-order=\"paid\"", "target=\"_blank\" href=\"/order/"]);
    let alone = order.strip_prefix(&prefix).unwrap();
    let outside = sale.shop.get(alone).await;
    assert_eq!((outside.status, ancestors(&outside).as_str()), (StatusCode::OK, "'none'"));
    let foreign = sale.shop.get(&format!("/widget/{}/de{alone}", sale.organizer.id)).await;
    assert_eq!(foreign.status, StatusCode::NOT_FOUND, "it is another's order");
}

#[tokio::test]
async fn forms_of_other_sites_buy_nothing_in_a_frame() {
    let sale = Sale::open().await;
    let path = format!("/widget/{}/en/e/{}/order", sale.agent.id, sale.event);
    let foreign = [("sec-fetch-site", "cross-site"), ("content-type", "application/x-www-form-urlencoded")];
    let refused = sale.shop.send("POST", &path, &foreign, &format!("random.{}=1", sale.set)).await;
    assert_eq!(refused.status, StatusCode::FORBIDDEN);
}

#[tokio::test]
async fn a_token_opens_the_shop_until_it_is_removed() {
    let sale = Sale::open().await;
    let (token, id) = sale.token(&json!({})).await;
    let path = format!("/widget/{token}/en/e/{}", sale.event);
    sale.framed(&path).await.assert_has(&["€22", "Ticket Corner"]);
    sale.agent.send_v2("DELETE", &format!("/v2/services/widget_tokens/{id}"), &json!({})).await;
    let refused = sale.framed(&path).await;
    assert_eq!(refused.status, StatusCode::FORBIDDEN);
    assert!(refused.text().contains("Tickets cannot be sold on this page"), "{}", refused.text());
    assert_eq!(ancestors(&refused), SITE);
    let form = format!("random.{}=1", sale.set);
    assert_eq!(sale.shop.post(&format!("{path}/order"), &form).await.status, StatusCode::FORBIDDEN);
}

#[tokio::test]
async fn a_token_of_an_event_shows_that_one_only() {
    let sale = Sale::open().await;
    let other = sale.organizer.event("Another Night", json!({})).await;
    let (token, _) = sale.token(&json!({"event": sale.event})).await;
    sale.framed(&format!("/widget/{token}/en")).await.assert_has(&["Night Concert"]);
    assert_eq!(sale.framed(&format!("/widget/{token}/en/e/{other}")).await.status, StatusCode::NOT_FOUND);
    let offers = sale.shop.get(&format!("/widget/{token}/en/offers.json")).await;
    let offers: Value = serde_json::from_slice(&offers.bytes).unwrap();
    assert_eq!(offers["events"].as_array().map(Vec::len), Some(1), "{offers}");
}

#[tokio::test]
async fn pages_of_the_original_sell_under_the_deal_of_their_token() {
    let sale = Sale::open().await;
    let (token, _) = sale.token(&json!({})).await;
    for token in [token.clone(), format!("r:{token}")] {
        let path = format!("/v1/widgets/common?event={}&token={token}&lang=ru&s=&r=x&org=y", sale.event);
        let led = sale.shop.get(&path).await;
        assert_eq!(ancestors(&led), "*", "the page that it leads to says who may frame it");
        let page = sale.framed(led.leads_to()).await;
        page.assert_has(&["lang=\"ru\"", "22", "Ticket Corner"]);
        assert_eq!(ancestors(&page), SITE);
    }
    let (signed, _) = token.rsplit_once('.').unwrap();
    let foreign = format!("{signed}.{}", "A".repeat(43));
    for bad in [foreign.as_str(), "", "x", "a.b.c", "%22%3E", &format!("{signed}.")] {
        let led = sale.shop.get(&format!("/v1/widgets/common?event={}&token={bad}&lang=de", sale.event)).await;
        let page = sale.shop.get(led.leads_to()).await;
        assert_eq!((page.status, ancestors(&page).as_str()), (StatusCode::FORBIDDEN, "*"), "{bad}");
        assert!(page.text().contains("Auf dieser Seite können keine Karten verkauft werden"), "{}", page.text());
        assert!(!page.text().contains("<form"), "there is nothing to press: {}", page.text());
    }
}

#[tokio::test]
async fn without_a_name_nobody_frames_a_shop_and_a_closed_one_says_so() {
    let sale = Sale::open().await;
    let path = format!("/widget/{}/en/e/{}", sale.organizer.id, sale.event);
    sale.organizer.send("PATCH", &format!("partners/{}", sale.organizer.id), &json!({"shop": {"origins": []}})).await;
    assert_eq!(ancestors(&sale.framed(&path).await), "'none'");
    let shop = json!({"shop": {"open": false, "origins": [SITE]}});
    sale.organizer.send("PATCH", &format!("partners/{}", sale.organizer.id), &shop).await;
    let closed = sale.framed(&path).await;
    assert_eq!((closed.status, ancestors(&closed).as_str()), (StatusCode::FORBIDDEN, SITE));
    assert!(closed.text().contains("This shop is closed just now"), "{}", closed.text());
    for path in ["imprint", "terms", "nowhere", "assets/none.css"] {
        let page = sale.shop.get(&format!("/widget/{}/en/{path}", sale.agent.id)).await;
        assert_eq!(page.status, StatusCode::NOT_FOUND, "{path}");
    }
    assert_eq!(sale.shop.get("/offers.json").await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn elements_are_told_what_is_sold() {
    let sale = Sale::open().await;
    for (seller, price) in [(sale.agent.id.as_str(), "€22"), (sale.organizer.id.as_str(), "€20"), ("-", "€20")] {
        let path = format!("/widget/{seller}/en/offers.json?event={}", sale.event);
        let answer = sale.shop.get(&path).await;
        assert_eq!(answer.header(header::ACCESS_CONTROL_ALLOW_ORIGIN), "*");
        let offers: Value = serde_json::from_slice(&answer.bytes).unwrap();
        let offer = &offers["events"][0];
        assert_eq!((&offer["id"], &offer["state"]), (&json!(sale.event), &json!("on-sale")), "{seller}");
        assert!(offer["price"].as_str().unwrap().contains(price), "{seller}: {offer}");
    }
    let page = sale.framed(&format!("/widget/{}/en/", sale.agent.id)).await;
    page.assert_has(&["Night Concert", &format!("href=\"/widget/{}/en/e/night-concert", sale.agent.id)]);
}

#[tokio::test]
async fn scripts_have_addresses_that_never_change() {
    let sale = Sale::open().await;
    for path in ["/widget/v1.js", "/static/scripts/widget/tcwidget.js"] {
        let script = sale.shop.get(path).await;
        assert_eq!(script.status, StatusCode::OK, "{path}");
        assert_eq!(script.header(header::CONTENT_TYPE), "text/javascript; charset=utf-8");
        assert_eq!(script.header(header::CACHE_CONTROL), "public, max-age=300");
        assert!(script.text().contains("Schließen") && !script.text().contains("document.cookie"), "{path}");
        let tag = script.header(header::ETAG).to_owned();
        let again = sale.shop.ask("GET", path, &[("if-none-match", &tag)]).await;
        assert_eq!((again.status, again.bytes.len()), (StatusCode::NOT_MODIFIED, 0));
    }
}

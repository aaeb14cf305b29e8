//! A site of somebody else, on an address of its own: an agent sells on it, by the elements of the widget, and as pages do
//! that were written for another server of the interface.

use std::collections::BTreeMap;

use kassa_domain::ReadSet;
use kassa_engine::Engine;
use kassa_http::static_pages::StaticSite;
use kassa_http::{AppState, HttpConfig};
use serde_json::{Value, json};

use super::client::{DemoClient, text_field};
use super::folder::{DemoManifest, PartnerLogin};
use crate::error::Fatal;

/// What is in place of what is known only when the demo runs.
const SHOP: &str = "{shop}";
const SELLER: &str = "{seller}";
const EVENT: &str = "{event}";
const SEATED_EVENT: &str = "{seated_event}";
const TOKEN: &str = "{token}";

/// Path, media type, contents.
const FILES: [(&str, &str, &str); 5] = [
    ("/", "text/html; charset=utf-8", include_str!("site/index.html")),
    ("/old", "text/html; charset=utf-8", include_str!("site/old.html")),
    ("/site.css", "text/css; charset=utf-8", include_str!("site/site.css")),
    ("/site.js", "text/javascript; charset=utf-8", include_str!("site/site.js")),
    ("/lanterns.svg", "image/svg+xml", include_str!("site/lanterns.svg")),
];

/// The addresses that the site has had when the demo ran before begin so.
const OWN_ORIGIN: &str = "http://127.0.0.1:";

/// Lets the agent's shop be framed by the site at `url`, and makes its pages.
pub(super) async fn prepare_site(
    demo: &DemoManifest,
    engine: &Engine,
    shop: &str,
    url: &str,
) -> Result<StaticSite, Fatal> {
    let (seller, client) = sign_in(&demo.agent, engine).await?;
    let path = format!("/v1/resources/partners/{seller}");
    let partner = client.get(&path).await?;
    let others = partner["shop"]["origins"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let others = others.filter(|origin| !origin.starts_with(OWN_ORIGIN));
    let origins: Vec<&str> = std::iter::once(url).chain(others).collect();
    client.patch(&path, json!({"shop": {"origins": origins}})).await?;
    let token = widget_token(&client).await?;
    let known = [
        (SHOP, shop),
        (SELLER, seller.as_str()),
        (EVENT, demo.event.as_str()),
        (SEATED_EVENT, demo.seated_event.as_str()),
        (TOKEN, token.as_str()),
    ];
    let filled = |text: &str| known.iter().fold(text.to_owned(), |text, (name, value)| text.replace(name, value));
    let pages = FILES.map(|(path, kind, text)| (path, (kind, filled(text).into())));
    // As strict as a site's policy can be that has the widget.
    let policy = format!(
        "default-src 'none'; style-src 'self'; img-src 'self'; script-src 'self' {shop}; connect-src {shop}; frame-src {shop}; \
         base-uri 'none'; form-action 'none'"
    );
    Ok(StaticSite { pages: BTreeMap::from(pages), policy: policy.try_into()? })
}

/// The id of a partner, and somebody who acts with its key.
async fn sign_in(login: &PartnerLogin, engine: &Engine) -> Result<(String, DemoClient), Fatal> {
    let view = engine.view(&ReadSet { keys: vec![login.key], ..ReadSet::default() }).await?;
    let key = view.keys.get(login.key).ok_or_else(|| format!("the database has no key {}", login.key))?;
    let api = DemoClient::new(AppState::new(engine.clone(), HttpConfig::default()));
    Ok((key.partner.to_string(), api.with_key(&engine.api_key_token(key)?)))
}

/// The newest token of a partner's shop; one is made where there is none.
async fn widget_token(client: &DemoClient) -> Result<String, Fatal> {
    let tokens = client.get("/v2/services/widget_tokens").await?;
    match tokens["data"].as_array().and_then(|tokens| tokens.first()) {
        Some(token) => text_field(token, "token"),
        None => text_field(&client.post("/v2/services/widget_tokens", json!({})).await?["data"], "token"),
    }
}

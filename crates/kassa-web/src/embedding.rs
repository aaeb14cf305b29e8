//! Who is asked for in a frame of another site: the partner whose shop it is, and whether that sells there.

use kassa_texts::Language;
use serde_json::Value;

use crate::error::PageError;
use crate::framing::{FramedPath, Framing};
use crate::model::PartnerData;
use crate::request::PageRequest;
use crate::shop::Shop;
use crate::slug;

/// Makes a request for a page in a frame one for that page; and says why it cannot be shown, if it cannot.
pub(crate) async fn embed(shop: &Shop, request: &mut PageRequest, path: &FramedPath) -> Result<(), PageError> {
    if let Some(language) = Language::of_tag(&path.language) {
        request.language = language;
    }
    // The address says the language: no cookie has to.
    request.chose_language = false;
    request.path.clone_from(&path.path);
    let (framing, partner) = find(shop, request, path).await?;
    if path.path == "/" {
        request.path = home_of(&framing, &partner);
    }
    let credential = framing.credential.clone();
    // Who may frame a page that says why nothing is sold is known, too.
    request.framing = Some(framing);
    if !partner.shop.open {
        return Err(PageError::ShopClosed);
    }
    let path = format!("/v1/resources/partners/{}?fields-schema=id", partner.id);
    let asked = shop.api.ask::<Value>(&request.origin, ("GET", &path), &credential, (None, None)).await?;
    asked.map(drop).map_err(|_| PageError::BadToken)
}

/// The partner that a path names by its id or by a token. Of a token, only what it says is known: not whether it is good.
async fn find(shop: &Shop, request: &PageRequest, path: &FramedPath) -> Result<(Framing, PartnerData), PageError> {
    let named = if path.seller == FramedPath::ORGANIZER {
        let event = path.path.strip_prefix("/e/").or_else(|| request.value("event")).and_then(slug::id_of);
        Some(shop.api.organizer_of(&request.origin, &event.ok_or(PageError::NotFound)?).await?)
    } else {
        slug::id_of(&path.seller)
    };
    let (vendor, event, credential) = if let Some(vendor) = named {
        let credential = shop.visitor(&vendor)?;
        (vendor, None, credential)
    } else {
        let visit = shop.app.engine.shop_visit(&path.seller).ok_or(PageError::BadToken)?;
        let event = visit.event.map(|event| event.to_string());
        (visit.shop.to_string(), event, format!("widget {}", path.seller))
    };
    let partner = shop.api.partner(&request.origin, &vendor).await;
    let partner = partner.map_err(|error| if error == PageError::NotFound { PageError::BadToken } else { error })?;
    let origins = partner.shop.origins.clone();
    let seller = if path.seller == FramedPath::ORGANIZER { vendor.clone() } else { path.seller.clone() };
    let prefix = FramedPath { seller, ..path.clone() }.prefix();
    Ok((Framing { prefix, vendor, credential, event, origins }, partner))
}

/// The page that a shop begins with: its one event, or the list of all.
fn home_of(framing: &Framing, partner: &PartnerData) -> String {
    match &framing.event {
        Some(event) => format!("/e/{event}"),
        None if partner.roles.iter().any(|role| role == "agent") => format!("/a/{}", partner.id),
        None => format!("/o/{}", partner.id),
    }
}

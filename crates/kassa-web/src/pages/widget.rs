//! What pages of other sites load to sell there: a script, what is sold, and the page that old ones have in a frame.

use bytes::Bytes;
use kassa_http::http::Response;
use serde_json::json;

use super::respond_shared;
use crate::answer::{self, Rendered, see_other};
use crate::api::Seller;
use crate::error::PageError;
use crate::framing::{FramedPath, Framing, open_to_all};
use crate::request::PageRequest;
use crate::shop::Shop;
use crate::slug;
use crate::views::Card;

/// Events of a list in a page of another site, at most.
const OFFERS_MAX: usize = 24;

/// `/widget/v1.js`
pub(crate) fn script(shop: &Shop, request: &PageRequest) -> Response<Bytes> {
    answer::script_for_others(&shop.widget.elements, request)
}

/// `/static/scripts/widget/tcwidget.js`
pub(crate) fn drop_in_script(shop: &Shop, request: &PageRequest) -> Response<Bytes> {
    answer::script_for_others(&shop.widget.drop_in, request)
}

/// `/v1/widgets/common?event=&token=&lang=`: leads to the page of the event in the frame of the token's shop. Whether the
/// token is good, that says.
pub(crate) fn drop_in(request: &PageRequest) -> Response<Bytes> {
    let text = |name: &str| request.value(name).unwrap_or(FramedPath::NO_SELLER).to_owned();
    let event = request.value("event").and_then(slug::id_of);
    let path = event.map_or_else(|| "/".to_owned(), |event| format!("/e/{event}"));
    let seller = text("token");
    let seller = seller.strip_prefix(FramedPath::TOKEN_PREFIX).unwrap_or(&seller).to_owned();
    let framed = FramedPath { seller, language: text("lang"), path };
    open_to_all(see_other(&format!("{}{}", framed.prefix(), framed.path)))
}

/// `/widget/{seller}/{language}/offers.json?event=`: what elements show. It is the same for every site.
pub(crate) async fn offers(shop: &Shop, request: &PageRequest) -> Result<Response<Bytes>, PageError> {
    let framing = request.framing.as_ref().ok_or(PageError::NotFound)?;
    let asked = match request.value("event") {
        Some(event) => Some(slug::id_of(event).ok_or(PageError::NotFound)?),
        None => framing.event.clone(),
    };
    if asked.as_deref().is_some_and(|event| !framing.sells(event)) {
        return Err(PageError::NotFound);
    }
    let path = format!("/offers.json?event={}", asked.as_deref().unwrap_or_default());
    respond_shared(shop, request, &path, make(shop, request, framing, asked)).await
}

async fn make(
    shop: &Shop,
    request: &PageRequest,
    framing: &Framing,
    asked: Option<String>,
) -> Result<Rendered, PageError> {
    let seller = Seller::Agent(framing.vendor.clone());
    let mut events = match &asked {
        Some(event) => vec![shop.api.event(request, event, &seller).await?],
        None => shop.api.upcoming(request, None, &seller).await?,
    };
    events.sort_by_key(|event| (event.order(), event.id.clone()));
    let offers = events.iter().take(OFFERS_MAX).map(|event| {
        let card = Card::new(event, &seller, request.texts(), shop.settings.currency, shop.present());
        json!({
            "id": event.id,
            "title": card.title,
            "when": card.when.map(|when| json!({"text": when.short, "machine": when.machine})),
            "place": card.place,
            "price": card.price,
            "note": card.note,
            "state": card.state,
        })
    });
    let offers: Vec<_> = offers.collect();
    Ok(Rendered::for_others(&json!({"language": request.language.code(), "events": offers})))
}

//! `/`: what is sold here.

use askama::Template;
use bytes::Bytes;
use kassa_http::http::Response;

use super::listing::Listing;
use super::{found, respond_shared};
use crate::api::Seller;
use crate::error::PageError;
use crate::frame::{Frame, render};
use crate::model::EventData;
use crate::request::PageRequest;
use crate::shop::Shop;
use crate::views::{Card, SaleState, sale_state};

#[derive(Template)]
#[template(path = "home.html")]
struct HomePage<'a> {
    frame: Frame<'a>,
    /// The next event, shown large, on the first page only.
    lead: Option<Card>,
    listing: Listing,
}

pub(crate) async fn respond(shop: &Shop, request: &PageRequest) -> Result<Response<Bytes>, PageError> {
    let path = Listing::path_of(request, "/");
    let make = async {
        let mut events = shop.api.upcoming(request, None, &Seller::Organizer).await?;
        events.sort_by_key(|event| (event.order(), event.id.clone()));
        let texts = request.texts();
        let (now, year) = shop.present();
        let card = |event: &EventData| Card::new(event, &Seller::Organizer, texts, shop.settings.currency, (now, year));
        let page = Listing::page_number(request);
        // What leads has a picture, and tickets.
        let leads = |event: &EventData| event.media.cover.is_some() && sale_state(event, now) == SaleState::OnSale;
        let lead = events.iter().position(leads).filter(|_| page == 1);
        let lead = lead.map(|at| card(&events.remove(at)));
        let cards = events.iter().map(card).collect();
        let listing = Listing::new(request, "/", cards);
        let frame = Frame::new(shop, request, "", path.clone());
        let html = render(&HomePage { frame, lead, listing })?;
        Ok(found(html))
    };
    respond_shared(shop, request, &path, make).await
}

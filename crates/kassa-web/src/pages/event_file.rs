//! `/e/{event}.ics`: an event for calendars.

use bytes::Bytes;
use kassa_http::http::Response;

use super::event::seller_of;
use crate::answer::{Rendered, moved};
use crate::error::PageError;
use crate::ics;
use crate::request::PageRequest;
use crate::shop::Shop;
use crate::slug;
use crate::views::{event_path, place_line};

pub(crate) async fn respond(shop: &Shop, request: &PageRequest, segment: &str) -> Result<Response<Bytes>, PageError> {
    let id = slug::id_of(segment).ok_or(PageError::NotFound)?;
    let seller = seller_of(request)?;
    let event = shop.api.event(request, &id, &seller).await?;
    let seller = seller.unless_organizer_of(&event);
    let words = event.segment();
    let path = format!("/e/{words}.ics");
    if request.path != path {
        return Ok(moved(&path));
    }
    let url = format!("{}{}", request.origin.base_url(), event_path(&event, &seller));
    // An event without a time is in no calendar.
    let file = ics::of_event(&event, &place_line(&event, request.texts()), &url).ok_or(PageError::NotFound)?;
    Ok(Rendered::file("text/calendar; charset=utf-8", &format!("{words}.ics"), file).answer(request))
}

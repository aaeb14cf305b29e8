//! `/order/{token}/tickets.pdf` and `/order/{token}/event.ics`: what the holder of an order's link takes along.

use bytes::Bytes;
use kassa_http::http::Response;

use super::Link;
use crate::answer::private_file;
use crate::error::PageError;
use crate::request::PageRequest;
use crate::shop::Shop;

/// The files that an order has: their names, and where the interface has them.
const FILES: [&str; 2] = ["tickets.pdf", "event.ics"];

pub(crate) async fn file(
    shop: &Shop,
    request: &PageRequest,
    token: &str,
    name: &str,
) -> Result<Response<Bytes>, PageError> {
    let link = Link::of(token)?;
    let name = FILES.into_iter().find(|file| *file == name).ok_or(PageError::NotFound)?;
    let path = format!("{}/{name}?lang={}", link.resource(), request.language.code());
    let (headers, bytes) = shop.api.file(&request.origin, &path, &link.credential()).await?;
    Ok(private_file(&headers, bytes))
}

//! The pages, one file each.

pub(crate) mod assets;
pub(crate) mod cart;
pub(crate) mod error_page;
pub(crate) mod event;
pub(crate) mod event_file;
pub(crate) mod home;
pub(crate) mod legal;
pub(crate) mod listing;
pub(crate) mod lost_tickets;
pub(crate) mod order;
pub(crate) mod own_orders;
pub(crate) mod seats;
pub(crate) mod stripe_payment;
pub(crate) mod test_payment;
pub(crate) mod widget;

use std::sync::Arc;

use bytes::Bytes;
use kassa_http::http::{Response, StatusCode};

use crate::answer::Rendered;
use crate::error::PageError;
use crate::request::PageRequest;
use crate::shop::Shop;

/// What a page says to whoever comes from a form, by the last word of its key in the address: `?notice=longer`.
const NOTICES: [&str; 16] = [
    "notice-all-taken",
    "notice-canceled",
    "notice-code-removed",
    "notice-code-used",
    "notice-longer",
    "notice-names-changed",
    "notice-not-on-sale",
    "notice-not-reserved",
    "notice-nothing-chosen",
    "notice-refund-asked",
    "notice-seats-gone",
    "notice-shop-closed",
    "notice-single-seats",
    "notice-some-taken",
    "notice-too-many",
    "notice-too-many-unpaid",
];

/// What the address of a page has it say, in words.
fn notice(request: &PageRequest) -> Option<String> {
    let wanted = request.value("notice")?;
    let key = NOTICES.into_iter().find(|key| key.strip_prefix("notice-") == Some(wanted))?;
    Some(request.texts().text(key))
}

/// Answers with a page that is the same for everybody who asks for this path in this language: with the one that was made a
/// moment ago, or with a new one.
async fn respond_shared(
    shop: &Shop,
    request: &PageRequest,
    path: &str,
    make: impl Future<Output = Result<Rendered, PageError>>,
) -> Result<Response<Bytes>, PageError> {
    let key = format!("{} {path}", request.readers());
    if let Some(page) = shop.cache.find(&key) {
        return Ok(page.answer(request));
    }
    let page = Arc::new(make.await?);
    shop.cache.keep(key, &page);
    Ok(page.answer(request))
}

/// A page that was found.
fn found(html: String) -> Rendered {
    Rendered::html(StatusCode::OK, html)
}

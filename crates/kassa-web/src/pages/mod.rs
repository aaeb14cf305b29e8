//! The pages, one file each.

pub(crate) mod assets;
pub(crate) mod cart;
pub(crate) mod error_page;
pub(crate) mod event;
pub(crate) mod event_file;
pub(crate) mod home;
pub(crate) mod legal;
pub(crate) mod listing;
pub(crate) mod order;
pub(crate) mod test_payment;

use std::sync::Arc;

use bytes::Bytes;
use kassa_http::http::{Response, StatusCode};

use crate::answer::Rendered;
use crate::error::PageError;
use crate::request::PageRequest;
use crate::shop::Shop;

/// Answers with a page that is the same for everybody who asks for this path in this language: with the one that was made a
/// moment ago, or with a new one.
async fn respond_shared(
    shop: &Shop,
    request: &PageRequest,
    path: &str,
    make: impl Future<Output = Result<Rendered, PageError>>,
) -> Result<Response<Bytes>, PageError> {
    let key = format!("{} {} {path}", request.language.code(), request.origin.base_url());
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

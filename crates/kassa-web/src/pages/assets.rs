//! `/assets/{name}.{hash}.{extension}`

use bytes::Bytes;
use kassa_http::http::Response;

use crate::accent;
use crate::answer::{self, Rendered};
use crate::error::PageError;
use crate::request::PageRequest;
use crate::shop::Shop;

pub(crate) fn respond(shop: &Shop, request: &PageRequest, file: &str) -> Result<Response<Bytes>, PageError> {
    if let Some(style) = accent::style_of(file) {
        return Ok(Rendered::style(style).lasting_answer(request));
    }
    let asset = shop.assets.find(file).ok_or(PageError::NotFound)?;
    Ok(answer::asset(asset, request))
}

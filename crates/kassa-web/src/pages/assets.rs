//! `/assets/{name}.{hash}.{extension}`

use bytes::Bytes;
use kassa_http::http::Response;

use crate::answer;
use crate::error::PageError;
use crate::request::PageRequest;
use crate::shop::Shop;

pub(crate) fn respond(shop: &Shop, request: &PageRequest, file: &str) -> Result<Response<Bytes>, PageError> {
    let asset = shop.assets.find(file).ok_or(PageError::NotFound)?;
    Ok(answer::asset(asset, request))
}

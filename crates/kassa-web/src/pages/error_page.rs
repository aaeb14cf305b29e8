//! The page of an error.

use askama::Template;

use crate::error::PageError;
use crate::frame::{Frame, render};
use crate::request::PageRequest;
use crate::shop::Shop;

#[derive(Template)]
#[template(path = "error.html")]
struct ErrorPage<'a> {
    frame: Frame<'a>,
    status: u16,
    /// The title of what it is about.
    about: Option<&'a str>,
    happened: String,
    hint: String,
    /// Whether somebody may have looked for an order.
    has_tickets: bool,
}

/// The page of an error, in the language of the request; with the title of what it is about, where that is known.
pub(crate) fn render_error(
    shop: &Shop,
    request: &PageRequest,
    error: PageError,
    about: Option<&str>,
) -> Result<String, PageError> {
    let [happened, hint] = error.texts().map(|key| request.texts().text(key));
    let mut frame = Frame::new(shop, request, &happened, "/".to_owned());
    frame.is_indexed = false;
    let has_tickets = request.path.starts_with("/order/") || error == PageError::Canceled;
    render(&ErrorPage { frame, status: error.status().as_u16(), about, happened, hint, has_tickets })
}

//! `/tickets`: where somebody asks for links that went lost. The answer says nothing of what was ordered.

use askama::Template;
use bytes::Bytes;
use kassa_http::http::{Response, StatusCode};
use serde_json::{Value, json};

use crate::answer::private_page;
use crate::api::Refused;
use crate::error::PageError;
use crate::frame::{Frame, render};
use crate::request::PageRequest;
use crate::shop::Shop;

#[derive(Template)]
#[template(path = "lost_tickets.html")]
struct LostTicketsPage<'a> {
    frame: Frame<'a>,
    title: String,
    /// What was typed.
    email: &'a str,
    is_wrong: bool,
    is_sent: bool,
}

pub(crate) fn respond(shop: &Shop, request: &PageRequest) -> Result<Response<Bytes>, PageError> {
    show(shop, request, ("", false), StatusCode::OK)
}

/// Has the links mailed.
pub(crate) async fn send(shop: &Shop, request: &PageRequest) -> Result<Response<Bytes>, PageError> {
    let email = request.form.value("email").unwrap_or_default();
    let body = json!({"email": email, "lang": request.language.code()});
    let asked = ("POST", "/v2/services/order_links");
    let sent: Result<Value, Refused> = shop.api.ask_openly(&request.origin, asked, &body).await?;
    match sent {
        Ok(_) => show(shop, request, (email, true), StatusCode::OK),
        Err(_) => show(shop, request, (email, false), StatusCode::UNPROCESSABLE_ENTITY),
    }
}

fn show(
    shop: &Shop,
    request: &PageRequest,
    (email, is_sent): (&str, bool),
    status: StatusCode,
) -> Result<Response<Bytes>, PageError> {
    let title = request.texts().text("lost-tickets");
    let mut frame = Frame::new(shop, request, &title, "/tickets".to_owned());
    frame.is_indexed = false;
    let page = LostTicketsPage { frame, title, email, is_wrong: status != StatusCode::OK, is_sent };
    Ok(private_page(status, render(&page)?))
}

//! `/pay/test/{token}/{payment}`: where nobody pays anything, and says how the payment shall have ended.

use askama::Template;
use bytes::Bytes;
use kassa_http::http::{Response, StatusCode};
use serde_json::{Value, json};

use super::order::{Link, OrderStatus, load};
use crate::answer::{private_page, see_other};
use crate::error::PageError;
use crate::frame::{Frame, render};
use crate::request::PageRequest;
use crate::shop::Shop;

/// How a payment can end: as the interface knows it, and the key of its text.
const OUTCOMES: [(&str, &str); 6] = [
    ("yes", "test-yes"),
    ("no", "test-no"),
    ("later", "test-later"),
    ("twice", "test-twice"),
    ("late", "test-late"),
    ("never", "test-never"),
];

#[derive(Template)]
#[template(path = "test_payment.html")]
struct TestPaymentPage<'a> {
    frame: Frame<'a>,
    total: String,
    /// What can be chosen: as the interface knows it, and in words.
    outcomes: Vec<(&'static str, String)>,
    back: String,
}

pub(crate) async fn respond(
    shop: &Shop,
    request: &PageRequest,
    token: &str,
    payment: &str,
) -> Result<Response<Bytes>, PageError> {
    let link = Link::of(token)?;
    let order = load(shop, &request.origin, &link).await?;
    if order.data.status != OrderStatus::InProgress {
        return Ok(see_other(&link.page()));
    }
    let texts = request.texts();
    let mut frame = Frame::new(shop, request, &texts.text("test-title"), format!("/pay/test/{token}/{payment}"));
    frame.is_indexed = false;
    frame.set_accent(Some(&shop.api.partner(&request.origin, &order.data.vendor).await?));
    let page = TestPaymentPage {
        total: texts.amount(order.data.values.full, shop.settings.currency),
        outcomes: OUTCOMES.map(|(outcome, key)| (outcome, texts.text(key))).to_vec(),
        back: link.page(),
        frame,
    };
    Ok(private_page(StatusCode::OK, render(&page)?))
}

/// Takes the choice, and leads back to the order.
pub(crate) async fn settle(
    shop: &Shop,
    request: &PageRequest,
    token: &str,
    payment: &str,
) -> Result<Response<Bytes>, PageError> {
    let link = Link::of(token)?;
    let outcome = request
        .form
        .value("outcome")
        .filter(|wanted| OUTCOMES.iter().any(|(outcome, _)| outcome == wanted))
        .ok_or(PageError::NotFound)?;
    if !payment.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Err(PageError::NotFound);
    }
    let path = format!("{}/payments/{payment}/test", link.resource());
    let body = json!({"outcome": outcome});
    // Whatever came of it, and also that it was too late, the page of the order says.
    let _settled: Result<Value, _> =
        shop.api.ask(&request.origin, ("POST", &path), &link.credential(), (None, Some(&body))).await?;
    Ok(see_other(&link.page()))
}

//! `/pay/stripe/{token}/{payment}`: the way to the page of Stripe where a card is charged, and the way back from there.

use askama::Template;
use bytes::Bytes;
use kassa_http::http::{Response, StatusCode};

use super::order::{Link, NextStep, PaymentAnswer};
use crate::answer::{private_page, see_other};
use crate::api::Refused;
use crate::error::PageError;
use crate::frame::{Frame, render};
use crate::request::PageRequest;
use crate::shop::Shop;

#[derive(Template)]
#[template(path = "stripe_payment.html")]
struct StripePaymentPage<'a> {
    frame: Frame<'a>,
    /// The page of Stripe; none if Stripe gives no answer.
    url: Option<String>,
    /// This page.
    again: String,
    back: String,
}

/// Leads on by itself, and with a link: no form is sent to another site, and no frame has a page of Stripe.
pub(crate) async fn respond(
    shop: &Shop,
    request: &PageRequest,
    token: &str,
    payment: &str,
) -> Result<Response<Bytes>, PageError> {
    let link = Link::of(token)?;
    if !payment.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Err(PageError::NotFound);
    }
    let path = format!("{}/payments/{payment}/checkout", link.resource());
    let asked: Result<Result<PaymentAnswer, Refused>, PageError> =
        shop.api.ask(&request.origin, ("POST", &path), &link.credential(), (None, None)).await;
    let (status, url) = match asked {
        Ok(Ok(PaymentAnswer { data })) => match data.next {
            Some(NextStep::Redirect { url }) => (StatusCode::OK, Some(url)),
            // It is decided, or the money is on its way: the page of the order says so.
            Some(NextStep::Instructions(_) | NextStep::Done) | None => return Ok(see_other(&link.page())),
        },
        Ok(Err(_)) => return Ok(see_other(&link.page())),
        Err(PageError::Busy { .. }) => (StatusCode::SERVICE_UNAVAILABLE, None),
        Err(error) => return Err(error),
    };
    let here = format!("/pay/stripe/{token}/{payment}");
    let mut frame = Frame::new(shop, request, &request.texts().text("stripe-title"), here.clone());
    frame.is_indexed = false;
    let page = StripePaymentPage { frame, url, again: here, back: link.page() };
    Ok(private_page(status, render(&page)?))
}

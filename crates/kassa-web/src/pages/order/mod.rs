//! `/order/{token}`: an order, for whoever has its link. Its state decides what the page is: a cart with the checkout, a
//! payment that is awaited, tickets, or the end of it.

mod actions;
mod asked;
mod files;
mod hidden_event;
mod model;
mod view;

pub(crate) use actions::act;
pub(crate) use files::file;
pub(crate) use model::{NextStep, OrderAnswer, OrderData, OrderStatus, OrderTicket, PaymentAnswer, RefundPolicyData};
pub(crate) use view::till;

use askama::Template;
use bytes::Bytes;
use kassa_http::http::{Response, StatusCode};
use kassa_http::in_process::Origin;

use super::notice;
use crate::answer::private_page;
use crate::error::PageError;
use crate::frame::{Frame, render};
use crate::model::PartnerData;
use crate::request::PageRequest;
use crate::shop::Shop;
use model::PaymentsAnswer;
use view::OrderView;

/// What somebody has typed and the interface has not taken.
#[derive(Debug, Default)]
pub(crate) struct Rejected {
    /// Which form.
    form: &'static str,
    /// The paths of the fields that are wrong.
    fields: Vec<String>,
    /// The key of the text that says why, where it is about no field.
    reason: Option<&'static str>,
}

impl Rejected {
    /// Whether a field is wrong.
    fn is_wrong(&self, field: &str) -> bool {
        self.fields.iter().any(|wrong| wrong.trim_start_matches("$.") == field)
    }
}

/// An order by its link: its id is the part before the point.
pub(crate) struct Link<'a> {
    pub(crate) token: &'a str,
}

impl<'a> Link<'a> {
    pub(crate) fn of(token: &'a str) -> Result<Self, PageError> {
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_');
        match token.split_once('.') {
            Some((id, _)) if id.len() == 24 && token.bytes().all(is_plain) => Ok(Self { token }),
            Some(_) | None => Err(PageError::NotFound),
        }
    }

    /// The path of the order in the interface.
    pub(crate) fn resource(&self) -> String {
        format!("/v2/resources/orders/{}", &self.token[..24])
    }

    pub(crate) fn credential(&self) -> String {
        format!("order {}", self.token)
    }

    /// The page of the order.
    pub(crate) fn page(&self) -> String {
        format!("/order/{}", self.token)
    }
}

#[derive(Template)]
#[template(path = "order.html")]
struct OrderPage<'a> {
    frame: Frame<'a>,
    order_title: String,
    /// Who sells.
    vendor: PartnerData,
    order: OrderView,
    path: String,
    notice: Option<String>,
    rejected: &'a Rejected,
    key: String,
    script: &'a str,
}

pub(crate) async fn respond(shop: &Shop, request: &PageRequest, token: &str) -> Result<Response<Bytes>, PageError> {
    show(shop, request, &Link::of(token)?, &Rejected::default()).await
}

/// The order as it is now, as the interface tells it to whoever has the link.
pub(crate) async fn load(shop: &Shop, origin: &Origin, link: &Link<'_>) -> Result<OrderAnswer, PageError> {
    let answer = shop.api.ask(origin, ("GET", &link.resource()), &link.credential(), (None, None)).await?;
    // To whoever has no right to it there is none.
    answer.map_err(|_| PageError::NotFound)
}

/// The page, with what could not be taken of a form.
async fn show(
    shop: &Shop,
    request: &PageRequest,
    link: &Link<'_>,
    rejected: &Rejected,
) -> Result<Response<Bytes>, PageError> {
    let OrderAnswer { data, refs } = load(shop, &request.origin, link).await?;
    if request.framing.as_ref().is_some_and(|framing| framing.vendor != data.vendor) {
        return Err(PageError::NotFound);
    }
    // Whoever has tickets of it also sees what is not shown to everybody.
    let event = match shop.api.event(request, &data.event, &crate::api::Seller::Organizer).await {
        Err(PageError::NotFound | PageError::Canceled) => hidden_event::event(&refs, &data.event)?,
        answer => answer?,
    };
    let vendor = match shop.api.partner(&request.origin, &data.vendor).await {
        Err(PageError::NotFound) => hidden_event::vendor(&refs, &data.vendor)?,
        answer => answer?,
    };
    let payments: PaymentsAnswer = {
        let path = format!("{}/payments", link.resource());
        let answer = shop.api.ask(&request.origin, ("GET", &path), &link.credential(), (None, None)).await?;
        answer.map_err(|_| PageError::Internal)?
    };
    let texts = request.texts();
    let title = texts.count("order-title", data.number);
    let mut frame = Frame::new(shop, request, &title, link.page());
    frame.is_indexed = false;
    frame.set_accent(Some(&vendor));
    let order = OrderView::new(shop, request, &data, &refs, &event, &vendor, payments.data);
    let page = OrderPage {
        vendor: vendor.clone(),
        order: if rejected.form == "pay" { order.with_typed(&request.form) } else { order },
        path: link.page(),
        notice: notice(request),
        rejected,
        key: shop.new_key(),
        script: shop.assets.path("order.js"),
        order_title: title,
        frame,
    };
    let status = if rejected.form.is_empty() { StatusCode::OK } else { StatusCode::UNPROCESSABLE_ENTITY };
    Ok(private_page(status, render(&page)?))
}

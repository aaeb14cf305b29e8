//! `…/orders/{order}`: an order with its tickets, its payments, what was asked back of it, and what happened to it.

use askama::Template;
use bytes::Bytes;
use kassa_http::http::{Response, StatusCode};
use kassa_texts::Texts;
use serde_json::Value;

use super::payment_words::{is_by_hand, open_sum, provider_text, reason_text};
use super::{money, refund_state, state_of, state_text, text, time, zone};
use crate::console::changes::{ChangeRow, change_row};
use crate::console::fault::{Fault, Refusal};
use crate::console::frame::{ConsoleFrame, Section};
use crate::console::visit::{Visit, page_answer};
use crate::views::money_back_key;

struct TicketRow {
    id: String,
    set: String,
    seat: String,
    price: String,
    barcode: String,
}

struct PaymentRow {
    id: String,
    provider: String,
    state: String,
    amount: String,
    received: String,
    /// What has gone back, if anything has.
    returned: Option<String>,
    /// Why it did not go as it began.
    reason: Option<String>,
    reference: String,
    is_at_door: bool,
    /// Whether the vendor can say that its money has come.
    is_awaited: bool,
    /// How much the vendor has to send back, as a form says it.
    to_return: Option<String>,
}

struct RefundRow {
    id: String,
    value: String,
    state: String,
    tickets: usize,
    is_open: bool,
}

#[derive(Template)]
#[template(path = "console/order.html")]
struct OrderPage<'a> {
    frame: ConsoleFrame<'a>,
    script: &'a str,
    path: String,
    list_path: String,
    number: String,
    state: String,
    state_text: String,
    event: String,
    event_path: Option<String>,
    vendor: String,
    /// Whether the partner sold it.
    is_vendor: bool,
    /// What is known of the customer, each line by itself.
    customer: Vec<String>,
    email: String,
    at: String,
    code: String,
    tickets: Vec<TicketRow>,
    full: String,
    discount: Option<String>,
    /// What was granted to its customer, and how far that is.
    refunded: Option<(String, String)>,
    payments: Vec<PaymentRow>,
    refunds: Vec<RefundRow>,
    changes: Vec<ChangeRow>,
    key: String,
    failure: Option<String>,
    /// What was taken for what was sold a moment ago.
    collected: Option<String>,
}

impl OrderPage<'_> {
    fn is(&self, state: &str) -> bool {
        self.state == state
    }

    /// Whether it holds tickets that are not paid.
    fn is_open(&self) -> bool {
        self.is("executed") || self.is("in_progress")
    }
}

/// The page of an order.
pub(crate) async fn show(visit: &Visit<'_>) -> Result<Response<Bytes>, Fault> {
    respond(visit, None).await
}

/// The page; with why something was not done, if that is so.
pub(super) async fn respond(visit: &Visit<'_>, refusal: Option<&Refusal>) -> Result<Response<Bytes>, Fault> {
    let id = visit.segment("order");
    let resource = format!("/v2/resources/orders/{id}");
    let answer = visit.read(&resource).await?.value;
    let payments = visit.read(&format!("{resource}/payments")).await?.value;
    let refunds = visit.read(&format!("/v1/resources/refund_requests?order={id}")).await?.value;
    let history = visit.read(&format!("{resource}/history?limit=50")).await?.value;
    let (order, refs) = (&answer["data"], &answer["refs"]);
    let event_id = text(&order["event"]);
    let event = &refs["events"][&event_id];
    let (texts, zone) = (visit.texts(), zone(event));
    let status = state_of(order);
    let (settings, partner) = (&order["settings"]["customer"], visit.segment("partner"));
    let is_vendor = order["vendor"] == partner;
    let sum = |value: &Value| Some(money(visit, value)).filter(|_| value.as_str() != Some("0.00"));
    let number = order["number"].to_string();
    let frame = ConsoleFrame::of_partner(visit, &texts.about("order-number", &number), Section::Orders).await?;
    let payment_states = payments["data"].as_array().into_iter().flatten().filter_map(|it| it["status"].as_str());
    let changes = history["data"].as_array().into_iter().flatten();
    let page = OrderPage {
        script: visit.shop.assets.path("console.js"),
        path: format!("{}/orders/{id}", visit.home()),
        list_path: format!("{}/orders", visit.home()),
        state_text: state_text(&status, texts),
        state: status,
        event: text(&event["title"]["text"]),
        event_path: (order["org"] == partner).then(|| format!("{}/events/{event_id}", visit.home())),
        is_vendor,
        vendor: text(&refs["partners"][order["vendor"].as_str().unwrap_or_default()]["name"]),
        customer: ["name", "email", "phone"]
            .map(|name| text(&settings[name]))
            .into_iter()
            .filter(|it| !it.is_empty())
            .collect(),
        email: text(&settings["email"]),
        at: time(visit, &order["created_at"], &zone),
        code: text(&order["code"]),
        tickets: order["tickets"].as_array().into_iter().flatten().map(|it| ticket_row(visit, it, refs)).collect(),
        collected: (visit.request.value("done") == Some("sold"))
            .then(|| texts.about("sale-collected", &money(visit, &order["values"]["full"]))),
        full: money(visit, &order["values"]["full"]),
        discount: sum(&order["values"]["discount"]),
        refunded: sum(&order["refunded"]).map(|sum| (texts.text(money_back_key(payment_states)), sum)),
        payments: payments["data"]
            .as_array()
            .into_iter()
            .flatten()
            .map(|it| payment_row(visit, it, is_vendor))
            .collect(),
        refunds: refunds.as_array().into_iter().flatten().map(|it| refund_row(visit, it, partner)).collect(),
        changes: changes.map(|change| change_row(visit, &frame, change, &zone)).collect(),
        frame,
        key: visit.shop.new_key(),
        failure: refusal.map(|refusal| refusal.text(texts)),
        number,
    };
    page_answer(if refusal.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK }, &page)
}

fn ticket_row(visit: &Visit<'_>, ticket: &Value, refs: &Value) -> TicketRow {
    let seat = &ticket["seat"];
    let seat = match (seat["row"].as_str(), seat["number"].as_str()) {
        (Some(row), Some(number)) => visit.texts().with("seat-of", &[("row", row), ("number", number)]),
        _ => String::new(),
    };
    TicketRow {
        id: text(&ticket["id"]),
        set: text(&refs["sets"][ticket["set"].as_str().unwrap_or_default()]["name"]),
        seat,
        price: money(visit, &ticket["full"]),
        barcode: text(&ticket["barcode"]),
    }
}

fn payment_row(visit: &Visit<'_>, payment: &Value, is_vendor: bool) -> PaymentRow {
    let texts = visit.texts();
    let status = payment["status"].as_str().unwrap_or_default();
    let is_by_hand = is_vendor && is_by_hand(payment);
    let is_none = |sum: &Value| sum.as_str() == Some("0.00");
    PaymentRow {
        id: text(&payment["id"]),
        provider: provider_text(payment, texts),
        // Nobody but the vendor sends it.
        state: match status {
            "returning" if is_by_hand => texts.text("payment-to-send-back"),
            status => payment_state(status, texts),
        },
        amount: money(visit, &payment["amount"]),
        received: money(visit, &payment["received"]),
        reference: text(&payment["reference"]),
        returned: (!is_none(&payment["returned"])).then(|| money(visit, &payment["returned"])),
        reason: reason_text(payment, texts),
        is_at_door: payment["provider"] == "DOOR",
        is_awaited: is_by_hand && status == "pending",
        to_return: (is_by_hand && status == "returning").then(|| to_return(visit, payment)),
    }
}

/// What is to go back of a payment, or what was typed instead.
fn to_return(visit: &Visit<'_>, payment: &Value) -> String {
    let form = visit.form();
    let typed = form.value("amount").filter(|_| form.value("payment") == payment["id"].as_str());
    typed.map_or_else(|| open_sum(payment).to_string(), str::to_owned)
}

fn payment_state(status: &str, texts: &Texts) -> String {
    match status {
        "pending" => texts.text("payment-pending"),
        "paid" => texts.text("payment-paid"),
        "failed" => texts.text("payment-failed"),
        "canceled" => texts.text("payment-canceled"),
        "returning" => texts.text("payment-returning"),
        "returned" => texts.text("payment-returned"),
        other => other.to_owned(),
    }
}

fn refund_row(visit: &Visit<'_>, refund: &Value, partner: &str) -> RefundRow {
    let status = refund["status"].as_str().unwrap_or_default();
    RefundRow {
        id: text(&refund["id"]),
        value: money(visit, &refund["value"]),
        state: refund_state(status, visit.texts()),
        tickets: refund["tickets_refund"].as_array().map_or(0, Vec::len),
        is_open: matches!(status, "new" | "in_progress") && refund["org"] == partner,
    }
}

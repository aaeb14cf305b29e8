//! `…/sets/{set}/tickets/{ticket}`: one ticket.

use askama::Template;
use bytes::Bytes;
use kassa_http::http::{Response, StatusCode};

use super::{Change, TicketRow, change_blocked, row_of};
use crate::answer::see_other;
use crate::console::events::{event_path, load, resource};
use crate::console::fault::Fault;
use crate::console::frame::{ConsoleFrame, Section};
use crate::console::times::in_words;
use crate::console::visit::{Visit, checked_id, page_answer};

#[derive(Template)]
#[template(path = "console/ticket.html")]
struct TicketPage<'a> {
    frame: ConsoleFrame<'a>,
    event_title: String,
    row: TicketRow,
    is_blocked: bool,
    reserved_till: Option<String>,
    /// Where its order is found, if it is sold.
    orders: Option<String>,
    back: String,
    failure: Option<String>,
}

/// Shows a ticket, and holds it back or puts it back on sale.
pub(crate) async fn show(visit: &Visit<'_>) -> Result<Response<Bytes>, Fault> {
    let event = load(visit, visit.segment("event")).await?;
    let [set, id] = [checked_id(visit.segment("set"))?, checked_id(visit.segment("ticket"))?];
    let path = format!("{}/sets/{set}/tickets/{id}", resource(&event.data.id));
    let mut refused = None;
    if visit.is_form {
        let tickets = [id.to_owned()];
        let is_free = visit.form().value("_do") == Some("free");
        let change = if is_free { Change::Free(&tickets) } else { Change::Block(&tickets) };
        match change_blocked(visit, &event.data.id, set, change).await? {
            Ok(_) => return Ok(see_other(&format!("{}?done=saved", visit.request.path))),
            Err(refusal) => refused = Some(refusal),
        }
    }
    let ticket = visit.read(&path).await?.value;
    let row = row_of(visit, &event, &ticket);
    let till = ticket["reserved_till"].as_str().and_then(|at| at.parse::<jiff::Timestamp>().ok());
    let page = TicketPage {
        frame: ConsoleFrame::of_partner(visit, &row.number, Section::Events).await?,
        event_title: event.data.title.text.clone(),
        is_blocked: ticket["status"] == "blocked",
        reserved_till: till.map(|at| in_words(visit.request.language, &at.to_zoned(event.zone()))),
        orders: (!row.barcode.is_empty()).then(|| format!("{}/orders?q={}", visit.home(), row.barcode)),
        back: format!("{}/tickets", event_path(visit, &event.data.id)),
        failure: refused.as_ref().map(|refusal| refusal.text(visit.texts())),
        row,
    };
    page_answer(if refused.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK }, &page)
}

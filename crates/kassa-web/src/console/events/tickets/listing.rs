//! `…/events/{event}/tickets`: the tickets of an event, a page at a time, narrowed by the query of the address; and those
//! that are chosen there are held back, or put back on sale.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use askama::Template;
use bytes::Bytes;
use kassa_domain::set::BLOCKED_MAX;
use kassa_http::http::{Response, StatusCode};
use serde_json::Value;

use super::{Change, STATES, TicketRow, change_blocked, row_of};
use crate::answer::see_other;
use crate::console::events::{Loaded, event_path, load, resource};
use crate::console::fault::{Fault, Refusal};
use crate::console::fields::Fields;
use crate::console::frame::{ConsoleFrame, Section};
use crate::console::paging::{Paging, WantedPage};
use crate::console::visit::{Visit, checked_id, page_answer};
use crate::form::encoded;

/// Tickets of a page.
const PAGE_SIZE: u64 = 50;
const TICKET_FIELDS: &str = "id,number,serial,barcode,seat%7Bsector,row,number%7D,set,status";
/// Digits of a barcode.
const BARCODE_DIGITS: usize = 16;

/// A set without seats, of which so many are held back as its organizer says.
struct HeldBack {
    set: String,
    name: String,
    /// How many at most.
    amount: i64,
}

#[derive(Template)]
#[template(path = "console/tickets.html")]
struct TicketsPage<'a> {
    frame: ConsoleFrame<'a>,
    event_title: String,
    fields: Fields,
    states: Vec<(&'static str, String)>,
    /// Ids and names.
    sets: Vec<(String, String)>,
    rows: Vec<TicketRow>,
    held_back: Option<HeldBack>,
    total: String,
    is_narrowed: bool,
    can_block: bool,
    paging: Paging,
    path: String,
    /// Where forms of the page are sent to: the page with its filters.
    here: String,
    back: String,
    failure: Option<String>,
}

/// What the address asks for.
struct Wanted {
    status: String,
    set: String,
    text: String,
}

/// The page.
pub(crate) async fn list(visit: &Visit<'_>) -> Result<Response<Bytes>, Fault> {
    let event = load(visit, visit.segment("event")).await?;
    let wanted = Wanted::of(visit, &event);
    let path = format!("{}/tickets", event_path(visit, &event.data.id));
    let more = wanted.query();
    let page = visit.request.value("page").map(|page| format!("&page={}", encoded(page))).unwrap_or_default();
    let mut refused = None;
    if visit.is_form {
        match act(visit, &event).await? {
            Ok(held_back) => {
                let held_back = held_back.map(|count| format!("&held_back={count}")).unwrap_or_default();
                return Ok(see_other(&format!("{path}?done=saved{held_back}{more}{page}")));
            }
            Err(refusal) => refused = Some(refusal),
        }
    }
    let wanted_page = WantedPage::of(visit, PAGE_SIZE);
    let (tickets, total) = wanted.find(visit, &event, wanted_page).await?;
    let texts = visit.texts();
    let rows: Vec<TicketRow> = tickets.iter().map(|ticket| row_of(visit, &event, ticket)).collect();
    let fields = [("status", wanted.status.clone()), ("set", wanted.set.clone()), ("q", wanted.text.clone())];
    let page = TicketsPage {
        frame: ConsoleFrame::of_partner(visit, &texts.text("all-tickets"), Section::Events).await?,
        event_title: event.data.title.text.clone(),
        states: STATES.map(|(state, key)| (state, texts.text(key))).into(),
        sets: event.data.sets.iter().map(|set| (set.id.clone(), set.name.clone())).collect(),
        can_block: rows.iter().any(|row| row.can_be_blocked),
        held_back: wanted.held_back(&event),
        total: texts.count("tickets-count", i64::try_from(total).unwrap_or(i64::MAX)),
        is_narrowed: !more.is_empty(),
        paging: wanted_page.paging(total, &path, &more),
        here: format!("{path}?{}{page}", more.trim_start_matches('&')),
        back: event_path(visit, &event.data.id),
        failure: refused.as_ref().map(|refusal| refusal.text(texts)),
        fields: Fields::to_change(fields),
        rows,
        path,
    };
    page_answer(if refused.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK }, &page)
}

impl Wanted {
    fn of(visit: &Visit<'_>, event: &Loaded) -> Self {
        let value = |name: &str| visit.request.value(name).unwrap_or_default().trim().to_owned();
        let (status, set) = (value("status"), value("set"));
        Self {
            status: if STATES.iter().any(|(state, _)| *state == status) { status } else { String::new() },
            set: if event.data.sets.iter().any(|other| other.id == set) { set } else { String::new() },
            text: value("q"),
        }
    }

    /// The same as an address has it behind the page.
    fn query(&self) -> String {
        let all = [("status", &self.status), ("set", &self.set), ("q", &self.text)];
        let said = all.into_iter().filter(|(_, value)| !value.is_empty());
        said.map(|(name, value)| format!("&{name}={}", encoded(value))).collect::<Vec<_>>().concat()
    }

    /// The tickets of a page, and how many there are in all.
    async fn find(&self, visit: &Visit<'_>, event: &Loaded, page: WantedPage) -> Result<(Vec<Value>, usize), Fault> {
        let event = resource(&event.data.id);
        let list = if self.set.is_empty() { event } else { format!("{event}/sets/{}", self.set) };
        let status = if self.status.is_empty() { String::new() } else { format!("&status={}", self.status) };
        let path = format!("{list}/tickets?fields-schema={TICKET_FIELDS}{status}");
        let mut found = Vec::new();
        if !self.text.is_empty() {
            // Both a number and a barcode are of one ticket.
            let take = |ticket: Value| {
                if is_called(&ticket, &self.text) {
                    found.push(ticket);
                    return ControlFlow::Break(());
                }
                ControlFlow::Continue(())
            };
            visit.read_items(&path, take).await?;
            let total = found.len();
            return Ok((found, total));
        }
        let mut before = page.offset();
        let take = |ticket: Value| {
            if before > 0 {
                before -= 1;
            } else {
                found.push(ticket);
            }
            if (found.len() as u64) < PAGE_SIZE { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        };
        let total = visit.read_items(&path, take).await?;
        Ok((found, total))
    }

    /// The set that is asked for, if its tickets have no seats and can be sold.
    fn held_back(&self, event: &Loaded) -> Option<HeldBack> {
        let set = event.data.sets.iter().find(|set| set.id == self.set && !set.with_seats)?;
        let held_back = HeldBack {
            set: set.id.clone(),
            name: set.name.clone(),
            amount: set.amount.min(i64::try_from(BLOCKED_MAX).unwrap_or(i64::MAX)),
        };
        event.is_open().then_some(held_back)
    }
}

/// Whether a ticket has a number, `KQD 146` or `146`, or a barcode.
fn is_called(ticket: &Value, text: &str) -> bool {
    let text: String = text.chars().filter(char::is_ascii_alphanumeric).collect();
    let digits = text.trim_start_matches(|letter: char| letter.is_ascii_alphabetic());
    let serial = &text[..text.len() - digits.len()];
    if serial.is_empty() && digits.len() == BARCODE_DIGITS {
        return ticket["barcode"] == digits;
    }
    let is_serial = serial.is_empty() || ticket["serial"].as_str().is_some_and(|it| it.eq_ignore_ascii_case(serial));
    is_serial && digits.parse().is_ok_and(|number: u64| ticket["number"] == number)
}

/// Holds back the chosen tickets, or puts them back on sale; or so many of a set. Returns how many that were, if fewer
/// than so many were free.
async fn act(visit: &Visit<'_>, event: &Loaded) -> Result<Result<Option<usize>, Refusal>, Fault> {
    let form = visit.form();
    let what = form.value("_do").unwrap_or_default();
    if what == "count" {
        let set = checked_id(form.value("_set").unwrap_or_default())?;
        let Some(count) = form.value("count").and_then(|count| count.parse().ok()) else {
            return Ok(Err(Refusal::of_page("count_wrong")));
        };
        let outcome = change_blocked(visit, &event.data.id, set, Change::HoldBack(count)).await?;
        return Ok(outcome.map(|held_back| Some(held_back).filter(|held_back| *held_back < count)));
    }
    let mut chosen: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for (_, value) in form.pairs().iter().filter(|(name, _)| name == "ticket") {
        let Some((set, ticket)) = value.split_once('.') else { continue };
        chosen.entry(checked_id(set)?).or_default().push(checked_id(ticket)?.to_owned());
    }
    if chosen.is_empty() {
        return Ok(Err(Refusal::of_page("nothing_chosen")));
    }
    for (set, tickets) in chosen {
        let change = if what == "free" { Change::Free(&tickets) } else { Change::Block(&tickets) };
        if let Err(refusal) = change_blocked(visit, &event.data.id, set, change).await? {
            return Ok(Err(refusal));
        }
    }
    Ok(Ok(None))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn tickets_are_called_by_number_or_barcode() {
        let ticket = json!({"serial": "KQD", "number": 146, "barcode": "1234567890123456"});
        for text in ["146", "kqd 146", "KQD-146", "#146", "1234567890123456", "1234 5678 9012 3456"] {
            assert!(is_called(&ticket, text), "{text}");
        }
        for text in ["14", "ABC 146", "KQD", "1234567890123457", "", "146a"] {
            assert!(!is_called(&ticket, text), "{text}");
        }
    }
}

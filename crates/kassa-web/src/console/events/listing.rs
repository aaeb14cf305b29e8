//! `…/events`: the events of a partner, the newest first.

use askama::Template;
use bytes::Bytes;
use kassa_http::http::{Response, StatusCode};
use kassa_texts::Texts;

use crate::api::CARD_FIELDS;
use crate::console::fault::Fault;
use crate::console::frame::{ConsoleFrame, Section, Way};
use crate::console::paging::{Paging, WantedPage};
use crate::console::times::in_words;
use crate::console::visit::{Visit, page_answer};
use crate::error::PageError;
use crate::form::encoded;
use crate::model::{EventData, EventStatus};
use crate::views::place_line;

/// Events of a page.
const PAGE_SIZE: u64 = 20;
/// What shows removed events, too, which have no state of their own.
const REMOVED: &str = "removed";
/// States that the list can be narrowed to, and what that is called.
const STATES: [(&str, &str); 6] = [
    ("", "events-all"),
    ("public", "event-state-public"),
    ("stand_by", "event-state-draft"),
    ("finished", "event-state-finished"),
    ("canceled", "event-state-canceled"),
    (REMOVED, "events-removed"),
];

/// An event, as lists show it.
pub(crate) struct EventRow {
    pub(crate) path: String,
    pub(crate) title: String,
    pub(crate) when: String,
    pub(crate) place: String,
    pub(crate) state: &'static str,
    pub(crate) state_text: String,
    /// Tickets that are sold or held, and all.
    pub(crate) taken: i64,
    pub(crate) amount: i64,
}

#[derive(Template)]
#[template(path = "console/events.html")]
struct EventsPage<'a> {
    frame: ConsoleFrame<'a>,
    rows: Vec<EventRow>,
    states: Vec<Way>,
    is_narrowed: bool,
    paging: Paging,
    total: String,
    home: String,
}

/// The word and the text of a state.
pub(crate) fn state_of(event: &EventData, texts: &Texts) -> (&'static str, String) {
    if event.removed {
        return ("removed", texts.text("is-removed"));
    }
    match event.status {
        EventStatus::StandBy => ("draft", texts.text("event-state-draft")),
        EventStatus::Public => ("public", texts.text("event-state-public")),
        EventStatus::Canceled => ("canceled", texts.text("event-state-canceled")),
        EventStatus::Finished => ("finished", texts.text("event-state-finished")),
    }
}

/// Some events of a partner, and how many there are.
pub(crate) async fn events_of(visit: &Visit<'_>, query: &str) -> Result<(Vec<EventData>, usize), Fault> {
    let fields = format!("{CARD_FIELDS},removed");
    let fields = encoded(&fields);
    let path = format!("/v1/resources/events?org={}&fields-schema={fields}{query}", visit.segment("partner"));
    let found = visit.read(&path).await?;
    let events = serde_json::from_value(found.value).map_err(|error| {
        tracing::error!(%error, "events could not be read");
        PageError::Internal
    })?;
    Ok((events, found.total))
}

pub(crate) fn row_of(visit: &Visit<'_>, event: &EventData) -> EventRow {
    let texts = visit.texts();
    let (state, state_text) = state_of(event, texts);
    let amount: i64 = event.sets.iter().map(|set| set.amount).sum();
    let vacant: i64 = event.sets.iter().map(|set| set.amount_vacant).sum();
    EventRow {
        path: format!("{}/events/{}", visit.home(), event.id),
        title: event.title.text.clone(),
        when: event.span().map(|(start, _)| in_words(texts.language(), &start)).unwrap_or_default(),
        place: place_line(event, texts),
        state,
        state_text,
        taken: amount - vacant,
        amount,
    }
}

pub(crate) async fn list(visit: &Visit<'_>) -> Result<Response<Bytes>, Fault> {
    let wanted = visit.request.value("status").unwrap_or_default();
    let (status, _) = STATES.into_iter().find(|(status, _)| *status == wanted).unwrap_or(STATES[0]);
    let page = WantedPage::of(visit, PAGE_SIZE);
    let narrowed = if status.is_empty() { String::new() } else { format!("&status={status}") };
    let asked = if status == REMOVED { "&removed=true" } else { &narrowed };
    let (events, total) = events_of(visit, &format!("&{}{asked}", page.query())).await?;
    let home = visit.home();
    let texts = visit.texts();
    let way = |(state, key): (&str, &str)| Way {
        text: texts.text(key),
        path: if state.is_empty() { format!("{home}/events") } else { format!("{home}/events?status={state}") },
        is_current: state == status,
    };
    let rows = events.iter().map(|event| row_of(visit, event)).collect();
    let page = EventsPage {
        frame: ConsoleFrame::of_partner(visit, &texts.text("console-events"), Section::Events).await?,
        rows,
        states: STATES.into_iter().map(way).collect(),
        is_narrowed: !status.is_empty() || page.offset() > 0,
        paging: page.paging(total, &format!("{home}/events"), &narrowed),
        total: texts.count("events-count", i64::try_from(total).unwrap_or(i64::MAX)),
        home,
    };
    page_answer(StatusCode::OK, &page)
}

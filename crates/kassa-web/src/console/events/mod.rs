//! Events: their list, each with what is missing of it, and the forms that change them.

mod asking;
mod copying;
mod editing;
mod form;
mod listing;
mod picture;
mod preview;
mod promocodes;
mod promotions;
mod seats;
mod sets;
mod showing;
mod states;
mod tickets;
mod titles;

use bytes::Bytes;
use jiff::tz::TimeZone;
use kassa_http::http::Response;
use serde_json::Value;

pub(crate) use self::editing::create;
pub(crate) use self::form::money;
pub(crate) use self::listing::{EventRow, events_of, list, row_of};
pub(crate) use self::promocodes::{list as promocodes, show as promocode};
pub(crate) use self::promotions::{list as promotions, show as promotion};
pub(crate) use self::seats::respond as seats;
pub(crate) use self::sets::respond as set;
pub(crate) use self::tickets::{list as tickets, show as ticket};
pub(crate) use self::titles::EventTitles;
use super::fault::Fault;
use super::visit::{Visit, checked_id};
use crate::api::EVENT_FIELDS;
use crate::error::PageError;
use crate::form::encoded;
use crate::model::{EventData, EventStatus};

/// An event of the partner whose console it is.
struct Loaded {
    data: EventData,
    /// The same, with what only its organizer is shown.
    value: Value,
    tag: String,
}

impl Loaded {
    /// The zone of its times.
    fn zone(&self) -> TimeZone {
        self.data.zone()
    }

    /// Whether anything of it can still be sold.
    fn is_open(&self) -> bool {
        matches!(self.data.status, EventStatus::StandBy | EventStatus::Public) && !self.data.removed
    }

    /// The id of its venue; empty without one.
    fn venue_id(&self) -> &str {
        self.value["venue"]["id"].as_str().or_else(|| self.value["venue"].as_str()).unwrap_or_default()
    }
}

/// Reads the event that the path names. Those of others are not here, though they may be public.
async fn load(visit: &Visit<'_>, event: &str) -> Result<Loaded, Fault> {
    let fields = format!("{EVENT_FIELDS},refund_policy,removed");
    let fields = encoded(&fields);
    let answer = visit.read(&format!("{}?fields-schema={fields}", resource(checked_id(event)?))).await?;
    if answer.value["org"]["id"].as_str() != Some(visit.segment("partner")) {
        return Err(PageError::NotFound.into());
    }
    let data = serde_json::from_value(answer.value.clone()).map_err(|error| {
        tracing::error!(%error, "an event could not be read");
        PageError::Internal
    })?;
    Ok(Loaded { data, value: answer.value, tag: answer.tag })
}

/// The event that the path names, as its lists and figures show it.
pub(crate) async fn own_event(visit: &Visit<'_>) -> Result<EventData, Fault> {
    Ok(load(visit, visit.segment("event")).await?.data)
}

/// The path of the page of an event.
fn event_path(visit: &Visit<'_>, event: &str) -> String {
    format!("{}/events/{event}", visit.home())
}

/// The path of an event in the interface.
fn resource(event: &str) -> String {
    format!("/v1/resources/events/{event}")
}

/// The page of an event.
pub(crate) async fn show(visit: &Visit<'_>) -> Result<Response<Bytes>, Fault> {
    let event = load(visit, visit.segment("event")).await?;
    showing::respond(visit, &event, None).await
}

/// What is done with an event, each under its own word.
pub(crate) async fn act(visit: &Visit<'_>) -> Result<Response<Bytes>, Fault> {
    let event = load(visit, visit.segment("event")).await?;
    match (visit.segment("action"), visit.is_form) {
        ("edit", _) => editing::edit(visit, &event).await,
        ("new-set", _) => sets::create(visit, &event).await,
        ("new-promotion", _) => promotions::create(visit, &event).await,
        ("new-promocode", _) => promocodes::create(visit, &event).await,
        ("new-promocodes", _) => promocodes::create_many(visit, &event).await,
        ("promocodes.csv", false) => promocodes::csv(visit, &event).await,
        ("preview", false) => preview::respond(visit, event),
        ("cancel", _) => states::cancel(visit, &event).await,
        ("remove", _) => states::remove(visit, &event).await,
        ("restore", true) => states::restore(visit, &event).await,
        ("publish", true) => states::publish(visit, &event).await,
        ("stop", true) => states::stop(visit, &event).await,
        ("picture", true) => picture::upload(visit, &event).await,
        ("publish" | "stop" | "restore" | "picture" | "preview" | "promocodes.csv", _) => {
            Err(PageError::WrongMethod.into())
        }
        _ => Err(PageError::NotFound.into()),
    }
}

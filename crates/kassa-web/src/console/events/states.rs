//! What puts an event on sale, takes it off, calls it off, removes it and brings it back.

use askama::Template;
use bytes::Bytes;
use kassa_http::http::{Response, StatusCode};
use serde_json::{Value, json};

use super::{Loaded, event_path, resource, showing};
use crate::answer::see_other;
use crate::console::fault::Fault;
use crate::console::frame::{ConsoleFrame, Section};
use crate::console::visit::{Visit, page_answer};

#[derive(Template)]
#[template(path = "console/cancel_event.html")]
struct CancelPage<'a> {
    frame: ConsoleFrame<'a>,
    title: String,
    back: String,
}

#[derive(Template)]
#[template(path = "console/remove_event.html")]
struct RemovePage<'a> {
    frame: ConsoleFrame<'a>,
    title: String,
    back: String,
    failure: Option<String>,
}

pub(super) async fn publish(visit: &Visit<'_>, event: &Loaded) -> Result<Response<Bytes>, Fault> {
    change(visit, event, &json!({"status": "public"}), "published").await
}

pub(super) async fn stop(visit: &Visit<'_>, event: &Loaded) -> Result<Response<Bytes>, Fault> {
    change(visit, event, &json!({"status": "stand_by"}), "stopped").await
}

/// Says what calling it off does, and does it.
pub(super) async fn cancel(visit: &Visit<'_>, event: &Loaded) -> Result<Response<Bytes>, Fault> {
    if visit.is_form {
        return change(visit, event, &json!({"status": "canceled"}), "canceled").await;
    }
    let title = event.data.title.text.clone();
    let frame = ConsoleFrame::of_partner(visit, &title, Section::Events).await?;
    page_answer(StatusCode::OK, &CancelPage { frame, title, back: event_path(visit, &event.data.id) })
}

/// Says what its removal does, and removes it.
pub(super) async fn remove(visit: &Visit<'_>, event: &Loaded) -> Result<Response<Bytes>, Fault> {
    let mut refused = None;
    if visit.is_form {
        match visit.send("DELETE", &resource(&event.data.id), None).await? {
            Ok(_) => return Ok(see_other(&format!("{}/events?done=removed", visit.home()))),
            Err(refusal) => refused = Some(refusal),
        }
    }
    let title = event.data.title.text.clone();
    let page = RemovePage {
        frame: ConsoleFrame::of_partner(visit, &title, Section::Events).await?,
        title,
        back: event_path(visit, &event.data.id),
        failure: refused.as_ref().map(|refusal| refusal.text(visit.texts())),
    };
    page_answer(if refused.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK }, &page)
}

/// Brings a removed event back.
pub(super) async fn restore(visit: &Visit<'_>, event: &Loaded) -> Result<Response<Bytes>, Fault> {
    change(visit, event, &json!({"removed": false}), "restored").await
}

async fn change(visit: &Visit<'_>, event: &Loaded, change: &Value, done: &str) -> Result<Response<Bytes>, Fault> {
    match visit.send("PATCH", &resource(&event.data.id), Some(change)).await? {
        Ok(_) => Ok(see_other(&format!("{}?done={done}", event_path(visit, &event.data.id)))),
        Err(refusal) => showing::respond(visit, event, Some(&refusal)).await,
    }
}

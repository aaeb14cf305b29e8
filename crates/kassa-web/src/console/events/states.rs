//! What puts an event on sale, takes it off, and calls it off.

use askama::Template;
use bytes::Bytes;
use kassa_http::http::{Response, StatusCode};
use serde_json::json;

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

pub(super) async fn publish(visit: &Visit<'_>, event: &Loaded) -> Result<Response<Bytes>, Fault> {
    change(visit, event, "public", "published").await
}

pub(super) async fn stop(visit: &Visit<'_>, event: &Loaded) -> Result<Response<Bytes>, Fault> {
    change(visit, event, "stand_by", "stopped").await
}

/// Says what calling it off does, and does it.
pub(super) async fn cancel(visit: &Visit<'_>, event: &Loaded) -> Result<Response<Bytes>, Fault> {
    if visit.is_form {
        return change(visit, event, "canceled", "canceled").await;
    }
    let title = event.data.title.text.clone();
    let frame = ConsoleFrame::of_partner(visit, &title, Section::Events).await?;
    page_answer(StatusCode::OK, &CancelPage { frame, title, back: event_path(visit, &event.data.id) })
}

async fn change(visit: &Visit<'_>, event: &Loaded, status: &str, done: &str) -> Result<Response<Bytes>, Fault> {
    match visit.send("PATCH", &resource(&event.data.id), Some(&json!({"status": status}))).await? {
        Ok(_) => Ok(see_other(&format!("{}?done={done}", event_path(visit, &event.data.id)))),
        Err(refusal) => showing::respond(visit, event, Some(&refusal)).await,
    }
}

//! `…/events/{event}/picture`: takes the picture of an event.

use bytes::Bytes;
use kassa_http::http::Response;
use serde_json::json;

use super::{Loaded, event_path, resource, showing};
use crate::answer::see_other;
use crate::console::fault::Fault;
use crate::console::visit::Visit;

/// Uploads what came with the form, and shows it with the event.
pub(super) async fn upload(visit: &Visit<'_>, event: &Loaded) -> Result<Response<Bytes>, Fault> {
    let uploaded = match visit.send_upload("/v1/resources/attachments").await? {
        Ok(answer) => answer.value,
        Err(refusal) => return showing::respond(visit, event, Some(&refusal)).await,
    };
    let body = json!({"media": {"cover": uploaded["id"], "cover_small": uploaded["id"]}});
    match visit.send("PATCH", &resource(&event.data.id), Some(&body)).await? {
        Ok(_) => Ok(see_other(&format!("{}?done=picture", event_path(visit, &event.data.id)))),
        Err(refusal) => {
            // What is no picture is kept by nobody.
            let id = uploaded["id"].as_str().unwrap_or_default();
            visit.send("DELETE", &format!("/v1/resources/attachments/{id}"), None).await?.map_err(Fault::from)?;
            showing::respond(visit, event, Some(&refusal)).await
        }
    }
}

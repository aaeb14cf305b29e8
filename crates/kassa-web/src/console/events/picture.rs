//! `…/events/{event}/picture`: takes the picture of an event.

use bytes::Bytes;
use kassa_http::http::Response;
use serde_json::json;

use super::{Loaded, event_path, resource, showing};
use crate::answer::see_other;
use crate::console::fault::{Fault, Refusal};
use crate::console::pictures::{self, MadePictures, PictureFault};
use crate::console::visit::Visit;

/// Makes what pages show of the picture that came with the form, and shows it with the event.
pub(super) async fn upload(visit: &Visit<'_>, event: &Loaded) -> Result<Response<Bytes>, Fault> {
    let made = match visit.uploaded_file().await {
        None => Err("empty_body"),
        Some(file) => pictures::make(file).await.map_err(|fault| match fault {
            PictureFault::Unreadable => "attachment_not_image",
            PictureFault::TooLarge => "picture_pixels",
        }),
    };
    let refusal = match made {
        Ok(pictures) => use_for(visit, event, pictures).await?,
        Err(code) => Some(Refusal::of_page(code)),
    };
    match refusal {
        None => Ok(see_other(&format!("{}?done=picture", event_path(visit, &event.data.id)))),
        Some(refusal) => showing::respond(visit, event, Some(&refusal)).await,
    }
}

/// Stores pictures, and gives them to the event: why that was refused, if it was.
async fn use_for(visit: &Visit<'_>, event: &Loaded, pictures: MadePictures) -> Result<Option<Refusal>, Fault> {
    let MadePictures { cover, small, whole } = pictures;
    let mut ids: Vec<String> = Vec::new();
    let mut refused = None;
    for picture in [cover, small, whole] {
        match visit.store_file(picture.content_type, picture.bytes).await? {
            Ok(stored) => ids.extend(stored.value["id"].as_str().map(str::to_owned)),
            Err(refusal) => {
                refused = Some(refusal);
                break;
            }
        }
    }
    if let [cover, small, whole] = ids.as_slice() {
        let media = json!({"media": {"cover": cover, "cover_small": small, "cover_original": whole}});
        refused = visit.send("PATCH", &resource(&event.data.id), Some(&media)).await?.err();
    }
    if refused.is_some() {
        // What is shown nowhere is kept by nobody.
        for id in ids {
            visit.send("DELETE", &format!("/v1/resources/attachments/{id}"), None).await?.map_err(Fault::from)?;
        }
    }
    Ok(refused)
}

//! `…/events/{event}/preview`: the page of an event as buyers will see it.

use bytes::Bytes;
use kassa_http::http::{Response, StatusCode};

use super::{Loaded, event_path};
use crate::answer::private_page;
use crate::console::fault::Fault;
use crate::console::visit::Visit;
use crate::model::EventStatus;
use crate::pages::event::{Preview, preview};

/// Shows a draft as if it were on sale; nothing can be bought there.
pub(super) fn respond(visit: &Visit<'_>, mut event: Loaded) -> Result<Response<Bytes>, Fault> {
    if event.data.status == EventStatus::StandBy {
        event.data.status = EventStatus::Public;
    }
    let texts = visit.texts();
    let back = (event_path(visit, &event.data.id), texts.text("to-console"));
    let said = Preview { text: texts.text("preview-notice"), back };
    let data = event.data.in_language(visit.request.language);
    let html = preview(visit.shop, visit.request, &data, said)?;
    Ok(private_page(StatusCode::OK, html))
}

//! `…/events/{event}/preview`: the page of an event as buyers will see it.

use bytes::Bytes;
use kassa_http::http::{Response, StatusCode};

use super::Loaded;
use crate::answer::private_page;
use crate::console::fault::Fault;
use crate::console::visit::Visit;
use crate::model::EventStatus;
use crate::pages::event::preview;

/// Shows a draft as if it were on sale; nothing can be bought there.
pub(super) fn respond(visit: &Visit<'_>, mut event: Loaded) -> Result<Response<Bytes>, Fault> {
    if event.data.status == EventStatus::StandBy {
        event.data.status = EventStatus::Public;
    }
    let html = preview(visit.shop, visit.request, &event.data, visit.texts().text("preview-notice"))?;
    Ok(private_page(StatusCode::OK, html))
}

//! The console, where partners run their business: a client of the interface under the session of whoever is signed in.
//! It decides nothing: what somebody may see and do, the interface says.

mod account;
mod change_form;
mod changes;
mod deals;
mod events;
mod fault;
mod fields;
mod figures;
mod frame;
mod history;
mod keys;
mod list_items;
mod orders;
mod overview;
mod paging;
mod partners;
mod payments;
mod pictures;
mod places;
mod platform;
#[cfg(test)]
mod reach;
mod routes;
mod sale;
mod search;
mod shop_settings;
mod sorting;
mod team;
mod times;
mod venues;
mod visit;
mod webhooks;
mod widgets;

use askama::Template;
use bytes::Bytes;
use kassa_http::http::request::Parts;
use kassa_http::http::{Method, Response, StatusCode, header};

use self::fault::Fault;
use self::frame::ConsoleFrame;
pub(crate) use self::routes::ConsoleRoutes;
use self::visit::Visit;
use crate::answer::{private_page, see_other};
use crate::error::PageError;
use crate::frame::render;
use crate::request::PageRequest;
use crate::shop::Shop;

/// The longest form, in bytes: it has long texts in any script, as they are and as they were before, and each letter
/// of them takes up to twelve bytes.
const FORM_BYTES_MAX: usize = 1024 * 1024;
/// The longest form with a statement of the bank, in bytes.
const STATEMENT_BYTES_MAX: usize = 4 * 1024 * 1024;
/// The longest form with a picture, in bytes.
const UPLOAD_BYTES_MAX: usize = 5 * 1024 * 1024;

/// Whether a path is one of the console.
pub(crate) fn is_console(path: &str) -> bool {
    path.strip_prefix("/console").is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// How long a form may be that is sent to a path, where that is longer than others.
pub(crate) fn form_bytes_max(path: &str) -> Option<usize> {
    is_console(path).then(|| match path.rsplit('/').next() {
        Some("picture") => UPLOAD_BYTES_MAX,
        Some("payments") => STATEMENT_BYTES_MAX,
        _ => FORM_BYTES_MAX,
    })
}

/// What a page says that cannot be shown.
#[derive(Template)]
#[template(path = "console/fault.html")]
struct FaultPage<'a> {
    frame: ConsoleFrame<'a>,
    status: u16,
    happened: String,
    hint: String,
}

/// Answers a request for a page of the console. `None` if there is an error that is none of the console's own.
pub(crate) async fn respond(
    shop: &Shop,
    routes: &ConsoleRoutes,
    request: &PageRequest,
    (head, body): (&Parts, Bytes),
) -> Result<Response<Bytes>, PageError> {
    let Some((screen, segments)) = routes.find(&request.path) else { return Err(PageError::NotFound) };
    let is_read = matches!(head.method, Method::GET | Method::HEAD);
    if !is_read && head.method != Method::POST {
        return Err(PageError::WrongMethod);
    }
    if !is_read && !request.is_same_origin {
        return Err(PageError::CrossSite);
    }
    let visit = Visit::new(shop, request, (head, body), segments);
    let mut response = match screen.respond(&visit).await {
        Ok(response) => response,
        Err(fault) => answer_fault(&visit, fault)?,
    };
    if let Some(session) = visit.changed_session() {
        response.headers_mut().insert(header::SET_COOKIE, session);
    }
    Ok(response)
}

fn answer_fault(visit: &Visit<'_>, fault: Fault) -> Result<Response<Bytes>, PageError> {
    let texts = visit.texts();
    let (status, [happened, hint]) = match fault {
        Fault::SignedOut if visit.is_form => return Ok(see_other("/console/sign-in")),
        Fault::SignedOut => return Ok(see_other(&account::sign_in_path(&visit.request.path))),
        Fault::Page(error @ (PageError::Busy { .. } | PageError::Internal)) => return Err(error),
        Fault::Page(error) => (error.status(), error.texts().map(|key| texts.text(key))),
        Fault::Denied(refusal) => (refusal.status, [refusal.text(texts), texts.text("console-denied-hint")]),
    };
    let frame = ConsoleFrame::open(visit, &happened);
    let page = FaultPage { frame, status: status.as_u16(), happened, hint };
    Ok(private_page(if status.is_success() { StatusCode::NOT_FOUND } else { status }, render(&page)?))
}

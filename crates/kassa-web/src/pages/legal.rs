//! `/imprint`, `/terms`, `/accessibility`

use askama::Template;
use bytes::Bytes;
use kassa_http::http::Response;

use super::found;
use crate::error::PageError;
use crate::frame::{Frame, render};
use crate::request::PageRequest;
use crate::shop::Shop;

/// What a page of texts is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Subject {
    Imprint,
    Terms,
    Accessibility,
}

#[derive(Template)]
#[template(path = "legal.html")]
struct LegalPage<'a> {
    frame: Frame<'a>,
    title: String,
    paragraphs: Vec<String>,
}

pub(crate) fn respond(shop: &Shop, request: &PageRequest, subject: Subject) -> Result<Response<Bytes>, PageError> {
    let (path, title, paragraphs): (_, _, &[&str]) = match subject {
        Subject::Imprint => ("/imprint", "imprint", &["imprint-operator", "imprint-organizers", "imprint-software"]),
        Subject::Terms => ("/terms", "terms", &["terms-contract", "terms-refunds", "terms-data"]),
        Subject::Accessibility => (
            "/accessibility",
            "accessibility",
            &["accessibility-goal", "accessibility-means", "accessibility-limits", "accessibility-report"],
        ),
    };
    let texts = request.texts();
    let title = texts.text(title);
    let page = LegalPage {
        frame: Frame::new(shop, request, &title, path.to_owned()),
        title,
        paragraphs: paragraphs.iter().map(|key| texts.about(key, &shop.settings.name)).collect(),
    };
    Ok(found(render(&page)?).answer(request))
}

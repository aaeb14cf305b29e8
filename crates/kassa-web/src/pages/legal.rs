//! `/imprint`, `/terms`, `/accessibility`

use askama::Template;
use bytes::Bytes;
use kassa_http::http::Response;

use super::found;
use crate::error::PageError;
use crate::frame::{Frame, render};
use crate::operator_texts::{Block, LegalText};
use crate::request::PageRequest;
use crate::shop::Shop;

#[derive(Template)]
#[template(path = "legal.html")]
struct LegalPage<'a> {
    frame: Frame<'a>,
    title: String,
    blocks: Vec<Block>,
}

pub(crate) fn respond(shop: &Shop, request: &PageRequest, subject: LegalText) -> Result<Response<Bytes>, PageError> {
    let texts = request.texts();
    // What is true of every shop, as long as the operator says nothing.
    let (title, keys): (_, &[&str]) = match subject {
        LegalText::Imprint => (texts.text("imprint"), &["imprint-operator", "imprint-organizers", "imprint-software"]),
        LegalText::Terms => (texts.text("terms"), &["terms-contract", "terms-refunds", "terms-data"]),
        LegalText::Accessibility => (
            texts.text("accessibility"),
            &["accessibility-goal", "accessibility-means", "accessibility-limits", "accessibility-report"],
        ),
    };
    let blocks = match shop.settings.operator_texts.find(subject, request.language) {
        Some(blocks) => blocks.to_vec(),
        None => keys.iter().map(|key| Block::Paragraph(vec![texts.about(key, &shop.settings.name)])).collect(),
    };
    let page = LegalPage { frame: Frame::new(shop, request, &title, format!("/{}", subject.name())), title, blocks };
    Ok(found(render(&page)?).answer(request))
}

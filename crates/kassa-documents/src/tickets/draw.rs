//! Pages that were laid out, as a PDF.

use krilla::destination::XyzDestination;
use krilla::geom::{Point, Rect};
use krilla::metadata::Metadata;
use krilla::outline::{Outline, OutlineNode};
use krilla::page::PageSettings;
use krilla::tagging::TagTree;

use super::TicketsDocument;
use super::layout::{Item, PAGE_HEIGHT, PAGE_WIDTH, PageLayout};
use crate::clean_text::clean;
use crate::fonts::Fonts;
use crate::pdf::{Canvas, DocumentError, finish, new_document};

/// Radius of the corners of a ticket, and of its notches.
const CORNER: f32 = 10.0;
const NOTCH: f32 = 7.0;

/// Draws the pages of a document.
pub(super) fn draw(wanted: &TicketsDocument, pages: &[PageLayout], fonts: &Fonts) -> Result<Vec<u8>, DocumentError> {
    let texts = wanted.texts();
    let mut document = new_document()?;
    let (mut structure, mut outline) = (TagTree::new(), Outline::new());
    for (at, layout) in pages.iter().enumerate() {
        let size = PageSettings::from_wh(PAGE_WIDTH, PAGE_HEIGHT);
        let size = size.ok_or_else(|| DocumentError::Invalid("a page has a size".to_owned()))?;
        let mut page = document.start_page_with(size);
        let mut canvas = Canvas::new(page.surface(), fonts);
        for item in &layout.items {
            draw_item(item, &mut canvas);
        }
        structure.push(canvas.finish());
        page.finish();
        let name = wanted.position(at, "document-ticket-of");
        outline.push_child(OutlineNode::new(name, XyzDestination::new(at, Point::from_xy(0.0, 0.0))));
    }
    let title = texts.with("document-title", &[("event", &clean(&wanted.event))]);
    let language = wanted.language.code().to_owned();
    document.set_metadata(Metadata::new().title(title).language(language).creator("Kassa".to_owned()));
    document.set_outline(outline);
    document.set_tag_tree(structure);
    finish(document)
}

fn draw_item(item: &Item, canvas: &mut Canvas<'_, '_>) {
    match item {
        Item::Text(block) => {
            let place = (block.left, block.top, block.width);
            canvas.text(&block.paragraph, place, block.ink, block.align, &block.role);
        }
        Item::Rule { left, top, width, ink } => canvas.rule(*left, *top, *width, *ink),
        Item::Ticket { left, top, right, bottom, perforation } => {
            canvas.ticket((*left, *top, *right, *bottom), *perforation, CORNER, NOTCH);
            canvas.perforation(*perforation, top + NOTCH + 3.0, bottom - NOTCH - 3.0);
        }
        Item::Code { left, top, module, runs, words } => {
            let place = |modules: u16| f32::from(modules) * module;
            let rectangles = runs.iter().filter_map(|(row, first, count)| {
                Rect::from_xywh(left + place(*first), top + place(*row), place(*count), *module)
            });
            canvas.picture(rectangles, words.clone());
        }
    }
}

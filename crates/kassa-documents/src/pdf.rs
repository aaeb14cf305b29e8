//! Pages of a PDF that everybody can read: all that is drawn is part of its structure (PDF/UA-1), or said to be decoration.

use std::num::NonZeroU16;

use krilla::color::rgb;
use krilla::configure::{Accessibility, Configuration, ConfigurationBuilder};
use krilla::geom::{Path, PathBuilder, Point, Rect};
use krilla::paint::{Fill, Stroke, StrokeDash};
use krilla::surface::Surface;
use krilla::tagging::{Artifact, ArtifactType, ContentTag, Identifier, SpanTag, Tag, TagGroup};
use krilla::{Document, SerializeSettings};

use crate::fonts::Fonts;
use crate::shaping::{Line, Paragraph};

/// Where the middle of letters is above the middle of their line, as a part of their size.
const BASELINE: f32 = 0.388;
/// How far from a corner the handles of an arc are that is a quarter of a circle, as a part of its radius, seen from the corner.
const ARC: f32 = 0.447_715;

/// A document cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum DocumentError {
    /// It would break the rules that it says it keeps.
    #[error("the document cannot be written: {0}")]
    Invalid(String),
}

/// A colour: one of few, all of which are as dark in grey.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ink {
    /// What is read first.
    Black,
    /// What explains it.
    Grey,
    /// Lines.
    Pale,
}

impl Ink {
    fn fill(self) -> Fill {
        Fill { paint: self.color().into(), ..Fill::default() }
    }

    fn color(self) -> rgb::Color {
        match self {
            Self::Black => rgb::Color::new(0x14, 0x16, 0x1a),
            Self::Grey => rgb::Color::new(0x5a, 0x5f, 0x68),
            Self::Pale => rgb::Color::new(0xc4, 0xc8, 0xce),
        }
    }
}

/// What a text is to those who do not see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// A heading of a level; its text.
    Heading(u16),
    /// Begins a paragraph that what follows explains.
    Label,
    /// Goes on with the paragraph before.
    Value,
    Paragraph,
    /// A paragraph whose letters stand for these.
    ParagraphAs(String),
    /// Of the page, not of the text.
    PageNumber,
}

/// Where lines begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Align {
    /// Where the text does.
    Start,
    Left,
    Right,
    Center,
}

/// The settings of a document.
pub(crate) fn new_document() -> Result<Document, DocumentError> {
    let accessible = ConfigurationBuilder::new().with_accessibility_validator(Accessibility::UA1).finish();
    let configuration: Configuration = accessible.map_err(|error| DocumentError::Invalid(format!("{error:?}")))?;
    Ok(Document::new_with(SerializeSettings { configuration, ..SerializeSettings::default() }))
}

/// The document's bytes.
pub(crate) fn finish(document: Document) -> Result<Vec<u8>, DocumentError> {
    document.finish().map_err(|error| DocumentError::Invalid(error.to_string()))
}

/// A page that is drawn, and its part of the structure.
pub(crate) struct Canvas<'a, 'b> {
    surface: Surface<'a>,
    fonts: &'b Fonts,
    structure: TagGroup,
}

impl<'a, 'b> Canvas<'a, 'b> {
    pub(crate) fn new(surface: Surface<'a>, fonts: &'b Fonts) -> Self {
        Self { surface, fonts, structure: TagGroup::new(Tag::Section) }
    }

    /// Ends the page.
    pub(crate) fn finish(self) -> TagGroup {
        self.surface.finish();
        self.structure
    }

    /// Draws a paragraph between two verticals, from `top` on.
    pub(crate) fn text(&mut self, paragraph: &Paragraph, place: (f32, f32, f32), ink: Ink, align: Align, role: &Role) {
        let (left, top, width) = place;
        self.surface.set_fill(Some(ink.fill()));
        self.surface.set_stroke(None);
        let mut parts: Vec<Identifier> = Vec::new();
        for (line, number) in paragraph.lines.iter().zip(0_u16..) {
            let start = match (align, paragraph.is_rtl) {
                (Align::Start, false) | (Align::Left, _) => left,
                (Align::Start, true) | (Align::Right, _) => left + width - line.width,
                (Align::Center, _) => left + (width - line.width) / 2.0,
            };
            let middle = top + (f32::from(number) + 0.5) * paragraph.style.leading;
            let baseline = middle + BASELINE * paragraph.style.size;
            let tag = match role {
                Role::PageNumber => ContentTag::Artifact(Artifact::with_kind(ArtifactType::PageNumber)),
                Role::ParagraphAs(text) => ContentTag::Span(SpanTag::empty().with_actual_text(Some(text))),
                Role::Heading(_) | Role::Label | Role::Value | Role::Paragraph => ContentTag::Span(SpanTag::empty()),
            };
            parts.push(self.surface.start_tagged(tag));
            self.line(paragraph, line, start, baseline);
            self.surface.end_tagged();
        }
        self.add_to_structure(parts, role, &paragraph.text);
    }

    fn line(&mut self, paragraph: &Paragraph, line: &Line, start: f32, baseline: f32) {
        let mut x = start;
        for piece in &line.pieces {
            if let Some(face) = self.fonts.faces().get(piece.face) {
                let (at, font, size) = (Point::from_xy(x, baseline), face.font.clone(), paragraph.style.size);
                self.surface.draw_glyphs(at, &piece.glyphs, font, &paragraph.text, size, false);
            }
            x += piece.width * paragraph.style.size;
        }
    }

    fn add_to_structure(&mut self, parts: Vec<Identifier>, role: &Role, text: &str) {
        if parts.is_empty() {
            return;
        }
        let mut group = match role {
            Role::PageNumber => return,
            Role::Heading(level) => {
                let level = NonZeroU16::new(*level).unwrap_or(NonZeroU16::MIN);
                TagGroup::new(Tag::Hn(level, Some(text.to_owned())))
            }
            Role::Value => match self.structure.children.pop() {
                Some(krilla::tagging::Node::Group(before)) => before,
                Some(krilla::tagging::Node::Leaf(_)) | None => TagGroup::new(Tag::P),
            },
            Role::Label | Role::Paragraph | Role::ParagraphAs(_) => TagGroup::new(Tag::P),
        };
        for part in parts {
            group.push(part);
        }
        self.structure.push(group);
    }

    /// A horizontal line.
    pub(crate) fn rule(&mut self, left: f32, top: f32, width: f32, ink: Ink) {
        let mut path = PathBuilder::new();
        path.move_to(left, top);
        path.line_to(left + width, top);
        self.decoration(path.finish(), ink, 0.75, None);
    }

    /// A vertical line of dots, to tear at.
    pub(crate) fn perforation(&mut self, x: f32, top: f32, bottom: f32) {
        let mut path = PathBuilder::new();
        path.move_to(x, top);
        path.line_to(x, bottom);
        self.decoration(path.finish(), Ink::Pale, 1.0, Some(StrokeDash { array: vec![3.0, 4.0], offset: 0.0 }));
    }

    /// The outline of a ticket: round corners, and a notch above and below `x`.
    pub(crate) fn ticket(&mut self, (left, top, right, bottom): (f32, f32, f32, f32), x: f32, radius: f32, notch: f32) {
        let (r, n) = (radius, notch);
        let mut path = PathBuilder::new();
        path.move_to(left + r, top);
        path.line_to(x - n, top);
        // Half a circle that reaches into the ticket.
        arc(&mut path, (x - n, top), (x - n, top + n), (x, top + n));
        arc(&mut path, (x, top + n), (x + n, top + n), (x + n, top));
        path.line_to(right - r, top);
        arc(&mut path, (right - r, top), (right, top), (right, top + r));
        path.line_to(right, bottom - r);
        arc(&mut path, (right, bottom - r), (right, bottom), (right - r, bottom));
        path.line_to(x + n, bottom);
        arc(&mut path, (x + n, bottom), (x + n, bottom - n), (x, bottom - n));
        arc(&mut path, (x, bottom - n), (x - n, bottom - n), (x - n, bottom));
        path.line_to(left + r, bottom);
        arc(&mut path, (left + r, bottom), (left, bottom), (left, bottom - r));
        path.line_to(left, top + r);
        arc(&mut path, (left, top + r), (left, top), (left + r, top));
        path.close();
        self.decoration(path.finish(), Ink::Pale, 1.0, None);
    }

    fn decoration(&mut self, path: Option<Path>, ink: Ink, width: f32, dash: Option<StrokeDash>) {
        let Some(path) = path else { return };
        self.surface.start_tagged(ContentTag::Artifact(Artifact::with_kind(ArtifactType::Layout)));
        self.surface.set_fill(None);
        self.surface.set_stroke(Some(Stroke { paint: ink.color().into(), width, dash, ..Stroke::default() }));
        self.surface.draw_path(&path);
        self.surface.end_tagged();
    }

    /// A picture of black rectangles, and what it shows in words.
    pub(crate) fn picture(&mut self, rectangles: impl IntoIterator<Item = Rect>, words: String) {
        let mut path = PathBuilder::new();
        for rectangle in rectangles {
            path.push_rect(rectangle);
        }
        let Some(path) = path.finish() else { return };
        let part = self.surface.start_tagged(ContentTag::Other);
        self.surface.set_stroke(None);
        self.surface.set_fill(Some(Fill { paint: rgb::Color::new(0, 0, 0).into(), ..Fill::default() }));
        self.surface.draw_path(&path);
        self.surface.end_tagged();
        let mut figure = TagGroup::new(Tag::Figure(Some(words)));
        figure.push(part);
        self.structure.push(figure);
    }
}

/// A quarter of a circle between two points around the corner between them.
fn arc(path: &mut PathBuilder, from: (f32, f32), corner: (f32, f32), to: (f32, f32)) {
    let handle = |end: (f32, f32)| (corner.0 + (end.0 - corner.0) * ARC, corner.1 + (end.1 - corner.1) * ARC);
    let (first, second) = (handle(from), handle(to));
    path.cubic_to(first.0, first.1, second.0, second.1, to.0, to.1);
}

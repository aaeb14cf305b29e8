//! From texts to lines of glyphs: which font has a character, in which direction words run, and where a line breaks.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::ops::Range;
use std::rc::Rc;

use harfrust::{Direction, FontRef, ShapeOptions, Shaper, UnicodeBuffer};
use krilla::text::{GlyphId, KrillaGlyph};
use skrifa::MetadataProvider as _;
use skrifa::charmap::Charmap;
use unicode_bidi::{BidiInfo, Level};

use crate::clean_text::{clean, is_ideograph, is_joiner, is_pictograph, is_stacking_mark};
use crate::fonts::{Face, Fonts};

/// What is drawn for a character that no font has.
const REPLACEMENT: char = '\u{fffd}';
/// What a text ends with that was cut.
const ELLIPSIS: char = '\u{2026}';

/// How a text looks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Style {
    /// In points.
    pub(crate) size: f32,
    /// From a line to the next, in points.
    pub(crate) leading: f32,
    pub(crate) is_bold: bool,
}

/// A text in lines.
#[derive(Clone, Debug)]
pub(crate) struct Paragraph {
    /// As it is drawn: what no font has is not in it.
    pub(crate) text: String,
    pub(crate) lines: Vec<Line>,
    pub(crate) style: Style,
    /// Whether its lines begin at the right.
    pub(crate) is_rtl: bool,
    /// Whether its end is missing.
    pub(crate) is_cut: bool,
}

/// A line of a paragraph.
#[derive(Clone, Debug, Default)]
pub(crate) struct Line {
    /// From left to right.
    pub(crate) pieces: Vec<Piece>,
    /// In points.
    pub(crate) width: f32,
}

/// Glyphs of one font that follow each other.
#[derive(Clone, Debug)]
pub(crate) struct Piece {
    /// Which font.
    pub(crate) face: usize,
    level: Level,
    range: Range<usize>,
    /// From left to right; lengths are those of a font of one point.
    pub(crate) glyphs: Vec<KrillaGlyph>,
    /// Of a font of one point.
    pub(crate) width: f32,
}

/// Fonts ready to shape the texts of a document.
pub(crate) struct Shaping<'a> {
    fonts: &'a Fonts,
    faces: Vec<ReadyFace<'a>>,
    /// Where to look for a character: for regular texts, and for bold ones.
    orders: [Vec<usize>; 2],
    /// Characters that no font has, each once.
    missing: RefCell<BTreeSet<char>>,
    /// Paragraphs by what they were asked for as: pages of a document say much the same.
    known: RefCell<HashMap<Asked, Rc<Paragraph>>>,
}

/// What a paragraph is made of: a text, its style, and how wide and high it may be. Lengths are as bits.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Asked {
    text: String,
    size: u32,
    leading: u32,
    is_bold: bool,
    width: u32,
    lines_max: usize,
}

struct ReadyFace<'a> {
    shaper: Shaper<'a>,
    charmap: Charmap<'a>,
}

impl<'a> ReadyFace<'a> {
    fn new(face: &'a Face) -> Option<Self> {
        let tables: FontRef<'a> = face.tables()?;
        Some(Self { shaper: face.shaper_data.shaper(&tables).build(), charmap: tables.charmap() })
    }
}

/// What is not broken unless it is longer than a line: a word, or the space behind one.
struct Unit {
    range: Range<usize>,
    is_space: bool,
    pieces: Vec<Piece>,
    /// Of a font of one point.
    width: f32,
}

impl<'a> Shaping<'a> {
    pub(crate) fn new(fonts: &'a Fonts) -> Self {
        let faces = fonts.faces().iter().filter_map(ReadyFace::new).collect();
        Self {
            fonts,
            faces,
            orders: [false, true].map(|is_bold| fonts.order_for(is_bold)),
            missing: RefCell::default(),
            known: RefCell::default(),
        }
    }

    /// A text in lines that are no wider than `width`, in points, and at most `lines_max` many.
    pub(crate) fn paragraph(&self, text: &str, style: Style, width: f32, lines_max: usize) -> Rc<Paragraph> {
        let asked = Asked {
            text: text.to_owned(),
            size: style.size.to_bits(),
            leading: style.leading.to_bits(),
            is_bold: style.is_bold,
            width: width.to_bits(),
            lines_max,
        };
        if let Some(known) = self.known.borrow().get(&asked) {
            return Rc::clone(known);
        }
        let paragraph = Rc::new(self.new_paragraph(text, style, width, lines_max));
        self.known.borrow_mut().insert(asked, Rc::clone(&paragraph));
        paragraph
    }

    fn new_paragraph(&self, text: &str, style: Style, width: f32, lines_max: usize) -> Paragraph {
        let text = self.drawable(&clean(text), style.is_bold);
        let paragraph = self.lay_out(text, style, width, lines_max);
        if paragraph.lines.len() <= lines_max { paragraph } else { self.cut(&paragraph, width, lines_max) }
    }

    /// The beginning of a paragraph that is too long.
    fn cut(&self, long: &Paragraph, width: f32, lines_max: usize) -> Paragraph {
        let kept = long.lines.iter().take(lines_max).flat_map(|line| &line.pieces).map(|piece| piece.range.end).max();
        let mut end = kept.unwrap_or(0);
        loop {
            let mut text = long.text[..end].trim_end_matches([' ', ',', '.', ';', ':']).to_owned();
            let kept = text.len();
            text.push(ELLIPSIS);
            let cut = Paragraph { is_cut: true, ..self.lay_out(text, long.style, width, lines_max) };
            if cut.lines.len() <= lines_max || kept == 0 {
                return cut;
            }
            end = long.text[..kept].char_indices().next_back().map_or(0, |(last, _)| last);
        }
    }

    /// A text in lines; behind the first that is too many, there are no more.
    fn lay_out(&self, text: String, style: Style, width: f32, lines_max: usize) -> Paragraph {
        let bidi = BidiInfo::new(&text, None);
        let is_rtl = bidi.paragraphs.first().is_some_and(|paragraph| paragraph.level.is_rtl());
        let width = width / style.size;
        let mut lines: Vec<Vec<Unit>> = vec![Vec::new()];
        let mut used = 0.0;
        for (range, is_space) in units(&text) {
            if lines.len() > lines_max + 1 {
                break;
            }
            let mut unit = self.unit(&text, range, is_space, &bidi.levels, style.is_bold);
            loop {
                let line_is_empty = lines.last().is_none_or(Vec::is_empty);
                if unit.is_space || used + unit.width <= width {
                    used += unit.width;
                    break;
                }
                if !line_is_empty {
                    lines.push(Vec::new());
                    used = 0.0;
                    continue;
                }
                // Longer than a line: what fits is one, and the rest begins the next.
                let split = self.split(&text, &unit, width, &bidi.levels, style.is_bold);
                let Some(split) = split.filter(|_| lines.len() <= lines_max) else {
                    used = unit.width;
                    break;
                };
                if let Some(line) = lines.last_mut() {
                    line.push(split.0);
                }
                unit = split.1;
                lines.push(Vec::new());
                used = 0.0;
            }
            if let Some(line) = lines.last_mut().filter(|line| !unit.is_space || !line.is_empty()) {
                line.push(unit);
            } else {
                used = 0.0;
            }
        }
        let lines = lines.into_iter().map(|units| into_line(units, style.size)).filter(|line| !line.pieces.is_empty());
        let lines = lines.collect();
        Paragraph { lines, text, style, is_rtl, is_cut: false }
    }

    /// The longest beginning of a unit that is no wider than a line, and the rest; `None` where the first of its letters
    /// is wider.
    fn split(&self, text: &str, unit: &Unit, width: f32, levels: &[Level], is_bold: bool) -> Option<(Unit, Unit)> {
        // Advances by where their letters begin; a letter may have several glyphs.
        let glyphs = unit.pieces.iter().flat_map(|piece| &piece.glyphs);
        let mut advances: Vec<(usize, f32)> = glyphs.map(|glyph| (glyph.text_range.start, glyph.x_advance)).collect();
        advances.sort_by_key(|(start, _)| *start);
        let mut ends: Vec<usize> = Vec::new();
        let mut used = 0.0;
        for (at, (start, advance)) in advances.iter().enumerate() {
            let is_new = at > 0 && advances.get(at - 1).is_some_and(|(before, _)| before != start);
            if is_new {
                if used > width {
                    break;
                }
                ends.push(*start);
            }
            used += advance;
        }
        // Letters may look otherwise at the end of a line, and be wider.
        while let Some(end) = ends.pop() {
            let first = self.unit(text, unit.range.start..end, false, levels, is_bold);
            if first.width <= width {
                return Some((first, self.unit(text, end..unit.range.end, false, levels, is_bold)));
            }
        }
        None
    }

    fn unit(&self, text: &str, range: Range<usize>, is_space: bool, levels: &[Level], is_bold: bool) -> Unit {
        let mut runs: Vec<(Range<usize>, usize, Level)> = Vec::new();
        for (at, c) in text[range.clone()].char_indices() {
            let (start, end) = (range.start + at, range.start + at + c.len_utf8());
            let level = levels.get(start).copied().unwrap_or(Level::ltr());
            let is_bound = is_stacking_mark(c) || is_joiner(c);
            let before = runs.last().map(|(_, face, _)| *face).filter(|face| is_bound && self.has(*face, c));
            let face = before.or_else(|| self.face_of(c, is_bold)).unwrap_or(0);
            match runs.last_mut() {
                Some((run, known, same)) if *known == face && *same == level => run.end = end,
                _ => runs.push((start..end, face, level)),
            }
        }
        let pieces: Vec<Piece> =
            runs.into_iter().filter_map(|(range, face, level)| self.shape(text, range, face, level)).collect();
        let width = pieces.iter().map(|piece| piece.width).sum();
        Unit { range, is_space, pieces, width }
    }

    fn shape(&self, text: &str, range: Range<usize>, face: usize, level: Level) -> Option<Piece> {
        let shaper = &self.faces.get(face)?.shaper;
        let mut buffer = UnicodeBuffer::new();
        buffer.push_str(&text[range.clone()]);
        buffer.guess_segment_properties();
        buffer.set_direction(if level.is_rtl() { Direction::RightToLeft } else { Direction::LeftToRight });
        let result = shaper.shape(buffer, ShapeOptions::new());
        let mut starts: Vec<usize> = result.glyph_infos().iter().map(|info| info.cluster as usize).collect();
        starts.sort_unstable();
        starts.dedup();
        let end_of = |start: usize| {
            let next = starts.partition_point(|known| *known <= start);
            starts.get(next).copied().unwrap_or(range.len())
        };
        #[expect(clippy::cast_precision_loss, reason = "units of a font: a few thousand")]
        let scaled = |units: i32| units as f32 / shaper.units_per_em() as f32;
        let glyphs: Vec<KrillaGlyph> = result
            .glyph_infos()
            .iter()
            .zip(result.glyph_positions())
            .map(|(info, position)| KrillaGlyph {
                glyph_id: GlyphId::new(info.glyph_id),
                text_range: range.start + info.cluster as usize..range.start + end_of(info.cluster as usize),
                x_advance: scaled(position.x_advance),
                x_offset: scaled(position.x_offset),
                y_offset: scaled(position.y_offset),
                y_advance: 0.0,
                location: None,
            })
            .collect();
        let width = glyphs.iter().map(|glyph| glyph.x_advance).sum();
        Some(Piece { face, level, range, glyphs, width })
    }

    /// The same text of characters that a font has: letters without one are replaced, pictures are left out, and both
    /// are counted.
    fn drawable(&self, text: &str, is_bold: bool) -> String {
        let drawn = |c: char| {
            if self.face_of(c, is_bold).is_some() {
                return Some(c);
            }
            // Joiners only say how letters next to them look.
            if is_joiner(c) {
                return None;
            }
            if self.missing.borrow_mut().insert(c) {
                self.fonts.note_missing(c);
            }
            (!is_pictograph(c) && !is_stacking_mark(c)).then_some(REPLACEMENT)
        };
        let text: String = text.chars().filter_map(drawn).collect();
        clean(&text)
    }

    fn face_of(&self, c: char, is_bold: bool) -> Option<usize> {
        self.orders[usize::from(is_bold)].iter().copied().find(|face| self.has(*face, c))
    }

    fn has(&self, face: usize, c: char) -> bool {
        let glyph = self.faces.get(face).and_then(|face| face.charmap.map(c));
        glyph.is_some_and(|glyph| glyph.to_u32() != 0)
    }
}

/// Words of a text, and the spaces between them.
fn units(text: &str) -> Vec<(Range<usize>, bool)> {
    let mut units: Vec<(Range<usize>, bool)> = Vec::new();
    let mut before: Option<char> = None;
    for (at, c) in text.char_indices() {
        let (end, is_space) = (at + c.len_utf8(), c == ' ');
        let may_break = before.is_none_or(|before| {
            let is_hyphen = matches!(before, '-' | '\u{2010}' | '\u{2013}' | '\u{2014}' | '/');
            (before == ' ') != is_space
                || (is_hyphen && c.is_alphabetic())
                || (is_ideograph(before) && c.is_alphanumeric())
                || (is_ideograph(c) && before.is_alphanumeric())
        });
        match units.last_mut() {
            Some((range, _)) if !may_break => range.end = end,
            _ => units.push((at..end, is_space)),
        }
        before = Some(c);
    }
    units
}

/// Units as a line: without the spaces at its end, and its words from left to right.
fn into_line(mut units: Vec<Unit>, size: f32) -> Line {
    while units.last().is_some_and(|unit| unit.is_space) {
        units.pop();
    }
    let mut pieces: Vec<Option<Piece>> = units.into_iter().flat_map(|unit| unit.pieces).map(Some).collect();
    let levels: Vec<Level> = pieces.iter().flatten().map(|piece| piece.level).collect();
    let order = BidiInfo::reorder_visual(&levels);
    let pieces: Vec<Piece> = order.into_iter().filter_map(|at| pieces.get_mut(at).and_then(Option::take)).collect();
    let width = pieces.iter().map(|piece| piece.width * size).sum();
    Line { pieces, width }
}

impl Paragraph {
    /// In points.
    pub(crate) fn height(&self) -> f32 {
        self.lines.iter().map(|_| self.style.leading).sum()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const STYLE: Style = Style { size: 10.0, leading: 14.0, is_bold: false };

    /// The letters of each line, as they were typed.
    fn lines(text: &str, width: f32, lines_max: usize) -> Vec<String> {
        let fonts = Fonts::embedded();
        let paragraph = Shaping::new(&fonts).paragraph(text, STYLE, width, lines_max);
        let of_line = |line: &Line| {
            let mut ranges: Vec<Range<usize>> = line.pieces.iter().map(|piece| piece.range.clone()).collect();
            ranges.sort_unstable_by_key(|range| range.start);
            ranges.into_iter().map(|range| paragraph.text[range].to_owned()).collect()
        };
        paragraph.lines.iter().map(of_line).collect()
    }

    #[test]
    fn lines_break_between_words_and_within_those_that_are_too_long() {
        assert_eq!(lines("The quick brown fox", 60.0, 9), ["The quick", "brown fox"]);
        assert_eq!(lines("Klosterneuburg-Weidling", 90.0, 9), ["Klosterneuburg-", "Weidling"]);
        assert_eq!(lines("Достопримечательность", 50.0, 9), ["Достопри", "мечатель", "ность"]);
        assert_eq!(lines("", 50.0, 9), Vec::<String>::new());
    }

    #[test]
    fn what_is_cut_says_so() {
        assert_eq!(lines("The quick brown fox jumps", 60.0, 2), ["The quick", "brown fox…"]);
        assert_eq!(lines("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", 30.0, 1), ["aaa…"]);
    }

    #[test]
    fn what_no_font_has_is_counted_and_no_box() {
        let fonts = Fonts::embedded();
        let shaping = Shaping::new(&fonts);
        let paragraph = shaping.paragraph("Ночь \u{1f3b8} 漢 e\u{301}", STYLE, 500.0, 1);
        assert_eq!((paragraph.text.as_str(), fonts.missing_glyphs()), ("Ночь \u{fffd} e\u{301}", 2));
    }

    #[test]
    fn words_from_right_to_left_stand_in_their_order() {
        let fonts = Fonts::embedded();
        let shaping = Shaping::new(&fonts);
        // No font here has the letters; their replacements still go from right to left.
        let paragraph = shaping.lay_out("אב 12 גד".to_owned(), STYLE, 500.0, 1);
        let starts: Vec<usize> = paragraph.lines[0].pieces.iter().map(|piece| piece.range.start).collect();
        assert!(paragraph.is_rtl);
        assert_eq!(starts, [8, 7, 5, 4, 0]);
    }

    proptest! {
        #[test]
        fn no_line_is_wider_than_it_may_be(text in "\\PC{0,120}", wide in 20.0_f32..400.0, lines_max in 1_usize..6) {
            let fonts = Fonts::embedded();
            let paragraph = Shaping::new(&fonts).paragraph(&text, STYLE, wide, lines_max);
            prop_assert!(paragraph.lines.len() <= lines_max);
            for line in &paragraph.lines {
                prop_assert!(line.width <= wide + 0.01, "{} > {wide}: {text:?}", line.width);
            }
        }
    }
}

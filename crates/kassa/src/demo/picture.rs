//! Pictures of plain shapes, as PNG.

use std::io::{self, Write as _};

use flate2::write::ZlibEncoder;
use flate2::{Compression, Crc};

/// Red, green, blue.
pub(super) type Colour = [u8; 3];
/// A point of a drawing: from the left, from the top. All drawings are so many points high.
pub(super) type Point = [i32; 2];

/// How high every drawing is, in points.
pub(super) const HEIGHT: i32 = 360;
/// Parts of a pixel, across and down: shapes have smooth edges.
const PARTS: i32 = 16;
/// Lines that are drawn of each line of pixels.
const LINES: i32 = 4;
/// What covers all of a pixel.
const FULL: i32 = PARTS * LINES;
const OPAQUE: i32 = 100;

/// A shape without dents.
#[derive(Clone, Debug)]
pub(super) enum Shape {
    /// Its middle and its radius.
    Circle(Point, i32),
    /// Its corners, in their order.
    Polygon(Vec<Point>),
}

/// A drawing: a sky that fades from one colour into another, and shapes upon it, each over those before it.
#[derive(Clone, Debug)]
pub(super) struct Drawing {
    sky: [Colour; 2],
    shapes: Vec<(Shape, Colour, i32)>,
}

impl Drawing {
    pub(super) fn new(sky: [Colour; 2]) -> Self {
        Self { sky, shapes: Vec::new() }
    }

    /// With a shape that hides what is behind it.
    pub(super) fn with(self, shape: Shape, colour: Colour) -> Self {
        self.with_glass(shape, colour, OPAQUE)
    }

    /// With a shape that hides so many percent of what is behind it.
    pub(super) fn with_glass(mut self, shape: Shape, colour: Colour, percent: i32) -> Self {
        self.shapes.push((shape, colour, percent));
        self
    }

    /// With a rectangle, from one corner to the other.
    pub(super) fn with_box(self, [left, top]: Point, [right, bottom]: Point, colour: Colour) -> Self {
        self.with(Shape::Polygon(vec![[left, top], [right, top], [right, bottom], [left, bottom]]), colour)
    }

    /// Draws a PNG (RFC 2083) of so many points in width, with so many pixels for each.
    pub(super) fn png(&self, width: i32, scale: i32) -> io::Result<Vec<u8>> {
        let (columns, rows) = (width * scale, HEIGHT * scale);
        let side = |pixels: i32| u32::try_from(pixels).map(u32::to_be_bytes).map_err(io::Error::other);
        // Eight bits each of red, green and blue; no interlacing.
        let header = [&side(columns)?[..], &side(rows)?, &[8, 2, 0, 0, 0]].concat();
        let mut pixels = ZlibEncoder::new(Vec::new(), Compression::default());
        let mut above: Vec<u8> = vec![0; usize::try_from(columns * 3).map_err(io::Error::other)?];
        for y in 0..rows {
            let row = self.row(y, columns, scale);
            // Each row begins with its filter: the difference from the row above it.
            pixels.write_all(&[2])?;
            let bytes: Vec<u8> = row.concat();
            let difference: Vec<u8> = bytes.iter().zip(&above).map(|(here, above)| here.wrapping_sub(*above)).collect();
            pixels.write_all(&difference)?;
            above = bytes;
        }
        let mut png = b"\x89PNG\r\n\x1a\n".to_vec();
        for (kind, data) in [(b"IHDR", header), (b"IDAT", pixels.finish()?), (b"IEND", Vec::new())] {
            write_chunk(&mut png, *kind, &data)?;
        }
        Ok(png)
    }

    /// A line of pixels.
    fn row(&self, y: i32, columns: i32, scale: i32) -> Vec<Colour> {
        let sky = mix(self.sky[0], self.sky[1], y, HEIGHT * scale);
        let mut row = vec![sky; usize::try_from(columns).unwrap_or_default()];
        let mut cover: Vec<i32> = vec![0; row.len()];
        for (shape, colour, percent) in &self.shapes {
            let mut touched: Option<(i32, i32)> = None;
            for line in 0..LINES {
                let at = y * PARTS + (2 * line + 1) * PARTS / LINES / 2;
                let Some((from, till)) = shape.span(at, scale * PARTS) else { continue };
                let (from, till) = (from.clamp(0, columns * PARTS), till.clamp(0, columns * PARTS));
                if from < till {
                    add_cover(&mut cover, from, till);
                    let (first, last) = (from / PARTS, (till - 1) / PARTS);
                    touched = Some(touched.map_or((first, last), |(a, b)| (a.min(first), b.max(last))));
                }
            }
            let Some((first, last)) = touched else { continue };
            let range = usize::try_from(first).unwrap_or_default()..=usize::try_from(last).unwrap_or_default();
            for (pixel, covered) in row[range.clone()].iter_mut().zip(&mut cover[range]) {
                let share = *covered * percent;
                *pixel = if share == FULL * OPAQUE { *colour } else { mix(*pixel, *colour, share, FULL * OPAQUE) };
                *covered = 0;
            }
        }
        row
    }
}

impl Shape {
    /// From where to where it covers a line, in parts of pixels, of which a point has `unit`.
    fn span(&self, y: i32, unit: i32) -> Option<(i32, i32)> {
        match self {
            Self::Circle([x, middle], radius) => {
                let (down, radius) = (i64::from(y - middle * unit), i64::from(radius * unit));
                let square = radius * radius - down * down;
                let half = i32::try_from(square.checked_isqrt()?).ok()?;
                Some((x * unit - half, x * unit + half))
            }
            Self::Polygon(corners) => {
                let ends = corners.iter().skip(1).chain(corners.first());
                let crossings = corners.iter().zip(ends).filter_map(|(a, b)| crossing(*a, *b, y, unit));
                let crossings: Vec<i32> = crossings.collect();
                Some((*crossings.iter().min()?, *crossings.iter().max()?))
            }
        }
    }
}

/// Where the edge from `a` to `b` meets a line.
fn crossing(a: Point, b: Point, y: i32, unit: i32) -> Option<i32> {
    let [[ax, ay], [bx, by]] = [a, b].map(|point| point.map(|part| i64::from(part * unit)));
    let y = i64::from(y);
    if (ay <= y) == (by <= y) {
        return None;
    }
    i32::try_from(ax + (bx - ax) * (y - ay) / (by - ay)).ok()
}

/// Counts what a span covers of each pixel.
fn add_cover(cover: &mut [i32], from: i32, till: i32) {
    for pixel in from / PARTS..=(till - 1) / PARTS {
        let part = till.min((pixel + 1) * PARTS) - from.max(pixel * PARTS);
        if let Some(covered) = usize::try_from(pixel).ok().and_then(|pixel| cover.get_mut(pixel)) {
            *covered += part;
        }
    }
}

/// The colour on the way from one to another, so many steps of all.
pub(super) fn mix(from: Colour, to: Colour, steps: i32, all: i32) -> Colour {
    let part = |from: u8, to: u8| {
        let sum = i32::from(from) * (all - steps) + i32::from(to) * steps;
        u8::try_from((sum + all / 2) / all).unwrap_or(to)
    };
    [part(from[0], to[0]), part(from[1], to[1]), part(from[2], to[2])]
}

fn write_chunk(png: &mut Vec<u8>, kind: [u8; 4], data: &[u8]) -> io::Result<()> {
    let length = u32::try_from(data.len()).map_err(io::Error::other)?;
    let mut sum = Crc::new();
    sum.update(&kind);
    sum.update(data);
    png.extend([&length.to_be_bytes()[..], &kind, data, &sum.sum().to_be_bytes()].concat());
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use flate2::read::ZlibDecoder;

    use super::*;

    const WHITE: Colour = [255; 3];
    const BLACK: Colour = [0; 3];

    /// The chunks of a PNG: kind, data, checksum.
    fn chunks(png: &[u8]) -> Vec<(&[u8], &[u8], u32)> {
        let mut rest = png.strip_prefix(b"\x89PNG\r\n\x1a\n").unwrap();
        let number = |bytes: &[u8]| u32::from_be_bytes(bytes.try_into().unwrap());
        let mut found = Vec::new();
        while !rest.is_empty() {
            let end = 8 + usize::try_from(number(&rest[..4])).unwrap();
            found.push((&rest[4..8], &rest[8..end], number(&rest[end..end + 4])));
            rest = &rest[end + 4..];
        }
        found
    }

    #[test]
    fn a_drawing_is_a_png() {
        let png = Drawing::new([BLACK, WHITE]).png(640, 2).unwrap();
        let found = chunks(&png);
        let kinds: Vec<&[u8]> = found.iter().map(|chunk| chunk.0).collect();
        assert_eq!(kinds, [b"IHDR", b"IDAT", b"IEND"]);
        assert_eq!(found[0].1, [0, 0, 5, 0, 0, 0, 2, 208, 8, 2, 0, 0, 0]);
        // As every PNG ends.
        assert_eq!(found[2].2, 0xae42_6082);
        let mut rows = Vec::new();
        ZlibDecoder::new(found[1].1).read_to_end(&mut rows).unwrap();
        assert_eq!(rows.len(), 720 * (1 + 1280 * 3));
        assert!(rows.chunks(1 + 1280 * 3).all(|row| row[0] == 2), "each row says how it differs from the one above");
    }

    #[test]
    fn shapes_cover_what_is_behind_them_and_have_smooth_edges() {
        let drawing = Drawing::new([BLACK; 2]).with(Shape::Circle([20, 180], 10), WHITE);
        let row = drawing.row(180, 40, 1);
        assert_eq!((row[5], row[20], row[35]), (BLACK, WHITE, BLACK));
        let edge = drawing.row(172, 40, 1);
        assert!(edge.iter().any(|pixel| (1..255).contains(&pixel[0])), "{edge:?}");

        let drawing = Drawing::new([BLACK; 2]).with_box([10, 0], [20, 360], WHITE);
        let row = drawing.row(7, 30, 1);
        assert_eq!((row[9], row[10], row[19], row[20]), (BLACK, WHITE, WHITE, BLACK));
        let half = Shape::Polygon(vec![[0, 0], [30, 0], [30, 360], [0, 360]]);
        assert_eq!(Drawing::new([BLACK; 2]).with_glass(half, WHITE, 50).row(7, 30, 1)[3], [128; 3]);
    }

    #[test]
    fn shapes_may_reach_beyond_the_picture() {
        let drawing = Drawing::new([BLACK; 2]).with(Shape::Circle([0, 0], 2_000), WHITE);
        assert!(drawing.row(359, 30, 1).iter().all(|pixel| *pixel == WHITE));
        let outside = Drawing::new([BLACK; 2]).with(Shape::Circle([-100, 180], 20), WHITE);
        assert!(outside.row(180, 30, 1).iter().all(|pixel| *pixel == BLACK));
    }
}

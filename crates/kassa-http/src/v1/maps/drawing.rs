//! The drawing of a hall map: one circle a seat, which says what seat it is.

use std::fmt::{self, Display, Formatter, Write as _};

use kassa_domain::hall_map::{DrawingLength, HallMap, SeatRow, Sector};

/// How far a seat reaches from its middle: neighbours of which nothing is said do not touch.
const SEAT_RADIUS: DrawingLength = DrawingLength(8 * DrawingLength::PER_UNIT);

/// The map as an SVG document. Each seat is a `circle` with `data-row` and `data-number` in the group of
/// its sector, which has `data-sector`.
pub(super) fn render_svg(map: &HallMap) -> String {
    let ViewBox { left, top, width, height } = ViewBox::enclosing(map);
    let mut svg = String::new();
    let name = XmlEscaped(&map.name);
    // Writing to a String does not fail.
    let _ = write!(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"{left} {top} {width} {height}\" role=\"img\">\
         <title>{name}</title>"
    );
    for sector in &map.sectors {
        write_sector(sector, &mut svg);
    }
    svg.push_str("</svg>\n");
    svg
}

fn write_sector(sector: &Sector, svg: &mut String) {
    let (id, name) = (XmlEscaped(&sector.id), XmlEscaped(&sector.name));
    let _ = write!(svg, "<g data-sector=\"{id}\" fill=\"#ccc\"><title>{name}</title>");
    for row in &sector.rows {
        let name = XmlEscaped(row.row.as_str());
        for (number, x, y) in row.seat_positions() {
            let (x, y, r) = (x.units(), y.units(), SEAT_RADIUS.units());
            let _ =
                write!(svg, "<circle cx=\"{x}\" cy=\"{y}\" r=\"{r}\" data-row=\"{name}\" data-number=\"{number}\"/>");
        }
    }
    svg.push_str("</g>");
}

/// What the drawing shows, in units.
struct ViewBox {
    left: f64,
    top: f64,
    width: f64,
    height: f64,
}

impl ViewBox {
    /// The least that has every seat whole; of a map without seats, nothing.
    fn enclosing(map: &HallMap) -> Self {
        let rows = || map.sectors.iter().flat_map(|sector| &sector.rows);
        let ends = |row: &SeatRow| {
            let last = row.seat_positions().last().map_or((row.x, row.y), |(_, x, y)| (x, y));
            [(row.x, row.y), last]
        };
        let (mut least, mut most) = ([i32::MAX; 2], [i32::MIN; 2]);
        for (x, y) in rows().flat_map(ends) {
            least = [least[0].min(x.0), least[1].min(y.0)];
            most = [most[0].max(x.0), most[1].max(y.0)];
        }
        if least[0] > most[0] {
            return Self { left: 0.0, top: 0.0, width: 0.0, height: 0.0 };
        }
        let edge = SEAT_RADIUS.units() * 1.5;
        let span = |at: usize| DrawingLength(most[at].saturating_sub(least[at])).units() + 2.0 * edge;
        Self {
            left: DrawingLength(least[0]).units() - edge,
            top: DrawingLength(least[1]).units() - edge,
            width: span(0),
            height: span(1),
        }
    }
}

/// Text that means itself inside of elements and of quoted attributes.
struct XmlEscaped<'a>(&'a str);

impl Display for XmlEscaped<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for c in self.0.chars() {
            match c {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                c => f.write_char(c)?,
            }
        }
        Ok(())
    }
}

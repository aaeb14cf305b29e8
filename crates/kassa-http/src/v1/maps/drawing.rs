//! The drawing of a hall map: one circle a seat, which says what seat it is. It is written in pieces, on threads that
//! may work for a while, and each piece only when the client has taken the one before.

use std::fmt::{self, Display, Formatter, Write as _};
use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use futures_util::stream::poll_fn;
use kassa_domain::hall_map::{DrawingLength, HallMap, SeatRow, Sector};
use kassa_engine::fair_permits::FairPermit;
use kassa_engine::metrics::Limit;
use kassa_engine::{Failure, ListTurn, Reader};
use kassa_store::memory_budget::MemoryMeter;
use tokio::sync::mpsc::{self, Sender};

use crate::app::AppState;
use crate::error::ApiError;
use crate::files::SANDBOX_CONTENT_POLICY;

/// How far a seat reaches from its middle: neighbours of which nothing is said do not touch.
const SEAT_RADIUS: DrawingLength = DrawingLength(8 * DrawingLength::PER_UNIT);
/// Seats of the largest map that is drawn: the drawing has about 70 bytes for each.
pub(super) const DRAWN_SEATS_MAX: u64 = 100_000;
/// Bytes of a piece: it may be a little longer.
const PIECE_BYTES: usize = 64 * 1024;
const SVG_CONTENT_TYPE: HeaderValue = HeaderValue::from_static("image/svg+xml");

/// Answers with the map as an SVG document. Each seat is a `circle` with `data-row` and `data-number` in the group of
/// its sector, which has `data-sector`.
pub(super) async fn respond(app: &AppState, map: &HallMap) -> Result<Response, ApiError> {
    let seats: u64 = rows(map).map(|row| u64::from(row.seats.count())).sum();
    if seats > DRAWN_SEATS_MAX {
        let reason = format!("A map of more than {DRAWN_SEATS_MAX} seats is not drawn; this one has {seats}");
        return Err(ApiError::new(StatusCode::BAD_REQUEST, "map_too_large", reason));
    }
    let key = (map.id, map.revision.number());
    if let Some(svg) = app.drawings.cache.get(&key) {
        return Ok(svg_response(svg.into()));
    }
    // It is there until its client has all of the drawing.
    let meter = MemoryMeter::current().part();
    meter.charge(memory_of(map)).map_err(Failure::from)?;
    let writer = SvgWriter::new(map.clone());
    let (writer, first) = write_piece(writer).await?;
    if writer.is_finished {
        let svg = Bytes::from(first);
        app.drawings.cache.insert(key, svg.clone());
        return Ok(svg_response(svg.into()));
    }
    let permit = match ListTurn::reader() {
        Some(reader) => Some(app.drawings.streams.try_acquire(reader).ok_or_else(|| {
            app.engine.limit_hits().record(Limit::Drawings);
            Failure::Busy
        })?),
        None => None,
    };
    let (sender, mut pieces) = mpsc::channel(1);
    tokio::spawn(ListTurn::inherit(send_pieces(writer, first, sender, (meter, permit))));
    Ok(svg_response(Body::from_stream(poll_fn(move |cx| pieces.poll_recv(cx)))))
}

/// About how many bytes a map takes.
fn memory_of(map: &HallMap) -> usize {
    let of_row = |row: &SeatRow| size_of::<SeatRow>() + row.row.as_str().len() + row.row.sort_key().len();
    let of_sector = |sector: &Sector| {
        let texts = sector.id.len() + sector.name.len() + sector.desc.as_ref().map_or(0, String::len);
        size_of::<Sector>() + texts + sector.rows.iter().map(of_row).sum::<usize>()
    };
    map.sectors.iter().map(of_sector).sum()
}

fn svg_response(body: Body) -> Response {
    let headers = [(header::CONTENT_TYPE, SVG_CONTENT_TYPE), (header::CONTENT_SECURITY_POLICY, SANDBOX_CONTENT_POLICY)];
    (headers, body).into_response()
}

/// Writes a piece, in a turn of its reader.
async fn write_piece(mut writer: SvgWriter) -> Result<(SvgWriter, String), Failure> {
    ListTurn::begin().await?;
    let written = tokio::task::spawn_blocking(move || {
        let piece = writer.next_piece();
        (writer, piece)
    });
    let written = written.await.map_err(|error| Failure::internal(&error.to_string()));
    ListTurn::end();
    written
}

/// Sends the pieces from `piece` on, each when there is room for it. A failure breaks the answer off, so that no client
/// takes half of a drawing for the whole.
async fn send_pieces(
    mut writer: SvgWriter,
    mut piece: String,
    sender: Sender<Result<String, Failure>>,
    _taken: (Arc<MemoryMeter>, Option<FairPermit<Reader>>),
) {
    loop {
        // A client that went away needs no more.
        if sender.send(Ok(piece)).await.is_err() || writer.is_finished {
            return;
        }
        match write_piece(writer).await {
            Ok(next) => (writer, piece) = next,
            Err(failure) => {
                // Where nobody listens any more, nobody has to know.
                let _ = sender.send(Err(failure)).await;
                return;
            }
        }
    }
}

/// Writes a drawing, piece by piece.
struct SvgWriter {
    map: Arc<HallMap>,
    /// Where the next piece begins.
    place: Option<Place>,
    is_finished: bool,
}

/// A place within a map: in a sector, at a seat of one of its rows.
#[derive(Clone, Copy, Default)]
struct Place {
    sector: usize,
    row: usize,
    seat: usize,
    /// Whether the group of the sector is open.
    is_open: bool,
}

impl SvgWriter {
    fn new(map: HallMap) -> Self {
        Self { map: Arc::new(map), place: None, is_finished: false }
    }

    /// The next piece; empty behind the last.
    fn next_piece(&mut self) -> String {
        let mut svg = String::new();
        let mut place = self.place.unwrap_or_else(|| {
            write_head(&self.map, &mut svg);
            Place::default()
        });
        while svg.len() < PIECE_BYTES && !self.is_finished {
            if let Some(sector) = self.map.sectors.get(place.sector) {
                write_part(sector, &mut place, &mut svg);
            } else {
                svg.push_str("</svg>\n");
                self.is_finished = true;
            }
        }
        self.place = Some(place);
        svg
    }
}

fn write_head(map: &HallMap, svg: &mut String) {
    let ViewBox { left, top, width, height } = ViewBox::enclosing(map);
    let name = XmlEscaped(&map.name);
    // Writing to a String does not fail.
    let _ = write!(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"{left} {top} {width} {height}\" role=\"img\">\
         <title>{name}</title>"
    );
}

/// The beginning of a sector, seats of one of its rows, or its end.
fn write_part(sector: &Sector, place: &mut Place, svg: &mut String) {
    if !place.is_open {
        let (id, name) = (XmlEscaped(&sector.id), XmlEscaped(&sector.name));
        let _ = write!(svg, "<g data-sector=\"{id}\" fill=\"#ccc\"><title>{name}</title>");
        place.is_open = true;
    } else if let Some(row) = sector.rows.get(place.row) {
        place.seat += write_seats(row, place.seat, svg);
        if place.seat >= row.seats.count() as usize {
            *place = Place { row: place.row + 1, seat: 0, ..*place };
        }
    } else {
        svg.push_str("</g>");
        *place = Place { sector: place.sector + 1, ..Place::default() };
    }
}

/// Seats of a row from the one at this place on, as many as a piece has room for; returns how many.
fn write_seats(row: &SeatRow, from: usize, svg: &mut String) -> usize {
    let (name, r, mut written) = (XmlEscaped(row.row.as_str()), SEAT_RADIUS.units(), 0);
    for (number, x, y) in row.seat_positions().skip(from) {
        let (x, y) = (x.units(), y.units());
        let _ = write!(svg, "<circle cx=\"{x}\" cy=\"{y}\" r=\"{r}\" data-row=\"{name}\" data-number=\"{number}\"/>");
        written += 1;
        if svg.len() >= PIECE_BYTES {
            break;
        }
    }
    written
}

fn rows(map: &HallMap) -> impl Iterator<Item = &SeatRow> {
    map.sectors.iter().flat_map(|sector| &sector.rows)
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
        let ends = |row: &SeatRow| [(row.x, row.y), row.seat_position(row.seats.to)];
        let (mut least, mut most) = ([i32::MAX; 2], [i32::MIN; 2]);
        for (x, y) in rows(map).flat_map(ends) {
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

#[cfg(test)]
mod tests {
    use kassa_domain::change::Revision;
    use kassa_domain::seating::SeatRange;
    use kassa_domain::{Id, Timestamp};

    use super::*;

    fn row(name: &str, seats: u16) -> SeatRow {
        let length = DrawingLength::from_units;
        let seats = SeatRange { from: 1, to: seats };
        let (row, rank) = (name.parse().unwrap(), None);
        SeatRow { row, seats, x: length(0.0), y: length(5.5), dx: length(20.0), dy: length(0.0), rank }
    }

    fn map(sectors: Vec<Vec<SeatRow>>) -> HallMap {
        let sector = |(at, rows): (usize, Vec<SeatRow>)| Sector {
            id: at.to_string(),
            name: format!("<{at}>"),
            desc: None,
            rows,
        };
        HallMap {
            id: Id::root(1),
            venue: Id::root(2),
            name: "A & B".to_owned(),
            desc: None,
            sectors: sectors.into_iter().enumerate().map(sector).collect(),
            created_at: Timestamp::from_ms(0),
            updated_at: Timestamp::from_ms(0),
            revision: Revision::stored(1, None),
        }
    }

    fn pieces(map: HallMap) -> Vec<String> {
        let mut writer = SvgWriter::new(map);
        std::iter::from_fn(|| (!writer.is_finished).then(|| writer.next_piece())).collect()
    }

    #[test]
    fn pieces_are_short_and_make_up_the_drawing() {
        let rows = |count: u16| (0..count).map(|at| row(&format!("R{at}"), 900)).collect();
        let pieces = pieces(map(vec![rows(7), Vec::new(), rows(4), vec![row("\"", 1)]]));
        assert!(pieces.len() > 5 && pieces.iter().all(|piece| piece.len() < PIECE_BYTES + 1_000), "{}", pieces.len());
        let svg = pieces.concat();
        assert_eq!(svg.matches("<circle ").count(), 11 * 900 + 1);
        assert_eq!((svg.matches("<g ").count(), svg.matches("</g>").count()), (4, 4));
        for seat in
            ["data-row=\"R6\" data-number=\"900\"/></g><g data-sector=\"1\"", "data-row=\"R3\" data-number=\"1\"/>"]
        {
            assert!(svg.contains(seat), "{seat}");
        }
        assert!(svg.contains("<title>A &amp; B</title>") && svg.contains("data-row=\"&quot;\""));
        assert!(svg.ends_with("</g></svg>\n"));
        for at in 1..900 {
            let pair = format!("data-row=\"R0\" data-number=\"{at}\"/><circle cx=\"{}\"", at * 20);
            assert!(svg.contains(&pair), "{pair}");
        }
    }

    #[test]
    fn a_map_without_seats_is_drawn() {
        let svg = pieces(map(vec![Vec::new()])).concat();
        assert!(svg.contains("viewBox=\"0 0 0 0\"") && svg.ends_with("</g></svg>\n"), "{svg}");
    }
}

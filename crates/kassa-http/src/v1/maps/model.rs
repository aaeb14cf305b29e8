//! A hall map as v1 shows it, and as requests write it.

use kassa_domain::hall_map::{DrawingLength, HallMap, SECTORS_PER_MAP_MAX, SeatRow, Sector};
use kassa_domain::seating::{RowName, SEAT_MAX, SeatRange};
use serde::{Serialize, Serializer};
use utoipa::openapi::schema::Type;
use utoipa::openapi::{ObjectBuilder, RefOr, Schema};

use crate::error::ErrorDetail;
use crate::input::{
    BoundedNumber, Fields, FromJson, Input, LineText, List, LongText, NameText, Problems, RowNameText, fields,
    invalid_value, parse_object, parse_whole_number, requires,
};
use crate::openapi::schema;
use crate::route::{FieldKind, ResourceKind};
use crate::wire::{HallMapRef, IdRef, Referenced, RowNameBody, Time, VenueRef, WireField, wire_form};

/// What lies between two seats, and between two rows, of which nothing is said.
const DEFAULT_SPACING: DrawingLength = DrawingLength(20 * DrawingLength::PER_UNIT);
/// Rows, or pieces of rows, that one sector may have.
const ROWS_MAX: usize = 10_000;
/// The last place that a row can have among those of its sector.
const RANK_MAX: u32 = 9_999;
/// The farthest from the origin, in units of the drawing.
const COORDINATE_MAX: f64 = 1_000_000.0;

wire_form! {
    /// A hall map.
    #[schema(as = Map)]
    pub(crate) struct MapBody<'a> {
        /// The id of the map.
        id: HallMapRef,
        /// The venue that it is a map of.
        venue: VenueRef,
        /// The name of the map.
        name: &'a str,
        /// A description; `null` if there is none.
        desc: Option<&'a str>,
        /// The sectors of the hall.
        sectors: Vec<SectorBody<'a>>,
        /// When it was created.
        created_at: Time,
        /// When it was last changed.
        updated_at: Time,
    }
}

pub(crate) static MAP: ResourceKind = ResourceKind::new("map", MapBody::KIND);

impl Referenced for HallMap {
    fn kind() -> &'static ResourceKind {
        &MAP
    }
}

wire_form! {
    /// A part of the hall.
    #[schema(as = Sector)]
    struct SectorBody<'a> {
        /// The id of the sector, unique within the map: what a set gives as its `sector`.
        id: &'a str,
        /// The name of the sector.
        name: &'a str,
        /// A description; `null` if there is none.
        desc: Option<&'a str>,
        /// Whether it has numbered seats; otherwise people stand.
        with_seats: bool,
        /// Its rows of seats; empty where people stand.
        rows: Vec<RowBody<'a>>,
    }
}

wire_form! {
    /// A row of seats, or a part of one.
    #[schema(as = Row)]
    struct RowBody<'a> {
        /// The name of the row.
        row: RowNameBody<'a>,
        /// The number of its first seat.
        from: u16,
        /// The number of its last seat.
        to: u16,
        /// The horizontal position of the first seat, in units of the drawing.
        #[schema(value_type = f64)]
        x: Coordinate,
        /// The vertical position of the first seat, in units of the drawing.
        #[schema(value_type = f64)]
        y: Coordinate,
        /// The horizontal distance from one seat to the next, in units of the drawing.
        #[schema(value_type = f64)]
        dx: Coordinate,
        /// The vertical distance from one seat to the next, in units of the drawing.
        #[schema(value_type = f64)]
        dy: Coordinate,
        /// How good its seats are: the lower, the better. `null` if that is not set.
        rank: Option<u32>,
    }
}

/// A length in units of the drawing, with two decimals at most.
struct Coordinate(DrawingLength);

impl WireField for Coordinate {
    const KIND: FieldKind = FieldKind::Scalar;
}

impl Serialize for Coordinate {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.0.units())
    }
}

impl<'a> MapBody<'a> {
    pub(crate) fn new(map: &'a HallMap) -> Self {
        Self {
            id: IdRef(map.id),
            venue: IdRef(map.venue),
            name: &map.name,
            desc: map.desc.as_deref(),
            sectors: map.sectors.iter().map(SectorBody::new).collect(),
            created_at: Time(map.created_at),
            updated_at: Time(map.updated_at),
        }
    }
}

impl<'a> SectorBody<'a> {
    fn new(sector: &'a Sector) -> Self {
        let row = |row: &'a SeatRow| RowBody {
            row: RowNameBody(&row.row),
            from: row.seats.from,
            to: row.seats.to,
            x: Coordinate(row.x),
            y: Coordinate(row.y),
            dx: Coordinate(row.dx),
            dy: Coordinate(row.dy),
            rank: row.rank,
        };
        Self {
            id: &sector.id,
            name: &sector.name,
            desc: sector.desc.as_deref(),
            with_seats: !sector.rows.is_empty(),
            rows: sector.rows.iter().map(row).collect(),
        }
    }
}

fields! {
    /// A hall map in a request.
    pub(crate) struct MapInput {
        /// The name of the map; up to 255 characters.
        pub(crate) name: Input<NameText>,
        /// A description; up to 10000 characters.
        pub(crate) desc: Input<LongText>,
        /// All sectors of the map: they replace those that it has. Together they have at most 1000000 seats.
        pub(crate) sectors: Input<SectorsInput>,
    }
}

requires! {
    /// A new hall map.
    pub(crate) struct NewMap: MapInput { name }
}

/// All sectors of a map.
pub(crate) struct SectorsInput(pub(crate) Vec<Sector>);

impl FromJson for SectorsInput {
    fn from_json(json: &str) -> Result<Self, Vec<ErrorDetail>> {
        let List(sectors) = List::<SectorInput, SECTORS_PER_MAP_MAX>::from_json(json)?;
        Ok(Self(sectors.into_iter().map(|sector| sector.0).collect()))
    }

    fn json_schema() -> RefOr<Schema> {
        List::<SectorInput, SECTORS_PER_MAP_MAX>::json_schema()
    }
}

fields! {
    struct SectorFields {
        /// What a set gives as its `sector`: unique within the map, up to 64 characters. One sector can be without.
        id: Input<LineText<64>>,
        /// The name of the sector; up to 255 characters.
        name: Input<NameText>,
        /// A description; up to 10000 characters.
        desc: Input<LongText>,
        /// Its rows of seats; none for a sector where people stand.
        rows: Input<List<RowInput, ROWS_MAX>>,
    }
}

struct SectorInput(Sector);

impl FromJson for SectorInput {
    fn from_json(json: &str) -> Result<Self, Vec<ErrorDetail>> {
        let fields: SectorFields = parse_object(json)?;
        let mut problems = Problems::default();
        let id = fields.id.optional("id", &mut problems).map_or_else(String::new, |id| id.0.trim().to_owned());
        let name = fields.name.required("name", &mut problems);
        let desc = fields.desc.optional("desc", &mut problems).map(|text| text.0);
        let rows = fields.rows.optional("rows", &mut problems).map_or_else(Vec::new, |rows| rows.0);
        let details = problems.into_details();
        match name {
            Some(NameText(name)) if details.is_empty() => Ok(Self(Sector { id, name, desc, rows: place_rows(rows) })),
            _ => Err(details),
        }
    }

    fn json_schema() -> RefOr<Schema> {
        SectorFields::object(&["name"]).into()
    }
}

/// The rows with their places. One of which nothing is said lies behind the one before.
fn place_rows(rows: Vec<RowInput>) -> Vec<SeatRow> {
    let mut next = DrawingLength::default();
    let place = |row: RowInput| {
        let y = row.y.unwrap_or(next);
        next = DrawingLength(y.0.saturating_add(DEFAULT_SPACING.0));
        SeatRow {
            row: row.row,
            seats: row.seats,
            x: row.x.unwrap_or_default(),
            y,
            dx: row.dx.unwrap_or(DEFAULT_SPACING),
            dy: row.dy.unwrap_or_default(),
            rank: row.rank,
        }
    };
    rows.into_iter().map(place).collect()
}

fields! {
    struct RowFields {
        /// The name of the row: a text of 1 to 16 characters, or a number.
        row: Input<RowNameText>,
        /// The number of its first seat.
        from: Input<SeatNumber>,
        /// The number of its last seat; not less than `from`.
        to: Input<SeatNumber>,
        /// The horizontal position of the first seat, in units of the drawing; 0 by default.
        x: Input<CoordinateInput>,
        /// The vertical position of the first seat, in units of the drawing; by default 20 below the row before it.
        y: Input<CoordinateInput>,
        /// The horizontal distance from one seat to the next; 20 by default.
        dx: Input<CoordinateInput>,
        /// The vertical distance from one seat to the next; 0 by default.
        dy: Input<CoordinateInput>,
        /// How good its seats are: the lower, the better. `random` orders get the best first.
        rank: Input<BoundedNumber<RANK_MAX>>,
    }
}

struct RowInput {
    row: RowName,
    seats: SeatRange,
    x: Option<DrawingLength>,
    y: Option<DrawingLength>,
    dx: Option<DrawingLength>,
    dy: Option<DrawingLength>,
    rank: Option<u32>,
}

impl FromJson for RowInput {
    fn from_json(json: &str) -> Result<Self, Vec<ErrorDetail>> {
        let fields: RowFields = parse_object(json)?;
        let mut problems = Problems::default();
        let row = fields.row.required("row", &mut problems);
        let from = fields.from.required("from", &mut problems).map(|from| from.0);
        let to = fields.to.required("to", &mut problems).map(|to| to.0);
        if to < from {
            problems.add("to", "must not be less than from");
        }
        let mut place = |field: Input<CoordinateInput>, name| field.optional(name, &mut problems).map(|place| place.0);
        let (x, y) = (place(fields.x, "x"), place(fields.y, "y"));
        let (dx, dy) = (place(fields.dx, "dx"), place(fields.dy, "dy"));
        let rank = fields.rank.optional("rank", &mut problems).map(|rank| rank.0);
        let details = problems.into_details();
        match (row, from, to) {
            (Some(RowNameText(row)), Some(from), Some(to)) if details.is_empty() => {
                Ok(Self { row, seats: SeatRange { from, to }, x, y, dx, dy, rank })
            }
            _ => Err(details),
        }
    }

    fn json_schema() -> RefOr<Schema> {
        RowFields::object(&["row", "from", "to"]).into()
    }
}

struct SeatNumber(u16);

impl FromJson for SeatNumber {
    fn from_json(json: &str) -> Result<Self, Vec<ErrorDetail>> {
        let number = parse_whole_number(json).filter(|number| (1..=SEAT_MAX).contains(number));
        number.map(Self).ok_or_else(|| invalid_value(format!("must be a whole number from 1 to {SEAT_MAX}")))
    }

    fn json_schema() -> RefOr<Schema> {
        schema::integer().minimum(Some(1)).maximum(Some(SEAT_MAX)).into()
    }
}

struct CoordinateInput(DrawingLength);

impl FromJson for CoordinateInput {
    fn from_json(json: &str) -> Result<Self, Vec<ErrorDetail>> {
        let units = json.parse::<f64>().ok().filter(|units| units.abs() <= COORDINATE_MAX);
        let problem = || invalid_value(format!("must be a number from -{COORDINATE_MAX} to {COORDINATE_MAX}"));
        units.map(|units| Self(DrawingLength::from_units(units))).ok_or_else(problem)
    }

    fn json_schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::Number)
            .minimum(Some(-COORDINATE_MAX))
            .maximum(Some(COORDINATE_MAX))
            .into()
    }
}

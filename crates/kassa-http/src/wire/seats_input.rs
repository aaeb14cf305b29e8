//! The seats of a set: `{"<row>": [[from, to], …], …}`.

use kassa_domain::seating::{MalformedRowName, OverlappingSeats, RowName, SEAT_MAX, SeatRange, Seating};
use kassa_domain::set::SET_TICKETS_MAX;
use serde_json::value::RawValue;
use utoipa::openapi::{RefOr, Schema};

use super::seat::Seats;
use crate::error::{ErrorDetail, shorten};
use crate::input::{FromJson, List, Problems, invalid_value, object_members, parse_whole_number};
use crate::openapi::schema;

/// Seats in a request, row by row.
#[derive(Clone, Debug)]
pub(crate) struct SeatsInput(pub(crate) Seating);

impl FromJson for SeatsInput {
    fn from_json(json: &str) -> Result<Self, Vec<ErrorDetail>> {
        let rows = object_members(json, SET_TICKETS_MAX as usize)?;
        let (mut seating, mut problems) = (Seating::default(), Problems::default());
        for (name, spans) in rows {
            if let Err(details) = add_row(&mut seating, &name, spans.get()) {
                problems.add_below(&format!(".{}", shorten(&name)), details);
            }
            if problems.is_full() {
                break;
            }
        }
        if problems.is_empty() && seating.count() > i64::from(SET_TICKETS_MAX) {
            return Err(invalid_value(format!("must have at most {SET_TICKETS_MAX} seats")));
        }
        problems.into_result(Self(seating))
    }

    fn json_schema() -> RefOr<Schema> {
        schema::component_ref::<Seats>()
    }
}

fn add_row(seating: &mut Seating, name: &str, spans: &str) -> Result<(), Vec<ErrorDetail>> {
    let row: RowName = name.parse().map_err(|error: MalformedRowName| invalid_value(error.to_string()))?;
    if seating.has_row(&row) {
        return Err(invalid_value("must not be the name of two rows"));
    }
    let spans = List::<SeatRangeInput>::from_json(spans)?.0.into_iter().map(|span| span.0).collect();
    seating.add_row(row, spans).map_err(|OverlappingSeats| invalid_value("must not name a seat twice"))
}

/// `[from, to]`
struct SeatRangeInput(SeatRange);

impl FromJson for SeatRangeInput {
    fn from_json(json: &str) -> Result<Self, Vec<ErrorDetail>> {
        let ends = serde_json::from_str::<[&RawValue; 2]>(json).ok();
        let span = ends.and_then(|[from, to]| {
            Some(SeatRange { from: parse_whole_number(from.get())?, to: parse_whole_number(to.get())? })
        });
        let span = span.filter(|span| (1..=SEAT_MAX).contains(&span.from) && (span.from..=SEAT_MAX).contains(&span.to));
        let problem =
            || invalid_value(format!("must be [from, to]: whole numbers from 1 to {SEAT_MAX}, the smaller one first"));
        span.map(Self).ok_or_else(problem)
    }

    fn json_schema() -> RefOr<Schema> {
        Seats::run_schema().into()
    }
}

#[cfg(test)]
mod tests {
    use kassa_domain::seating::SeatingJson;

    use super::*;
    use crate::error::DETAILS_MAX;

    #[test]
    fn rows_and_seat_ranges_are_read_in_order() {
        let read = |json: &str| SeatingJson::from(&SeatsInput::from_json(json).unwrap().0).as_str().to_owned();
        assert_eq!(
            read(r#"{"10": [[1.0, 2.00]], " 2 ": [[7, 9], [1, 3]], "A": []}"#),
            r#"{"2":[[1,3],[7,9]],"10":[[1,2]]}"#
        );
        assert_eq!(read("{}"), "{}");
    }

    #[test]
    fn each_invalid_row_and_range_is_reported() {
        let seats = r#"{
            "1": [[1, 2], [0, 5], [5, 4], [1, 10000], [1], "1-2", [1, 2, 3], [1.5, 2]],
            "2": [[1, 5], [5, 6]],
            "3": 7,
            "a row with a long name": [],
            " ": [],
            "B": [[1, 1]], "B ": [[2, 2]]
        }"#;
        let problems = SeatsInput::from_json(seats).unwrap_err();
        let mut fields: Vec<&str> = problems.iter().map(|detail| detail.field.as_str()).collect();
        fields.sort_unstable();
        let of_first_row = [".1[1]", ".1[2]", ".1[3]", ".1[4]", ".1[5]", ".1[6]", ".1[7]"];
        let others = [".2", ".3", ".B ", ".a row with a long name"];
        assert_eq!(fields, [&[". "], &of_first_row[..], &others].concat());
        for json in ["[]", "[[1, 2]]", "7", "\"1\""] {
            assert!(SeatsInput::from_json(json).is_err(), "{json}");
        }
    }

    #[test]
    fn only_so_many_problems_of_rows_are_collected() {
        let bad_row = format!("[{}]", ["0"; 60].join(","));
        let rows: Vec<String> = (0..50).map(|row| format!("\"{row}\": {bad_row}")).collect();
        let problems = SeatsInput::from_json(&format!("{{{}}}", rows.join(", "))).unwrap_err();
        assert_eq!(problems.len(), DETAILS_MAX + 1);
        let long_name = SeatsInput::from_json(&format!("{{\"{}\": []}}", "x".repeat(5_000))).unwrap_err();
        assert!(long_name[0].field.len() < 500);
    }

    #[test]
    fn set_has_at_most_a_million_seats() {
        let rows = |rows: u32| {
            let rows: Vec<String> = (0..rows).map(|row| format!("\"{row}\": [[1, 5000]]")).collect();
            SeatsInput::from_json(&format!("{{{}}}", rows.join(", ")))
        };
        assert_eq!(rows(200).unwrap().0.count(), 1_000_000);
        assert_eq!(rows(201).unwrap_err()[0].field, "");
    }
}

//! Rows of seats, and layouts of them.

use std::borrow::Cow;

use kassa_domain::seating::{RowName, SEAT_MAX, SeatingJson};
use serde::ser::Error as _;
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;
use utoipa::openapi::schema::{ArrayBuilder, Type};
use utoipa::openapi::{ObjectBuilder, RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use crate::openapi::schema;

/// The name of a row as v1 shows it: a number when it is written as one, else a text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RowNameBody<'a>(pub(crate) &'a RowName);

impl Serialize for RowNameBody<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let name = self.0.as_str();
        match name.parse::<u32>() {
            // `007` stays what it is.
            Ok(number) if number.to_string() == name => serializer.serialize_u32(number),
            Ok(_) | Err(_) => serializer.serialize_str(name),
        }
    }
}

/// Seats row by row: `{"<row>": [[from, to], …]}`.
#[derive(Debug)]
pub(crate) struct Seats(pub(crate) SeatingJson);

impl Serialize for Seats {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let json: &RawValue = serde_json::from_str(self.0.as_str()).map_err(S::Error::custom)?;
        json.serialize(serializer)
    }
}

impl Seats {
    /// `[from, to]`
    pub(crate) fn run_schema() -> ArrayBuilder {
        let number = schema::integer().minimum(Some(1)).maximum(Some(SEAT_MAX));
        schema::list(number).min_items(Some(2)).max_items(Some(2))
    }
}

impl PartialSchema for Seats {
    fn schema() -> RefOr<Schema> {
        let about =
            "For each row, by its name, its ranges of seats: the number of the first seat and that of the last.";
        let rows = ObjectBuilder::new().schema_type(Type::Object).property_names(Some(schema::name(16).build()));
        let rows = rows.additional_properties(Some(schema::list(Self::run_schema())));
        rows.description(Some(about)).into()
    }
}

impl ToSchema for Seats {}

impl PartialSchema for RowNameBody<'_> {
    fn schema() -> RefOr<Schema> {
        let about = "The name of a row: a number if it is written as one, else a text.";
        schema::described(schema::any_of([schema::integer().into(), schema::text().into()]), &[about])
    }
}

impl ToSchema for RowNameBody<'_> {
    fn name() -> Cow<'static, str> {
        "RowName".into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_digits_are_numbers() {
        for (row, shown) in [
            ("1", "1"),
            ("4000000000", "4000000000"),
            ("0", "0"),
            ("05", "\"05\""),
            ("+5", "\"+5\""),
            ("5000000000", "\"5000000000\""),
            ("1a", "\"1a\""),
        ] {
            assert_eq!(serde_json::to_string(&RowNameBody(&row.parse().unwrap())).unwrap(), shown);
        }
    }
}

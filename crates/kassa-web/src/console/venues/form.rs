//! The form of a place: its fields, and the body that they make.

use serde_json::{Map, Value, json};

use super::city_of;
use crate::console::fault::Fault;
use crate::console::fields::Fields;
use crate::console::places::{city_called, unknown_city};
use crate::console::visit::Visit;

/// Which field of the form says what of the interface's.
pub(super) const NAMES: [(&str, &str); 3] = [("description", "desc"), ("point", "latitude"), ("country", "city")];

/// The fields of a place, as it is.
pub(super) fn fields_of(visit: &Visit<'_>, venue: &Value) -> Fields {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let degrees = |at: usize| venue["point"]["coordinates"][at].as_f64().map(|value| value.to_string());
    Fields::to_change([
        ("name", text(&venue["name"])),
        ("desc", text(&venue["desc"])),
        ("address", text(&venue["address"])),
        ("city", city_of(venue, visit.request.language)),
        ("latitude", degrees(1).unwrap_or_default()),
        ("longitude", degrees(0).unwrap_or_default()),
    ])
}

/// What the fields change. What cannot be read is marked as wrong.
pub(super) async fn body_of(visit: &Visit<'_>, fields: &mut Fields) -> Result<Value, Fault> {
    let mut body = Map::new();
    if fields.is_changed("name") {
        body.insert("name".to_owned(), json!(fields.value("name").trim()));
    }
    for name in ["desc", "address"] {
        if fields.is_changed(name) {
            body.insert(name.to_owned(), json!(fields.given(name)));
        }
    }
    if fields.is_changed("city") {
        let city = match fields.given("city").map(str::to_owned) {
            None => Value::Null,
            Some(wanted) => match city_called(visit, &wanted).await? {
                Ok(id) => json!(id),
                Err(similar) => {
                    fields.set_wrong("city", unknown_city(visit.texts(), &similar));
                    Value::Null
                }
            },
        };
        body.insert("city".to_owned(), city);
    }
    if ["latitude", "longitude"].into_iter().any(|name| fields.is_changed(name)) {
        let degrees = ["longitude", "latitude"].map(|name| fields.given(name).map(degrees_of));
        let point = match degrees {
            [None, None] => Value::Null,
            [Some(Some(longitude)), Some(Some(latitude))] => {
                json!({"type": "Point", "coordinates": [longitude, latitude]})
            }
            [longitude, latitude] => {
                for (name, value) in [("longitude", longitude), ("latitude", latitude)] {
                    if value.flatten().is_none() {
                        fields.set_wrong(name, visit.texts().text("wrong-degrees"));
                    }
                }
                Value::Null
            }
        };
        body.insert("point".to_owned(), point);
    }
    Ok(Value::Object(body))
}

/// Degrees, as people write them.
fn degrees_of(text: &str) -> Option<f64> {
    text.trim().trim_end_matches('°').replace(',', ".").parse().ok().filter(|degrees: &f64| degrees.is_finite())
}

#[cfg(test)]
mod tests {
    use super::degrees_of;

    #[test]
    fn degrees_are_written_as_people_write_them() {
        assert_eq!(["59.94", " 59,94°", "-3"].map(degrees_of), [Some(59.94), Some(59.94), Some(-3.0)]);
        assert_eq!(["north", "inf", ""].map(degrees_of), [None, None, None]);
    }
}

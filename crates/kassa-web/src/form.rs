//! Forms: the name of a field is its path in the body of the interface, so that one function turns any form into a body.

use percent_encoding::{NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use serde_json::{Map, Value, json};

/// Fields whose names begin with this are for the page itself, and not for the interface.
const OWN_PREFIX: char = '_';
/// Objects in objects, at most.
const DEPTH_MAX: usize = 6;

/// What somebody has sent with a form.
#[derive(Clone, Debug, Default)]
pub(crate) struct Form(Vec<(String, String)>);

impl Form {
    /// Of a body as browsers write it. One with files is left as it is.
    pub(crate) fn parse(body: &[u8]) -> Self {
        Self(parse_pairs(&String::from_utf8_lossy(body)))
    }

    /// What stands in a field; `None` if it is empty.
    pub(crate) fn value(&self, name: &str) -> Option<&str> {
        let found = self.0.iter().find(|(other, _)| other == name);
        found.map(|(_, value)| value.trim()).filter(|value| !value.is_empty())
    }

    /// The names and values that were sent.
    pub(crate) fn pairs(&self) -> &[(String, String)] {
        &self.0
    }

    /// The body for the interface: `settings.customer.email=a` is `{"settings": {"customer": {"email": "a"}}}`. An empty
    /// field is `null`, `true` and `false` are what they say, and what is counted, below `random`, are numbers. Sets of
    /// which nothing is wanted are left out. Seats, which are named more than once, are ranges: `seats.a1.2=5` is
    /// `{"seats": {"a1": {"2": [[5, 5]]}}}`.
    pub(crate) fn body(&self) -> Value {
        let mut body = Value::Object(Map::new());
        for (name, value) in self.0.iter().filter(|(name, _)| !name.starts_with(OWN_PREFIX)) {
            let value = value.trim();
            if let Some(row) = name.strip_prefix("seats.") {
                put_seat(&mut body, row, value);
                continue;
            }
            let value = match value {
                "" => Value::Null,
                // A name is what it is.
                text if name.starts_with("holders.") => text.into(),
                "true" => Value::Bool(true),
                "false" => Value::Bool(false),
                text if name.starts_with("random.") => match text.parse::<u32>() {
                    Ok(0) => continue,
                    Ok(count) => count.into(),
                    // Whatever else it is, the interface says what is wrong with it.
                    Err(_) => text.into(),
                },
                text => text.into(),
            };
            if !(value.is_null() && name.starts_with("random.")) {
                put(&mut body, name, value);
            }
        }
        body
    }
}

/// Adds a seat to its row, `<set>.<row>`. Whatever else its number is, the interface says what is wrong with it.
fn put_seat(body: &mut Value, row: &str, number: &str) {
    let Some((set, row)) = row.split_once('.') else { return };
    let number = number.parse::<u16>().map_or_else(|_| Value::from(number), Value::from);
    let Value::Object(members) = body else { return };
    let object = || Value::Object(Map::new());
    let Value::Object(sets) = members.entry("seats").or_insert_with(object) else { return };
    let Value::Object(rows) = sets.entry(set).or_insert_with(object) else { return };
    let Value::Array(ranges) = rows.entry(row).or_insert_with(|| Value::Array(Vec::new())) else { return };
    ranges.push(json!([number, number]));
}

/// Puts a value at a path. What does not fit, because a field is a text and an object at once, is left out.
fn put(body: &mut Value, path: &str, value: Value) {
    let steps: Vec<&str> = path.split('.').collect();
    let Some((last, above)) = steps.split_last().filter(|(_, above)| above.len() < DEPTH_MAX) else { return };
    let mut place = body;
    for step in above {
        let Value::Object(members) = place else { return };
        place = members.entry(*step).or_insert_with(|| Value::Object(Map::new()));
    }
    if let Value::Object(members) = place {
        members.insert((*last).to_owned(), value);
    }
}

/// Names and values of a query or a form, in their order.
pub(crate) fn parse_pairs(text: &str) -> Vec<(String, String)> {
    let decode = |text: &str| percent_decode_str(&text.replace('+', " ")).decode_utf8_lossy().into_owned();
    let pairs = text.split('&').filter(|pair| !pair.is_empty()).map(|pair| pair.split_once('=').unwrap_or((pair, "")));
    pairs.map(|(name, value)| (decode(name), decode(value))).collect()
}

/// A text as a value in the query of an address.
pub(crate) fn encoded(text: &str) -> String {
    utf8_percent_encode(text, NON_ALPHANUMERIC).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_fields_are_paths() {
        let form = Form::parse(
            b"settings.customer.email=ann%40example.org&settings.customer.name=Ann+Fox&settings.send_tickets=true\
              &settings.customer.phone=&random.a1=2&random.b2=0&random.c3=&_key=secret&all_or_nothing=false",
        );
        let body = json!({
            "settings": {"customer": {"email": "ann@example.org", "name": "Ann Fox", "phone": null}, "send_tickets": true},
            "random": {"a1": 2},
            "all_or_nothing": false,
        });
        assert_eq!(form.body(), body);
        assert_eq!(form.value("_key"), Some("secret"));
        assert_eq!(form.value("settings.customer.phone"), None);
    }

    #[test]
    fn what_does_not_fit_is_left_out() {
        assert_eq!(Form::parse(b"a=1&a.b=2").body(), json!({"a": "1"}));
        assert_eq!(Form::parse(b"a.b.c.d.e.f.g.h.i=1").body(), json!({}));
        assert_eq!(
            Form::parse(b"seats.a.2=5&seats.a.2=6&seats.a.B.1=x&seats.c=1").body(),
            json!({"seats": {"a": {"2": [[5, 5], [6, 6]], "B.1": [["x", "x"]]}}})
        );
        assert_eq!(Form::parse(b"seats=1&seats.a.2=5").body(), json!({"seats": "1"}));
        assert_eq!(Form::parse(b"random.a=many").body(), json!({"random": {"a": "many"}}));
    }
}

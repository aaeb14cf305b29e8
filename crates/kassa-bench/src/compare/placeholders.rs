//! What stands for the placeholders of an adapter.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use crate::error::BenchError;

/// A value for each placeholder.
#[derive(Clone, Debug, Default)]
pub(super) struct PlaceholderValues(BTreeMap<String, Value>);

impl PlaceholderValues {
    pub(super) fn set(&mut self, placeholder: &str, value: impl Into<Value>) {
        self.0.insert(placeholder.to_owned(), value.into());
    }

    /// A text with its placeholders filled: `{name}`, of small letters and `_`. Other braces stay.
    pub(super) fn fill(&self, text: &str) -> Result<String, BenchError> {
        let (mut filled, mut rest) = (String::new(), text);
        while let Some(at) = rest.find('{') {
            let (before, from) = rest.split_at(at);
            filled.push_str(before);
            let Some((name, after)) = placeholder(from) else {
                filled.push('{');
                rest = &from[1..];
                continue;
            };
            let value = self.get(name)?;
            filled.push_str(&value.as_str().map_or_else(|| value.to_string(), str::to_owned));
            rest = after;
        }
        filled.push_str(rest);
        Ok(filled)
    }

    /// JSON with all its texts filled, names of fields among them. A text that is nothing but a placeholder
    /// becomes the value as it is: a number stays one.
    pub(super) fn fill_json(&self, json: &Value) -> Result<Value, BenchError> {
        Ok(match json {
            Value::Null | Value::Bool(_) | Value::Number(_) => json.clone(),
            Value::String(text) => match placeholder(text) {
                Some((name, "")) => self.get(name)?.clone(),
                _ => Value::String(self.fill(text)?),
            },
            Value::Array(items) => {
                Value::Array(items.iter().map(|item| self.fill_json(item)).collect::<Result<_, _>>()?)
            }
            Value::Object(fields) => {
                let mut filled = Map::new();
                for (name, value) in fields {
                    filled.insert(self.fill(name)?, self.fill_json(value)?);
                }
                Value::Object(filled)
            }
        })
    }

    fn get(&self, name: &str) -> Result<&Value, BenchError> {
        Ok(self.0.get(name).ok_or_else(|| format!("nothing stands for {{{name}}}"))?)
    }
}

/// The name of the placeholder that a text begins with, and what comes after it.
fn placeholder(text: &str) -> Option<(&str, &str)> {
    let (name, after) = text.strip_prefix('{')?.split_once('}')?;
    let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
    is_name.then_some((name, after))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::PlaceholderValues;

    fn values() -> PlaceholderValues {
        let mut values = PlaceholderValues::default();
        values.set("set", "5f0c");
        values.set("tickets", 1_000);
        values
    }

    #[test]
    fn placeholders_are_filled_wherever_they_stand() {
        let filled = values().fill("/sets/{set}?of={tickets}&{set}").unwrap();
        assert_eq!(filled, "/sets/5f0c?of=1000&5f0c");
        let body = json!({"random": {"{set}": 2}, "amount": "{tickets}", "names": ["a {set}", null, 7]});
        let filled = json!({"random": {"5f0c": 2}, "amount": 1_000, "names": ["a 5f0c", null, 7]});
        assert_eq!(values().fill_json(&body).unwrap(), filled);
    }

    #[test]
    fn other_braces_stay() {
        for text in ["{", "{}", "{ set }", "a{SET}b}", "{\"a\": 1}"] {
            assert_eq!(values().fill(text).unwrap(), text);
        }
        assert_eq!(values().fill("{{set}").unwrap(), "{5f0c");
    }

    #[test]
    fn a_placeholder_without_a_value_is_an_error_that_names_it() {
        assert!(values().fill("/{order}").unwrap_err().to_string().contains("{order}"));
    }
}

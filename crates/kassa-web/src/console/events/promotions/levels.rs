//! The levels of a promotion as fields of its form: from how much on an order gets which discount.

use serde_json::{Value, json};

use crate::console::events::form::money;
use crate::console::fields::Fields;

/// Levels that a promotion can have.
const LEVELS_MAX: usize = 20;
/// Rows without a level that a form has at its end.
const EMPTY_ROWS: usize = 2;

/// The names of the fields of a level.
pub(super) struct LevelRow {
    /// Which it is, from 1.
    pub(super) number: String,
    pub(super) from: String,
    pub(super) value: String,
}

impl LevelRow {
    fn at(index: usize) -> Self {
        Self {
            number: (index + 1).to_string(),
            from: format!("level.{index}.from"),
            value: format!("level.{index}.value"),
        }
    }

    /// Its fields, and what they are called.
    pub(super) fn fields(&self) -> [(&str, &'static str); 2] {
        [(&self.from, "promotion-from"), (&self.value, "discount-value")]
    }

    fn is_said(&self, fields: &Fields) -> bool {
        fields.given(&self.from).is_some() || fields.given(&self.value).is_some()
    }
}

fn all_rows() -> impl Iterator<Item = LevelRow> {
    (0..LEVELS_MAX).map(LevelRow::at)
}

/// The rows of a form: those that say something, and some more.
pub(super) fn rows(fields: &Fields) -> Vec<LevelRow> {
    let last = all_rows().zip(1..).filter(|(row, _)| row.is_said(fields)).map(|(_, count)| count).last();
    all_rows().take(last.unwrap_or_default() + EMPTY_ROWS).collect()
}

/// The fields of the levels that there are.
pub(super) fn fields_of(promotion: &Value) -> Vec<(String, String)> {
    let mut all = Vec::new();
    for (row, level) in all_rows().zip(promotion["levels"].as_array().into_iter().flatten()) {
        let from = level["from"].as_u64().map(|count| count.to_string());
        all.push((row.from, from.unwrap_or_else(|| level["from"].as_str().unwrap_or_default().to_owned())));
        all.push((row.value, level["value"].as_str().unwrap_or_default().trim_end_matches('%').to_owned()));
    }
    all
}

/// Whether any of them was changed.
pub(super) fn is_changed(fields: &Fields) -> bool {
    all_rows().any(|row| fields.is_changed(&row.from) || fields.is_changed(&row.value))
}

/// All levels, as the interface takes them.
pub(super) fn levels_of(fields: &Fields) -> Vec<Value> {
    let is_percentage = !fields.is("kind", "fix");
    let level = |row: LevelRow| {
        let value = money(fields.value(&row.value));
        let value = if is_percentage { format!("{}%", value.trim_end_matches('%')) } else { value };
        json!({"from": money(fields.value(&row.from)), "value": value})
    };
    all_rows().filter(|row| row.is_said(fields)).map(level).collect()
}

/// Which path of the body is said by which field: empty rows are none of the body's levels.
pub(super) fn names(fields: &Fields) -> Vec<(String, String)> {
    let said = all_rows().filter(|row| row.is_said(fields)).enumerate();
    said.flat_map(|(at, row)| [(format!("levels[{at}].from"), row.from), (format!("levels[{at}].value"), row.value)])
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::form::Form;

    #[test]
    fn empty_rows_are_no_levels() {
        let form =
            b"kind=percentage&level.0.from=2&level.0.value=10&level.1.from=&level.2.from=4&level.2.value=12,5%25";
        let fields = Fields::typed(&Form::parse(form));
        assert_eq!(levels_of(&fields), [json!({"from": "2", "value": "10%"}), json!({"from": "4", "value": "12.5%"})]);
        assert_eq!(rows(&fields).len(), 5);
        let names = names(&fields);
        assert!(names.contains(&("levels[1].value".to_owned(), "level.2.value".to_owned())), "{names:?}");
        let sums = Fields::typed(&Form::parse(b"kind=fix&level.0.from=50&level.0.value=5"));
        assert_eq!(levels_of(&sums), [json!({"from": "50", "value": "5"})]);
        assert!(is_changed(&sums));
    }

    #[test]
    fn levels_are_shown_as_they_are_typed() {
        let promotion = json!({"levels": [{"from": 2, "value": "10%"}, {"from": "50.00", "value": "5.00"}]});
        let values: Vec<String> = fields_of(&promotion).into_iter().map(|(_, value)| value).collect();
        assert_eq!(values, ["2", "10", "50.00", "5.00"]);
    }
}

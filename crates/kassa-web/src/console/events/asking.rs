//! What an event asks of those who buy, as fields of its form: a row of fields for each question.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::console::fields::Fields;

/// Questions that an event can have.
const QUESTIONS_MAX: usize = 20;
/// Rows without a question that a form has at its end.
const EMPTY_ROWS: usize = 2;

/// The names of the fields of a question.
pub(super) struct QuestionRow {
    /// Which it is, from 1.
    pub(super) number: String,
    pub(super) id: String,
    pub(super) text: String,
    pub(super) kind: String,
    pub(super) per: String,
    pub(super) options: String,
    pub(super) required: String,
}

impl QuestionRow {
    fn at(index: usize) -> Self {
        let name = |field: &str| format!("question.{index}.{field}");
        Self {
            number: (index + 1).to_string(),
            id: name("id"),
            text: name("text"),
            kind: name("kind"),
            per: name("per"),
            options: name("options"),
            required: name("required"),
        }
    }

    fn names(&self) -> [&str; 6] {
        [&self.id, &self.text, &self.kind, &self.per, &self.options, &self.required]
    }

    /// The question that its fields make; `None` where there is no text.
    fn question(&self, fields: &Fields, taken: &mut BTreeSet<String>) -> Option<Value> {
        let text = fields.given(&self.text)?;
        let kind = fields.given(&self.kind).unwrap_or("text");
        let lines = fields.value(&self.options).lines().map(str::trim).filter(|line| !line.is_empty());
        let options: Vec<&str> = if kind == "choice" { lines.collect() } else { Vec::new() };
        let id = fields.given(&self.id).map_or_else(|| new_id(taken), str::to_owned);
        taken.insert(id.clone());
        Some(json!({
            "id": id,
            "text": text,
            "kind": kind,
            "per": fields.given(&self.per).unwrap_or("order"),
            "options": options,
            "required": fields.is(&self.required, "true"),
        }))
    }
}

/// The rows of a form: those that say something, and some more.
pub(super) fn rows(fields: &Fields) -> Vec<QuestionRow> {
    let is_said = |row: &QuestionRow| fields.given(&row.text).is_some() || fields.given(&row.options).is_some();
    let said = (0..QUESTIONS_MAX).filter(|index| is_said(&QuestionRow::at(*index))).max();
    let count = said.map_or(EMPTY_ROWS, |last| last + 1 + EMPTY_ROWS).min(QUESTIONS_MAX);
    (0..count).map(QuestionRow::at).collect()
}

/// The fields of the questions that there are.
pub(super) fn fields_of(event: &Value) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let mut all = Vec::new();
    for (index, question) in event["questions"].as_array().into_iter().flatten().enumerate() {
        let row = QuestionRow::at(index);
        let options = question["options"].as_array().into_iter().flatten().filter_map(Value::as_str);
        let required = if question["required"] == true { "true" } else { "" };
        all.extend([
            (row.id, text(&question["id"])),
            (row.text, text(&question["text"])),
            (row.kind, text(&question["kind"])),
            (row.per, text(&question["per"])),
            (row.options, options.collect::<Vec<&str>>().join("\n")),
            (row.required, required.to_owned()),
        ]);
    }
    all
}

/// All questions, if any of them was changed: the interface takes them together.
pub(super) fn changed(fields: &Fields) -> Option<Vec<Value>> {
    let rows: Vec<QuestionRow> = (0..QUESTIONS_MAX).map(QuestionRow::at).collect();
    // An empty row has its lists nevertheless.
    let is_changed = |row: &QuestionRow| {
        let is_there = fields.given(&row.text).is_some();
        fields.is_changed(&row.text) || is_there && row.names().into_iter().any(|name| fields.is_changed(name))
    };
    if !rows.iter().any(is_changed) {
        return None;
    }
    let mut taken: BTreeSet<String> = rows.iter().filter_map(|row| fields.given(&row.id)).map(str::to_owned).collect();
    Some(rows.iter().filter_map(|row| row.question(fields, &mut taken)).collect())
}

/// A name for a question that has none: answers are kept under it.
fn new_id(taken: &BTreeSet<String>) -> String {
    // There are fewer questions than names.
    (1..=2 * QUESTIONS_MAX).map(|number| format!("q{number}")).find(|id| !taken.contains(id)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::form::Form;

    #[test]
    fn questions_are_sent_together_and_only_if_one_was_changed() {
        let form = b"question.0.id=q1&_was.question.0.id=q1&question.0.text=Diet&_was.question.0.text=Diet\
            &question.0.kind=text&_was.question.0.kind=text&question.0.per=order&_was.question.0.per=order\
            &question.1.text=&question.1.kind=text&question.1.per=order";
        let same = Fields::typed(&Form::parse(form));
        assert_eq!(changed(&same), None);
        assert_eq!(rows(&same).len(), 3);
        let more = [form.as_slice(), b"&question.2.text=Coat&question.2.kind=choice&question.2.options=a%0D%0A%0D%0Ab"];
        let more = Fields::typed(&Form::parse(&more.concat()));
        let ids: Vec<Value> = changed(&more).unwrap().iter().map(|question| question["id"].clone()).collect();
        assert_eq!(ids, ["q1", "q2"]);
        assert_eq!(changed(&more).unwrap()[1]["options"], json!(["a", "b"]));
        let gone = [form.as_slice(), b"&question.0.text="].concat();
        assert_eq!(changed(&Fields::typed(&Form::parse(&gone))), Some(Vec::new()));
    }
}

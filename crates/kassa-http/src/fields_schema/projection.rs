//! Schemas over JSON, without a database: whether a kind has the fields that are wanted, and the answer with nothing
//! else in it.
//!
//! An answer is never a tree in memory: its text is looked into as deep as the schema goes, and what is wanted of it is
//! copied into a new text. Each copy counts, so that no schema makes much out of little.

use std::collections::HashMap;
use std::ops::Range;

use kassa_domain::field_selection::FieldSelection;
use serde_json::value::RawValue;

use super::ProjectionLimit;
use super::json_parts::{JsonParts, ScanBudget};
use super::references::{LoadedResources, LookedUp, Occurrence};
use super::text_buffer::TextBuffer;
use crate::route::{FieldKind, FieldTable, ResourceKind, find_field};

/// Says which part of a schema the fields do not have. `path` leads to them, and is empty at the top.
pub(super) fn check_fields(schema: &FieldSelection, fields: FieldTable, path: &str) -> Result<(), String> {
    for item in schema.fields() {
        let path = if path.is_empty() { item.name.clone() } else { format!("{path}.{}", item.name) };
        let Some(field) = find_field(fields, &item.name) else { return Err(format!("there is no field {path}")) };
        let Some(inner) = &item.subfields else { continue };
        match field {
            FieldKind::Scalar => return Err(format!("{path} has no fields of its own")),
            FieldKind::FreeForm => {}
            FieldKind::Object(fields) => check_fields(inner, fields, &path)?,
            FieldKind::Reference(kind) => check_fields(inner, kind().fields, &path)?,
        }
    }
    Ok(())
}

/// The answer with the wanted fields and no others. A field that is not there is left out, and a reference to what was
/// not found stays an id.
pub(super) fn project(
    answer: &RawValue,
    schema: &FieldSelection,
    fields: FieldTable,
    found: &LoadedResources,
    scans: &mut ScanBudget,
    text: TextBuffer,
) -> Result<Vec<u8>, ProjectionLimit> {
    let mut projection = Projection { found, scans, text, shown: HashMap::new() };
    projection.project_value(answer, schema, Some(fields))?;
    Ok(projection.text.finish())
}

struct Projection<'a> {
    found: &'a LoadedResources,
    scans: &'a mut ScanBudget,
    text: TextBuffer,
    /// Where in the text each resource stands already, as wanted at one place of the schema.
    shown: HashMap<Occurrence<'a>, Range<usize>>,
}

impl<'a> Projection<'a> {
    /// Without `fields` all names are good.
    fn project_value(
        &mut self,
        value: &'a RawValue,
        schema: &'a FieldSelection,
        fields: Option<FieldTable>,
    ) -> Result<(), ProjectionLimit> {
        match JsonParts::of(value, schema, self.scans)? {
            JsonParts::Scalar => self.text.push(value.get())?,
            JsonParts::List(items) => {
                self.write_list(&items, |projection, item| projection.project_value(item, schema, fields))?;
            }
            JsonParts::Object(values) => {
                let mut mark = "{\"";
                for (item, value) in schema.fields().iter().zip(values) {
                    let Some(value) = value else { continue };
                    for part in [mark, &item.name, "\":"] {
                        self.text.push(part)?;
                    }
                    mark = ",\"";
                    let field = fields.and_then(|fields| find_field(fields, &item.name));
                    match &item.subfields {
                        None => self.text.push(value.get())?,
                        Some(inner) => self.project_field(value, inner, field)?,
                    }
                }
                self.text.push(if mark == "{\"" { "{}" } else { "}" })?;
            }
        }
        Ok(())
    }

    fn write_list(
        &mut self,
        items: &[&'a RawValue],
        mut write: impl FnMut(&mut Self, &'a RawValue) -> Result<(), ProjectionLimit>,
    ) -> Result<(), ProjectionLimit> {
        self.text.push("[")?;
        for (at, item) in items.iter().enumerate() {
            self.text.push(if at == 0 { "" } else { "," })?;
            write(self, item)?;
        }
        self.text.push("]")
    }

    fn project_field(
        &mut self,
        value: &'a RawValue,
        inner: &'a FieldSelection,
        field: Option<&'static FieldKind>,
    ) -> Result<(), ProjectionLimit> {
        match field {
            None | Some(FieldKind::Scalar | FieldKind::FreeForm) => self.project_value(value, inner, None),
            Some(FieldKind::Object(fields)) => self.project_value(value, inner, Some(fields)),
            Some(FieldKind::Reference(kind)) => match JsonParts::of(value, inner, self.scans)? {
                JsonParts::List(ids) => {
                    self.write_list(&ids, |projection, id| projection.project_reference(id, inner, kind()))
                }
                JsonParts::Scalar | JsonParts::Object(_) => self.project_reference(value, inner, kind()),
            },
        }
    }

    fn project_reference(
        &mut self,
        id: &'a RawValue,
        inner: &'a FieldSelection,
        kind: &'static ResourceKind,
    ) -> Result<(), ProjectionLimit> {
        let LookedUp::Found(resource) = self.found.get(kind, id) else { return self.text.push(id.get()) };
        let place = Occurrence::new(kind, id, inner);
        if let Some(shown) = self.shown.get(&place) {
            return self.text.repeat(shown.clone());
        }
        let start = self.text.len();
        self.project_value(resource, inner, Some(kind.fields))?;
        self.shown.insert(place, start..self.text.len());
        Ok(())
    }
}

//! Schemas over JSON, without a database: whether a kind has the fields that are wanted, which
//! resources must be loaded for them, and the answer with nothing else in it.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use kassa_domain::field_selection::FieldSelection;
use serde_json::{Map, Value};

use crate::route::{FieldKind, FieldTable, ResourceKind, find_field};

/// The most resources that one answer shows in place of their ids.
pub(super) const EXPANDED_MAX: usize = 10_000;
/// The most values, at all levels together, of one answer: the same resource may stand in many places.
pub(super) const VALUES_MAX: usize = 2_000_000;

/// Too much would have to be shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ProjectionLimit {
    /// Too many resources in place of ids.
    References,
    /// Too much altogether.
    Values,
}

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

/// What was loaded: resources, and for those that the caller may not see nothing.
#[derive(Default)]
pub(super) struct LoadedResources(HashMap<&'static str, HashMap<String, Option<Value>>>);

impl LoadedResources {
    /// Notes what came of a look-up.
    pub(super) fn add(&mut self, kind: &ResourceKind, ids: Vec<String>, resources: Vec<(String, Value)>) {
        let known = self.0.entry(kind.name).or_default();
        known.extend(ids.into_iter().map(|id| (id, None)));
        known.extend(resources.into_iter().map(|(id, resource)| (id, Some(resource))));
    }

    fn get(&self, kind: &ResourceKind, id: &Value) -> Option<&Option<Value>> {
        self.0.get(kind.name)?.get(id_text(id)?.as_ref())
    }
}

/// An id as text; those of cities are numbers.
fn id_text(id: &Value) -> Option<std::borrow::Cow<'_, str>> {
    match id {
        Value::String(id) => Some(id.into()),
        Value::Number(id) => Some(id.to_string().into()),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
    }
}

/// Ids to be looked up, by kind.
#[derive(Default)]
pub(super) struct MissingReferences {
    pub(super) ids: BTreeMap<&'static str, (&'static ResourceKind, BTreeSet<String>)>,
    expanded: usize,
}

impl MissingReferences {
    /// What has to be loaded next: references that are to be expanded, and are not found yet.
    pub(super) fn collect(
        value: &Value,
        schema: &FieldSelection,
        fields: FieldTable,
        found: &LoadedResources,
    ) -> Result<Self, ProjectionLimit> {
        let mut missing = Self::default();
        missing.walk(value, schema, fields, found)?;
        Ok(missing)
    }

    fn walk(
        &mut self,
        value: &Value,
        schema: &FieldSelection,
        fields: FieldTable,
        found: &LoadedResources,
    ) -> Result<(), ProjectionLimit> {
        for object in items_of(value).iter().filter_map(Value::as_object) {
            for item in schema.fields() {
                let (Some(value), Some(inner)) = (object.get(&item.name), &item.subfields) else { continue };
                match find_field(fields, &item.name) {
                    None | Some(FieldKind::Scalar | FieldKind::FreeForm) => {}
                    Some(FieldKind::Object(fields)) => self.walk(value, inner, fields, found)?,
                    Some(FieldKind::Reference(kind)) => self.walk_references(value, inner, kind(), found)?,
                }
            }
        }
        Ok(())
    }

    fn walk_references(
        &mut self,
        ids: &Value,
        inner: &FieldSelection,
        kind: &'static ResourceKind,
        found: &LoadedResources,
    ) -> Result<(), ProjectionLimit> {
        for id in items_of(ids) {
            let Some(text) = id_text(id) else { continue };
            self.expanded += 1;
            if self.expanded > EXPANDED_MAX {
                return Err(ProjectionLimit::References);
            }
            match found.get(kind, id) {
                Some(Some(resource)) => self.walk(resource, inner, kind.fields, found)?,
                Some(None) => {}
                None => {
                    self.ids.entry(kind.name).or_insert((kind, BTreeSet::new())).1.insert(text.into_owned());
                }
            }
        }
        Ok(())
    }
}

/// A list's items, or the value itself.
fn items_of(value: &Value) -> &[Value] {
    match value {
        Value::Array(items) => items,
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Object(_) => {
            std::slice::from_ref(value)
        }
    }
}

/// The value with the wanted fields and no others. A field that is not there is left out, and a
/// reference to what was not found stays an id.
pub(super) fn project(
    value: &Value,
    schema: &FieldSelection,
    fields: FieldTable,
    found: &LoadedResources,
) -> Result<Value, ProjectionLimit> {
    Projection { found, values_left: VALUES_MAX }.project_value(value, schema, Some(fields))
}

struct Projection<'a> {
    found: &'a LoadedResources,
    values_left: usize,
}

impl Projection<'_> {
    /// Without `fields` all names are good.
    fn project_value(
        &mut self,
        value: &Value,
        schema: &FieldSelection,
        fields: Option<FieldTable>,
    ) -> Result<Value, ProjectionLimit> {
        match value {
            Value::Array(items) => items.iter().map(|item| self.project_value(item, schema, fields)).collect(),
            Value::Object(object) => {
                self.spend(1)?;
                let mut kept = Map::new();
                for item in schema.fields() {
                    let Some(value) = object.get(&item.name) else { continue };
                    let field = fields.and_then(|fields| find_field(fields, &item.name));
                    let value = match &item.subfields {
                        None => self.copy_whole(value)?,
                        Some(inner) => self.project_field(value, inner, field)?,
                    };
                    kept.insert(item.name.clone(), value);
                }
                Ok(Value::Object(kept))
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => self.copy_whole(value),
        }
    }

    fn project_field(
        &mut self,
        value: &Value,
        inner: &FieldSelection,
        field: Option<&'static FieldKind>,
    ) -> Result<Value, ProjectionLimit> {
        match field {
            None | Some(FieldKind::Scalar | FieldKind::FreeForm) => self.project_value(value, inner, None),
            Some(FieldKind::Object(fields)) => self.project_value(value, inner, Some(fields)),
            Some(FieldKind::Reference(kind)) => match value.as_array() {
                Some(ids) => ids.iter().map(|id| self.project_reference(id, inner, kind())).collect(),
                None => self.project_reference(value, inner, kind()),
            },
        }
    }

    fn project_reference(
        &mut self,
        id: &Value,
        inner: &FieldSelection,
        kind: &'static ResourceKind,
    ) -> Result<Value, ProjectionLimit> {
        match self.found.get(kind, id) {
            Some(Some(resource)) => self.project_value(resource, inner, Some(kind.fields)),
            Some(None) | None => self.copy_whole(id),
        }
    }

    fn copy_whole(&mut self, value: &Value) -> Result<Value, ProjectionLimit> {
        self.spend(value_count(value))?;
        Ok(value.clone())
    }

    fn spend(&mut self, values: usize) -> Result<(), ProjectionLimit> {
        self.values_left = self.values_left.checked_sub(values).ok_or(ProjectionLimit::Values)?;
        Ok(())
    }
}

/// How many values there are in a value.
fn value_count(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(value_count).sum::<usize>(),
        Value::Object(fields) => 1 + fields.values().map(value_count).sum::<usize>(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => 1,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::v1::resource_kinds::{EVENT, ORDER, PARTNER, TICKET};

    fn schema(text: &str) -> FieldSelection {
        text.parse().unwrap()
    }

    #[track_caller]
    fn refuses(text: &str, reason: &str) {
        assert_eq!(check_fields(&schema(text), ORDER.fields, ""), Err(reason.to_owned()), "{text}");
    }

    #[test]
    fn a_schema_is_checked_at_every_level() {
        refuses("id,nonsense", "there is no field nonsense");
        refuses("values{sets{x}}", "there is no field values.sets.x");
        refuses("event{org{legal{any{thing}},users{password}}}", "there is no field event.org.users.password");
        refuses("number{a}", "number has no fields of its own");
        refuses("tickets{seat{row{a}}}", "tickets.seat.row has no fields of its own");
        assert_eq!(
            check_fields(
                &schema("rules{a{b}},customer{user{partners{name}}},event{sets{rules{cal}}}"),
                ORDER.fields,
                ""
            ),
            Ok(())
        );
    }

    fn missing(answer: &Value, text: &str, found: &LoadedResources) -> Vec<(&'static str, Vec<String>)> {
        let missing = MissingReferences::collect(answer, &schema(text), ORDER.fields, found).unwrap();
        missing.ids.into_iter().map(|(name, (_, ids))| (name, ids.into_iter().collect())).collect()
    }

    #[test]
    fn each_level_is_looked_up_once_for_all_rows() {
        let answer = json!([
            {"org": "p1", "vendor": "p2", "event": "e1", "tickets": ["t1", "t2"]},
            {"org": "p1", "vendor": "p3", "event": null, "tickets": ["t3", "t1"]},
        ]);
        let text = "org{name},vendor{id},event{org{name}},tickets{set{id}}";
        let mut found = LoadedResources::default();
        let list = |ids: &[&str]| ids.iter().map(|id| (*id).to_owned()).collect::<Vec<String>>();
        let first =
            [("event", list(&["e1"])), ("partner", list(&["p1", "p2", "p3"])), ("ticket", list(&["t1", "t2", "t3"]))];
        assert_eq!(missing(&answer, text, &found), first);
        found.add(&EVENT, list(&["e1"]), vec![("e1".to_owned(), json!({"id": "e1", "org": "p1"}))]);
        found.add(&PARTNER, list(&["p1", "p2", "p3"]), vec![("p1".to_owned(), json!({"name": "One"}))]);
        let ticket = |id: &str, set: &str| (id.to_owned(), json!({"id": id, "set": set}));
        found.add(&TICKET, list(&["t1", "t2", "t3"]), vec![ticket("t1", "s1"), ticket("t2", "s1")]);
        assert_eq!(missing(&answer, text, &found), [("set", list(&["s1"]))], "one partner is known from before");
        let shown = project(&answer, &schema(text), ORDER.fields, &found).unwrap();
        let one = json!({"name": "One"});
        let set = json!({"set": "s1"});
        assert_eq!(
            shown,
            json!([
                {"org": one, "vendor": "p2", "event": {"org": one}, "tickets": [set, set]},
                {"org": one, "vendor": "p3", "event": null, "tickets": ["t3", set]},
            ])
        );
    }

    #[test]
    fn an_answer_has_a_limit() {
        let ids: Vec<String> = (0..EXPANDED_MAX).map(|id| id.to_string()).collect();
        let answer = |more: &Value| json!({"tickets": ids, "event": more});
        let wanted = |answer: &Value| {
            MissingReferences::collect(
                answer,
                &schema("tickets{id},event{id}"),
                ORDER.fields,
                &LoadedResources::default(),
            )
            .map(|_| ())
        };
        assert_eq!(wanted(&answer(&Value::Null)), Ok(()));
        assert_eq!(wanted(&answer(&json!("one more"))), Err(ProjectionLimit::References));
        let rules = json!({"rules": vec![0; VALUES_MAX - 3]});
        assert!(project(&rules, &schema("rules"), ORDER.fields, &LoadedResources::default()).is_ok());
        let rules = json!({"rules": vec![0; VALUES_MAX]});
        assert_eq!(
            project(&rules, &schema("rules"), ORDER.fields, &LoadedResources::default()),
            Err(ProjectionLimit::Values)
        );
    }
}

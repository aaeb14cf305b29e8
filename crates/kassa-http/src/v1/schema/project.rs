//! Schemas over JSON, without a database: whether a kind has the fields that are wanted, which
//! resources must be loaded for them, and the answer with nothing else in it.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use kassa_domain::schema::Schema;
use serde_json::{Map, Value};

use super::kinds::{Field, Fields, Kind, field};

/// The most resources that one answer shows in place of their ids.
pub(super) const EXPANDED_MAX: usize = 10_000;
/// The most values, at all levels together, of one answer: the same resource may stand in many places.
pub(super) const VALUES_MAX: usize = 2_000_000;

/// Too much would have to be shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TooMuch {
    /// Too many resources in place of ids.
    Expanded,
    /// Too much altogether.
    Values,
}

/// Says which part of a schema the fields do not have. `path` leads to them, and is empty at the top.
pub(super) fn check(schema: &Schema, fields: Fields, path: &str) -> Result<(), String> {
    for item in schema.items() {
        let path = if path.is_empty() { item.name.clone() } else { format!("{path}.{}", item.name) };
        let Some(field) = field(fields, &item.name) else { return Err(format!("there is no field {path}")) };
        let Some(inner) = &item.inner else { continue };
        match field {
            Field::Plain => return Err(format!("{path} has no fields of its own")),
            Field::Free => {}
            Field::Object(fields) => check(inner, fields, &path)?,
            Field::Whole(kind) | Field::Ref(kind) => check(inner, kind.fields, &path)?,
        }
    }
    Ok(())
}

/// What was loaded: resources, and for those that the caller may not see nothing.
#[derive(Default)]
pub(super) struct Found(HashMap<&'static str, HashMap<String, Option<Value>>>);

impl Found {
    /// Notes what came of a look-up.
    pub(super) fn add(&mut self, kind: &Kind, ids: Vec<String>, resources: Vec<(String, Value)>) {
        let known = self.0.entry(kind.name).or_default();
        known.extend(ids.into_iter().map(|id| (id, None)));
        known.extend(resources.into_iter().map(|(id, resource)| (id, Some(resource))));
    }

    fn get(&self, kind: &Kind, id: &Value) -> Option<&Option<Value>> {
        self.0.get(kind.name)?.get(text(id)?.as_ref())
    }
}

/// An id as text; those of cities are numbers.
fn text(id: &Value) -> Option<std::borrow::Cow<'_, str>> {
    match id {
        Value::String(id) => Some(id.into()),
        Value::Number(id) => Some(id.to_string().into()),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
    }
}

/// Ids to be looked up, by kind.
#[derive(Default)]
pub(super) struct Missing {
    pub(super) ids: BTreeMap<&'static str, (&'static Kind, BTreeSet<String>)>,
    expanded: usize,
}

impl Missing {
    /// What has to be loaded next: references that are to be expanded, and are not found yet.
    pub(super) fn of(value: &Value, schema: &Schema, fields: Fields, found: &Found) -> Result<Self, TooMuch> {
        let mut missing = Self::default();
        missing.walk(value, schema, fields, found)?;
        Ok(missing)
    }

    fn walk(&mut self, value: &Value, schema: &Schema, fields: Fields, found: &Found) -> Result<(), TooMuch> {
        for object in each(value).iter().filter_map(Value::as_object) {
            for item in schema.items() {
                let (Some(value), Some(inner)) = (object.get(&item.name), &item.inner) else { continue };
                match field(fields, &item.name) {
                    None | Some(Field::Plain | Field::Free) => {}
                    Some(Field::Object(fields)) => self.walk(value, inner, fields, found)?,
                    Some(Field::Whole(kind)) => self.walk(value, inner, kind.fields, found)?,
                    Some(Field::Ref(kind)) => self.references(value, inner, kind, found)?,
                }
            }
        }
        Ok(())
    }

    fn references(&mut self, ids: &Value, inner: &Schema, kind: &'static Kind, found: &Found) -> Result<(), TooMuch> {
        for id in each(ids) {
            let Some(text) = text(id) else { continue };
            self.expanded += 1;
            if self.expanded > EXPANDED_MAX {
                return Err(TooMuch::Expanded);
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
fn each(value: &Value) -> &[Value] {
    match value {
        Value::Array(items) => items,
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Object(_) => {
            std::slice::from_ref(value)
        }
    }
}

/// The value with the wanted fields and no others. A field that is not there is left out, and a
/// reference to what was not found stays an id.
pub(super) fn project(value: &Value, schema: &Schema, fields: Fields, found: &Found) -> Result<Value, TooMuch> {
    Projection { found, left: VALUES_MAX }.of(value, schema, Some(fields))
}

struct Projection<'a> {
    found: &'a Found,
    left: usize,
}

impl Projection<'_> {
    /// Without `fields` all names are good.
    fn of(&mut self, value: &Value, schema: &Schema, fields: Option<Fields>) -> Result<Value, TooMuch> {
        match value {
            Value::Array(items) => items.iter().map(|item| self.of(item, schema, fields)).collect(),
            Value::Object(object) => {
                self.take(1)?;
                let mut kept = Map::new();
                for item in schema.items() {
                    let Some(value) = object.get(&item.name) else { continue };
                    let field = fields.and_then(|fields| field(fields, &item.name));
                    let value = match &item.inner {
                        None => self.whole(value)?,
                        Some(inner) => self.part(value, inner, field)?,
                    };
                    kept.insert(item.name.clone(), value);
                }
                Ok(Value::Object(kept))
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => self.whole(value),
        }
    }

    fn part(&mut self, value: &Value, inner: &Schema, field: Option<&'static Field>) -> Result<Value, TooMuch> {
        match field {
            None | Some(Field::Plain | Field::Free) => self.of(value, inner, None),
            Some(Field::Object(fields)) => self.of(value, inner, Some(fields)),
            Some(Field::Whole(kind)) => self.of(value, inner, Some(kind.fields)),
            Some(Field::Ref(kind)) => match value.as_array() {
                Some(ids) => ids.iter().map(|id| self.expanded(id, inner, kind)).collect(),
                None => self.expanded(value, inner, kind),
            },
        }
    }

    fn expanded(&mut self, id: &Value, inner: &Schema, kind: &'static Kind) -> Result<Value, TooMuch> {
        match self.found.get(kind, id) {
            Some(Some(resource)) => self.of(resource, inner, Some(kind.fields)),
            Some(None) | None => self.whole(id),
        }
    }

    fn whole(&mut self, value: &Value) -> Result<Value, TooMuch> {
        self.take(weight(value))?;
        Ok(value.clone())
    }

    fn take(&mut self, values: usize) -> Result<(), TooMuch> {
        self.left = self.left.checked_sub(values).ok_or(TooMuch::Values)?;
        Ok(())
    }
}

/// How many values there are in a value.
fn weight(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(weight).sum::<usize>(),
        Value::Object(fields) => 1 + fields.values().map(weight).sum::<usize>(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => 1,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::kinds::{EVENT, ORDER, PARTNER, TICKET};
    use super::*;

    fn schema(text: &str) -> Schema {
        text.parse().unwrap()
    }

    #[track_caller]
    fn refuses(text: &str, reason: &str) {
        assert_eq!(check(&schema(text), ORDER.fields, ""), Err(reason.to_owned()), "{text}");
    }

    #[test]
    fn a_schema_is_checked_at_every_level() {
        refuses("id,nonsense", "there is no field nonsense");
        refuses("values{sets{x}}", "there is no field values.sets.x");
        refuses("event{org{legal{any{thing}},users{password}}}", "there is no field event.org.users.password");
        refuses("number{a}", "number has no fields of its own");
        refuses("tickets{seat{row{a}}}", "tickets.seat.row has no fields of its own");
        assert_eq!(
            check(&schema("rules{a{b}},customer{user{partners{name}}},event{sets{rules{cal}}}"), ORDER.fields, ""),
            Ok(())
        );
    }

    fn missing(answer: &Value, text: &str, found: &Found) -> Vec<(&'static str, Vec<String>)> {
        let missing = Missing::of(answer, &schema(text), ORDER.fields, found).unwrap();
        missing.ids.into_iter().map(|(name, (_, ids))| (name, ids.into_iter().collect())).collect()
    }

    #[test]
    fn each_level_is_looked_up_once_for_all_rows() {
        let answer = json!([
            {"org": "p1", "vendor": "p2", "event": "e1", "tickets": ["t1", "t2"]},
            {"org": "p1", "vendor": "p3", "event": null, "tickets": ["t3", "t1"]},
        ]);
        let text = "org{name},vendor{id},event{org{name}},tickets{set{id}}";
        let mut found = Found::default();
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
            Missing::of(answer, &schema("tickets{id},event{id}"), ORDER.fields, &Found::default()).map(|_| ())
        };
        assert_eq!(wanted(&answer(&Value::Null)), Ok(()));
        assert_eq!(wanted(&answer(&json!("one more"))), Err(TooMuch::Expanded));
        let rules = json!({"rules": vec![0; VALUES_MAX - 3]});
        assert!(project(&rules, &schema("rules"), ORDER.fields, &Found::default()).is_ok());
        let rules = json!({"rules": vec![0; VALUES_MAX]});
        assert_eq!(project(&rules, &schema("rules"), ORDER.fields, &Found::default()), Err(TooMuch::Values));
    }
}

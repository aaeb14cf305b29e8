//! Resources that an answer refers to and shows in place of their ids.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ptr;

use kassa_domain::field_selection::FieldSelection;
use serde_json::value::RawValue;

use super::ProjectionLimit;
use super::json_parts::{JsonParts, ScanBudget};
use crate::route::{FieldKind, FieldTable, ResourceKind, find_field};

/// The most resources that one answer shows in place of their ids.
pub(super) const EXPANDED_MAX: usize = 10_000;

/// What was loaded: resources, and for those that the caller may not see nothing.
#[derive(Default)]
pub(super) struct LoadedResources(HashMap<&'static str, HashMap<String, Option<Box<RawValue>>>>);

impl LoadedResources {
    /// Notes what came of a look-up.
    pub(super) fn add(&mut self, kind: &ResourceKind, ids: Vec<String>, resources: Vec<(String, Box<RawValue>)>) {
        let known = self.0.entry(kind.name).or_default();
        known.extend(ids.into_iter().map(|id| (id, None)));
        known.extend(resources.into_iter().map(|(id, resource)| (id, Some(resource))));
    }

    /// What is known of the resource with an id.
    pub(super) fn get(&self, kind: &ResourceKind, id: &RawValue) -> LookedUp<'_> {
        let of_kind = self.0.get(kind.name);
        match of_kind.and_then(|known| known.get(id_text(id)?)) {
            Some(Some(resource)) => LookedUp::Found(resource),
            Some(None) => LookedUp::NotVisible,
            None => LookedUp::NotYet,
        }
    }
}

/// What came of the look-up of an id.
pub(super) enum LookedUp<'a> {
    /// It was not looked up.
    NotYet,
    /// The caller may not see it, or there is none.
    NotVisible,
    /// The resource.
    Found(&'a RawValue),
}

/// An id as text; those of cities are numbers. No id has an escape in it.
fn id_text(id: &RawValue) -> Option<&str> {
    let text = id.get();
    match text.as_bytes().first()? {
        b'"' => text.strip_prefix('"')?.strip_suffix('"'),
        b'-' | b'0'..=b'9' => Some(text),
        _ => None,
    }
}

/// A resource, as wanted at one place of a schema: its text is the same wherever it stands.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Occurrence<'a> {
    kind: &'static str,
    id: &'a str,
    schema: *const FieldSelection,
}

impl<'a> Occurrence<'a> {
    pub(super) fn new(kind: &ResourceKind, id: &'a RawValue, schema: &FieldSelection) -> Self {
        Self { kind: kind.name, id: id.get(), schema: ptr::from_ref(schema) }
    }
}

/// Ids to be looked up, by kind.
pub(super) type IdsByKind = BTreeMap<&'static str, (&'static ResourceKind, BTreeSet<String>)>;

/// What has to be loaded next: references that are to be expanded, and are not found yet.
pub(super) fn missing_references(
    answer: &RawValue,
    schema: &FieldSelection,
    fields: FieldTable,
    found: &LoadedResources,
    scans: &mut ScanBudget,
) -> Result<IdsByKind, ProjectionLimit> {
    let mut walk = ReferenceWalk { found, scans, missing: BTreeMap::new(), expanded: 0, walked: HashMap::new() };
    walk.walk_value(answer, schema, fields)?;
    Ok(walk.missing)
}

struct ReferenceWalk<'a> {
    found: &'a LoadedResources,
    scans: &'a mut ScanBudget,
    missing: IdsByKind,
    expanded: usize,
    /// How many references are expanded within each resource, as wanted at one place of the schema.
    walked: HashMap<Occurrence<'a>, usize>,
}

impl<'a> ReferenceWalk<'a> {
    fn walk_value(
        &mut self,
        value: &'a RawValue,
        schema: &'a FieldSelection,
        fields: FieldTable,
    ) -> Result<(), ProjectionLimit> {
        if schema.fields().iter().all(|item| item.subfields.is_none()) {
            return Ok(());
        }
        match JsonParts::of(value, schema, self.scans)? {
            JsonParts::Scalar => Ok(()),
            JsonParts::List(items) => items.into_iter().try_for_each(|item| self.walk_value(item, schema, fields)),
            JsonParts::Object(values) => {
                for (item, value) in schema.fields().iter().zip(values) {
                    let (Some(value), Some(inner)) = (value, &item.subfields) else { continue };
                    match find_field(fields, &item.name) {
                        None | Some(FieldKind::Scalar | FieldKind::FreeForm) => {}
                        Some(FieldKind::Object(fields)) => self.walk_value(value, inner, fields)?,
                        Some(FieldKind::Reference(kind)) => self.walk_references(value, inner, kind())?,
                    }
                }
                Ok(())
            }
        }
    }

    fn walk_references(
        &mut self,
        ids: &'a RawValue,
        inner: &'a FieldSelection,
        kind: &'static ResourceKind,
    ) -> Result<(), ProjectionLimit> {
        match JsonParts::of(ids, inner, self.scans)? {
            JsonParts::List(ids) => ids.into_iter().try_for_each(|id| self.walk_reference(id, inner, kind)),
            JsonParts::Scalar | JsonParts::Object(_) => self.walk_reference(ids, inner, kind),
        }
    }

    fn walk_reference(
        &mut self,
        id: &'a RawValue,
        inner: &'a FieldSelection,
        kind: &'static ResourceKind,
    ) -> Result<(), ProjectionLimit> {
        let Some(text) = id_text(id) else { return Ok(()) };
        self.count_expanded(1)?;
        match self.found.get(kind, id) {
            LookedUp::NotYet => {
                self.missing.entry(kind.name).or_insert((kind, BTreeSet::new())).1.insert(text.to_owned());
            }
            LookedUp::NotVisible => {}
            LookedUp::Found(resource) => {
                let place = Occurrence::new(kind, id, inner);
                if let Some(within) = self.walked.get(&place) {
                    return self.count_expanded(*within);
                }
                let before = self.expanded;
                self.walk_value(resource, inner, kind.fields)?;
                self.walked.insert(place, self.expanded - before);
            }
        }
        Ok(())
    }

    fn count_expanded(&mut self, count: usize) -> Result<(), ProjectionLimit> {
        self.expanded += count;
        if self.expanded > EXPANDED_MAX { Err(ProjectionLimit::References) } else { Ok(()) }
    }
}

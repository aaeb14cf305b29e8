use std::collections::BTreeSet;

use super::super::route_kinds::ROUTE_KINDS;
use super::*;

/// Every kind that can be reached, and every list of fields.
fn visit(fields: FieldTable, kinds: &mut Vec<&'static ResourceKind>) {
    let names: BTreeSet<&str> = fields.iter().map(|(name, _)| *name).collect();
    assert_eq!(names.len(), fields.len(), "each name comes once: {names:?}");
    for (_, field) in fields {
        match field {
            Object(fields) => visit(fields, kinds),
            Embedded(kind) | Reference(kind) if kinds.iter().all(|known| !std::ptr::eq(*known, *kind)) => {
                kinds.push(kind);
                visit(kind.fields, kinds);
            }
            Scalar | FreeForm | Embedded(_) | Reference(_) => {}
        }
    }
}

#[test]
fn kinds_and_fields_have_names_of_their_own() {
    let mut kinds: Vec<&ResourceKind> = Vec::new();
    for (_, kind) in ROUTE_KINDS {
        if kinds.iter().all(|known| !std::ptr::eq(*known, *kind)) {
            kinds.push(kind);
        }
        visit(kind.fields, &mut kinds);
    }
    let names: BTreeSet<&str> = kinds.iter().map(|kind| kind.name).collect();
    assert_eq!(names.len(), kinds.len());
}

use std::collections::BTreeSet;

use crate::api_docs::ApiVersion;
use crate::route::FieldKind::{FreeForm, Object, Reference, Scalar};
use crate::route::{FieldTable, ResourceKind};
use crate::v1::{self, LOADERS};

/// Every kind that can be reached, and every list of fields.
fn visit(fields: FieldTable, kinds: &mut Vec<&'static ResourceKind>) {
    let names: BTreeSet<&str> = fields.iter().map(|(name, _)| *name).collect();
    assert_eq!(names.len(), fields.len(), "each name comes once: {names:?}");
    for (_, field) in fields {
        match field {
            Object(fields) => visit(fields, kinds),
            Reference(kind) if kinds.iter().all(|known| !std::ptr::eq(*known, kind())) => {
                kinds.push(kind());
                visit(kind().fields, kinds);
            }
            Scalar | FreeForm | Reference(_) => {}
        }
    }
}

fn all_kinds() -> Vec<&'static ResourceKind> {
    let (_, _, routes) = v1::routes(ApiVersion::V1.new_document()).into_parts();
    let mut kinds: Vec<&ResourceKind> = Vec::new();
    for kind in routes.into_iter().filter_map(|(_, _, route)| route.shows) {
        if kinds.iter().all(|known| !std::ptr::eq(*known, kind)) {
            kinds.push(kind);
        }
        visit(kind.fields, &mut kinds);
    }
    kinds
}

#[test]
fn kinds_and_fields_have_names_of_their_own() {
    let kinds = all_kinds();
    let names: BTreeSet<&str> = kinds.iter().map(|kind| kind.name).collect();
    assert_eq!(names.len(), kinds.len());
}

#[test]
fn what_is_referred_to_can_be_loaded() {
    fn referred(fields: FieldTable, names: &mut BTreeSet<&'static str>) {
        for (_, field) in fields {
            match field {
                Object(fields) => referred(fields, names),
                Reference(kind) => {
                    names.insert(kind().name);
                }
                Scalar | FreeForm => {}
            }
        }
    }
    let mut names = BTreeSet::new();
    for kind in all_kinds() {
        referred(kind.fields, &mut names);
    }
    assert_eq!(names, LOADERS.iter().map(|(kind, _)| kind.name).collect::<BTreeSet<&str>>());
}

/// Writes that answer an empty object, or a secret that is told once.
const SHOWING_NOTHING: [&str; 3] = [
    "POST /v1/resources/users/{user}/second_factor",
    "POST /v1/resources/users/{user}/second_factor/confirm",
    "POST /v1/services/password_reset",
];

/// What has a body shows a resource; all but these, and most removals, which answer an empty object.
#[test]
fn every_route_says_what_it_shows() {
    let (_, _, routes) = v1::routes(ApiVersion::V1.new_document()).into_parts();
    let silent = routes.iter().filter(|(_, _, route)| route.shows.is_none());
    let silent: Vec<String> = silent.map(|(method, path, _)| format!("{method} {path}")).collect();
    let may_be = |route: &String| route.starts_with("DELETE ") || SHOWING_NOTHING.contains(&route.as_str());
    assert!(silent.iter().all(may_be), "{silent:?}");
}

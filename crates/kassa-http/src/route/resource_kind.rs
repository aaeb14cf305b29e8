//! Kinds of resources: which fields their responses have.

use std::fmt;

/// A kind of resource.
pub(crate) struct ResourceKind {
    /// Its name, which no other kind has.
    pub(crate) name: &'static str,
    /// What its answers show, with what only some of them show.
    pub(crate) fields: FieldTable,
}

/// Fields by name.
pub(crate) type FieldTable = &'static [(&'static str, FieldKind)];

/// What a field holds: one of it, a list of it, or null.
#[derive(Clone, Copy)]
pub(crate) enum FieldKind {
    /// A text, a number, true or false: there is nothing to choose in it.
    Scalar,
    /// An object whose keys are free.
    FreeForm,
    /// An object with these keys.
    Object(FieldTable),
    /// The id of a resource. This is a function since resources refer to each other in circles.
    Reference(fn() -> &'static ResourceKind),
}

impl ResourceKind {
    /// A kind whose resources are objects of this form.
    pub(crate) const fn new(name: &'static str, form: FieldKind) -> Self {
        match form {
            FieldKind::Object(fields) => Self { name, fields },
            FieldKind::Scalar | FieldKind::FreeForm | FieldKind::Reference(_) => panic!("a resource is an object"),
        }
    }
}

impl fmt::Debug for ResourceKind {
    /// The name only: kinds refer to each other in circles.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ResourceKind").field("name", &self.name).finish_non_exhaustive()
    }
}

/// The field of this name.
pub(crate) fn find_field(fields: FieldTable, name: &str) -> Option<&'static FieldKind> {
    fields.iter().find(|(known, _)| *known == name).map(|(_, field)| field)
}

/// Whether a field of this name is among these, or in an object that is.
pub(crate) fn has_field(fields: FieldTable, name: &str) -> bool {
    fields
        .iter()
        .any(|(known, field)| *known == name || matches!(field, FieldKind::Object(fields) if has_field(fields, name)))
}

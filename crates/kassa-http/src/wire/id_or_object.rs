//! What a request refers to by its id, or as answers show it: as an object with its id.

use kassa_domain::Id;
use kassa_domain::id::Identified;
use serde::Deserialize;
use utoipa::openapi::{ObjectBuilder, RefOr, Schema};

use super::id::IdRef;
use crate::error::ErrorDetail;
use crate::input::{FromJson, Input, Problems, parse_object};
use crate::openapi::schema;

/// The id of a `T`: the text itself, or the `id` of an object.
#[derive(Clone, Debug)]
pub(crate) struct IdOrObject<T: Identified>(pub(crate) Id<T::Kind>);

impl<T: Identified> FromJson for IdOrObject<T> {
    fn from_json(json: &str) -> Result<Self, Vec<ErrorDetail>> {
        #[derive(Deserialize)]
        #[serde(bound = "")]
        struct Fields<T: Identified> {
            #[serde(default)]
            id: Input<IdRef<T>>,
        }
        if !json.starts_with('{') {
            return IdRef::<T>::from_json(json).map(|id| Self(id.0));
        }
        let fields: Fields<T> = parse_object(json)?;
        let mut problems = Problems::default();
        let id = fields.id.required("id", &mut problems);
        id.map(|id| Self(id.0)).ok_or_else(|| problems.into_details())
    }

    fn json_schema() -> RefOr<Schema> {
        let id = schema::described(IdRef::<T>::json_schema(), &["The id of what is meant; other fields are ignored."]);
        let shown = ObjectBuilder::new().property("id", id).required("id");
        schema::any_of([IdRef::<T>::json_schema(), shown.into()])
    }
}

//! An object that says nothing.

use serde::Serialize;
use utoipa::openapi::{ObjectBuilder, RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

/// An empty object.
#[derive(Debug, Default, Serialize)]
pub(crate) struct EmptyBody {}

impl PartialSchema for EmptyBody {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new().max_properties(Some(0)).into()
    }
}

impl ToSchema for EmptyBody {
    fn name() -> std::borrow::Cow<'static, str> {
        "Empty".into()
    }
}

//! What a vendor stores with an order as v2 shows it.

use std::borrow::Cow;
use std::collections::BTreeMap;

use kassa_domain::order::{OrderNotes, VendorDataValue};
use serde::{Serialize, Serializer};
use utoipa::openapi::schema::Type;
use utoipa::openapi::{ObjectBuilder, RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use crate::openapi::schema;

/// What the vendor keeps with the order: `{}` if nothing.
#[derive(Serialize, ToSchema)]
#[schema(as = VendorData)]
pub(super) struct VendorDataBody<'a> {
    /// The vendor's own number of the order; missing if it is not set.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    order_id: Option<&'a str>,
    /// Further data of the vendor: texts, whole numbers and flags by key; missing if nothing is stored.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<BTreeMap<String, ScalarBody>>, nullable = false)]
    raw: Option<BTreeMap<&'a str, ScalarBody<'a>>>,
}

impl<'a> VendorDataBody<'a> {
    pub(super) fn new(notes: &'a OrderNotes) -> Self {
        let data = &notes.vendor_data;
        let raw = || data.raw.iter().map(|(key, value)| (key.as_str(), ScalarBody(value))).collect();
        Self { order_id: data.order_id.as_deref(), raw: (!data.is_empty()).then(raw) }
    }
}

/// A text, a whole number, or true or false.
struct ScalarBody<'a>(&'a VendorDataValue);

impl Serialize for ScalarBody<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            VendorDataValue::Flag(flag) => serializer.serialize_bool(*flag),
            VendorDataValue::Number(number) => serializer.serialize_i64(*number),
            VendorDataValue::Text(text) => serializer.serialize_str(text),
        }
    }
}

impl PartialSchema for ScalarBody<'_> {
    fn schema() -> RefOr<Schema> {
        let flag = ObjectBuilder::new().schema_type(Type::Boolean);
        schema::any_of([schema::text().into(), schema::integer().into(), flag.into()])
    }
}

impl ToSchema for ScalarBody<'_> {
    fn name() -> Cow<'static, str> {
        "Scalar".into()
    }
}

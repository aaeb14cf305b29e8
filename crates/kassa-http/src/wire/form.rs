//! Wire forms: what an object in an answer consists of, declared once for JSON, the OpenAPI document and
//! `fields-schema`.

use std::collections::BTreeMap;

use kassa_domain::attachment::{Hex128, MediaType};
use kassa_domain::id::Identified;
use serde_json::{Map, Value};

use super::{IdRef, MoneyBody, PlaceNames, RowNameBody, Seats, Time};
use crate::route::{FieldKind, ResourceKind};

/// A type that a field of a wire form can have.
pub(crate) trait WireField {
    /// What `fields-schema` can choose in it.
    const KIND: FieldKind;
}

/// What ids in other wire forms refer to: `fields-schema` shows it in their place.
pub(crate) trait Referenced {
    /// What is shown.
    fn kind() -> &'static ResourceKind;
}

impl<T: Identified + Referenced> WireField for IdRef<T> {
    const KIND: FieldKind = FieldKind::Reference(T::kind);
}

macro_rules! fields_of_kind {
    ($kind:ident: $($type:ty),+ $(,)?) => {
        $(impl WireField for $type {
            const KIND: FieldKind = FieldKind::$kind;
        })+
    };
}

fields_of_kind!(Scalar: (), bool, f64, i64, str, u16, u32, Hex128, MediaType, MoneyBody, RowNameBody<'_>, String, Time);
fields_of_kind!(FreeForm: Map<String, Value>, PlaceNames, Seats);

impl<K, V> WireField for BTreeMap<K, V> {
    const KIND: FieldKind = FieldKind::FreeForm;
}

impl<T: WireField> WireField for Option<T> {
    const KIND: FieldKind = T::KIND;
}

impl<T: WireField + ?Sized> WireField for &T {
    const KIND: FieldKind = T::KIND;
}

impl<T: WireField> WireField for [T] {
    const KIND: FieldKind = T::KIND;
}

impl<T: WireField, const N: usize> WireField for [T; N] {
    const KIND: FieldKind = T::KIND;
}

impl<T: WireField> WireField for Vec<T> {
    const KIND: FieldKind = T::KIND;
}

/// Declares a wire form. The types of its fields say what `fields-schema` can choose in them. `id` is the object's
/// own id and refers to nothing else; `=> Scalar` makes another field that is no reference in spite of its type.
macro_rules! wire_form {
    (
        $(#[$($about:tt)*])*
        $seen:vis struct $name:ident $(<$life:lifetime>)? {
            $($(#[$($attribute:tt)*])* $field_seen:vis $field:ident: $type:ty $(=> $kind:ident)?,)*
        }
    ) => {
        #[derive(serde::Serialize, utoipa::ToSchema)]
        $(#[$($about)*])*
        $seen struct $name $(<$life>)? {
            $($(#[$($attribute)*])* $field_seen $field: $type,)*
        }

        impl $(<$life>)? $crate::wire::WireField for $name $(<$life>)? {
            const KIND: $crate::route::FieldKind = $crate::route::FieldKind::Object(&[
                $(($crate::wire::field_name(stringify!($field)), wire_form!(@ $field $type $(, $kind)?)),)*
            ]);
        }
    };
    (@ $field:ident $type:ty, $kind:ident) => { $crate::route::FieldKind::$kind };
    (@ id $type:ty) => { $crate::route::FieldKind::Scalar };
    (@ $field:ident $type:ty) => { <$type as $crate::wire::WireField>::KIND };
}
pub(crate) use wire_form;

/// The name of a field in JSON: `type` of `r#type`.
pub(crate) const fn field_name(name: &'static str) -> &'static str {
    match name.as_bytes() {
        [b'r', b'#', ..] => name.split_at(2).1,
        _ => name,
    }
}

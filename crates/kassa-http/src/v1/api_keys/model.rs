//! An API key as v1 shows it.

use kassa_domain::key::ApiKey;
use serde::Serialize;
use utoipa::ToSchema;

use crate::input::{Input, Name, fields, requires};
use crate::wire::{KeyRef, PartnerRef, Ref, Time};

/// An API key.
// seed, API key
#[derive(Serialize, ToSchema)]
#[schema(as = ApiKey)]
pub(crate) struct KeyBody {
    id: KeyRef,
    /// The secret itself: 32 hexadecimal digits.
    key: String,
    name: String,
    partner: PartnerRef,
    created_at: Time,
    removed: bool,
}

impl KeyBody {
    pub(crate) fn new(key: &ApiKey, token: &str) -> Self {
        Self {
            id: Ref(key.id),
            key: token.to_owned(),
            name: key.name.clone(),
            partner: Ref(key.partner),
            created_at: Time(key.created_at),
            removed: key.removed,
        }
    }
}

fields! {
    /// An API key in a request.
    pub(crate) struct KeyInput {
        /// Tells it from other keys.
        pub(crate) name: Input<Name>,
    }
}

requires! {
    /// A new API key.
    pub(crate) struct NewKey: KeyInput { name }
}

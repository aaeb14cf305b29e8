//! An API key as v1 shows it.

use kassa_domain::api_key::ApiKey;
use serde::Serialize;
use utoipa::ToSchema;

use crate::input::{Input, NameText, fields, requires};
use crate::wire::{ApiKeyRef, IdRef, PartnerRef, Time};

/// An API key.
// seed, API key
#[derive(Serialize, ToSchema)]
#[schema(as = ApiKey)]
pub(crate) struct ApiKeyBody {
    id: ApiKeyRef,
    /// The secret itself: 32 hexadecimal digits.
    key: String,
    name: String,
    partner: PartnerRef,
    created_at: Time,
    removed: bool,
}

impl ApiKeyBody {
    pub(crate) fn new(key: &ApiKey, token: &str) -> Self {
        Self {
            id: IdRef(key.id),
            key: token.to_owned(),
            name: key.name.clone(),
            partner: IdRef(key.partner),
            created_at: Time(key.created_at),
            removed: key.removed,
        }
    }
}

fields! {
    /// An API key in a request.
    pub(crate) struct KeyInput {
        /// Tells it from other keys.
        pub(crate) name: Input<NameText>,
    }
}

requires! {
    /// A new API key.
    pub(crate) struct NewKey: KeyInput { name }
}

//! An API key as v1 shows it.

use kassa_domain::api_key::ApiKey;

use crate::input::{Input, NameText, fields, requires};
use crate::route::ResourceKind;
use crate::wire::{ApiKeyRef, IdRef, PartnerRef, Time, WireField, wire_form};

wire_form! {
    /// An API key.
    #[schema(as = ApiKey)]
    pub(crate) struct ApiKeyBody {
        /// The id of the key. It is not the secret.
        id: ApiKeyRef,
        /// The secret, as `Authorization: key` takes it: 32 hexadecimal digits.
        key: String,
        /// A name that tells it from other keys.
        name: String,
        /// The partner that the key acts for.
        partner: PartnerRef,
        /// When it was created.
        created_at: Time,
        /// Whether it is removed: a removed key is refused.
        removed: bool,
    }
}

pub(crate) static API_KEY: ResourceKind = ResourceKind::new("api_key", ApiKeyBody::KIND);

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
        /// A name that tells it from other keys; up to 255 characters.
        pub(crate) name: Input<NameText>,
    }
}

requires! {
    /// A new API key.
    pub(crate) struct NewKey: KeyInput { name }
}

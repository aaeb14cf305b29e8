//! An API key as v1 shows it.

use kassa_domain::api_key::ApiKey;
use utoipa::openapi::{RefOr, Schema};

use crate::input::{Input, NameText, fields, requires};
use crate::route::ResourceKind;
use crate::wire::{ApiKeyRef, IdRef, PartnerRef, ScopesInput, Time, WireField, scope_names, scopes_schema, wire_form};

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
        #[schema(schema_with = key_scopes_schema)]
        scopes: Vec<&'static str>,
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
            scopes: scope_names(key.has_customers),
            removed: key.removed,
        }
    }
}

fn key_scopes_schema() -> RefOr<Schema> {
    scopes_schema("With `customers`, the feed of changes shows it the data of customers and visitors.")
}

fields! {
    /// An API key in a request.
    pub(crate) struct KeyInput {
        /// A name that tells it from other keys; up to 255 characters.
        pub(crate) name: Input<NameText>,
    }
}

fields! {
    /// A new API key in a request.
    pub(crate) struct NewKeyInput {
        /// A name that tells it from other keys; up to 255 characters.
        pub(crate) name: Input<NameText>,
        /// With `customers`, the feed of changes shows it the data of customers and visitors. It cannot be changed.
        pub(crate) scopes: Input<ScopesInput>,
    }
}

requires! {
    /// A new API key.
    pub(crate) struct NewKey: NewKeyInput { name }
}

//! An API key as v1 shows it.

use kassa_domain::key::{ApiKey, KeyId};
use kassa_domain::partner::PartnerId;
use kassa_engine::{Engine, Failure};
use serde::{Deserialize, Serialize};

use crate::input::{Input, Name};
use crate::wire::Time;

/// An API key (seed, API key).
#[derive(Serialize)]
pub(crate) struct KeyBody {
    id: KeyId,
    key: String,
    name: String,
    partner: PartnerId,
    created_at: Time,
    removed: bool,
}

impl KeyBody {
    pub(crate) fn new(engine: &Engine, key: &ApiKey) -> Result<Self, Failure> {
        Ok(Self {
            id: key.id,
            key: engine.token_of(key)?,
            name: key.name.clone(),
            partner: key.partner,
            created_at: Time(key.created_at),
            removed: key.removed,
        })
    }
}

/// An API key in a request.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(crate) struct KeyInput {
    pub(crate) name: Input<Name>,
}

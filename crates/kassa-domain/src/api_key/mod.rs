//! API keys of partners (decisions §4). The secret itself is never here: a keyed hash finds it, and
//! a sealed copy lets its owner read it back.

use crate::command::Command;
use crate::context::Context;
use crate::id::{Id, ShardTag};
use crate::partner::PartnerId;
use crate::permission;
use crate::refusal::Refusal;
use crate::time::Timestamp;
use crate::view::{ReadSet, Row, View};

/// The id of an API key.
pub type ApiKeyId = Id<ApiKey>;

/// An API key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApiKey {
    /// The id.
    pub id: ApiKeyId,
    /// Whose requests it authenticates.
    pub partner: PartnerId,
    /// Its label.
    pub name: String,
    /// The keyed hash of the secret.
    pub secret_hash: [u8; 32],
    /// The secret, encrypted with the server's.
    pub encrypted_secret: Vec<u8>,
    /// Whether it was removed: it opens nothing any more.
    pub removed: bool,
    /// When it was made.
    pub created_at: Timestamp,
    /// Counts edits.
    pub revision: i64,
}

impl Row for ApiKey {
    type Key = ApiKeyId;

    fn key(&self) -> ApiKeyId {
        self.id
    }
}

/// Makes a key. Secret, hash and sealed copy come from the caller.
#[derive(Debug)]
pub struct CreateApiKey {
    /// Whose.
    pub partner: PartnerId,
    /// Its label.
    pub name: String,
    /// The keyed hash of the secret.
    pub secret_hash: [u8; 32],
    /// The encrypted secret.
    pub encrypted_secret: Vec<u8>,
}

impl Command for CreateApiKey {
    type Outcome = ApiKey;

    fn shard(&self) -> ShardTag {
        self.partner.tag()
    }

    fn read_set(&self, read_set: &mut ReadSet) {
        read_set.partners.push(self.partner);
    }

    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<ApiKey, Refusal> {
        permission::manage_keys(cx.actor, self.partner)?;
        if view.partners.get(self.partner).is_none() {
            return Err(Refusal::NotFound("partner"));
        }
        let key = ApiKey {
            id: cx.root_id(),
            partner: self.partner,
            name: self.name.clone(),
            secret_hash: self.secret_hash,
            encrypted_secret: self.encrypted_secret.clone(),
            removed: false,
            created_at: cx.now,
            revision: 1,
        };
        view.keys.put(key.clone());
        Ok(key)
    }
}

/// Renames or removes a key. A removed key stays visible by id, and stays removed.
#[derive(Debug)]
pub struct UpdateApiKey {
    /// Whose it must be.
    pub partner: PartnerId,
    /// Which.
    pub key: ApiKeyId,
    /// Its new label.
    pub name: Option<String>,
    /// Whether it goes.
    pub remove: bool,
}

impl Command for UpdateApiKey {
    type Outcome = ApiKey;

    fn shard(&self) -> ShardTag {
        self.key.tag()
    }

    fn read_set(&self, read_set: &mut ReadSet) {
        read_set.keys.push(self.key);
    }

    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<ApiKey, Refusal> {
        permission::manage_keys(cx.actor, self.partner)?;
        let key = view.keys.get(self.key).filter(|key| key.partner == self.partner);
        let mut key = key.ok_or(Refusal::NotFound("api_key"))?.clone();
        if let Some(name) = &self.name {
            key.name.clone_from(name);
        }
        key.removed |= self.remove;
        key.revision += 1;
        view.keys.put(key.clone());
        Ok(key)
    }
}

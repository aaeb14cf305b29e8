//! API keys of partners (decisions §4). The secret itself is never here: a keyed hash finds it, and
//! a sealed copy lets its owner read it back.

use crate::command::Command;
use crate::context::Context;
use crate::id::{Id, Tag};
use crate::partner::PartnerId;
use crate::permission;
use crate::refusal::Refusal;
use crate::time::Timestamp;
use crate::view::{Needs, Row, View};

/// The id of an API key.
pub type KeyId = Id<ApiKey>;

/// An API key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApiKey {
    /// The id.
    pub id: KeyId,
    /// Whose requests it authenticates.
    pub partner: PartnerId,
    /// Its label.
    pub name: String,
    /// The keyed hash of the secret.
    pub hash: [u8; 32],
    /// The secret, encrypted with the server's.
    pub sealed: Vec<u8>,
    /// Whether it was removed: it opens nothing any more.
    pub removed: bool,
    /// When it was made.
    pub created_at: Timestamp,
    /// Counts edits.
    pub revision: i64,
}

impl Row for ApiKey {
    type Key = KeyId;

    fn key(&self) -> KeyId {
        self.id
    }
}

/// Makes a key. Secret, hash and sealed copy come from the caller.
#[derive(Debug)]
pub struct CreateKey {
    /// Whose.
    pub partner: PartnerId,
    /// Its label.
    pub name: String,
    /// The keyed hash of the secret.
    pub hash: [u8; 32],
    /// The encrypted secret.
    pub sealed: Vec<u8>,
}

impl Command for CreateKey {
    type Outcome = ApiKey;

    fn shard(&self) -> Tag {
        self.partner.tag()
    }

    fn needs(&self, needs: &mut Needs) {
        needs.partners.push(self.partner);
    }

    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<ApiKey, Refusal> {
        permission::keys_of(cx.actor, self.partner)?;
        if view.partners.get(self.partner).is_none() {
            return Err(Refusal::NotFound("partner"));
        }
        let key = ApiKey {
            id: cx.root_id(),
            partner: self.partner,
            name: self.name.clone(),
            hash: self.hash,
            sealed: self.sealed.clone(),
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
pub struct UpdateKey {
    /// Whose it must be.
    pub partner: PartnerId,
    /// Which.
    pub key: KeyId,
    /// Its new label.
    pub name: Option<String>,
    /// Whether it goes.
    pub remove: bool,
}

impl Command for UpdateKey {
    type Outcome = ApiKey;

    fn shard(&self) -> Tag {
        self.key.tag()
    }

    fn needs(&self, needs: &mut Needs) {
        needs.keys.push(self.key);
    }

    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<ApiKey, Refusal> {
        permission::keys_of(cx.actor, self.partner)?;
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

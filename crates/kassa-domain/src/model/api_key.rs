//! API keys of partners. The secret itself is never here: a keyed hash finds it, and
//! a sealed copy lets its owner read it back.

use super::row::Row;
use crate::values::resource_ids::{ApiKeyId, PartnerId};
use crate::values::revision::Revision;
use crate::values::time::Timestamp;

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
    /// Whether the feed shows it the data of customers. What is read by its id does not depend on that.
    pub has_customers: bool,
    /// Whether it was removed: it opens nothing any more.
    pub removed: bool,
    /// When it was made.
    pub created_at: Timestamp,
    /// Counts edits.
    pub revision: Revision,
}

impl Row for ApiKey {
    type Key = ApiKeyId;

    fn key(&self) -> ApiKeyId {
        self.id
    }
}

//! API keys of partners.

use kassa_domain::Id;
use kassa_domain::api_key::{ApiKey, ApiKeyId};
use kassa_domain::change::Revision;
use kassa_domain::partner::PartnerId;
use kassa_domain::view::Condition;

use crate::lists::{Conditions, Filter, Predicate};
use crate::rows::{batch_id_cell, read_batch_id, read_time, table};

table! { ApiKey, "api_keys", |row, source| {
    Key Int "id": id = Id::root(source.int()?), row.id.key();
    Immutable Int "partner": partner = Id::root(source.int()?), row.partner.key();
    Mutable Text "name": name = source.text()?, row.name.as_str();
    Immutable Blob "hash": secret_hash = source.hash()?, row.secret_hash.as_slice();
    Immutable Blob "encrypted_secret": encrypted_secret = source.blob()?, row.encrypted_secret.as_slice();
    Immutable Int "has_customers": has_customers = source.flag()?, row.has_customers;
    Mutable Int "removed": removed = source.flag()?, row.removed;
    Immutable Int "created_at": created_at = read_time(source)?, row.created_at.ms();
    Mutable Int "revision": revision = source.int()?, row.revision.number();
    Mutable Blob "changed_in": changed_in = read_batch_id(source)?, batch_id_cell(row.revision.changed_in());
} => ApiKey {
    id,
    partner,
    name,
    secret_hash,
    encrypted_secret,
    has_customers,
    removed,
    created_at,
    revision: Revision::stored(revision, changed_in),
},
    unique vec![format!("{:?}", row.secret_hash)]
}

/// API keys of a partner, newest first.
#[derive(Clone, Debug)]
pub struct ApiKeysFilter {
    /// Whose.
    pub partner: PartnerId,
    /// Only these.
    pub ids: Option<Vec<ApiKeyId>>,
    /// Whether removed ones are shown, too.
    pub include_removed: bool,
}

impl Filter for ApiKeysFilter {
    type Row = ApiKey;

    fn conditions(&self, conditions: &mut Conditions) {
        conditions.add(Predicate::names("partner", self.partner));
        conditions.extend(self.ids.as_deref().map(|ids| Predicate::names_one_of("id", ids)));
        conditions.extend((!self.include_removed).then(|| Condition::NOT_REMOVED.into()));
    }
}

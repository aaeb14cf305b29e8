//! A new API key.

use crate::commands::usage::charge;
use crate::context::Context;
use crate::context::command::Command;
use crate::model::api_key::ApiKey;
use crate::model::change::{ChangeType, Facts};
use crate::model::quota::QuotaKind;
use crate::permission;
use crate::refusal::Refusal;
use crate::values::id::ShardTag;
use crate::values::resource_ids::PartnerId;
use crate::values::revision::Revision;
use crate::view::{ReadSet, View};

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
    /// Whether the feed shows it the data of customers.
    pub has_customers: bool,
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
        let mut key = ApiKey {
            id: cx.root_id(),
            partner: self.partner,
            name: self.name.clone(),
            secret_hash: self.secret_hash,
            encrypted_secret: self.encrypted_secret.clone(),
            has_customers: self.has_customers,
            removed: false,
            created_at: cx.now,
            revision: Revision::default(),
        };
        charge(self.partner, QuotaKind::ApiKeys, 1, &cx.settings.quotas, view)?;
        cx.state(&mut key, ChangeType::ApiKeyCreated, Facts::none(), view);
        view.keys.put(key.clone());
        Ok(key)
    }
}

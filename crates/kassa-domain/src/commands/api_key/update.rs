//! Changes to an API key, its removal included.

use crate::context::Context;
use crate::context::command::Command;
use crate::model::api_key::ApiKey;
use crate::model::change::{ChangeType, FactName, Facts};
use crate::permission;
use crate::refusal::Refusal;
use crate::values::id::ShardTag;
use crate::values::resource_ids::{ApiKeyId, PartnerId};
use crate::view::{ReadSet, View};

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
        let mut key = key.ok_or(Refusal::NotFound("API key"))?.clone();
        let was = key.clone();
        if let Some(name) = &self.name {
            key.name.clone_from(name);
        }
        key.removed |= self.remove;
        if key != was {
            let kind = if key.removed == was.removed { ChangeType::ApiKeyChanged } else { ChangeType::ApiKeyRemoved };
            let facts = Facts::none().hidden_step(FactName::Name, &was.name, &key.name).step(
                FactName::Removed,
                was.removed,
                key.removed,
            );
            cx.state(&mut key, kind, facts, view);
            view.keys.put(key.clone());
        }
        Ok(key)
    }
}

//! All nodes share one secret.

use crate::context::Context;
use crate::context::command::Command;
use crate::model::installation_setting::{InstallationSetting, InstallationSettingName};
use crate::refusal::Refusal;
use crate::values::id::ShardTag;
use crate::view::{ReadSet, View};

/// Notes the fingerprint of the secret when there is none yet, and returns the one that holds.
#[derive(Debug)]
pub struct RegisterSecretFingerprint {
    /// Of the secret that this node has.
    pub fingerprint: String,
}

impl Command for RegisterSecretFingerprint {
    type Outcome = String;

    const SILENT: Option<&'static str> = Some("writers are the server's own");

    fn shard(&self) -> ShardTag {
        ShardTag::of_key(0)
    }

    fn read_set(&self, read_set: &mut ReadSet) {
        read_set.installation_settings.push(InstallationSettingName::SecretFingerprint);
    }

    fn decide(&self, _: &mut Context<'_>, view: &mut View) -> Result<String, Refusal> {
        if let Some(fact) = view.installation_settings.get(InstallationSettingName::SecretFingerprint) {
            return Ok(fact.value.clone());
        }
        view.installation_settings.put(InstallationSetting {
            name: InstallationSettingName::SecretFingerprint,
            value: self.fingerprint.clone(),
        });
        Ok(self.fingerprint.clone())
    }
}

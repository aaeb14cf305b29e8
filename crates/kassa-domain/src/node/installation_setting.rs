//! What holds for the whole installation, and for every writer of it.

use crate::command::Command;
use crate::context::Context;
use crate::id::ShardTag;
use crate::refusal::Refusal;
use crate::view::{ReadSet, Row, View};

/// Something that holds for the whole installation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InstallationSetting {
    /// Which one.
    pub name: InstallationSettingName,
    /// What holds.
    pub value: String,
}

/// The facts there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum InstallationSettingName {
    /// The fingerprint of the secret that all nodes share.
    SecretFingerprint,
}

impl Row for InstallationSetting {
    type Key = InstallationSettingName;

    fn key(&self) -> InstallationSettingName {
        self.name
    }
}

/// Notes the fingerprint of the secret when there is none yet, and tells the one that holds.
#[derive(Debug)]
pub struct RegisterSecretFingerprint {
    /// Of the secret that this node has.
    pub fingerprint: String,
}

impl Command for RegisterSecretFingerprint {
    type Outcome = String;

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

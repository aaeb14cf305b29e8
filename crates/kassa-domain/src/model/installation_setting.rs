//! What holds for the whole installation, and for every writer of it.

use super::row::{Row, RowKey};

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
    /// How far orders were looked at, to find them and to add them up.
    OrderIndex,
    /// Who makes the backups.
    Backups,
}

impl RowKey for InstallationSettingName {}

impl Row for InstallationSetting {
    type Key = InstallationSettingName;

    fn key(&self) -> InstallationSettingName {
        self.name
    }
}

//! One server at a time makes backups.

use crate::context::Context;
use crate::context::command::Command;
use crate::model::backup_claim::BackupClaim;
use crate::model::installation_setting::{InstallationSetting, InstallationSettingName};
use crate::refusal::Refusal;
use crate::values::id::ShardTag;
use crate::view::{ReadSet, View};

/// Claims the making of backups, renews the claim, or ends it, by a time that is not after now.
#[derive(Debug)]
pub struct ClaimBackups {
    /// Who makes them, and until when.
    pub claim: BackupClaim,
}

impl Command for ClaimBackups {
    /// Whether nobody else has it.
    type Outcome = bool;

    const SILENT: Option<&'static str> = Some("who makes backups is the servers' own");

    fn shard(&self) -> ShardTag {
        ShardTag::of_key(0)
    }

    fn read_set(&self, read_set: &mut ReadSet) {
        read_set.installation_settings.push(InstallationSettingName::Backups);
    }

    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<bool, Refusal> {
        let stored = view.installation_settings.get(InstallationSettingName::Backups);
        // What cannot be read claims nothing.
        let stored: Option<BackupClaim> = stored.and_then(|stored| stored.value.parse().ok());
        if stored.is_some_and(|stored| stored.worker != self.claim.worker && stored.till > cx.now) {
            return Ok(false);
        }
        let value = self.claim.to_string();
        view.installation_settings.put(InstallationSetting { name: InstallationSettingName::Backups, value });
        Ok(true)
    }
}

//! How far orders were looked at.

use crate::context::Context;
use crate::context::command::Command;
use crate::model::installation_setting::{InstallationSetting, InstallationSettingName};
use crate::model::sales::IndexProgress;
use crate::refusal::Refusal;
use crate::values::id::ShardTag;
use crate::view::{ReadSet, View};

/// Notes progress, unless somebody else has noted some meanwhile.
#[derive(Debug)]
pub struct MoveOrderIndex {
    /// As it was.
    pub seen: Option<IndexProgress>,
    /// As it is now.
    pub next: IndexProgress,
}

impl Command for MoveOrderIndex {
    /// Whether it is so now.
    type Outcome = bool;

    const SILENT: Option<&'static str> = Some("how far a server has looked is its own");

    fn shard(&self) -> ShardTag {
        ShardTag::of_key(0)
    }

    fn read_set(&self, read_set: &mut ReadSet) {
        read_set.installation_settings.push(InstallationSettingName::OrderIndex);
    }

    fn decide(&self, _: &mut Context<'_>, view: &mut View) -> Result<bool, Refusal> {
        let stored = view.installation_settings.get(InstallationSettingName::OrderIndex);
        // What cannot be read is begun anew.
        if stored.and_then(|stored| stored.value.parse().ok()) != self.seen {
            return Ok(false);
        }
        let value = self.next.to_string();
        view.installation_settings.put(InstallationSetting { name: InstallationSettingName::OrderIndex, value });
        Ok(true)
    }
}

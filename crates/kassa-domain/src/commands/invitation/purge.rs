//! Forgets invitations that have lapsed.

use crate::context::Context;
use crate::context::command::Command;
use crate::model::invitation::InvitationKey;
use crate::refusal::Refusal;
use crate::values::id::ShardTag;
use crate::view::{ReadSet, View};

/// Forgets these invitations, as far as they have lapsed. Several nodes may do it at once.
#[derive(Debug)]
pub struct PurgeInvitations {
    /// Where they lie.
    pub tag: ShardTag,
    /// Which.
    pub keys: Vec<InvitationKey>,
}

impl Command for PurgeInvitations {
    /// How many were forgotten.
    type Outcome = u64;

    const SILENT: Option<&'static str> = Some("what has lapsed is shown to nobody");

    fn shard(&self) -> ShardTag {
        self.tag
    }

    fn read_set(&self, read_set: &mut ReadSet) {
        read_set.invitations.extend(&self.keys);
    }

    fn weight(&self) -> u32 {
        u32::try_from(self.keys.len()).unwrap_or(u32::MAX)
    }

    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<u64, Refusal> {
        let is_over =
            |key: &&InvitationKey| view.invitations.get(**key).is_some_and(|invitation| invitation.is_expired(cx.now));
        let over: Vec<InvitationKey> = self.keys.iter().filter(is_over).copied().collect();
        for key in &over {
            view.invitations.remove(*key);
        }
        Ok(over.len() as u64)
    }
}

//! Forgets sessions that have lapsed.

use crate::context::Context;
use crate::context::command::Command;
use crate::model::session::SessionHash;
use crate::refusal::Refusal;
use crate::values::id::ShardTag;
use crate::view::{ReadSet, View};

/// Forgets these sessions, as far as they have lapsed. Several nodes may do it at once.
#[derive(Debug)]
pub struct PurgeSessions {
    /// Which: some.
    pub hashes: Vec<SessionHash>,
}

impl Command for PurgeSessions {
    /// How many were forgotten.
    type Outcome = u64;

    const SILENT: Option<&'static str> = Some("sessions are nobody's but their users'");

    fn shard(&self) -> ShardTag {
        self.hashes.first().map_or_else(|| ShardTag::of_key(0), super::shard::session_tag)
    }

    fn read_set(&self, read_set: &mut ReadSet) {
        read_set.sessions.extend(&self.hashes);
    }

    fn weight(&self) -> u32 {
        u32::try_from(self.hashes.len()).unwrap_or(u32::MAX)
    }

    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<u64, Refusal> {
        let has_lapsed =
            |hash: &&SessionHash| view.sessions.get(**hash).is_some_and(|session| session.expires_at <= cx.now);
        let lapsed: Vec<SessionHash> = self.hashes.iter().filter(has_lapsed).copied().collect();
        for hash in &lapsed {
            view.sessions.remove(*hash);
        }
        Ok(lapsed.len() as u64)
    }
}

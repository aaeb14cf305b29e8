//! Log-out.

use super::shard::session_tag;
use crate::context::Context;
use crate::context::command::Command;
use crate::model::session::SessionHash;
use crate::refusal::Refusal;
use crate::values::id::ShardTag;
use crate::view::{ReadSet, View};

/// Ends a session, if there is one.
#[derive(Debug)]
pub struct EndSession {
    /// Which.
    pub hash: SessionHash,
}

impl Command for EndSession {
    type Outcome = ();

    const SILENT: Option<&'static str> = Some("sessions are nobody's but their users'");

    fn shard(&self) -> ShardTag {
        session_tag(&self.hash)
    }

    fn read_set(&self, read_set: &mut ReadSet) {
        read_set.sessions.push(self.hash);
    }

    fn decide(&self, _: &mut Context<'_>, view: &mut View) -> Result<(), Refusal> {
        if view.sessions.get(self.hash).is_some() {
            view.sessions.remove(self.hash);
        }
        Ok(())
    }
}

//! The extension of a session that is in use.

use super::shard::session_tag;
use crate::context::Context;
use crate::context::command::Command;
use crate::model::session::{Session, SessionHash};
use crate::refusal::Refusal;
use crate::values::id::ShardTag;
use crate::view::{ReadSet, View};

/// Makes a session that is in use last longer.
#[derive(Debug)]
pub struct ExtendSession {
    /// Which.
    pub hash: SessionHash,
}

impl Command for ExtendSession {
    type Outcome = ();

    const SILENT: Option<&'static str> = Some("sessions are nobody's but their users'");

    fn shard(&self) -> ShardTag {
        session_tag(&self.hash)
    }

    fn read_set(&self, read_set: &mut ReadSet) {
        read_set.sessions.push(self.hash);
    }

    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<(), Refusal> {
        let Some(session) = view.sessions.get(self.hash) else { return Ok(()) };
        if session.expires_at > cx.now && session.is_extension_due(cx.now) {
            let expires_at = Session::expiry_from(cx.now);
            let extended = Session { expires_at, ..session.clone() };
            view.sessions.put(extended);
        }
        Ok(())
    }
}

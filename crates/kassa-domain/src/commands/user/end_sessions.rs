//! The end of all of a user's sessions.

use crate::context::Context;
use crate::context::command::Command;
use crate::permission;
use crate::refusal::Refusal;
use crate::values::id::ShardTag;
use crate::values::resource_ids::UserId;
use crate::view::{ReadSet, View};

/// Ends all sessions of a user, also the one that asks for it.
#[derive(Debug)]
pub struct EndSessions {
    /// Whose.
    pub user: UserId,
}

impl Command for EndSessions {
    type Outcome = ();

    const SILENT: Option<&'static str> = Some("users' accounts are nobody else's");

    fn shard(&self) -> ShardTag {
        self.user.tag()
    }

    fn read_set(&self, read_set: &mut ReadSet) {
        read_set.users.push(self.user);
    }

    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<(), Refusal> {
        permission::write_user(cx.actor, self.user)?;
        let mut user = view.users.get(self.user).ok_or(Refusal::NotFound("user"))?.clone();
        user.end_sessions(None, cx.now);
        view.users.put(user);
        Ok(())
    }
}

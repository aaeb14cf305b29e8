//! The wish for a mail by which a password can be set anew.

use crate::commands::mail::queue_password_reset;
use crate::context::Context;
use crate::context::command::Command;
use crate::refusal::Refusal;
use crate::values::email::Email;
use crate::values::id::ShardTag;
use crate::view::{ReadSet, View};

/// Queues the mail. Whether anybody has the address is seen when it leaves, and not before: for an unknown one the same
/// is done, and takes as long.
#[derive(Debug)]
pub struct RequestPasswordReset {
    /// The address, as somebody typed it.
    pub email: Email,
}

impl Command for RequestPasswordReset {
    type Outcome = ();

    const SILENT: Option<&'static str> = Some("users' accounts are nobody else's");

    fn shard(&self) -> ShardTag {
        self.email.tag()
    }

    fn read_set(&self, _: &mut ReadSet) {}

    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<(), Refusal> {
        queue_password_reset(self.email.clone(), cx, view);
        Ok(())
    }
}

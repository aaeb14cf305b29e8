//! A mail that has to wait.

use crate::context::Context;
use crate::context::command::Command;
use crate::model::mail::{Mail, MailState};
use crate::refusal::Refusal;
use crate::values::id::ShardTag;
use crate::values::resource_ids::MailId;
use crate::values::time::Timestamp;
use crate::view::{ReadSet, View};

/// Lets a mail wait that is due, as it was seen, because too many like it were sent. It is no try, and it is never given
/// up for it.
#[derive(Debug)]
pub struct PostponeMail {
    /// Which.
    pub mail: MailId,
    /// When it was due.
    pub due_at: Timestamp,
    /// When it is due now.
    pub until: Timestamp,
}

impl Command for PostponeMail {
    /// Whether it waits now; otherwise somebody else has seen to it.
    type Outcome = bool;

    const SILENT: Option<&'static str> = Some("mails are the server's own work");

    fn shard(&self) -> ShardTag {
        self.mail.tag()
    }

    fn read_set(&self, read_set: &mut ReadSet) {
        read_set.mails.push(self.mail);
    }

    fn decide(&self, _: &mut Context<'_>, view: &mut View) -> Result<bool, Refusal> {
        let is_as_seen = |mail: &&Mail| mail.state == MailState::Waiting && mail.due_at == self.due_at;
        let Some(mail) = view.mails.get(self.mail).filter(is_as_seen).cloned() else { return Ok(false) };
        view.mails.put(Mail { due_at: self.until, ..mail });
        Ok(true)
    }
}

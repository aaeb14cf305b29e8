//! The beginning of a try.

use crate::context::Context;
use crate::context::command::Command;
use crate::model::mail::{Mail, MailState};
use crate::refusal::Refusal;
use crate::values::id::ShardTag;
use crate::values::resource_ids::MailId;
use crate::values::time::MINUTE_MS;
use crate::view::{ReadSet, View};

/// How long a node may take for one try before the next one, on whatever node, begins.
const ATTEMPT_LEASE_MS: i64 = 5 * MINUTE_MS;

/// Takes a mail that is due, so that nobody else sends it meanwhile. A failed one that was kept long
/// enough is thrown away.
#[derive(Debug)]
pub struct ClaimMail {
    /// Which.
    pub mail: MailId,
}

impl Command for ClaimMail {
    /// The mail to send; `None` when there is nothing to do about it now.
    type Outcome = Option<Mail>;

    const SILENT: Option<&'static str> = Some("mails are the server's own work");

    fn shard(&self) -> ShardTag {
        self.mail.tag()
    }

    fn read_set(&self, read_set: &mut ReadSet) {
        read_set.mails.push(self.mail);
    }

    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<Option<Mail>, Refusal> {
        let due = view.mails.get(self.mail).filter(|mail| mail.due_at <= cx.now).cloned();
        let Some(mail) = due else { return Ok(None) };
        match mail.state {
            MailState::Waiting => {
                let claimed = Mail { attempts: mail.attempts + 1, due_at: cx.now.plus_ms(ATTEMPT_LEASE_MS), ..mail };
                view.mails.put(claimed.clone());
                Ok(Some(claimed))
            }
            MailState::Failed => {
                view.mails.remove(mail.id);
                Ok(None)
            }
        }
    }
}

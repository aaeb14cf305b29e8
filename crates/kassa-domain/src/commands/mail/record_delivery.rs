//! The end of a try.

use crate::context::Context;
use crate::context::command::Command;
use crate::model::mail::{Mail, MailState};
use crate::refusal::Refusal;
use crate::values::id::ShardTag;
use crate::values::resource_ids::MailId;
use crate::values::time::{DAY_MS, HOUR_MS, MINUTE_MS};
use crate::view::{ReadSet, View};

/// The pause after the first try; each further one doubles it, up to the longest.
const RETRY_DELAY_MIN_MS: i64 = MINUTE_MS;

const RETRY_DELAY_MAX_MS: i64 = 6 * HOUR_MS;

/// How long it is tried.
const RETRY_WINDOW_MS: i64 = 3 * DAY_MS;

/// How long a mail that was given up is kept, for the operator to see.
const FAILED_RETENTION_MS: i64 = 30 * DAY_MS;

/// The longest text of an error that is kept, in characters.
const ERROR_CHARS_MAX: usize = 300;

/// What came of a try.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DeliveryResult {
    /// It was sent, or there is nothing left to report.
    Done,
    /// It was not sent.
    Failed {
        /// Why, as text for the operator.
        error: String,
        /// Whether another try can come to no better end.
        is_permanent: bool,
    },
}

/// Notes what came of a try. A mail that was sent goes; one that was not is tried again after a pause
/// that grows, and given up after three days.
#[derive(Debug)]
pub struct RecordDelivery {
    /// Which.
    pub mail: MailId,
    /// The try: the mail's `attempts` as it was claimed.
    pub attempt: u32,
    /// What came of it.
    pub result: DeliveryResult,
}

/// What becomes of a mail after a try.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MailDisposition {
    /// It is gone.
    Removed,
    /// It waits for another try, or another try is under way.
    Pending,
    /// It was given up.
    GivenUp,
}

impl Command for RecordDelivery {
    type Outcome = MailDisposition;

    const SILENT: Option<&'static str> = Some("mails are the server's own work");

    fn shard(&self) -> ShardTag {
        self.mail.tag()
    }

    fn read_set(&self, read_set: &mut ReadSet) {
        read_set.mails.push(self.mail);
    }

    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<MailDisposition, Refusal> {
        let Some(mail) = view.mails.get(self.mail).cloned() else { return Ok(MailDisposition::Removed) };
        let (error, hopeless) = match &self.result {
            DeliveryResult::Done => {
                // Sent is sent, even if somebody else has begun anew meanwhile.
                view.mails.remove(mail.id);
                return Ok(MailDisposition::Removed);
            }
            DeliveryResult::Failed { error, is_permanent: hopeless } => (error, *hopeless),
        };
        if mail.attempts != self.attempt || mail.state == MailState::Failed {
            // The try took too long, and another one has begun: that one settles it.
            return Ok(MailDisposition::Pending);
        }
        let next = cx.now.plus_ms(retry_delay_ms(mail.attempts, cx));
        let gives_up = hopeless || next > mail.created_at.plus_ms(RETRY_WINDOW_MS);
        let (state, due_at, settled) = if gives_up {
            (MailState::Failed, cx.now.plus_ms(FAILED_RETENTION_MS), MailDisposition::GivenUp)
        } else {
            (MailState::Waiting, next, MailDisposition::Pending)
        };
        let error = Some(error.chars().take(ERROR_CHARS_MAX).collect());
        view.mails.put(Mail { state, due_at, error, ..mail });
        Ok(settled)
    }
}

/// The pause after so many tries, and up to a quarter more, so that mails that failed together do not
/// come back together.
fn retry_delay_ms(attempts: u32, cx: &mut Context<'_>) -> i64 {
    let doublings = attempts.saturating_sub(1).min(16);
    let pause = (RETRY_DELAY_MIN_MS << doublings).min(RETRY_DELAY_MAX_MS);
    let more = cx.random_below(pause.unsigned_abs() / 4 + 1);
    pause + i64::try_from(more).unwrap_or(0)
}

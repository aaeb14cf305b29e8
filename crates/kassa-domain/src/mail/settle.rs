//! The end of a try.

use super::{ERROR_MAX, KEPT_FOR_MS, Mail, MailId, MailState, PAUSE_MAX_MS, PAUSE_MIN_MS, TRIED_FOR_MS};
use crate::command::Command;
use crate::context::Context;
use crate::id::Tag;
use crate::refusal::Refusal;
use crate::view::{Needs, View};

/// What came of a try.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Delivery {
    /// It was sent, or there is nothing left to tell.
    Done,
    /// It was not sent.
    Failed {
        /// Why, as text for the operator.
        error: String,
        /// Whether another try can come to no better end.
        hopeless: bool,
    },
}

/// Notes what came of a try. A mail that was sent goes; one that was not is tried again after a pause
/// that grows, and given up after three days.
#[derive(Debug)]
pub struct SettleMail {
    /// Which.
    pub mail: MailId,
    /// The try: the mail's `attempts` as it was claimed.
    pub attempt: u32,
    /// What came of it.
    pub delivery: Delivery,
}

/// What becomes of a mail after a try.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Settled {
    /// It is gone.
    Gone,
    /// It waits for another try, or another try is under way.
    Waits,
    /// It was given up.
    GivenUp,
}

impl Command for SettleMail {
    type Outcome = Settled;

    fn shard(&self) -> Tag {
        self.mail.tag()
    }

    fn needs(&self, needs: &mut Needs) {
        needs.mails.push(self.mail);
    }

    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<Settled, Refusal> {
        let Some(mail) = view.mails.get(self.mail).cloned() else { return Ok(Settled::Gone) };
        let (error, hopeless) = match &self.delivery {
            Delivery::Done => {
                // Sent is sent, even if somebody else has begun anew meanwhile.
                view.mails.remove(mail.id);
                return Ok(Settled::Gone);
            }
            Delivery::Failed { error, hopeless } => (error, *hopeless),
        };
        if mail.attempts != self.attempt || mail.state == MailState::Failed {
            // The try took too long, and another one has begun: that one settles it.
            return Ok(Settled::Waits);
        }
        let next = cx.now.plus_ms(pause_ms(mail.attempts, cx));
        let gives_up = hopeless || next > mail.created_at.plus_ms(TRIED_FOR_MS);
        let (state, due_at, settled) = if gives_up {
            (MailState::Failed, cx.now.plus_ms(KEPT_FOR_MS), Settled::GivenUp)
        } else {
            (MailState::Waiting, next, Settled::Waits)
        };
        let error = Some(error.chars().take(ERROR_MAX).collect());
        view.mails.put(Mail { state, due_at, error, ..mail });
        Ok(settled)
    }
}

/// The pause after so many tries, and up to a quarter more, so that mails that failed together do not
/// come back together.
fn pause_ms(attempts: u32, cx: &mut Context<'_>) -> i64 {
    let doublings = attempts.saturating_sub(1).min(16);
    let pause = (PAUSE_MIN_MS << doublings).min(PAUSE_MAX_MS);
    let more = cx.below(pause.unsigned_abs() / 4 + 1);
    pause + i64::try_from(more).unwrap_or(0)
}

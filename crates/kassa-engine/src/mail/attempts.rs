//! Delivery attempts: a few of each queue at the same time, so that neither a slow mail server nor a long list holds up
//! the others. In each queue partners take turns: many mails of one delay another's by one of theirs.

use std::future::poll_fn;
use std::sync::Arc;
use std::task::Poll;

use kassa_domain::Actor;
use kassa_domain::mail::{ClaimMail, DeliveryResult, Mail, MailDisposition, MailQueue, PostponeMail, RecordDelivery};
use kassa_store::PageWindow;
use kassa_store::queries::DueMails;
use tokio::task::JoinSet;

use super::MailSettings;
use super::limits::TooManyMails;
use crate::engine::Engine;
use crate::failure::Failure;

/// Mails of a queue that are under way at the same time. Bulk ones are large.
const fn concurrent_max(queue: MailQueue) -> usize {
    match queue {
        MailQueue::Awaited => 4,
        MailQueue::AwaitedRetries => 2,
        MailQueue::Bulk | MailQueue::BulkRetries => 1,
    }
}

/// Mails of a queue that are looked at in a row: those that have to wait do not keep other queues from theirs.
const LOOKED_AT_MAX: usize = 64;

/// The delivery attempts of one server. They are given up when this is dropped.
pub(crate) struct DeliveryAttempts {
    engine: Engine,
    settings: Arc<MailSettings>,
    queues: [QueueProgress; MailQueue::ALL.len()],
}

/// How far the attempts of a queue have come.
struct QueueProgress {
    queue: MailQueue,
    in_flight: JoinSet<Result<AttemptResult, Failure>>,
    /// The turn of the last mail that was taken; -1 is before all.
    last_turn: i64,
}

/// The result of one attempt.
pub(crate) struct AttemptResult {
    pub(crate) settled: MailDisposition,
    /// Why the mail was not sent, if it was not.
    pub(crate) error: Option<String>,
}

impl DeliveryAttempts {
    pub(crate) fn new(engine: Engine, settings: MailSettings) -> Self {
        let queues = MailQueue::ALL.map(|queue| QueueProgress { queue, in_flight: JoinSet::new(), last_turn: -1 });
        Self { engine, settings: Arc::new(settings), queues }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.queues.iter().all(|progress| progress.in_flight.is_empty())
    }

    pub(crate) fn has_capacity(&self) -> bool {
        self.queues.iter().any(|progress| progress.room() > 0)
    }

    /// Claims mails that are due, as far as there is room, and begins to send them. Returns how many were
    /// due: other servers may have claimed some of them.
    pub(crate) async fn start_due(&mut self) -> Result<usize, Failure> {
        let mut due = 0;
        for progress in &mut self.queues {
            for _ in 0..LOOKED_AT_MAX {
                if progress.room() == 0 {
                    break;
                }
                let Some(mail) = progress.next_due(&self.engine).await? else { break };
                due += 1;
                if let Err(too_many) = self.settings.limits.try_acquire(&mail, self.engine.now()) {
                    postpone(&self.engine, &mail, &too_many).await?;
                    continue;
                }
                let command = ClaimMail { mail: mail.id };
                let claim = self.engine.execute(&Actor::System, command, |_, mail: &Option<Mail>| mail.clone());
                match claim.await? {
                    Some(mail) => {
                        progress.in_flight.spawn(attempt(self.engine.clone(), Arc::clone(&self.settings), mail));
                    }
                    // Another server has it.
                    None => self.settings.limits.give_back(&mail, self.engine.now()),
                }
            }
        }
        Ok(due)
    }

    /// The next attempt that ends; `None` if none is under way.
    pub(crate) async fn next_finished(&mut self) -> Option<Result<AttemptResult, Failure>> {
        let ended = poll_fn(|cx| {
            let mut is_idle = true;
            for progress in &mut self.queues {
                match progress.in_flight.poll_join_next(cx) {
                    Poll::Ready(Some(ended)) => return Poll::Ready(Some(ended)),
                    Poll::Ready(None) => {}
                    Poll::Pending => is_idle = false,
                }
            }
            if is_idle { Poll::Ready(None) } else { Poll::Pending }
        });
        Some(ended.await?.unwrap_or_else(|error| Err(Failure::internal(&error.to_string()))))
    }
}

impl QueueProgress {
    fn room(&self) -> usize {
        concurrent_max(self.queue).saturating_sub(self.in_flight.len())
    }

    /// The mail whose turn it is, if one is due.
    async fn next_due(&mut self, engine: &Engine) -> Result<Option<Mail>, Failure> {
        let (now, queue) = (engine.now(), self.queue);
        // Behind the last turn, then from the first on.
        loop {
            let filter = DueMails { now, queue, after_turn: self.last_turn };
            let due = engine.page(filter, PageWindow::first(1)).await?.rows.into_iter().next();
            if due.is_some() || self.last_turn == -1 {
                self.last_turn = due.as_ref().map_or(-1, Mail::turn);
                return Ok(due);
            }
            self.last_turn = -1;
        }
    }
}

/// Lets a mail wait that is too much for now.
async fn postpone(engine: &Engine, mail: &Mail, too_many: &TooManyMails) -> Result<(), Failure> {
    let command = PostponeMail { mail: mail.id, due_at: mail.due_at, until: too_many.until };
    if engine.execute(&Actor::System, command, |_, waits| *waits).await? {
        engine.limit_hits().record(too_many.limit);
        tracing::debug!(id = %mail.id, kind = mail.content.name(), "a mail waits: too many like it were sent");
    }
    Ok(())
}

/// Sends a claimed mail, and records the result.
async fn attempt(engine: Engine, settings: Arc<MailSettings>, mail: Mail) -> Result<AttemptResult, Failure> {
    // A mail that could not be rendered counts as one that could not be sent: it is retried, and given up in time.
    let delivery = engine.deliver(&settings, &mail).await;
    let delivery =
        delivery.unwrap_or_else(|failure| DeliveryResult::Failed { error: failure.to_string(), is_permanent: false });
    let error = match &delivery {
        DeliveryResult::Done => None,
        DeliveryResult::Failed { error, .. } => Some(error.clone()),
    };
    let command = RecordDelivery { mail: mail.id, attempt: mail.attempts, result: delivery };
    let settled = engine.execute(&Actor::System, command, |_, settled| *settled).await?;
    let (id, kind, attempts) = (mail.id, mail.content.name(), mail.attempts);
    if settled == MailDisposition::GivenUp {
        tracing::error!(%id, kind, attempts, error, "a mail was given up after its last attempt");
    } else {
        tracing::debug!(%id, kind, attempts, error, "delivery attempted");
    }
    Ok(AttemptResult { settled, error })
}

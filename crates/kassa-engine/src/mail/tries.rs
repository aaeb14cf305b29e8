//! Tries that are under way: a few at the same time, so that one slow reader of mails does not keep
//! the others.

use std::sync::Arc;

use kassa_domain::Actor;
use kassa_domain::mail::{ClaimMail, Delivery, Mail, SettleMail, Settled};
use kassa_store::Slice;
use kassa_store::queries::DueMails;
use tokio::task::JoinSet;

use super::Post;
use crate::{Engine, Failure};

/// Mails that are under way at the same time.
const AT_ONCE: usize = 4;

/// The tries of one node. They are given up when this is dropped.
pub(crate) struct Tries {
    engine: Engine,
    post: Arc<Post>,
    under_way: JoinSet<Result<Tried, Failure>>,
}

/// What came of one try.
pub(crate) struct Tried {
    pub(crate) settled: Settled,
    /// Why the mail was not sent, if it was not.
    pub(crate) error: Option<String>,
}

impl Tries {
    pub(crate) fn new(engine: Engine, post: Post) -> Self {
        Self { engine, post: Arc::new(post), under_way: JoinSet::new() }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.under_way.is_empty()
    }

    pub(crate) fn has_room(&self) -> bool {
        self.under_way.len() < AT_ONCE
    }

    /// Claims mails that are due, as far as there is room, and begins to send them. Tells how many were
    /// due: some may be somebody else's by now.
    pub(crate) async fn begin(&mut self) -> Result<usize, Failure> {
        let room = u32::try_from(AT_ONCE - self.under_way.len()).unwrap_or(0);
        if room == 0 {
            return Ok(0);
        }
        let due = self.engine.page(DueMails { now: self.engine.now() }, Slice::first(room)).await?;
        for mail in &due.rows {
            let command = ClaimMail { mail: mail.id };
            let claim = self.engine.execute(&Actor::System, command, |_, mail: &Option<Mail>| mail.clone());
            if let Some(mail) = claim.await? {
                self.under_way.spawn(send(self.engine.clone(), Arc::clone(&self.post), mail));
            }
        }
        Ok(due.rows.len())
    }

    /// The next try that comes to its end; `None` when none is under way.
    pub(crate) async fn next(&mut self) -> Option<Result<Tried, Failure>> {
        let ended = self.under_way.join_next().await?;
        Some(ended.unwrap_or_else(|error| Err(Failure::internal(&error.to_string()))))
    }
}

/// Sends a mail that was claimed, and notes what came of it.
async fn send(engine: Engine, post: Arc<Post>, mail: Mail) -> Result<Tried, Failure> {
    // What could not be written is told like what could not be sent: it is tried again, and given up in time.
    let delivery = engine.deliver(&post, &mail).await;
    let delivery = delivery.unwrap_or_else(|failure| Delivery::Failed { error: failure.to_string(), hopeless: false });
    let error = match &delivery {
        Delivery::Done => None,
        Delivery::Failed { error, .. } => Some(error.clone()),
    };
    let command = SettleMail { mail: mail.id, attempt: mail.attempts, delivery };
    let settled = engine.execute(&Actor::System, command, |_, settled| *settled).await?;
    let (id, letter, attempts) = (mail.id, mail.letter.name(), mail.attempts);
    if settled == Settled::GivenUp {
        tracing::error!(%id, letter, attempts, error, "a mail could not be sent and is given up");
    } else {
        tracing::debug!(%id, letter, attempts, error, "a mail was tried");
    }
    Ok(Tried { settled, error })
}

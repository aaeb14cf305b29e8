//! Commands: through a lane, or decided and forgotten.

use kassa_domain::change::Origin;
use kassa_domain::node::{Node, RenewNodeLease};
use kassa_domain::{Actor, Command, Context, ReadSet, Refusal, View, permission};
use tokio::sync::oneshot;

use super::Engine;
use crate::caller::CallerRef;
use crate::failure::Failure;
use crate::metrics::Limit;
use crate::task::{CommandTask, Executed, ReplyReceiver};

/// How often a command is built and sent again because what was looked up for it had changed.
pub(crate) const STALE_RETRIES_MAX: u32 = 5;

impl Engine {
    /// Decides a command under the conditions of its caller, and answers when its batch is durable. `render` makes
    /// the answer from the outcome and the view; it is pure, and runs inside the transaction, so that the answer is
    /// fixed before the commit and nothing is read back after it. A request that was answered before under its
    /// idempotency key is not decided again: its answer is the stored one, as [`ResponseCodec::decode`] makes it.
    ///
    /// [`ResponseCodec::decode`]: crate::idempotency::ResponseCodec::decode
    pub async fn execute<C, R, F>(&self, by: impl Into<CallerRef<'_>>, command: C, render: F) -> Result<R, Failure>
    where
        C: Command,
        R: Send + 'static,
        F: Fn(&View, &C::Outcome) -> R + Send + 'static,
    {
        self.execute_or_replay(by.into(), command, render).await.map(Executed::into_response)
    }

    /// The same, and whether it was decided now.
    pub(crate) async fn execute_or_replay<C, R, F>(
        &self,
        by: CallerRef<'_>,
        command: C,
        render: F,
    ) -> Result<Executed<R>, Failure>
    where
        C: Command,
        R: Send + 'static,
        F: Fn(&View, &C::Outcome) -> R + Send + 'static,
    {
        let answer = self.send_command(by, command, render)?;
        // Whether a lane that has ended committed it is unknown.
        answer.await.unwrap_or(Err(Failure::Unavailable)).inspect_err(|failure| {
            if matches!(failure, Failure::Refused(Refusal::QuotaExceeded { .. })) {
                self.limit_hits().record(Limit::Quotas);
            }
        })
    }

    /// Puts a command into the queue of its lane.
    fn send_command<C, R, F>(&self, by: CallerRef<'_>, command: C, render: F) -> Result<ReplyReceiver<R>, Failure>
    where
        C: Command,
        R: Send + 'static,
        F: Fn(&View, &C::Outcome) -> R + Send + 'static,
    {
        let (reply, answer) = oneshot::channel();
        let sent = self.inner.lanes.send(Box::new(CommandTask::new(by, command, render, reply)));
        sent.inspect_err(|failure| {
            let is_heavy = matches!(failure, Failure::TooManyHeavy);
            self.limit_hits().record(if is_heavy { Limit::HeavyCommands } else { Limit::LaneQueue });
        })?;
        Ok(answer)
    }

    /// Decides a command over the rows as they are now, renders its outcome, and changes nothing.
    pub async fn dry_run<C: Command, R>(
        &self,
        actor: &Actor,
        command: &C,
        render: impl FnOnce(&View, &C::Outcome) -> R,
    ) -> Result<R, Failure> {
        let mut read_set = ReadSet::default();
        command.read_set(&mut read_set);
        permission::add_actor_reads(actor, &mut read_set);
        for _ in 0..STALE_RETRIES_MAX {
            let mut view = self.view(&read_set).await?;
            let actor = permission::admit(actor, &view)?;
            // Nobody sees the ids and numbers of a dry run.
            let mut node = Node { order_numbers_end: 1, ..Node::new(0) };
            let mut random = self.inner.random.lock();
            let (now, settings) = (self.now(), &self.inner.settings);
            let origin = Origin::default();
            let mut cx = Context { actor: &actor, origin, now, settings, node: &mut node, random: &mut **random };
            let result = kassa_domain::command::decide(command, &mut cx, &mut view);
            match view.take_missing() {
                Some(missing) => read_set.add_missing(missing),
                None => return result.map(|outcome| render(&view, &outcome)).map_err(Failure::Refused),
            }
        }
        Err(Failure::Busy)
    }

    /// Extends the lease on the number of a lane.
    pub(crate) async fn renew_lease(&self, lane: usize) -> Result<(), Failure> {
        let (reply, answer) = oneshot::channel();
        let task = CommandTask::new((&Actor::System).into(), RenewNodeLease, |_: &View, (): &()| (), reply);
        self.inner.lanes.send_to_lane(lane, Box::new(task))?;
        answer.await.unwrap_or(Err(Failure::Unavailable)).map(Executed::into_response)
    }
}

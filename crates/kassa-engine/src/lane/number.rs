//! How a lane comes by its number, and what it does without one.

use std::time::Duration;

use kassa_domain::change::Origin;
use kassa_domain::id::NODES_MAX;
use kassa_domain::node::{ClaimNode, Node, ReleaseNode};
use kassa_domain::{Actor, Command as _, Context, ReadSet, View};
use kassa_store::StoreError;
use tokio::sync::oneshot;

use super::{Lane, TaskQueue, reply_all};
use crate::failure::Failure;
use crate::start_error::StartError;
use crate::task::CommandTask;

/// The pause between two attempts to get a number.
const CLAIM_RETRY_DELAY: Duration = Duration::from_millis(250);
/// How long a lane that ends waits for the database to take its number back.
const RELEASE_TIMEOUT: Duration = Duration::from_secs(2);

/// The number of a lane, and the claim that gave it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LaneNumber {
    pub(super) node: u16,
    pub(super) epoch: i64,
}

impl Lane {
    /// Claims the lowest number that is free in the place of the lane, or else elsewhere.
    pub(crate) async fn claim_number(&mut self) -> Result<(), StartError> {
        let all = ReadSet { nodes: (0..NODES_MAX).collect(), ..ReadSet::default() };
        let found = self.store.view(&all).await?;
        let now = self.clock.now();
        let is_free = |node: &u16| found.nodes.get(*node).is_none_or(|node| node.is_claimable(now));
        let mut free: Vec<u16> = (0..NODES_MAX).filter(is_free).collect();
        free.sort_by_key(|node| self.store.place_of_writer(*node) != self.place);
        for node in free {
            if let Some(epoch) = self.try_claim(node).await? {
                tracing::debug!(node, epoch, "lane claimed its number");
                self.number = LaneNumber { node, epoch };
                self.state.set_number(Some(node));
                return Ok(());
            }
        }
        Err(StartError::NumbersTaken)
    }

    /// Claims this number; `None` if another process was quicker.
    async fn try_claim(&mut self, node: u16) -> Result<Option<i64>, StoreError> {
        let command = ClaimNode { node };
        let mut read_set = ReadSet::default();
        command.read_set(&mut read_set);
        let mut claimed = None;
        let (clock, random, settings) = (&self.clock, &mut self.random, &self.settings);
        let decide = &mut |view: &mut View| {
            // Whoever has no number yet makes no ids.
            let node = &mut Node::new(node);
            let (actor, now, random) = (&Actor::System, clock.now(), &mut **random);
            let origin = Origin::default();
            let result = command.decide(&mut Context { actor, origin, now, settings, node, random }, view);
            claimed = result.map_err(|_| StoreError::Abandoned)?;
            view.accept_changes();
            Ok(())
        };
        match self.writer.transact(&read_set, decide).await {
            Ok(()) => Ok(claimed),
            Err(StoreError::Conflict(_) | StoreError::Constraint(_)) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Claims another number after its own was lost. Commands that arrive meanwhile are rejected as unavailable.
    pub(super) async fn claim_another_number(&mut self, queue: &mut TaskQueue) {
        let mut is_logged = false;
        while let Err(error) = self.claim_number().await {
            if !is_logged {
                tracing::warn!(%error, "lane lost its number and could not claim another; retrying");
                is_logged = true;
            }
            tokio::time::sleep(CLAIM_RETRY_DELAY).await;
            reply_all(queue.drain(), &Err(Failure::Unavailable));
            if queue.is_closed() {
                return;
            }
        }
        tracing::info!(node = self.number.node, "lane continues under a new number");
    }

    /// Gives the number back, so that restarts do not spread over many.
    pub(crate) async fn release_number(&mut self) {
        let (reply, answer) = oneshot::channel();
        let last = Box::new(CommandTask::new((&Actor::System).into(), ReleaseNode, |_: &View, (): &()| (), reply));
        let given = async { self.run_first(last).await.is_ok() && matches!(answer.await, Ok(Ok(_))) };
        if !matches!(tokio::time::timeout(RELEASE_TIMEOUT, given).await, Ok(true)) {
            tracing::debug!("lane could not release its number; it becomes free when its lease ends");
        }
    }
}

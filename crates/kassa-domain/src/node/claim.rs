//! How a writer gets its number, keeps it, and gives it back.

use super::{NODE_LEASE_MS, Node};
use crate::command::Command;
use crate::context::Context;
use crate::id::ShardTag;
use crate::refusal::Refusal;
use crate::time::Timestamp;
use crate::view::{ReadSet, View};

/// Claims a number that nobody has, for a writer that has none yet. What its last writer left goes on
/// with it: the mark of its ids, and its order numbers.
#[derive(Debug)]
pub struct ClaimNode {
    /// Which.
    pub node: u16,
}

impl Command for ClaimNode {
    /// The epoch of the claim; `None` when somebody else has the number.
    type Outcome = Option<i64>;

    fn shard(&self) -> ShardTag {
        ShardTag::of_key(i64::from(self.node))
    }

    fn read_set(&self, read_set: &mut ReadSet) {
        read_set.nodes.push(self.node);
    }

    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<Option<i64>, Refusal> {
        let mut node = view.nodes.get(self.node).cloned().unwrap_or_else(|| Node::new(self.node));
        if !node.is_claimable(cx.now) {
            return Ok(None);
        }
        node.epoch += 1;
        node.renew_lease(cx.now);
        let epoch = node.epoch;
        view.nodes.put(node);
        Ok(Some(epoch))
    }
}

/// Keeps the number of a writer that has had nothing to write for a while.
#[derive(Debug)]
pub struct RenewNodeLease;

impl Command for RenewNodeLease {
    type Outcome = ();

    fn shard(&self) -> ShardTag {
        ShardTag::of_key(0)
    }

    /// The row of its writer is part of every batch.
    fn read_set(&self, _: &mut ReadSet) {}

    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<(), Refusal> {
        let Some(stored) = view.nodes.get(cx.node.number) else { return Ok(()) };
        let is_short = stored.lease_till < cx.now.plus_ms(NODE_LEASE_MS * 2 / 3);
        if is_short {
            cx.node.renew_lease(cx.now);
            view.nodes.put(cx.node.clone());
        }
        Ok(())
    }
}

/// Gives the number of a writer back, as the last thing that it does.
#[derive(Debug)]
pub struct ReleaseNode;

impl Command for ReleaseNode {
    type Outcome = ();

    fn shard(&self) -> ShardTag {
        ShardTag::of_key(0)
    }

    /// The row of its writer is part of every batch.
    fn read_set(&self, _: &mut ReadSet) {}

    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<(), Refusal> {
        cx.node.lease_till = Timestamp::from_ms(0);
        view.nodes.put(cx.node.clone());
        Ok(())
    }
}

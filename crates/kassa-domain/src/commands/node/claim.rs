//! How a writer gets its number.

use crate::context::Context;
use crate::context::command::Command;
use crate::model::node::Node;
use crate::refusal::Refusal;
use crate::values::id::ShardTag;
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

    const SILENT: Option<&'static str> = Some("writers are the server's own");

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

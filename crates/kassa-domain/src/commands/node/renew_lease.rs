//! How a writer keeps its number.

use crate::context::Context;
use crate::context::command::Command;
use crate::model::node::NODE_LEASE_MS;
use crate::refusal::Refusal;
use crate::values::id::ShardTag;
use crate::view::{ReadSet, View};

/// Keeps the number of a writer that has had nothing to write for a while.
#[derive(Debug)]
pub struct RenewNodeLease;

impl Command for RenewNodeLease {
    type Outcome = ();

    const SILENT: Option<&'static str> = Some("writers are the server's own");

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

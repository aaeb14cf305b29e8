//! How a writer gives its number back.

use crate::context::Context;
use crate::context::command::Command;
use crate::refusal::Refusal;
use crate::values::id::ShardTag;
use crate::values::time::Timestamp;
use crate::view::{ReadSet, View};

/// Gives the number of a writer back, as the last thing that it does.
#[derive(Debug)]
pub struct ReleaseNode;

impl Command for ReleaseNode {
    type Outcome = ();

    const SILENT: Option<&'static str> = Some("writers are the server's own");

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

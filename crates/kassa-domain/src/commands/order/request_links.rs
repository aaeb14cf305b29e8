//! The wish for a mail with the links of one's orders.

use crate::commands::mail::queue_order_links;
use crate::context::Context;
use crate::context::command::Command;
use crate::refusal::Refusal;
use crate::values::email::Email;
use crate::values::id::ShardTag;
use crate::view::{ReadSet, View};

/// Queues the mail. Whether anything was ordered with the address is seen when it leaves, and not before: for an unknown one
/// the same is done, and takes as long.
#[derive(Debug)]
pub struct RequestOrderLinks {
    /// The address, as somebody typed it.
    pub email: Email,
    /// The language that its reader wants.
    pub lang: Option<String>,
}

impl Command for RequestOrderLinks {
    type Outcome = ();

    const SILENT: Option<&'static str> = Some("no order changes");

    fn shard(&self) -> ShardTag {
        self.email.tag()
    }

    fn read_set(&self, _: &mut ReadSet) {}

    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<(), Refusal> {
        queue_order_links(self.email.clone(), self.lang.clone(), cx, view);
        Ok(())
    }
}

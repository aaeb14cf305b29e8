//! A list of orders, sent by mail.

use crate::commands::mail::queue_export_mail;
use crate::context::Context;
use crate::context::command::Command;
use crate::model::order::ExportFilter;
use crate::permission;
use crate::refusal::Refusal;
use crate::values::email::Email;
use crate::values::id::ShardTag;
use crate::view::{ReadSet, View};

/// Sends a list of a partner's orders to an address. It is written when the mail leaves.
#[derive(Debug)]
pub struct ExportOrders {
    /// To whom.
    pub to: Email,
    /// Which orders.
    pub filter: ExportFilter,
}

impl Command for ExportOrders {
    type Outcome = ();

    fn shard(&self) -> ShardTag {
        self.filter.partner.tag()
    }

    fn read_set(&self, _: &mut ReadSet) {}

    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<(), Refusal> {
        permission::act_for(cx.actor, self.filter.partner)?;
        queue_export_mail(self.to.clone(), self.filter.clone(), cx, view);
        Ok(())
    }
}

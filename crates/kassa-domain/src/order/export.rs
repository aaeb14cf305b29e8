//! A list of orders, sent by mail (decisions §9).

use serde::{Deserialize, Serialize};

use super::OrderState;
use crate::command::Command;
use crate::context::Context;
use crate::event::EventId;
use crate::id::ShardTag;
use crate::mail;
use crate::partner::PartnerId;
use crate::permission;
use crate::refusal::Refusal;
use crate::time::Timestamp;
use crate::user::Email;
use crate::view::{ReadSet, View};

/// Which orders of a partner a list has: of those that it sold or organizes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExportFilter {
    /// Whose.
    pub partner: PartnerId,
    /// Only those made from then to then, both included.
    pub created: Option<(Timestamp, Timestamp)>,
    /// Only in one of these states.
    pub status: Option<Vec<OrderState>>,
    /// Only for one of these events.
    pub events: Option<Vec<EventId>>,
    /// Only those whose customer has said its e-mail.
    pub with_customer: bool,
}

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
        mail::queue_export_mail(self.to.clone(), self.filter.clone(), cx, view);
        Ok(())
    }
}

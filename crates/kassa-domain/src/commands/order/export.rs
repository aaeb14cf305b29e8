//! A list of orders, sent by mail.

use crate::commands::mail::queue_export_mail;
use crate::context::Context;
use crate::context::command::Command;
use crate::model::order::ExportFilter;
use crate::model::role::Capability;
use crate::permission;
use crate::refusal::Refusal;
use crate::values::email::Email;
use crate::values::id::ShardTag;
use crate::values::resource_ids::UserId;
use crate::view::{ReadSet, View};

/// Sends a list of a partner's orders to one of its managers, whose e-mail is confirmed. It is written when the mail
/// leaves.
#[derive(Debug)]
pub struct ExportOrders {
    /// To whom.
    pub to: Email,
    /// Whose e-mail that was when the request looked.
    pub user: Option<UserId>,
    /// Which orders.
    pub filter: ExportFilter,
}

impl Command for ExportOrders {
    type Outcome = ();

    const SILENT: Option<&'static str> = Some("it only queues a mail");

    fn shard(&self) -> ShardTag {
        self.filter.partner.tag()
    }

    fn read_set(&self, read_set: &mut ReadSet) {
        if let Some(user) = self.user {
            read_set.users.push(user);
            read_set.managers.push((self.filter.partner, user));
        }
    }

    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<(), Refusal> {
        permission::act_for(cx.actor, Capability::HandleMoney, self.filter.partner)?;
        let user = self.user.and_then(|user| view.users.get(user));
        if !user.is_some_and(|user| permission::receives_exports(user, &self.to, self.filter.partner, view)) {
            return Err(Refusal::ExportAddress(self.to.clone()));
        }
        queue_export_mail(self.to.clone(), self.filter.clone(), cx, view);
        Ok(())
    }
}

//! Rows that agree with others where what they name exists.

use super::{Audited, Findings};
use crate::model::mail::{Mail, MailContent};
use crate::view::{ReadSet, View};

impl Audited for Mail {
    fn audit_read_set(&self, read_set: &mut ReadSet) -> bool {
        read_set.mails.push(self.id);
        match self.content {
            MailContent::Export(_) | MailContent::ResetPassword | MailContent::OrderLinks => {}
            MailContent::ConfirmEmail { user } | MailContent::Invitation { user, .. } => read_set.users.push(user),
            MailContent::Tickets { order, .. } => read_set.orders.push(order),
            MailContent::PaymentInstructions { payment, .. } => read_set.payments.push(payment),
            MailContent::Webhook { webhook, .. } => read_set.webhooks.push(webhook),
        }
        true
    }

    fn audit(&self, view: &View, findings: &mut Findings) {
        let reports_on_existing = match self.content {
            MailContent::Export(_) | MailContent::ResetPassword | MailContent::OrderLinks => true,
            MailContent::ConfirmEmail { user } | MailContent::Invitation { user, .. } => view.users.get(user).is_some(),
            // Only paid orders are reported.
            MailContent::Tickets { order, .. } => view.orders.get(order).is_some_and(|order| !order.is_live()),
            MailContent::PaymentInstructions { payment, .. } => view.payments.get(payment).is_some(),
            MailContent::Webhook { webhook, .. } => view.webhooks.get(webhook).is_some(),
        };
        findings.checker_for("mail", &self.id).expect(
            "content",
            reports_on_existing,
            "one about what there is",
            &self.content.name(),
        );
    }
}

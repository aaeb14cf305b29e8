//! Mails that other commands send: each is a row of the transaction that it reports on.

use crate::context::Context;
use crate::model::invitation::Invitation;
use crate::model::mail::{Mail, MailContent};
use crate::model::order::{ExportFilter, Order};
use crate::model::payment::OrderPayment;
use crate::model::user::User;
use crate::model::webhook::{Webhook, WebhookNotice};
use crate::values::email::Email;
use crate::view::View;

/// Asks for the confirmation of an account's e-mail, unless that is known to be the user's.
pub(crate) fn queue_email_confirmation(user: &User, cx: &mut Context<'_>, view: &mut View) {
    if user.password_hash().is_some() && !user.is_email_confirmed() && !user.email.is_reserved() {
        let letter = MailContent::ConfirmEmail { user: user.id };
        view.mails.put(Mail::new(cx.root_id(), user.email.clone(), letter, cx.now));
    }
}

/// Tells whom somebody has invited, if there is a mailbox.
pub(crate) fn queue_invitation(invitation: &Invitation, cx: &mut Context<'_>, view: &mut View) {
    if invitation.email.is_reserved() {
        return;
    }
    let inviter = cx.actor.user().map(|user| user.user).or(invitation.founder);
    let letter = MailContent::Invitation { partner: invitation.key.partner, user: invitation.key.user, inviter };
    let mail = Mail::new(cx.root_id(), invitation.email.clone(), letter, cx.now);
    view.mails.put(Mail { partner: invitation.key.partner, ..mail });
}

/// Sends a token that sets a new password, to whoever has the address when the mail leaves.
pub(crate) fn queue_password_reset(to: Email, cx: &mut Context<'_>, view: &mut View) {
    view.mails.put(Mail::new(cx.root_id(), to, MailContent::ResetPassword, cx.now));
}

/// Sends the links of its orders to an address, in a language.
pub(crate) fn queue_order_links(to: Email, lang: Option<String>, cx: &mut Context<'_>, view: &mut View) {
    view.mails.put(Mail { lang, ..Mail::new(cx.root_id(), to, MailContent::OrderLinks, cx.now) });
}

/// Sends the tickets of an order to its customer.
pub(crate) fn queue_tickets_mail(order: &Order, cx: &mut Context<'_>, view: &mut View) {
    queue_customer_mail(order, MailContent::Tickets { event: order.event, order: order.id }, cx, view);
}

/// Tells the customer of an order how its payment is made.
pub(crate) fn queue_payment_instructions(order: &Order, payment: &OrderPayment, cx: &mut Context<'_>, view: &mut View) {
    let letter = MailContent::PaymentInstructions { event: order.event, order: order.id, payment: payment.id };
    queue_customer_mail(order, letter, cx, view);
}

fn queue_customer_mail(order: &Order, letter: MailContent, cx: &mut Context<'_>, view: &mut View) {
    if let Some(email) = &order.customer.email {
        let (id, lang) = (cx.id_with_tag(order.event.tag()), order.customer.lang.clone());
        let partner = Some(order.vendor);
        view.mails.put(Mail { partner, lang, ..Mail::new(id, email.clone(), letter, cx.now) });
    }
}

/// Sends a list of a partner's orders to an address.
pub(crate) fn queue_export_mail(to: Email, exported: ExportFilter, cx: &mut Context<'_>, view: &mut View) {
    let partner = Some(exported.partner);
    view.mails.put(Mail { partner, ..Mail::new(cx.root_id(), to, MailContent::Export(exported), cx.now) });
}

/// Tells people of a partner how one of its endpoints does.
pub(crate) fn queue_webhook_notice(
    webhook: &Webhook,
    notice: WebhookNotice,
    recipients: &[Email],
    cx: &mut Context<'_>,
    view: &mut View,
) {
    for to in recipients {
        let letter = MailContent::Webhook { webhook: webhook.id, notice };
        let mail = Mail::new(cx.root_id(), to.clone(), letter, cx.now);
        view.mails.put(Mail { partner: Some(webhook.partner), ..mail });
    }
}

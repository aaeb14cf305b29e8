//! What mails say: the same as plain text and as HTML; to buyers in their language, to others in English. A mail is rendered from the rows
//! as they are when it leaves.

mod builder;
mod confirm_email;
mod invitation;
mod order_links;
mod payment_instructions;
mod qr;
mod reservation;
mod reset_password;
mod tickets;
mod webhook;

pub(crate) use builder::{ComposedMail, MailAttachment, MailBuilder};

use kassa_domain::invitation::InvitationKey;
use kassa_domain::mail::{Mail, MailContent};
use kassa_domain::order::{Order, OrderId};
use kassa_domain::suspension::Inactivity;
use kassa_domain::{ReadSet, Refusal, View};
use kassa_texts::Language;
use order_links::LinkedOrder;

use super::MailSettings;
use crate::engine::Engine;
use crate::failure::Failure;
use crate::order_documents::PaidOrder;

impl Engine {
    /// Renders a mail; `None` if it has become pointless.
    pub(super) async fn render_mail(
        &self,
        settings: &MailSettings,
        mail: &Mail,
    ) -> Result<Option<ComposedMail>, Failure> {
        match mail.content {
            MailContent::Export(ref exported) => {
                let view = self.view(&ReadSet { partners: vec![exported.partner], ..ReadSet::default() }).await?;
                let asked = view.partners.get(exported.partner).filter(|partner| partner.inactivity().is_none());
                match asked {
                    Some(_) => self.write_export_mail(exported, mail).await,
                    None => Ok(None),
                }
            }
            MailContent::Invitation { partner, user, .. } => {
                let key = InvitationKey { partner, user };
                let (invitations, partners) = (vec![key], partner.into_iter().collect());
                let view = self.view(&ReadSet { invitations, partners, ..ReadSet::default() }).await?;
                let open = view.invitations.get(key).filter(|invitation| invitation.is_pending(self.now()));
                let inviting = match partner {
                    Some(partner) => view.partners.get(partner).filter(|partner| partner.inactivity().is_none()),
                    None => None,
                };
                // It was taken back, or whoever invites may not act.
                let is_pointless = open.is_none() || (partner.is_some() && inviting.is_none());
                Ok((!is_pointless).then(|| invitation::write(&mail.to, inviting, settings)))
            }
            MailContent::ConfirmEmail { user } => {
                let view = self.view(&ReadSet { users: vec![user], ..ReadSet::default() }).await?;
                // The user may have moved on to another address, or have proved this one meanwhile.
                let asked = view.users.get(user).filter(|user| user.email == mail.to && !user.is_email_confirmed());
                Ok(asked.map(|user| confirm_email::write(user, &self.confirmation_token(user), settings)))
            }
            MailContent::Webhook { webhook, notice } => {
                let view = self.view(&ReadSet { webhooks: vec![webhook], ..ReadSet::default() }).await?;
                let endpoint = view.webhooks.get(webhook).filter(|webhook| !webhook.removed);
                Ok(endpoint.map(|webhook| webhook::write(webhook, notice, settings)))
            }
            MailContent::ResetPassword => {
                let view = self.view(&ReadSet { users_by_email: vec![mail.to.clone()], ..ReadSet::default() }).await?;
                let asked = view.user_by_email(&mail.to).filter(|user| user.may_reset_password_by_mail());
                Ok(asked.map(|user| reset_password::write(user, &self.password_reset_token(user), settings)))
            }
            MailContent::OrderLinks => self.write_order_links(mail, settings).await,
            MailContent::PaymentInstructions { event, order, payment } => {
                self.write_payment_instructions((event, order, payment), settings).await
            }
            MailContent::Tickets { event, order } => {
                let view = self.rows_of_documents(order, event).await?;
                require_sellers_not_suspended(order, &view)?;
                let Some(paid) = PaidOrder::from_view(order, &view) else { return Ok(None) };
                let page = self.order_page(paid.order, &view, settings.public_url.as_ref());
                let mut composed = tickets::write(&paid, page.as_deref());
                composed.attachments = self.write_documents(&paid, settings).await;
                Ok(Some(composed))
            }
        }
    }

    /// The links of an address's orders; `None` if none has a page.
    async fn write_order_links(&self, mail: &Mail, settings: &MailSettings) -> Result<Option<ComposedMail>, Failure> {
        let Some(url) = &settings.public_url else { return Ok(None) };
        let (orders, view) = self.orders_of_address(&mail.to).await?;
        let language = mail.lang.as_deref().and_then(Language::of_tag).unwrap_or_default();
        let named = |order: &Order| {
            let page = self.order_page(order, &view, Some(url))?;
            let event = view.events.get(order.event)?.details.title_in(language.code());
            Some(LinkedOrder { number: order.number.to_string(), event, page })
        };
        let orders: Vec<LinkedOrder<'_>> = orders.iter().filter_map(named).collect();
        let host = url.host_str().unwrap_or_default();
        Ok((!orders.is_empty()).then(|| order_links::write(&orders, host, language)))
    }

    /// The documents that come with tickets, in the language of their customer. A mail goes without one that cannot be
    /// written: what it says is enough at the entrance.
    async fn write_documents(&self, paid: &PaidOrder<'_>, settings: &MailSettings) -> Vec<MailAttachment> {
        let language = paid.language();
        let (document, fonts) = (paid.tickets_document(language), self.fonts().clone());
        let number = paid.order.number;
        let pdf = tokio::task::spawn_blocking(move || document.to_pdf(&fonts)).await;
        let failed = |error: &dyn std::error::Error| {
            tracing::error!(order = %paid.order.id, %error, "tickets are mailed without their PDF");
            None
        };
        let pdf = match pdf {
            Ok(Ok(bytes)) => Some(bytes),
            Ok(Err(error)) => failed(&error),
            Err(error) => failed(&error),
        };
        let pdf = pdf.map(|bytes| {
            let name = format!("tickets-{number}.pdf");
            MailAttachment { name, content_type: "application/pdf", bytes }
        });
        let entry = paid.calendar_entry(language, self.now(), settings.public_url.as_ref());
        let ics = entry.map(|entry| MailAttachment {
            name: format!("event-{number}.ics"),
            content_type: "text/calendar; charset=utf-8; method=PUBLISH",
            bytes: entry.to_ics().into_bytes(),
        });
        pdf.into_iter().chain(ics).collect()
    }
}

/// The tickets of a suspended organizer or vendor wait: an attempt that fails is repeated, and given up in time.
fn require_sellers_not_suspended(order: OrderId, view: &View) -> Result<(), Failure> {
    let Some(order) = view.orders.get(order) else { return Ok(()) };
    let mut sellers = [order.organizer, order.vendor].into_iter().filter_map(|partner| view.partners.get(partner));
    if sellers.any(|seller| seller.suspension.is_some()) {
        return Err(Failure::Refused(Refusal::PartnerInactive(Inactivity::Suspended)));
    }
    Ok(())
}

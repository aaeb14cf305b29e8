//! What mails say: the same as plain text and as HTML, in English. A mail is rendered from the rows
//! as they are when it leaves.

mod builder;
mod confirm_email;
mod invitation;
mod qr;
mod reset_password;
mod tickets;
mod time;
mod webhook;

pub(crate) use builder::{ComposedMail, MailAttachment, MailBuilder};

use kassa_domain::invitation::InvitationKey;
use kassa_domain::mail::{Mail, MailContent};
use kassa_domain::order::OrderId;
use kassa_domain::suspension::Inactivity;
use kassa_domain::{ReadSet, Refusal, View};

use super::MailSettings;
use crate::engine::Engine;
use crate::failure::Failure;
use tickets::TicketsMail;

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
            MailContent::Tickets { event, order } => {
                let (events, sets_of, map_of) = (vec![event], vec![event], vec![event]);
                let (orders, held_by) = (vec![order], vec![order]);
                let view = self
                    .view(&ReadSet {
                        events,
                        sets_of,
                        hall_map_of: map_of,
                        orders,
                        tickets_held_by: held_by,
                        ..ReadSet::default()
                    })
                    .await?;
                self.require_sellers_not_suspended(order, &view).await?;
                let venues = view.events.get(event).and_then(|event| event.venue).into_iter().collect();
                let places = self.view(&ReadSet { venues, ..ReadSet::default() }).await?;
                Ok(TicketsMail::from_view(order, &view, &places).map(|tickets| tickets.write()))
            }
        }
    }

    /// The tickets of a suspended organizer or vendor wait: an attempt that fails is repeated, and given up in time.
    async fn require_sellers_not_suspended(&self, order: OrderId, view: &View) -> Result<(), Failure> {
        let Some(order) = view.orders.get(order) else { return Ok(()) };
        let partners = vec![order.organizer, order.vendor];
        let sellers = self.view(&ReadSet { partners, ..ReadSet::default() }).await?;
        if sellers.partners.rows().any(|seller| seller.suspension.is_some()) {
            return Err(Failure::Refused(Refusal::PartnerInactive(Inactivity::Suspended)));
        }
        Ok(())
    }
}

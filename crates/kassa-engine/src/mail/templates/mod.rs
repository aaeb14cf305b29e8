//! What mails say: the same as plain text and as HTML, in English. A mail is rendered from the rows
//! as they are when it leaves.

mod builder;
mod confirm_email;
mod qr;
mod tickets;
mod time;

pub(crate) use builder::{ComposedMail, MailAttachment, MailBuilder};

use kassa_domain::ReadSet;
use kassa_domain::mail::{Mail, MailContent};

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
            MailContent::Export(ref exported) => self.write_export_mail(exported, mail).await.map(Some),
            MailContent::ConfirmEmail { user } => {
                let view = self.view(&ReadSet { users: vec![user], ..ReadSet::default() }).await?;
                // The user may have moved on to another address, or have proved this one meanwhile.
                let asked = view.users.get(user).filter(|user| user.email == mail.to && !user.is_email_confirmed());
                Ok(asked.map(|user| confirm_email::write(user, &self.confirmation_token(user), settings)))
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
                let venues = view.events.get(event).and_then(|event| event.venue).into_iter().collect();
                let places = self.view(&ReadSet { venues, ..ReadSet::default() }).await?;
                Ok(TicketsMail::from_view(order, &view, &places).map(|tickets| tickets.write()))
            }
        }
    }
}

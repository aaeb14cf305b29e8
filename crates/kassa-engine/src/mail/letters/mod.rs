//! What mails say: the same as plain text and as HTML, in English. A letter is written over the rows
//! as they are when it leaves.

mod confirm_email;
mod qr;
mod sheet;
mod tickets;
mod time;

pub(crate) use sheet::{Attached, Content, Sheet};

use kassa_domain::Needs;
use kassa_domain::mail::{Letter, Mail};

use super::Post;
use crate::{Engine, Failure};
use tickets::Tickets;

impl Engine {
    /// Writes what a mail says; `None` when there is nothing left to tell.
    pub(super) async fn write_letter(&self, post: &Post, mail: &Mail) -> Result<Option<Content>, Failure> {
        match mail.letter {
            Letter::Export(ref exported) => self.write_export(exported, mail).await.map(Some),
            Letter::ConfirmEmail { user } => {
                let view = self.view(&Needs { users: vec![user], ..Needs::default() }).await?;
                // The user may have moved on to another address, or have proved this one meanwhile.
                let asked = view.users.get(user).filter(|user| user.email == mail.to && !user.confirmed());
                Ok(asked.map(|user| confirm_email::write(user, &self.confirm_token(user), post)))
            }
            Letter::Tickets { event, order } => {
                let (events, sets_of, map_of) = (vec![event], vec![event], vec![event]);
                let (orders, held_by) = (vec![order], vec![order]);
                let view = self.view(&Needs { events, sets_of, map_of, orders, held_by, ..Needs::default() }).await?;
                let venues = view.events.get(event).and_then(|event| event.venue).into_iter().collect();
                let places = self.view(&Needs { venues, ..Needs::default() }).await?;
                Ok(Tickets::of(order, &view, &places).map(|tickets| tickets.write()))
            }
        }
    }
}

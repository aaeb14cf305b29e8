//! A mail tells of what there is.

use super::{Audited, Findings};
use crate::mail::{Letter, Mail};
use crate::view::{Needs, View};

impl Audited for Mail {
    fn compared_with(&self, needs: &mut Needs) -> bool {
        needs.mails.push(self.id);
        match self.letter {
            Letter::Export(_) => {}
            Letter::ConfirmEmail { user } => needs.users.push(user),
            Letter::Tickets { order, .. } => needs.orders.push(order),
        }
        true
    }

    fn audit(&self, view: &View, findings: &mut Findings) {
        let tells = match self.letter {
            Letter::Export(_) => true,
            Letter::ConfirmEmail { user } => view.users.get(user).is_some(),
            // Only what is paid is told.
            Letter::Tickets { order, .. } => view.orders.get(order).is_some_and(|order| !order.is_live()),
        };
        findings.about("mail", &self.id).holds("letter", tells, "one about what there is", &self.letter.name());
    }
}

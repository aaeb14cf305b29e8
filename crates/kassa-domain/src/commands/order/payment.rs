//! Changes to how an order is paid.

use crate::model::order::{Payment, PaymentSystem};
use crate::values::patch::Patch;

impl Payment {
    pub(super) fn apply(&mut self, patch: PaymentPatch) {
        patch.system.apply(&mut self.system);
        match patch.invitation {
            Patch::Set(true) => self.system = Some(PaymentSystem::Invitation),
            // Whoever else takes the money goes on doing so.
            Patch::Set(false) | Patch::Clear if self.is_invitation() => self.system = None,
            Patch::Keep | Patch::Clear | Patch::Set(_) => {}
        }
        patch.success_url.apply(&mut self.success_url);
        patch.failure_url.apply(&mut self.failure_url);
        patch.send_tickets.apply_or(&mut self.send_tickets, false);
    }
}

/// A partial update of [`Payment`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PaymentPatch {
    /// Who takes the money.
    pub system: Patch<PaymentSystem>,
    /// Whether the tickets are given away: another way to say who takes the money.
    pub invitation: Patch<bool>,
    /// After success.
    pub success_url: Patch<String>,
    /// After failure.
    pub failure_url: Patch<String>,
    /// Whether the tickets are mailed.
    pub send_tickets: Patch<bool>,
}

impl PaymentPatch {
    /// Forgets how it is paid.
    pub fn clear() -> Self {
        Self {
            system: Patch::Clear,
            invitation: Patch::Keep,
            success_url: Patch::Clear,
            failure_url: Patch::Clear,
            send_tickets: Patch::Clear,
        }
    }
}

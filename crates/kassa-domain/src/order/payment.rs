//! How an order is paid.

use serde::{Deserialize, Serialize};

use crate::patch::Patch;

/// Who takes the money.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum PaymentSystem {
    /// The vendor does.
    #[serde(rename = "api/BASE")]
    CollectedByVendor,
    /// Nobody: the organizer invites.
    #[serde(rename = "system/INVITATION")]
    Invitation,
}

impl PaymentSystem {
    /// Its name in the interface.
    pub fn name(self) -> &'static str {
        match self {
            Self::CollectedByVendor => "api/BASE",
            Self::Invitation => "system/INVITATION",
        }
    }
}

/// How an order is paid.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Payment {
    /// Who takes the money; `None` until it is named.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub system: Option<PaymentSystem>,
    /// Where the customer goes after it has paid.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub success_url: Option<String>,
    /// Where the customer goes when it could not pay.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure_url: Option<String>,
    /// Whether the tickets are mailed when it is paid.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub send_tickets: bool,
}

impl Payment {
    /// Whether the tickets are given away.
    pub fn is_invitation(&self) -> bool {
        self.system == Some(PaymentSystem::Invitation)
    }

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
#[derive(Clone, Debug, Default)]
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

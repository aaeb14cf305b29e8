//! How an order is paid.

use serde::{Deserialize, Serialize};

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
}

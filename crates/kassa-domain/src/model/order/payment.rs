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
    /// The shop does, in a test: there is none.
    #[serde(rename = "kassa/TEST")]
    Test,
    /// The shop does, by bank transfer.
    #[serde(rename = "kassa/TRANSFER")]
    Transfer,
    /// The shop does, at the door or a counter.
    #[serde(rename = "kassa/DOOR")]
    Door,
    /// The shop does, by an account at Stripe.
    #[serde(rename = "kassa/STRIPE")]
    Stripe,
}

impl PaymentSystem {
    /// Whether the money is followed here, by payments of the order.
    pub fn has_payments(self) -> bool {
        match self {
            Self::Test | Self::Transfer | Self::Door | Self::Stripe => true,
            Self::CollectedByVendor | Self::Invitation => false,
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
    /// Whether the money is followed here, by payments of the order.
    pub fn has_payments(&self) -> bool {
        self.system.is_some_and(PaymentSystem::has_payments)
    }

    /// Whether the tickets are given away.
    pub fn is_invitation(&self) -> bool {
        self.system == Some(PaymentSystem::Invitation)
    }
}

//! The shop of a partner: where people buy, and how they pay.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::values::bank::{Bic, Iban};
use crate::values::patch::{Patch, patchable};
use crate::values::web_origin::WebOrigin;

/// A way in which a shop takes money.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum PaymentProvider {
    /// Nobody pays anything: a page asks how the payment shall end. Only where the operator allows it.
    Test,
    /// A bank transfer, which somebody finds in the statements of an account.
    Transfer,
    /// Money at the door, or at a counter.
    Door,
    /// By card and whatever else Stripe takes, on a page of its own. Only where the server has a currency.
    Stripe,
}

impl PaymentProvider {
    /// Every way to pay.
    pub const ALL: [Self; 4] = [Self::Test, Self::Transfer, Self::Door, Self::Stripe];

    /// Its name outside.
    pub fn name(self) -> &'static str {
        match self {
            Self::Test => "TEST",
            Self::Transfer => "TRANSFER",
            Self::Door => "DOOR",
            Self::Stripe => "STRIPE",
        }
    }
}

/// A secret of a partner: encrypted by the server's, and how it ends, by which its owner tells it from others.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SealedSecret {
    /// The encrypted text, in hexadecimal digits.
    pub sealed: String,
    /// Its last four characters.
    pub ending: String,
}

impl fmt::Debug for SealedSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SealedSecret(…{})", self.ending)
    }
}

/// The account at Stripe that takes the money of a shop.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StripeAccount {
    /// What the server asks Stripe by.
    pub secret_key: SealedSecret,
    /// By what it knows notices of Stripe; without, all are refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub webhook_secret: Option<SealedSecret>,
}

/// A colour: red, green and blue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Color(pub [u8; 3]);

/// A bank account, and how long a transfer to it may take.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TransferAccount {
    /// Which.
    pub iban: Iban,
    /// Whose, as its bank knows them.
    pub holder: String,
    /// Its bank.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bic: Option<Bic>,
    /// Within how many days of the order the money shall come.
    pub days: u32,
}

/// Sites that may have a shop in a frame, at most.
pub const SHOP_ORIGINS_MAX: usize = 20;

/// The most days that a transfer may take.
pub const TRANSFER_DAYS_MAX: u32 = 60;

patchable! {
    /// How a partner sells to people.
    #[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(default)]
    pub struct Shop {
        /// Whether anybody may order there.
        is_open: bool = Patch<bool>,
        /// How orders can be paid, in the order in which they are offered; each once.
        payments: Vec<PaymentProvider> = Patch<Vec<PaymentProvider>>,
        /// The colour of what can be pressed.
        #[serde(skip_serializing_if = "Option::is_none")]
        accent: Option<Color> = Patch<Color>,
        /// Where transfers go.
        #[serde(skip_serializing_if = "Option::is_none")]
        transfer: Option<TransferAccount> = Patch<TransferAccount>,
        /// The sites whose pages may have the shop in a frame; each once.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        origins: Vec<WebOrigin> = Patch<Vec<WebOrigin>>,
    }
    unpatched {
        /// Who takes payments by card.
        #[serde(skip_serializing_if = "Option::is_none")]
        stripe: Option<StripeAccount>,
    }

    /// A partial update of how a partner sells to people.
    pub struct ShopPatch;
}

impl Shop {
    /// Whether orders can be paid in this way. Transfers and cards need an account.
    pub fn offers(&self, provider: PaymentProvider) -> bool {
        let is_possible = match provider {
            PaymentProvider::Test | PaymentProvider::Door => true,
            PaymentProvider::Transfer => self.transfer.is_some(),
            PaymentProvider::Stripe => self.stripe.is_some(),
        };
        is_possible && self.payments.contains(&provider)
    }

    /// Whether nothing was ever said of it.
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

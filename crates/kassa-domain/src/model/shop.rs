//! The shop of a partner: where people buy, and how they pay.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::values::bank::{Bic, Iban};
use crate::values::hex128::Hex128;
use crate::values::media::MediaItem;
use crate::values::patch::{Patch, patchable};
use crate::values::resource_ids::AttachmentId;
use crate::values::time::Timestamp;
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
        /// What it says of itself there.
        #[serde(skip_serializing_if = "Option::is_none")]
        about: Option<String> = Patch<String>,
        /// Where people write to it, as text.
        #[serde(skip_serializing_if = "Option::is_none")]
        email: Option<String> = Patch<String>,
        /// Where people call it.
        #[serde(skip_serializing_if = "Option::is_none")]
        phone: Option<String> = Patch<String>,
    }
    unpatched {
        /// The picture at the head of its pages.
        #[serde(skip_serializing_if = "Option::is_none")]
        header: Option<MediaItem>,
        /// The terms that whoever buys there accepts.
        #[serde(skip_serializing_if = "Option::is_none")]
        terms: Option<ShopTerms>,
        /// Who takes payments by card.
        #[serde(skip_serializing_if = "Option::is_none")]
        stripe: Option<StripeAccount>,
    }

    /// A partial update of how a partner sells to people.
    pub struct ShopPatch;
}

/// Terms of a seller: a text, a PDF, or both.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShopTerms {
    /// As text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// As a PDF.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<MediaItem>,
    /// Since when they are so: who accepts terms names them by that.
    pub since: Timestamp,
}

/// A partial update of [`ShopTerms`]: with the id of an attachment, then with what is shown of it.
#[derive(Clone, Debug)]
pub struct ShopTermsPatch<T = AttachmentId> {
    /// As text.
    pub text: Patch<String>,
    /// As a PDF.
    pub file: Patch<T>,
}

/// What of a shop is made of attachments.
#[derive(Clone, Debug)]
pub struct ShopFilesPatch<T = AttachmentId> {
    /// The picture at the head of its pages.
    pub header: Patch<T>,
    /// Its terms.
    pub terms: Patch<ShopTermsPatch<T>>,
}

impl<T> Default for ShopFilesPatch<T> {
    fn default() -> Self {
        Self { header: Patch::Keep, terms: Patch::Keep }
    }
}

impl ShopFilesPatch {
    /// The attachments that it names.
    pub fn attachments(&self) -> impl Iterator<Item = AttachmentId> {
        let file = match &self.terms {
            Patch::Set(terms) => terms.file.clone().value(),
            Patch::Keep | Patch::Clear => None,
        };
        self.header.clone().value().into_iter().chain(file)
    }
}

impl Shop {
    pub(crate) fn apply_files(&mut self, patch: ShopFilesPatch<MediaItem>, now: Timestamp) {
        patch.header.apply(&mut self.header);
        let terms = match patch.terms {
            Patch::Keep => return,
            Patch::Clear => ShopTermsPatch { text: Patch::Clear, file: Patch::Clear },
            Patch::Set(terms) => terms,
        };
        let (mut text, mut file) = self.terms.clone().map_or((None, None), |terms| (terms.text, terms.file));
        terms.text.apply(&mut text);
        terms.file.apply(&mut file);
        if self.terms.as_ref().is_some_and(|terms| (&terms.text, &terms.file) == (&text, &file)) {
            return;
        }
        let is_said = text.is_some() || file.is_some();
        self.terms = is_said.then_some(ShopTerms { text, file, since: now });
    }

    /// Whether it shows the attachment of this token.
    pub fn shows(&self, token: Hex128) -> bool {
        let terms = self.terms.as_ref().and_then(|terms| terms.file.as_ref());
        [self.header.as_ref(), terms].into_iter().flatten().any(|item| item.token == token)
    }

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

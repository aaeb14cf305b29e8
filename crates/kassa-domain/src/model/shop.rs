//! The shop of a partner: where people buy, and how they pay.

use serde::{Deserialize, Serialize};

use crate::values::patch::{Patch, patchable};

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
}

/// A colour: red, green and blue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Color(pub [u8; 3]);

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
    }

    /// A partial update of how a partner sells to people.
    pub struct ShopPatch;
}

impl Shop {
    /// Whether nothing was ever said of it.
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

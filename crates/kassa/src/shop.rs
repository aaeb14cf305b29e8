//! Flags of the pages that people buy on.

use clap::Args;
use kassa_web::{Currency, ShopSettings};

/// Flags of the pages that people buy on.
#[derive(Debug, Args)]
pub(crate) struct ShopArguments {
    /// What the shop is called on its pages.
    #[arg(long = "shop-name", env = "KASSA_SHOP_NAME", value_name = "NAME", default_value = "Kassa")]
    name: String,
    /// The currency of all amounts, by its code (ISO 4217), such as EUR. Pages show amounts without one if none is given.
    #[arg(long, env = "KASSA_CURRENCY", value_name = "CODE")]
    pub(crate) currency: Option<Currency>,
}

impl ShopArguments {
    /// How pages are made.
    pub(crate) fn settings(self) -> ShopSettings {
        ShopSettings { name: self.name, currency: self.currency, ..ShopSettings::default() }
    }
}

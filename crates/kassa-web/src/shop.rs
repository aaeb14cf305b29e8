//! What every page has at hand.

use std::time::Duration;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use kassa_http::AppState;
use kassa_http::in_process::InProcessClient;
use kassa_texts::Currency;

use crate::api::Api;
use crate::assets::Assets;
use crate::error::PageError;
use crate::operator_texts::OperatorTexts;
use crate::page_cache::PageCache;

/// Settings of the pages.
#[derive(Clone, Debug)]
pub struct ShopSettings {
    /// What the shop is called.
    pub name: String,
    /// What amounts are in; where it is not known, they are numbers.
    pub currency: Option<Currency>,
    /// What the operator says of itself.
    pub operator_texts: OperatorTexts,
    /// How old a page that is the same for everybody may get before it is made again.
    pub page_age_max: Duration,
}

impl Default for ShopSettings {
    fn default() -> Self {
        Self {
            name: "Kassa".to_owned(),
            currency: None,
            operator_texts: OperatorTexts::default(),
            page_age_max: Duration::from_secs(1),
        }
    }
}

/// What every page has at hand.
pub(crate) struct Shop {
    pub(crate) api: Api,
    pub(crate) app: AppState,
    pub(crate) settings: ShopSettings,
    pub(crate) assets: Assets,
    pub(crate) cache: PageCache,
}

impl Shop {
    pub(crate) fn new(client: InProcessClient, app: AppState, settings: ShopSettings) -> Self {
        Self {
            api: Api::new(client, app.clone()),
            app,
            cache: PageCache::new(settings.page_age_max),
            settings,
            assets: Assets::load(),
        }
    }

    /// A name under which something is done once: nobody else comes upon it.
    pub(crate) fn new_key(&self) -> String {
        self.app.engine.random_hex(16)
    }

    /// The credential of whoever visits the shop of a partner.
    pub(crate) fn visitor(&self, vendor: &str) -> Result<String, PageError> {
        let vendor = vendor.parse().map_err(|_| PageError::NotFound)?;
        Ok(format!("widget {}", self.app.engine.shop_token(vendor)))
    }

    /// The time, and the year that is left out of dates.
    pub(crate) fn present(&self) -> (Timestamp, i16) {
        let now = Timestamp::from_millisecond(self.app.engine.now().ms()).unwrap_or_default();
        (now, now.to_zoned(TimeZone::UTC).year())
    }
}

//! What every page has at hand.

use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use kassa_domain::payment::PaymentProvider;
use kassa_http::AppState;
use kassa_http::in_process::InProcessClient;
use kassa_texts::Currency;
use moka::sync::Cache;

use crate::api::Api;
use crate::assets::Assets;
use crate::error::PageError;
use crate::hall::Hall;
use crate::operator_texts::OperatorTexts;
use crate::page_cache::PageCache;
use crate::widget_scripts::WidgetScripts;

/// Memory that halls take, in bytes.
const HALL_BYTES_MAX: u64 = 32 * 1024 * 1024;

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
    pub(crate) widget: WidgetScripts,
    /// Halls, by the layouts and maps that they were made of.
    pub(crate) halls: Cache<String, Arc<Hall>>,
}

impl Shop {
    pub(crate) fn new(client: InProcessClient, app: AppState, settings: ShopSettings) -> Self {
        Self {
            api: Api::new(client, app.clone()),
            cache: PageCache::new(settings.page_age_max, app.page_cache_bytes()),
            app,
            halls: Cache::builder()
                .max_capacity(HALL_BYTES_MAX)
                .weigher(|key: &String, hall: &Arc<Hall>| u32::try_from(key.len() + hall.bytes()).unwrap_or(u32::MAX))
                .build(),
            settings,
            assets: Assets::load(),
            widget: WidgetScripts::load(),
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

    /// Whether this server can take money in a way that a shop offers.
    pub(crate) fn takes(&self, provider: &str) -> bool {
        let known = PaymentProvider::ALL.into_iter().find(|known| known.name() == provider);
        known.is_some_and(|known| self.app.engine.allows_payment(known))
    }

    /// The time, and the year that is left out of dates.
    pub(crate) fn present(&self) -> (Timestamp, i16) {
        let now = Timestamp::from_millisecond(self.app.engine.now().ms()).unwrap_or_default();
        (now, now.to_zoned(TimeZone::UTC).year())
    }
}

//! Pages that were made a moment ago: of the same page, many people ask at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use moka::sync::Cache;
use tokio::time::Instant;

use crate::answer::Rendered;

/// So much older than it should be a page may get while somebody makes a new one.
const GRACE: Duration = Duration::from_secs(5);

/// Pages by what they are made for.
pub(crate) struct PageCache {
    pages: Cache<String, Arc<KeptPage>>,
    /// How old a page gets before it is made again.
    age_max: Duration,
}

/// A page, and when it was made.
struct KeptPage {
    page: Arc<Rendered>,
    made_at: Instant,
    /// Whether somebody is making a new one.
    is_renewed: AtomicBool,
}

impl PageCache {
    /// Keeps pages for so long, and so many bytes of them.
    pub(crate) fn new(age_max: Duration, bytes_max: usize) -> Self {
        let weight =
            |key: &String, kept: &Arc<KeptPage>| u32::try_from(key.len() + kept.page.bytes()).unwrap_or(u32::MAX);
        let pages =
            Cache::builder().max_capacity(bytes_max as u64).weigher(weight).time_to_live(age_max + GRACE).build();
        Self { pages, age_max }
    }

    /// A page that needs not be made. Once it is old, the first who asks gets none, and others this one until there is a new
    /// one.
    pub(crate) fn find(&self, key: &str) -> Option<Arc<Rendered>> {
        let kept = self.pages.get(key)?;
        let is_fresh = kept.made_at.elapsed() < self.age_max;
        (is_fresh || kept.is_renewed.swap(true, Ordering::Relaxed)).then(|| Arc::clone(&kept.page))
    }

    /// Keeps a page.
    pub(crate) fn keep(&self, key: String, page: &Arc<Rendered>) {
        if !self.age_max.is_zero() {
            let is_renewed = AtomicBool::new(false);
            self.pages.insert(key, Arc::new(KeptPage { page: Arc::clone(page), made_at: Instant::now(), is_renewed }));
        }
    }
}

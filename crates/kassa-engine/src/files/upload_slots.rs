//! Uploads at a time: so many in all, and so many of one partner. Fewer are brought to the disk at a time, so that the
//! commits of sales need not wait for many.

use std::collections::HashMap;
use std::sync::Arc;

use kassa_domain::partner::PartnerId;
use parking_lot::Mutex;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::fair_permits::{FairLimits, FairPermit, FairPermits};

/// Uploads at a time; more are rejected as busy. Each holds a part in memory.
const UPLOADS_MAX: usize = 64;
/// Uploads of one partner at a time. An upload may take hours, if its client is slow: a partner that has many keys
/// leaves places to others.
const UPLOADS_PER_PARTNER_MAX: usize = 8;

/// Uploads whose bytes are brought to the disk at a time.
const FLUSHES: FairLimits =
    FairLimits { total: 2, per_caller: 1, waiting_per_caller: UPLOADS_MAX, waiting: UPLOADS_MAX };

/// How many uploads each partner has.
type UploadCounts = Arc<Mutex<HashMap<PartnerId, usize>>>;

/// The places of uploads. Clones share them.
#[derive(Clone)]
pub(super) struct UploadSlots {
    places: Arc<Semaphore>,
    counts: UploadCounts,
    flushes: FairPermits<Option<PartnerId>>,
}

impl Default for UploadSlots {
    fn default() -> Self {
        Self {
            places: Arc::new(Semaphore::new(UPLOADS_MAX)),
            counts: Arc::default(),
            flushes: FairPermits::new(FLUSHES),
        }
    }
}

/// The place of one upload, until it is dropped.
pub(super) struct UploadSlot {
    share: Option<UploadShare>,
    flushes: FairPermits<Option<PartnerId>>,
    _place: OwnedSemaphorePermit,
}

/// An upload among those of its partner.
struct UploadShare {
    partner: PartnerId,
    counts: UploadCounts,
}

impl UploadSlots {
    /// A place for an upload of this partner, or of the program itself; `None` if there is none, or the partner has as
    /// many as it may.
    pub(super) fn try_acquire(&self, partner: Option<PartnerId>) -> Option<UploadSlot> {
        let share = match partner {
            Some(partner) => Some(UploadShare::enter(&self.counts, partner)?),
            None => None,
        };
        let place = Arc::clone(&self.places).try_acquire_owned().ok()?;
        Some(UploadSlot { share, flushes: self.flushes.clone(), _place: place })
    }
}

impl UploadSlot {
    /// Waits for a turn to bring the bytes to the disk. `None` does not happen: no more wait than have a place.
    pub(super) async fn flush_turn(&self) -> Option<FairPermit<Option<PartnerId>>> {
        self.flushes.acquire(self.share.as_ref().map(|share| share.partner)).await.ok()
    }
}

impl UploadShare {
    fn enter(counts: &UploadCounts, partner: PartnerId) -> Option<Self> {
        let mut all = counts.lock();
        let own = all.entry(partner).or_default();
        if *own == UPLOADS_PER_PARTNER_MAX {
            return None;
        }
        *own += 1;
        Some(Self { partner, counts: Arc::clone(counts) })
    }
}

impl Drop for UploadShare {
    fn drop(&mut self) {
        let mut all = self.counts.lock();
        if let Some(own) = all.get_mut(&self.partner) {
            *own -= 1;
            if *own == 0 {
                all.remove(&self.partner);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use kassa_domain::Id;

    use super::*;

    #[test]
    fn a_partner_leaves_places_to_others() {
        let slots = UploadSlots::default();
        let take = |partner: i64| slots.try_acquire(Some(Id::root(partner)));
        let own: Vec<UploadSlot> = (0..=UPLOADS_PER_PARTNER_MAX).map_while(|_| take(1)).collect();
        assert_eq!(own.len(), UPLOADS_PER_PARTNER_MAX);
        let others: Vec<UploadSlot> = (UPLOADS_PER_PARTNER_MAX..UPLOADS_MAX)
            .map_while(|place| take(2 + i64::try_from(place / UPLOADS_PER_PARTNER_MAX).unwrap()))
            .collect();
        assert_eq!(own.len() + others.len(), UPLOADS_MAX);
        assert!(take(100).is_none(), "all are taken");
        assert!(!slots.counts.lock().contains_key(&Id::root(100)));
        drop(own);
        assert!(take(100).is_some() && take(1).is_some() && slots.try_acquire(None).is_some());
        drop(others);
        assert!(slots.counts.lock().is_empty());
    }
}

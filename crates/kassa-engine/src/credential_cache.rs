//! A bounded cache of who has which API key or session.
//!
//! A refusal is never given from the cache. A removed credential cannot come back by a look-up that was under way: each
//! look-up notes the generation before it reads, and its result is inserted only if that is still the generation. What
//! another server or program removes is refused here within five seconds: entries live four, and the result of a look-up
//! that took more than one is not inserted.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use kassa_domain::Timestamp;
use kassa_domain::actor::UserActor;
use kassa_domain::api_key::ApiKeyId;
use kassa_domain::partner::PartnerId;
use kassa_domain::session::SessionHash;
use moka::sync::Cache;
use parking_lot::RwLock;

use crate::clock::Clock;

const ENTRIES_MAX: u64 = 100_000;
const ENTRY_TTL: Duration = Duration::from_secs(4);
/// How long ago the look-up of an entry may have begun when it is inserted.
const LOOKUP_AGE_MAX_MS: i64 = 1_000;
/// How long a credential that another server or program has removed may be good here.
pub const REVOCATION_DELAY_MAX: Duration = Duration::from_secs(5);
const _: () =
    assert!(ENTRY_TTL.as_millis() + LOOKUP_AGE_MAX_MS.unsigned_abs() as u128 <= REVOCATION_DELAY_MAX.as_millis());

/// The caches of credentials.
pub(crate) struct CredentialCache {
    pub(crate) keys: Cache<[u8; 32], KeyHolder>,
    pub(crate) sessions: Cache<SessionHash, SessionEntry>,
    generation: AtomicU64,
    /// Shared by insertions, and exclusive while all entries are dropped.
    insert_gate: RwLock<()>,
}

/// Whose an API key is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyHolder {
    /// The partner.
    pub partner: PartnerId,
    /// The key.
    pub key: ApiKeyId,
    /// Whether the feed shows it the data of customers.
    pub has_customers: bool,
}

#[derive(Clone)]
pub(crate) struct SessionEntry {
    pub(crate) user: UserActor,
    pub(crate) expires_at: Timestamp,
}

/// When a look-up began.
#[derive(Clone, Copy)]
pub(crate) struct LookupStart {
    pub(crate) at: Timestamp,
    generation: u64,
}

impl CredentialCache {
    pub(crate) fn new() -> Self {
        fn cache<K, V>() -> Cache<K, V>
        where
            K: std::hash::Hash + Eq + Send + Sync + 'static,
            V: Clone + Send + Sync + 'static,
        {
            Cache::builder().max_capacity(ENTRIES_MAX).time_to_live(ENTRY_TTL).build()
        }
        Self { keys: cache(), sessions: cache(), generation: AtomicU64::new(0), insert_gate: RwLock::new(()) }
    }

    /// Begins a look-up at this time.
    pub(crate) fn begin_lookup(&self, at: Timestamp) -> LookupStart {
        LookupStart { at, generation: self.generation.load(Ordering::Acquire) }
    }

    /// Inserts what a look-up found, unless it took too long or entries were dropped meanwhile.
    pub(crate) fn insert_if_fresh(&self, start: LookupStart, clock: &dyn Clock, insert: impl FnOnce(&Self)) {
        let _shared = self.insert_gate.read();
        let is_fresh = (0..=LOOKUP_AGE_MAX_MS).contains(&(clock.now().ms() - start.at.ms()));
        if is_fresh && self.generation.load(Ordering::Acquire) == start.generation {
            insert(self);
        }
    }

    /// Drops all entries, also those whose look-up is under way.
    pub(crate) fn invalidate_all(&self) {
        let _exclusive = self.insert_gate.write();
        self.generation.fetch_add(1, Ordering::AcqRel);
        self.keys.invalidate_all();
        self.sessions.invalidate_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::ManualClock;

    fn holder() -> KeyHolder {
        KeyHolder { partner: PartnerId::root(1), key: ApiKeyId::root(2), has_customers: true }
    }

    #[test]
    fn slow_lookups_are_not_cached() {
        let begun_at = Timestamp::from_ms(1_767_225_600_000);
        for (ms, is_kept) in [(0, true), (1_000, true), (1_001, false), (60_000, false), (-1, false)] {
            let (cache, hash) = (CredentialCache::new(), [7; 32]);
            let clock = ManualClock::new(begun_at.plus_ms(ms));
            cache.insert_if_fresh(cache.begin_lookup(begun_at), &clock, |cache| {
                cache.keys.insert(hash, holder());
            });
            assert_eq!(cache.keys.get(&hash).is_some(), is_kept, "after {ms} ms");
        }
    }

    #[test]
    fn lookups_begun_before_an_invalidation_are_not_cached() {
        let (cache, hash, now) = (CredentialCache::new(), [7; 32], Timestamp::from_ms(0));
        let start = cache.begin_lookup(now);
        cache.invalidate_all();
        cache.insert_if_fresh(start, &ManualClock::new(now), |cache| cache.keys.insert(hash, holder()));
        assert_eq!(cache.keys.get(&hash), None);
    }
}

//! Who the caller is: from an API key or a session, through a bounded cache.
//!
//! A refusal is never given from the cache. What was removed cannot come back by a look-up that was
//! under way: each look-up notes the generation before it reads, and keeps its result only if that
//! is still the one. What another node or program removes is dead here within five seconds: entries
//! live four, and what took longer than one to look up is not kept.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use futures_util::future::BoxFuture;
use kassa_domain::actor::UserActor;
use kassa_domain::partner::PartnerId;
use kassa_domain::refusal::CredentialFault;
use kassa_domain::session::{ExtendSession, SessionHash};
use kassa_domain::{Actor, ReadSet, Refusal, Timestamp};
use moka::sync::Cache;
use parking_lot::RwLock;

use crate::{Clock, Engine, Failure};

const ENTRIES_MAX: u64 = 100_000;
const ENTRY_TTL: Duration = Duration::from_secs(4);
/// How long ago the look-up of an entry may have begun when it is inserted.
const LOOKUP_AGE_MAX_MS: i64 = 1_000;
/// How long a credential that another server or program has removed may be good here.
const REVOCATION_DELAY_MAX: Duration = Duration::from_secs(5);
const _: () =
    assert!(ENTRY_TTL.as_millis() + LOOKUP_AGE_MAX_MS.unsigned_abs() as u128 <= REVOCATION_DELAY_MAX.as_millis());

/// The caches of credentials.
pub(crate) struct CredentialCache {
    keys: Cache<[u8; 32], PartnerId>,
    sessions: Cache<SessionHash, SessionEntry>,
    generation: AtomicU64,
    /// Held while an entry is kept, and alone while all are dropped.
    insert_gate: RwLock<()>,
}

#[derive(Clone)]
struct SessionEntry {
    user: UserActor,
    expires_at: Timestamp,
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

    fn generation(&self) -> u64 {
        self.generation.load(Ordering::Acquire)
    }

    /// Keeps what was looked up since `checked_request_time`, when the generation was `seen`.
    fn insert_if_fresh(&self, (seen, asked_at): (u64, Timestamp), clock: &dyn Clock, insert: impl FnOnce(&Self)) {
        let _gate = self.insert_gate.read();
        let is_fresh = (0..=LOOKUP_AGE_MAX_MS).contains(&(clock.now().ms() - asked_at.ms()));
        if is_fresh && self.generation() == seen {
            insert(self);
        }
    }

    fn invalidate_all(&self) {
        let _alone = self.insert_gate.write();
        self.generation.fetch_add(1, Ordering::AcqRel);
        self.keys.invalidate_all();
        self.sessions.invalidate_all();
    }
}

impl Engine {
    /// Who has this API key: 32 lowercase hexadecimal digits.
    pub async fn actor_of_key(&self, token: &str) -> Result<Actor, Failure> {
        let hash = self.inner.secret.hash(token);
        if let Some(partner) = self.inner.auth.keys.get(&hash) {
            return Ok(Actor::Partner(partner));
        }
        // Looking up is long, and seldom: requests do not carry it.
        self.look_up_key(hash).await
    }

    fn look_up_key(&self, hash: [u8; 32]) -> BoxFuture<'_, Result<Actor, Failure>> {
        Box::pin(async move {
            let auth = &self.inner.auth;
            let asked = (auth.generation(), self.now());
            let view = self.view(&ReadSet { keys_by_hash: vec![hash], ..ReadSet::default() }).await?;
            let key = view
                .keys
                .rows()
                .find(|key| !key.removed)
                .ok_or(Refusal::CredentialInvalid(CredentialFault::UnknownKey))?;
            auth.insert_if_fresh(asked, &*self.inner.clock, |auth| auth.keys.insert(hash, key.partner));
            Ok(Actor::Partner(key.partner))
        })
    }

    /// Who is logged in with this session token, and whether that made the session last longer.
    pub async fn actor_of_session(&self, token: &str) -> Result<(UserActor, bool), Failure> {
        let hash = self.inner.secret.hash(token);
        let now = self.now();
        if let Some(entry) = self.inner.auth.sessions.get(&hash).filter(|entry| entry.expires_at > now) {
            return Ok((entry.user, false));
        }
        self.look_up_session(hash, now).await
    }

    fn look_up_session(&self, hash: SessionHash, now: Timestamp) -> BoxFuture<'_, Result<(UserActor, bool), Failure>> {
        Box::pin(async move {
            let auth = &self.inner.auth;
            let asked = (auth.generation(), self.now());
            let view = self.view(&ReadSet { sessions: vec![hash], ..ReadSet::default() }).await?;
            let session = view.sessions.get(hash).filter(|session| session.expires_at > now);
            let session = session.ok_or(Refusal::CredentialInvalid(CredentialFault::SessionEnded))?.clone();
            let user = session.user;
            let view = self.view(&ReadSet { users: vec![user], partners_of: vec![user], ..ReadSet::default() }).await?;
            let found = view
                .users
                .get(user)
                .filter(|user| user.admits_session(&session))
                .ok_or(Refusal::CredentialInvalid(CredentialFault::SessionEnded))?;
            let proved = found.confirmed_emails().to_vec();
            let user = UserActor {
                user,
                confirmed_emails: proved,
                managed_partners: view.partners_of(user),
                acting_for: None,
            };
            let extended = session.is_extension_due(now) && self.extend_session(hash).await;
            let entry = SessionEntry { user: user.clone(), expires_at: session.expires_at };
            auth.insert_if_fresh(asked, &*self.inner.clock, |auth| auth.sessions.insert(hash, entry));
            Ok((user, extended))
        })
    }

    /// Who is busy need not refuse a session that is good: the next request tries again.
    async fn extend_session(&self, hash: SessionHash) -> bool {
        self.execute(&Actor::System, ExtendSession { hash }, |_, ()| ()).await.is_ok()
    }

    /// Forgets every credential that was looked up: one was removed, or means something else now.
    pub fn invalidate_credentials(&self) {
        self.inner.auth.invalidate_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::ManualClock;

    #[test]
    fn slow_lookups_are_not_cached() {
        let asked_at = Timestamp::from_ms(1_767_225_600_000);
        for (ms, is_kept) in [(0, true), (1_000, true), (1_001, false), (60_000, false), (-1, false)] {
            let (auth, hash) = (CredentialCache::new(), [7; 32]);
            let clock = ManualClock::new(asked_at.plus_ms(ms));
            auth.insert_if_fresh((auth.generation(), asked_at), &clock, |auth| {
                auth.keys.insert(hash, PartnerId::root(1));
            });
            assert_eq!(auth.keys.get(&hash).is_some(), is_kept, "after {ms} ms");
        }
    }

    #[test]
    fn lookups_begun_before_an_invalidation_are_not_cached() {
        let (auth, hash, now) = (CredentialCache::new(), [7; 32], Timestamp::from_ms(0));
        let seen = auth.generation();
        auth.invalidate_all();
        auth.insert_if_fresh((seen, now), &ManualClock::new(now), |auth| auth.keys.insert(hash, PartnerId::root(1)));
        assert_eq!(auth.keys.get(&hash), None);
    }
}

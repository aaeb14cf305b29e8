//! Keys of requests that are being answered.

use std::collections::HashSet;
use std::sync::Arc;

use kassa_domain::idempotency::IdempotencyRecordKey;
use parking_lot::Mutex;

use super::idempotency::busy_error;
use crate::error::ApiError;

/// Keys at a time; more are told to come back later.
const KEYS_MAX: usize = 65_536;

/// The keys that are in use on this node. Clones share them.
#[derive(Clone, Default)]
pub(crate) struct KeysInUse {
    used: Arc<Mutex<HashSet<IdempotencyRecordKey>>>,
}

/// A key in use; it is free again when this goes.
#[derive(Debug)]
pub(super) struct KeyInUse {
    used: Arc<Mutex<HashSet<IdempotencyRecordKey>>>,
    key: IdempotencyRecordKey,
}

impl Drop for KeyInUse {
    fn drop(&mut self) {
        self.used.lock().remove(&self.key);
    }
}

impl KeysInUse {
    /// Takes a key into use; `None` where it is already. A crowd of them is too much.
    pub(super) fn acquire(&self, key: IdempotencyRecordKey) -> Result<Option<KeyInUse>, ApiError> {
        let mut used = self.used.lock();
        if used.len() >= KEYS_MAX {
            return Err(busy_error());
        }
        Ok(used.insert(key).then(|| KeyInUse { used: Arc::clone(&self.used), key }))
    }
}

#[cfg(test)]
mod tests {
    use kassa_domain::ShardTag;

    use super::*;

    fn key(number: usize) -> IdempotencyRecordKey {
        let mut digest = [0; 32];
        digest[..8].copy_from_slice(&number.to_be_bytes());
        IdempotencyRecordKey { tag: ShardTag::of_key(1), digest }
    }

    #[test]
    fn a_key_in_use_is_free_when_its_request_is_answered() {
        let keys = KeysInUse::default();
        let using = keys.acquire(key(1)).unwrap();
        assert!(using.is_some());
        assert!(keys.acquire(key(1)).unwrap().is_none());
        assert!(keys.acquire(key(2)).unwrap().is_some());
        drop(using);
        assert!(keys.acquire(key(1)).unwrap().is_some());
    }

    #[test]
    fn too_many_keys_at_once_are_refused() {
        let keys = KeysInUse::default();
        let mut using: Vec<_> = (0..KEYS_MAX).map(|number| keys.acquire(key(number)).unwrap().unwrap()).collect();
        assert!(keys.acquire(key(KEYS_MAX)).is_err());
        using.pop();
        assert!(keys.acquire(key(KEYS_MAX)).unwrap().is_some());
    }
}

//! Keys of requests that are being answered.

use std::collections::HashSet;
use std::sync::Arc;

use kassa_domain::once::AnswerKey;
use parking_lot::Mutex;

use super::once::busy;
use crate::error::ApiError;

/// Keys at a time; more are told to come back later.
const KEYS_MAX: usize = 65_536;

/// The keys that are in use on this node. Clones share them.
#[derive(Clone, Default)]
pub(crate) struct Keys {
    used: Arc<Mutex<HashSet<AnswerKey>>>,
}

/// A key in use; it is free again when this goes.
#[derive(Debug)]
pub(super) struct Using {
    used: Arc<Mutex<HashSet<AnswerKey>>>,
    key: AnswerKey,
}

impl Drop for Using {
    fn drop(&mut self) {
        self.used.lock().remove(&self.key);
    }
}

impl Keys {
    /// Takes a key into use; `None` where it is already. A crowd of them is too much.
    pub(super) fn take(&self, key: AnswerKey) -> Result<Option<Using>, ApiError> {
        let mut used = self.used.lock();
        if used.len() >= KEYS_MAX {
            return Err(busy());
        }
        Ok(used.insert(key).then(|| Using { used: Arc::clone(&self.used), key }))
    }
}

#[cfg(test)]
mod tests {
    use kassa_domain::Tag;

    use super::*;

    fn key(number: usize) -> AnswerKey {
        let mut digest = [0; 32];
        digest[..8].copy_from_slice(&number.to_be_bytes());
        AnswerKey { tag: Tag::of(1), digest }
    }

    #[test]
    fn a_key_in_use_is_free_when_its_request_is_answered() {
        let keys = Keys::default();
        let using = keys.take(key(1)).unwrap();
        assert!(using.is_some());
        assert!(keys.take(key(1)).unwrap().is_none());
        assert!(keys.take(key(2)).unwrap().is_some());
        drop(using);
        assert!(keys.take(key(1)).unwrap().is_some());
    }

    #[test]
    fn a_crowd_of_keys_is_told_to_come_back() {
        let keys = Keys::default();
        let mut using: Vec<_> = (0..KEYS_MAX).map(|number| keys.take(key(number)).unwrap().unwrap()).collect();
        assert!(keys.take(key(KEYS_MAX)).is_err());
        using.pop();
        assert!(keys.take(key(KEYS_MAX)).unwrap().is_some());
    }
}

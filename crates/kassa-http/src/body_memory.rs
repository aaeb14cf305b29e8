//! The memory that bodies of requests take.

use std::sync::Arc;

use kassa_engine::Failure;
use kassa_engine::metrics::{Limit, LimitHits};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::error::ApiError;

/// Bodies that are read whole may take so much memory together, in KiB: others are told that the service is busy.
const BODY_MEMORY_KIB: usize = 256 * 1024;

/// What one body takes of the room, until it is dropped.
pub(crate) type BodyMemoryPermit = Option<OwnedSemaphorePermit>;

/// The memory that all bodies together may take. Clones share it.
#[derive(Clone)]
pub(crate) struct BodyMemory {
    kib: Arc<Semaphore>,
    limit_hits: Arc<LimitHits>,
}

impl BodyMemory {
    pub(crate) fn new(limit_hits: Arc<LimitHits>) -> Self {
        Self { kib: Arc::new(Semaphore::new(BODY_MEMORY_KIB)), limit_hits }
    }

    /// Takes room for so many bytes more than `taken` has.
    pub(crate) fn acquire(&self, bytes: usize, taken: &mut BodyMemoryPermit) -> Result<(), ApiError> {
        let kib = u32::try_from(bytes.div_ceil(1024)).unwrap_or(u32::MAX);
        let more = Arc::clone(&self.kib).try_acquire_many_owned(kib).map_err(|_| {
            self.limit_hits.record(Limit::BodyMemory);
            ApiError::from(Failure::Busy)
        })?;
        match taken {
            Some(taken) => taken.merge(more),
            None => *taken = Some(more),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn body_memory_is_limited_and_released() {
        let room = BodyMemory::new(Arc::default());
        let (mut first, mut second, mut third) = (None, None, None);
        room.acquire(1, &mut first).unwrap();
        room.acquire(BODY_MEMORY_KIB * 1024 / 2, &mut first).unwrap();
        room.acquire((BODY_MEMORY_KIB / 2 - 1) * 1024, &mut second).unwrap();
        assert!(room.acquire(1, &mut third).is_err());
        assert_eq!(room.limit_hits.get(Limit::BodyMemory), 1);
        drop(first);
        room.acquire(BODY_MEMORY_KIB * 1024 / 2, &mut third).unwrap();
    }
}

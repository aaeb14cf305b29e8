//! The memory that bodies of requests take.

use std::sync::Arc;

use kassa_engine::Failure;
use kassa_engine::metrics::{Limit, LimitHits};
use kassa_store::memory_budget::{MemoryBudget, MemoryGrant, MemoryMeter};

use crate::error::ApiError;

/// Bodies that are read whole may take so much memory together: others are told that the service is busy.
const BODY_MEMORY_BYTES: usize = 256 * 1024 * 1024;
/// So many of the longest bodies find room in any case: one caller may have a quarter of all.
const LONGEST_BODIES_MIN: usize = 4;
/// Room is taken by so much as a body arrives: nobody gets any by what it says of its length.
const STEP_BYTES: usize = 64 * 1024;

/// What one body takes of the room, until it is dropped.
pub(crate) type BodyMemoryPermit = Option<MemoryGrant>;

/// The memory that all bodies together may take, of which each caller has its share. Clones share it.
#[derive(Clone)]
pub(crate) struct BodyMemory(MemoryBudget);

impl BodyMemory {
    /// The memory for bodies of at most `bytes_max`.
    pub(crate) fn new(limit_hits: Arc<LimitHits>, bytes_max: usize) -> Self {
        let bytes = BODY_MEMORY_BYTES.max(bytes_max.saturating_add(STEP_BYTES).saturating_mul(LONGEST_BODIES_MIN));
        Self(MemoryBudget::new(bytes, move || limit_hits.record(Limit::BodyMemory)))
    }

    /// Sees that `taken` has room for `bytes` of a body of the task's caller.
    pub(crate) fn cover(&self, bytes: usize, taken: &mut BodyMemoryPermit) -> Result<(), ApiError> {
        let taken = taken.get_or_insert_with(|| self.0.grant(MemoryMeter::current_caller()));
        if bytes <= taken.bytes() {
            return Ok(());
        }
        let more = bytes.next_multiple_of(STEP_BYTES) - taken.bytes();
        taken.grow(more).map_err(|exceeded| Failure::from(exceeded).into())
    }
}

#[cfg(test)]
mod tests {
    use kassa_store::memory_budget::MemoryCaller;

    use super::*;

    const MIB: usize = 1024 * 1024;

    /// Takes room for so many bytes of a body of a caller.
    async fn cover(room: &BodyMemory, caller: u128, bytes: usize) -> Result<BodyMemoryPermit, ApiError> {
        let meter = MemoryMeter::new(&MemoryBudget::new(0, || ()), usize::MAX);
        meter.set_caller(MemoryCaller::new(0, caller));
        let mut taken = BodyMemoryPermit::default();
        meter.scope(async { room.cover(bytes, &mut taken) }).await.map(|()| taken)
    }

    #[test]
    fn body_memory_is_limited_and_released() {
        let limit_hits: Arc<LimitHits> = Arc::default();
        let room = BodyMemory::new(Arc::clone(&limit_hits), 16 * MIB);
        let (mut first, mut second, mut third) = (None, None, None);
        room.cover(1, &mut first).unwrap();
        room.cover(STEP_BYTES, &mut first).unwrap();
        assert_eq!(room.0.available(), BODY_MEMORY_BYTES - STEP_BYTES, "what arrives is counted, in steps");
        room.cover(BODY_MEMORY_BYTES / 2, &mut first).unwrap();
        room.cover(BODY_MEMORY_BYTES / 2, &mut second).unwrap();
        assert!(room.cover(1, &mut third).is_err());
        assert_eq!(limit_hits.get(Limit::BodyMemory), 1);
        drop(first);
        room.cover(BODY_MEMORY_BYTES / 2, &mut third).unwrap();
    }

    #[tokio::test]
    async fn bodies_of_one_caller_leave_room_for_those_of_others() {
        let room = BodyMemory::new(Arc::default(), 16 * MIB);
        let mut greedy = Vec::new();
        while let Ok(taken) = cover(&room, 1, 9 * MIB).await {
            greedy.push(taken);
        }
        assert_eq!(greedy.len(), 7, "that is a quarter of all");
        cover(&room, 2, 16 * MIB).await.unwrap();
        greedy.pop();
        cover(&room, 1, 9 * MIB).await.unwrap();
        // The longest of bodies always fits.
        cover(&BodyMemory::new(Arc::default(), 100 * MIB), 1, 100 * MIB).await.unwrap();
    }
}

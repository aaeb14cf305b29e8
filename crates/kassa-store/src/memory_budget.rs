//! The memory that requests take: rows that are read for them, and what is made of these.
//!
//! How long rows are, nobody knows before they are read: a limit on their number is no limit on memory. So each piece of
//! work has a meter, and drivers charge every row to it while they read. A meter refuses what is too much for one piece
//! of work; and all meters together draw on a budget, which refuses what is too much for the process.
//!
//! The meter of a piece of work is found by its task, not by its arguments: whatever is read on the way counts, by
//! whomever. Work without a meter is not limited: commands, whose batches have bounds of their own, and housekeeping.

use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use parking_lot::Mutex;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::error::StoreError;

/// What a piece of work may take without asking the budget: most take less, and are never refused.
pub const FREE_BYTES: usize = 256 * 1024;
/// A meter asks the budget for so much at a time, or more.
const STEP_BYTES: usize = 256 * 1024;

tokio::task_local! {
    static CURRENT: Arc<MemoryMeter>;
}

/// Memory that many pieces of work share. Clones share it, too.
#[derive(Clone)]
pub struct MemoryBudget {
    kib: Arc<Semaphore>,
    /// Is told when it refuses.
    on_spent: Arc<dyn Fn() + Send + Sync>,
}

/// Why there is no memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemoryExceeded {
    /// It is too much for one piece of work: it would be again.
    TooLarge,
    /// Others have taken it: there will be some later.
    Spent,
}

impl From<MemoryExceeded> for StoreError {
    fn from(exceeded: MemoryExceeded) -> Self {
        match exceeded {
            MemoryExceeded::TooLarge => Self::TooLarge,
            MemoryExceeded::Spent => Self::MemorySpent,
        }
    }
}

impl MemoryBudget {
    /// A budget of so many bytes, counted in KiB. `on_spent` is called whenever it refuses.
    pub fn new(bytes: usize, on_spent: impl Fn() + Send + Sync + 'static) -> Self {
        let kib = (bytes / 1024).min(Semaphore::MAX_PERMITS);
        Self { kib: Arc::new(Semaphore::new(kib)), on_spent: Arc::new(on_spent) }
    }

    /// How many bytes are left.
    pub fn available(&self) -> usize {
        self.kib.available_permits() * 1024
    }

    fn try_take(&self, bytes: usize) -> Result<OwnedSemaphorePermit, MemoryExceeded> {
        let kib = u32::try_from(bytes.div_ceil(1024)).unwrap_or(u32::MAX);
        Arc::clone(&self.kib).try_acquire_many_owned(kib).map_err(|_| {
            (self.on_spent)();
            MemoryExceeded::Spent
        })
    }
}

/// What one piece of work takes. What it has taken is free again when it is dropped.
pub struct MemoryMeter {
    /// `None`: it is not limited.
    budget: Option<MemoryBudget>,
    bytes_max: usize,
    /// What it may take without asking the budget.
    free: usize,
    charged: AtomicUsize,
    taken: Mutex<Option<OwnedSemaphorePermit>>,
}

impl MemoryMeter {
    /// The meter of a piece of work that may take so many bytes.
    pub fn new(budget: &MemoryBudget, bytes_max: usize) -> Arc<Self> {
        Self::with_free(Some(budget.clone()), bytes_max, FREE_BYTES)
    }

    /// The meter of a part of this one's work, which is counted for itself and may take as much.
    pub fn part(&self) -> Arc<Self> {
        Self::with_free(self.budget.clone(), self.bytes_max, FREE_BYTES)
    }

    /// The same, but it may take no more than so many bytes.
    pub fn part_of_at_most(&self, bytes_max: usize) -> Arc<Self> {
        Self::with_free(self.budget.clone(), bytes_max.min(self.bytes_max), FREE_BYTES)
    }

    /// The same for a part that may take `free` bytes without asking: they were taken for it before.
    pub fn part_with_free(&self, free: usize) -> Arc<Self> {
        Self::with_free(self.budget.clone(), self.bytes_max, free)
    }

    /// Takes so many bytes from the budget for parts that come later: see [`MemoryMeter::part_with_free`].
    pub fn reserve(&self, bytes: usize) -> Result<Arc<Self>, MemoryExceeded> {
        let reserved = Self::with_free(self.budget.clone(), self.bytes_max, 0);
        reserved.cover(bytes)?;
        Ok(reserved)
    }

    fn with_free(budget: Option<MemoryBudget>, bytes_max: usize, free: usize) -> Arc<Self> {
        Arc::new(Self { budget, bytes_max, free, charged: AtomicUsize::new(0), taken: Mutex::new(None) })
    }

    /// The meter of the task's work; `None` where that is not limited.
    pub fn try_current() -> Option<Arc<Self>> {
        CURRENT.try_with(Arc::clone).ok()
    }

    /// The same; without one, a meter that refuses nothing.
    pub fn current() -> Arc<Self> {
        Self::try_current().unwrap_or_else(Self::unlimited)
    }

    /// A meter that refuses nothing.
    pub fn unlimited() -> Arc<Self> {
        Self::with_free(None, usize::MAX, usize::MAX)
    }

    /// Charges what `work` reads to this meter.
    pub fn scope<F: Future>(self: &Arc<Self>, work: F) -> impl Future<Output = F::Output> + use<F> {
        CURRENT.scope(Arc::clone(self), work)
    }

    /// The same for work on a thread, which knows nothing of the task that waits for it.
    pub fn scope_blocking<T>(meter: Option<Arc<Self>>, work: impl FnOnce() -> T) -> T {
        match meter {
            Some(meter) => CURRENT.sync_scope(meter, work),
            None => work(),
        }
    }

    /// Charges so many bytes more. Where they are refused, they are not charged.
    pub fn charge(&self, bytes: usize) -> Result<(), MemoryExceeded> {
        let charged = self.charged.fetch_add(bytes, Ordering::AcqRel).saturating_add(bytes);
        let result = if charged > self.bytes_max { Err(MemoryExceeded::TooLarge) } else { self.cover(charged) };
        if result.is_err() {
            self.charged.fetch_sub(bytes, Ordering::AcqRel);
        }
        result
    }

    /// Takes of the budget what is charged and not covered yet.
    fn cover(&self, charged: usize) -> Result<(), MemoryExceeded> {
        let Some(budget) = self.budget.as_ref().filter(|_| charged > self.free) else { return Ok(()) };
        let mut taken = self.taken.lock();
        let covered = self.free + taken.as_ref().map_or(0, |taken| taken.num_permits() * 1024);
        if charged > covered {
            let more = budget.try_take((charged - covered).max(STEP_BYTES))?;
            match &mut *taken {
                Some(taken) => taken.merge(more),
                None => *taken = Some(more),
            }
        }
        Ok(())
    }

    /// From now on so many bytes are charged, and no others: what the work has read is gone.
    pub fn settle(&self, bytes: usize) {
        self.charged.store(bytes, Ordering::Release);
        let mut taken = self.taken.lock();
        let needed = bytes.saturating_sub(self.free).div_ceil(1024);
        if let Some(permit) = &mut *taken {
            drop(permit.split(permit.num_permits().saturating_sub(needed)));
        }
        taken.take_if(|permit| permit.num_permits() == 0);
    }

    /// Whether it has taken anything of the budget.
    pub fn is_covered(&self) -> bool {
        self.taken.lock().is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIB: usize = 1024 * 1024;

    #[test]
    fn what_is_beyond_the_free_bytes_is_taken_from_the_budget_and_given_back() {
        let budget = MemoryBudget::new(4 * MIB, || ());
        let one = MemoryMeter::new(&budget, usize::MAX);
        one.charge(FREE_BYTES).unwrap();
        assert_eq!((budget.available(), one.is_covered()), (4 * MIB, false));
        one.charge(1).unwrap();
        assert_eq!((budget.available(), one.is_covered()), (4 * MIB - STEP_BYTES, true));
        one.charge(3 * MIB).unwrap();
        assert_eq!(budget.available(), MIB - 1024);
        let other = one.part();
        assert_eq!(other.charge(FREE_BYTES + MIB), Err(MemoryExceeded::Spent));
        other.charge(FREE_BYTES).unwrap();
        one.settle(FREE_BYTES + MIB);
        assert_eq!(budget.available(), 3 * MIB);
        other.charge(3 * MIB).unwrap();
        drop(one);
        drop(other);
        assert_eq!(budget.available(), 4 * MIB);
    }

    #[tokio::test]
    async fn one_piece_of_work_has_a_limit_of_its_own() {
        let meter = MemoryMeter::new(&MemoryBudget::new(4 * MIB, || ()), 1000);
        meter.scope(async { MemoryMeter::current().charge(999) }).await.unwrap();
        assert_eq!(meter.charge(2), Err(MemoryExceeded::TooLarge));
        meter.charge(1).unwrap();
        MemoryMeter::current().charge(usize::MAX).unwrap();
    }
}

//! The memory that requests take: rows that are read for them, and what is made of these.
//!
//! How long rows are, nobody knows before they are read: a limit on their number is no limit on memory. So each piece of
//! work has a meter, and drivers charge every row to it while they read. A meter refuses what is too much for one piece
//! of work; and all meters together draw on a budget, which refuses what is too much for the process.
//!
//! The meter of a piece of work is found by its task, not by its arguments: whatever is read on the way counts, by
//! whomever. Work without a meter is not limited: commands, whose batches have bounds of their own, and housekeeping.

use std::cell::Cell;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::future::Future;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use parking_lot::Mutex;

use crate::error::StoreError;

/// What a piece of work may take without asking the budget: most take less.
pub const FREE_BYTES: usize = 256 * 1024;
/// The same of an answer that is made and waits for its client: very many may. Those that are shorter are never refused for their length.
pub const FREE_HELD_BYTES: usize = 16 * 1024;
/// A meter asks the budget for so much at a time, or more.
const STEP_BYTES: usize = 256 * 1024;
/// What is free must be so many times as much as what a caller takes. So one takes a quarter of all at most, and where many
/// take what they can, there is still some for the next.
const FREE_PER_TAKEN: usize = 3;

tokio::task_local! {
    static CURRENT: Arc<MemoryMeter>;
    /// How many bytes were rendered: see [`MemoryMeter::render`].
    static RENDERED: Cell<usize>;
}

/// Whose work takes memory: a number among others of its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MemoryCaller {
    kind: u8,
    id: u128,
}

impl MemoryCaller {
    /// The caller of this kind with this number.
    pub const fn new(kind: u8, id: u128) -> Self {
        Self { kind, id }
    }
}

/// Memory that many pieces of work share. Clones share it, too.
#[derive(Clone)]
pub struct MemoryBudget(Arc<SharedBudget>);

struct SharedBudget {
    kib: usize,
    taken: Mutex<TakenMemory>,
    /// What was taken although there was no room for it, in KiB.
    owed_kib: AtomicUsize,
    /// Is told when it refuses.
    on_spent: Box<dyn Fn() + Send + Sync>,
}

/// What is taken of a budget, in KiB.
#[derive(Default)]
struct TakenMemory {
    kib: usize,
    by_caller: HashMap<MemoryCaller, usize>,
}

/// Why there is no memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemoryExceeded {
    /// It is too much for one piece of work: it would be again.
    TooLarge,
    /// Others have taken it, or the caller's other work has taken its share: there will be some later.
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
        let (taken, on_spent) = (Mutex::default(), Box::new(on_spent));
        Self(Arc::new(SharedBudget { kib: bytes / 1024, taken, owed_kib: AtomicUsize::new(0), on_spent }))
    }

    /// How many bytes are left.
    pub fn available(&self) -> usize {
        self.0.kib.saturating_sub(self.0.taken.lock().kib) * 1024
    }

    /// The most bytes that one caller may take.
    pub fn share(&self) -> usize {
        self.0.share_kib() * 1024
    }

    /// Nothing of it yet, for work of this caller. `None` is the program itself, whose share is all of it.
    pub fn grant(&self, caller: Option<MemoryCaller>) -> MemoryGrant {
        MemoryGrant { budget: Arc::clone(&self.0), caller, kib: 0, owed_kib: 0 }
    }

    /// Refuses a caller who has more than its share, by work that was not to be refused.
    pub fn check_share(&self, caller: MemoryCaller) -> Result<(), MemoryExceeded> {
        if self.0.owed_kib.load(Ordering::Acquire) == 0 {
            return Ok(());
        }
        let own = self.0.taken.lock().of(caller);
        if own <= self.0.share_kib() { Ok(()) } else { Err(self.0.spent()) }
    }
}

impl SharedBudget {
    fn share_kib(&self) -> usize {
        self.kib / (FREE_PER_TAKEN + 1)
    }

    /// Whether so much more may be taken: whoever takes it leaves more than that to others.
    fn has_room(&self, taken: &TakenMemory, caller: Option<MemoryCaller>, kib: usize) -> bool {
        let needed = caller.map_or(0, |caller| (taken.of(caller) + kib) * FREE_PER_TAKEN);
        self.kib >= taken.kib + kib + needed
    }

    fn spent(&self) -> MemoryExceeded {
        (self.on_spent)();
        MemoryExceeded::Spent
    }
}

impl TakenMemory {
    fn of(&self, caller: MemoryCaller) -> usize {
        self.by_caller.get(&caller).copied().unwrap_or_default()
    }

    fn add(&mut self, caller: Option<MemoryCaller>, kib: usize) {
        self.kib += kib;
        if let Some(caller) = caller {
            *self.by_caller.entry(caller).or_default() += kib;
        }
    }

    fn remove(&mut self, caller: Option<MemoryCaller>, kib: usize) {
        self.kib -= kib;
        if let Some(caller) = caller
            && let Entry::Occupied(mut own) = self.by_caller.entry(caller)
        {
            *own.get_mut() -= kib;
            if *own.get() == 0 {
                own.remove();
            }
        }
    }
}

/// What was taken of a budget for a caller. It is free again when this is dropped.
pub struct MemoryGrant {
    budget: Arc<SharedBudget>,
    caller: Option<MemoryCaller>,
    kib: usize,
    /// How much of it there was no room for.
    owed_kib: usize,
}

impl MemoryGrant {
    /// How many bytes it has.
    pub fn bytes(&self) -> usize {
        self.kib * 1024
    }

    /// Takes so many bytes more.
    pub fn grow(&mut self, bytes: usize) -> Result<(), MemoryExceeded> {
        if self.try_grow(bytes.div_ceil(1024)) { Ok(()) } else { Err(self.budget.spent()) }
    }

    fn try_grow(&mut self, kib: usize) -> bool {
        let budget = Arc::clone(&self.budget);
        let mut taken = budget.taken.lock();
        let has_room = budget.has_room(&taken, self.caller, kib);
        if has_room {
            taken.add(self.caller, kib);
            self.kib += kib;
        }
        has_room
    }

    /// Takes so much more whether there is room for it or not.
    fn force(&mut self, kib: usize) {
        let budget = Arc::clone(&self.budget);
        self.force_locked(&mut budget.taken.lock(), kib);
    }

    fn force_locked(&mut self, taken: &mut TakenMemory, kib: usize) {
        if !self.budget.has_room(taken, self.caller, kib) {
            self.budget.owed_kib.fetch_add(kib, Ordering::AcqRel);
            self.owed_kib += kib;
        }
        taken.add(self.caller, kib);
        self.kib += kib;
    }

    /// Takes more, up to so much in all, for an answer that is not refused once it is made. Errors: what the caller has would
    /// be more than its share, or what all have more than there is, and not by this alone, which would be refused for ever.
    fn grow_for_answer(&mut self, kib: usize) -> Result<(), MemoryExceeded> {
        if kib <= self.kib {
            return Ok(());
        }
        let budget = Arc::clone(&self.budget);
        let mut taken = budget.taken.lock();
        let of_caller = self.caller.map_or(0, |caller| taken.of(caller) - self.kib);
        let of_all = taken.kib - self.kib;
        let is_too_much = |others: usize, kib_max: usize| others > 0 && others + kib > kib_max;
        if is_too_much(of_caller, budget.share_kib()) || is_too_much(of_all, budget.kib) {
            drop(taken);
            return Err(budget.spent());
        }
        self.force_locked(&mut taken, kib - self.kib);
        Ok(())
    }

    /// Gives back what is beyond so much.
    fn shrink_to(&mut self, kib: usize) {
        if kib < self.kib {
            self.budget.taken.lock().remove(self.caller, self.kib - kib);
            let owed = self.owed_kib.min(kib);
            self.budget.owed_kib.fetch_sub(self.owed_kib - owed, Ordering::AcqRel);
            (self.kib, self.owed_kib) = (kib, owed);
        }
    }
}

impl Drop for MemoryGrant {
    fn drop(&mut self) {
        self.shrink_to(0);
    }
}

/// What one piece of work takes. What it has taken is free again when it is dropped.
pub struct MemoryMeter {
    /// `None`: it is not limited.
    budget: Option<MemoryBudget>,
    /// Whose work it is, once that is known.
    caller: OnceLock<MemoryCaller>,
    bytes_max: usize,
    /// What it may take without asking the budget: now, and once an answer is rendered.
    free: AtomicUsize,
    free_of_rendered: AtomicUsize,
    charged: AtomicUsize,
    /// What of it was rendered last for a command.
    rendered: AtomicUsize,
    /// What it has of another budget until its answer is made.
    kept: Mutex<Option<MemoryGrant>>,
    /// Whether it may have taken something. Work that needs no more than what is free goes by this alone.
    is_covered: AtomicBool,
    taken: Mutex<Option<MemoryGrant>>,
}

impl MemoryMeter {
    /// The meter of a piece of work that may take so many bytes, or as much as its caller's share if that is less.
    pub fn new(budget: &MemoryBudget, bytes_max: usize) -> Arc<Self> {
        Self::with_free(Some(budget.clone()), OnceLock::new(), bytes_max, FREE_BYTES)
    }

    /// Says whose work it is: nothing beyond what is free has been charged.
    pub fn set_caller(&self, caller: MemoryCaller) {
        // It is the same caller all the time.
        let _ = self.caller.set(caller);
    }

    /// Says how much is free once an answer is rendered: see [`MemoryMeter::render`].
    pub fn set_free_of_rendered(&self, bytes: usize) {
        self.free_of_rendered.store(bytes, Ordering::Relaxed);
    }

    fn free(&self) -> usize {
        self.free.load(Ordering::Relaxed)
    }

    /// The meter of a part of this one's work, which is counted for itself and may take as much.
    pub fn part(&self) -> Arc<Self> {
        self.part_with_free(FREE_BYTES)
    }

    /// The same, but it may take no more than so many bytes.
    pub fn part_of_at_most(&self, bytes_max: usize) -> Arc<Self> {
        Self::with_free(self.budget.clone(), self.caller.clone(), bytes_max.min(self.bytes_max), FREE_BYTES)
    }

    /// The same for a part that may take `free` bytes without asking: they were taken for it before.
    pub fn part_with_free(&self, free: usize) -> Arc<Self> {
        Self::with_free(self.budget.clone(), self.caller.clone(), self.bytes_max, free)
    }

    /// Takes so many bytes from the budget for parts that come later: see [`MemoryMeter::part_with_free`].
    pub fn reserve(&self, bytes: usize) -> Result<Arc<Self>, MemoryExceeded> {
        if self.budget.as_ref().is_some_and(|budget| bytes > budget.share()) {
            return Err(MemoryExceeded::TooLarge);
        }
        let reserved = self.part_with_free(0);
        reserved.cover(bytes)?;
        Ok(reserved)
    }

    fn with_free(
        budget: Option<MemoryBudget>,
        caller: OnceLock<MemoryCaller>,
        bytes_max: usize,
        free: usize,
    ) -> Arc<Self> {
        let share = budget.as_ref().map_or(usize::MAX, MemoryBudget::share);
        Arc::new(Self {
            budget,
            caller,
            bytes_max: bytes_max.min(share.saturating_add(FREE_BYTES)),
            free: AtomicUsize::new(free),
            free_of_rendered: AtomicUsize::new(free),
            charged: AtomicUsize::new(0),
            rendered: AtomicUsize::new(0),
            kept: Mutex::new(None),
            is_covered: AtomicBool::new(false),
            taken: Mutex::new(None),
        })
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
        Self::with_free(None, OnceLock::new(), usize::MAX, usize::MAX)
    }

    /// Whose work the task does, if that is known.
    pub fn current_caller() -> Option<MemoryCaller> {
        CURRENT.try_with(|meter| meter.caller.get().copied()).ok().flatten()
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

    /// Renders the answer of a command before what it tells is committed, and charges what [`MemoryMeter::note_rendered`] is told
    /// of it, in place of what was rendered before: a command may be decided again. Errors: with it, the caller would have
    /// more than its share, or all more than there is, and not by this one answer alone. Once it is committed, it is not refused.
    pub fn render<T>(&self, render: impl FnOnce() -> T) -> Result<T, MemoryExceeded> {
        let (rendered, bytes) = RENDERED.sync_scope(Cell::new(0), || (render(), RENDERED.with(Cell::get)));
        let charged = self.charged().saturating_sub(self.rendered.load(Ordering::Acquire)) + bytes;
        self.free.fetch_min(self.free_of_rendered.load(Ordering::Relaxed), Ordering::Relaxed);
        let needed = charged.saturating_sub(self.free()).div_ceil(1024);
        // The program itself is not refused.
        if let Some(budget) = self.budget.as_ref().filter(|_| needed > 0 && self.caller.get().is_some()) {
            self.grant(budget, &mut self.taken.lock()).grow_for_answer(needed)?;
        }
        self.rendered.store(bytes, Ordering::Release);
        self.settle(charged);
        Ok(rendered)
    }

    /// So many bytes are part of the answer that is being rendered, if one is.
    pub fn note_rendered(bytes: usize) {
        // Reads charge what they answer when it is made.
        let _ = RENDERED.try_with(|rendered| rendered.set(rendered.get() + bytes));
    }

    /// Keeps what was granted of another budget until the answer is made, or the work is given up.
    pub fn keep(&self, grant: MemoryGrant) {
        *self.kept.lock() = Some(grant);
    }

    /// How many bytes are charged.
    pub fn charged(&self) -> usize {
        self.charged.load(Ordering::Acquire)
    }

    /// Takes of the budget what is charged and not covered yet.
    fn cover(&self, charged: usize) -> Result<(), MemoryExceeded> {
        let Some(budget) = self.budget.as_ref().filter(|_| charged > self.free()) else { return Ok(()) };
        let mut taken = self.taken.lock();
        let grant = self.grant(budget, &mut taken);
        let missing = (charged - self.free()).saturating_sub(grant.bytes());
        if missing == 0 || (missing < STEP_BYTES && grant.try_grow(STEP_BYTES / 1024)) {
            return Ok(());
        }
        grant.grow(missing)
    }

    fn grant<'a>(&self, budget: &MemoryBudget, taken: &'a mut Option<MemoryGrant>) -> &'a mut MemoryGrant {
        self.is_covered.store(true, Ordering::Release);
        taken.get_or_insert_with(|| budget.grant(self.caller.get().copied()))
    }

    /// From now on so many bytes are charged, and no others: what the work has read is gone. If that is more than before,
    /// it is taken whether there is room for it or not.
    pub fn settle(&self, bytes: usize) {
        drop(self.kept.lock().take());
        self.charged.store(bytes, Ordering::Release);
        let Some(budget) = &self.budget else { return };
        let needed = bytes.saturating_sub(self.free()).div_ceil(1024);
        if needed == 0 && !self.is_covered() {
            return;
        }
        let mut taken = self.taken.lock();
        let grant = self.grant(budget, &mut taken);
        if needed > grant.kib {
            grant.force(needed - grant.kib);
        } else {
            grant.shrink_to(needed);
        }
        if needed == 0 {
            *taken = None;
            self.is_covered.store(false, Ordering::Release);
        }
    }

    /// The work is done but for an answer of so many bytes, which waits for its client: less of it is free, since it may
    /// wait long. One that must not be refused is counted all the same.
    pub fn hold(&self, bytes: usize, may_be_refused: bool) -> Result<(), MemoryExceeded> {
        let Some(budget) = &self.budget else { return Ok(()) };
        let needed = bytes.saturating_sub(FREE_HELD_BYTES).div_ceil(1024);
        if needed == 0 {
            return Ok(());
        }
        let mut taken = self.taken.lock();
        let grant = self.grant(budget, &mut taken);
        let missing = needed.saturating_sub(grant.kib);
        if missing == 0 {
            return Ok(());
        }
        if !may_be_refused {
            grant.force(missing);
            Ok(())
        } else if needed * 1024 > budget.share() {
            Err(MemoryExceeded::TooLarge)
        } else {
            grant.grow(missing * 1024)
        }
    }

    /// Whether it has taken anything of the budget.
    pub fn is_covered(&self) -> bool {
        self.is_covered.load(Ordering::Acquire)
    }
}

#[cfg(test)]
mod tests;

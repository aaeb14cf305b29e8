//! A database that fails on demand, for simulation: whatever the driver, what its caller sees of a failure is
//! one of these.

use std::sync::Arc;

use kassa_domain::{ReadSet, View};
use parking_lot::Mutex;

use crate::error::StoreError;
use crate::{DecideFn, Store, Writer};

/// What goes wrong with a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InjectedFault {
    /// The database is away: nothing is begun.
    Unavailable,
    /// It goes away after the decision: nothing is written.
    BeforeCommit,
    /// It goes away after the commit: the batch is there, and nobody hears of it.
    LostReply,
}

/// The faults that are to come. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct FaultPlan(Arc<Mutex<Option<(u32, InjectedFault)>>>);

impl FaultPlan {
    /// Lets so many batches pass, and fails the next one.
    pub fn fail_after(&self, batches: u32, fault: InjectedFault) {
        *self.0.lock() = Some((batches, fault));
    }

    /// Calls off what has not happened yet; whether there was such a fault.
    pub fn cancel(&self) -> bool {
        self.0.lock().take().is_some()
    }

    /// What the next batch meets.
    fn next_fault(&self) -> Option<InjectedFault> {
        let mut plan = self.0.lock();
        match &mut *plan {
            Some((batches @ 1.., _)) => {
                *batches -= 1;
                None
            }
            Some((0, _)) | None => plan.take().map(|(_, fault)| fault),
        }
    }
}

/// A database and its faults.
#[derive(Clone)]
pub struct FaultInjectingStore {
    pub(crate) store: Store,
    faults: FaultPlan,
}

impl FaultInjectingStore {
    /// `store` with these faults; they concern its batches, and not what is only read.
    pub fn new(store: Store, faults: FaultPlan) -> Self {
        Self { store, faults }
    }

    pub(crate) fn writer_at(&self, place: usize, seed: u64) -> Result<FaultInjectingWriter, StoreError> {
        Ok(FaultInjectingWriter { writer: self.store.writer_at(place, seed)?, faults: self.faults.clone() })
    }
}

/// Writes batches, but for those that fail.
pub struct FaultInjectingWriter {
    writer: Writer,
    faults: FaultPlan,
}

impl FaultInjectingWriter {
    pub(crate) async fn transact(&mut self, read_set: &ReadSet, decide: &mut DecideFn<'_>) -> Result<(), StoreError> {
        let away = || StoreError::Unavailable("a fault".to_owned());
        match self.faults.next_fault() {
            None => Box::pin(self.writer.transact(read_set, decide)).await,
            Some(InjectedFault::Unavailable) => Err(away()),
            Some(InjectedFault::BeforeCommit) => {
                let decide = &mut |view: &mut View| decide(view).and_then(|()| Err(away()));
                Box::pin(self.writer.transact(read_set, decide)).await
            }
            Some(InjectedFault::LostReply) => {
                Box::pin(self.writer.transact(read_set, decide)).await.and_then(|()| Err(away()))
            }
        }
    }
}

//! A database that fails when it is told to, for simulation: whatever the driver, what its caller sees of a failure is
//! one of these.

use std::sync::Arc;

use kassa_domain::{Needs, View};
use parking_lot::Mutex;

use crate::error::StoreError;
use crate::{Decide, Store, Writer};

/// What goes wrong with a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The database is away: nothing is begun.
    Away,
    /// It goes away after the decision: nothing is written.
    BrokenOff,
    /// It goes away after the commit: the batch is there, and nobody is told.
    Untold,
}

/// The faults that are to come. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct Faults(Arc<Mutex<Option<(u32, Fault)>>>);

impl Faults {
    /// Lets so many batches pass, and fails the next one.
    pub fn after(&self, batches: u32, fault: Fault) {
        *self.0.lock() = Some((batches, fault));
    }

    /// Calls off what has not happened yet; whether there was such a fault.
    pub fn call_off(&self) -> bool {
        self.0.lock().take().is_some()
    }

    /// What the next batch meets.
    fn next(&self) -> Option<Fault> {
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
pub struct Faulty {
    pub(crate) store: Store,
    faults: Faults,
}

impl Faulty {
    /// `store` with these faults; they concern its batches, and not what is only read.
    pub fn new(store: Store, faults: Faults) -> Self {
        Self { store, faults }
    }

    pub(crate) fn writer(&self, seed: u64) -> Result<FaultyWriter, StoreError> {
        Ok(FaultyWriter { writer: self.store.writer(seed)?, faults: self.faults.clone() })
    }
}

/// Writes batches, but for those that fail.
pub struct FaultyWriter {
    writer: Writer,
    faults: Faults,
}

impl FaultyWriter {
    pub(crate) async fn transact(&mut self, needs: &Needs, decide: &mut Decide<'_>) -> Result<(), StoreError> {
        let away = || StoreError::Unavailable("a fault".to_owned());
        match self.faults.next() {
            None => Box::pin(self.writer.transact(needs, decide)).await,
            Some(Fault::Away) => Err(away()),
            Some(Fault::BrokenOff) => {
                let decide = &mut |view: &mut View| decide(view).and_then(|()| Err(away()));
                Box::pin(self.writer.transact(needs, decide)).await
            }
            Some(Fault::Untold) => Box::pin(self.writer.transact(needs, decide)).await.and_then(|()| Err(away())),
        }
    }
}

//! Blocks of order numbers, which lanes lease from one counter.

use std::ops::Range;

use kassa_domain::node::{ORDER_NUMBERS_PER_BLOCK, SharedCounter, SharedCounterName};
use kassa_domain::{ReadSet, View};
use kassa_store::StoreError;

use super::{BatchFailure, CONFLICTS_MAX, Lane};

/// The first order number of an installation.
const FIRST_ORDER_NUMBER: i64 = 100_001;

impl Lane {
    /// Takes a block of order numbers from the counter of all lanes.
    pub(super) async fn lease_order_numbers(&mut self) -> Result<Range<i64>, BatchFailure> {
        let read_set = ReadSet { counters: vec![SharedCounterName::OrderNumber], ..ReadSet::default() };
        let mut conflicts = 0;
        loop {
            let mut block = 0..0;
            let decide = &mut |view: &mut View| {
                block = take_block(view);
                Ok(())
            };
            match self.writer.transact(&read_set, decide).await {
                Ok(()) => return Ok(block),
                // The first of an installation makes the counter.
                Err(StoreError::Conflict(_) | StoreError::Constraint(_)) if conflicts < CONFLICTS_MAX => conflicts += 1,
                Err(error) => return Err(BatchFailure::Store(error)),
            }
        }
    }
}

/// Takes a block of order numbers from the counter, which was loaded.
fn take_block(view: &mut View) -> Range<i64> {
    let name = SharedCounterName::OrderNumber;
    let next = view.counters.get(name).map_or(FIRST_ORDER_NUMBER, |counter| counter.next);
    let end = next + ORDER_NUMBERS_PER_BLOCK;
    view.counters.put(SharedCounter { name, next: end });
    view.accept_changes();
    next..end
}

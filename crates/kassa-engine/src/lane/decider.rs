//! What decides a batch over its view.

use std::panic::{AssertUnwindSafe, catch_unwind};

use kassa_domain::context::RandomBits;
use kassa_domain::node::{Node, ORDER_NUMBERS_PER_BLOCK, SharedCounter, SharedCounterName};
use kassa_domain::safeguard::{self, Safeguard};
use kassa_domain::{DecisionSettings, View};

use super::number::LaneNumber;
use crate::clock::Clock;
use crate::metrics::OrderTransitions;
use crate::pause::PauseDetector;
use crate::task::{DecisionEnv, Task};

/// The first order number of an installation.
const FIRST_ORDER_NUMBER: i64 = 100_001;

/// Why a batch was not decided to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DecisionHalt {
    /// A command has panicked.
    Panicked,
    /// Another process has claimed the number of the lane.
    Fenced,
    /// The program was paused after the tasks were queued.
    Paused,
    /// Too few order numbers are left, and the counter that they come from was not loaded.
    NoOrderNumbers,
}

pub(super) struct Decider<'a> {
    pub(super) number: LaneNumber,
    pub(super) clock: &'a dyn Clock,
    pub(super) pause_detector: &'a PauseDetector,
    /// The count of pauses before which no task of the lane was queued.
    pub(super) pauses: u64,
    pub(super) random: &'a mut dyn RandomBits,
    pub(super) settings: &'a DecisionSettings,
    /// Whether the counter of order numbers was loaded, if it is there.
    pub(super) has_counter: bool,
    pub(super) order_numbers_left: i64,
    pub(super) creates_jobs: bool,
    pub(super) creates_mails: bool,
    pub(super) order_transitions: OrderTransitions,
}

impl Decider<'_> {
    /// Decides each task in turn, unless the lane was fenced or the program was paused.
    pub(super) fn decide(&mut self, tasks: &mut [Box<dyn Task>], view: &mut View) -> Result<(), DecisionHalt> {
        let now = self.clock.now();
        let mut node = view.nodes.get(self.number.node).ok_or(DecisionHalt::Fenced)?.clone();
        // While this lane was paused, another process may have claimed its number.
        if node.epoch != self.number.epoch && safeguard::is_enabled(Safeguard::EpochCheck) {
            return Err(DecisionHalt::Fenced);
        }
        // Even if nobody claimed the number meanwhile, commands from before the pause are late.
        if self.pause_detector.pauses() != self.pauses && safeguard::is_enabled(Safeguard::PauseCheck) {
            return Err(DecisionHalt::Paused);
        }
        // A lane that writes extends its lease.
        node.renew_lease(now);
        self.lease_order_numbers(&mut node, tasks.len(), view)?;
        for task in tasks.iter_mut() {
            let (settings, node, random) = (self.settings, &mut node, &mut *self.random);
            let env = DecisionEnv { now, settings, node, random };
            catch_unwind(AssertUnwindSafe(|| task.attempt(env, view))).map_err(|_| DecisionHalt::Panicked)?;
        }
        self.order_numbers_left = node.order_numbers_left();
        self.creates_jobs = view.jobs.changes().iter().any(|change| change.version == 0);
        self.creates_mails = view.mails.changes().iter().any(|change| change.version == 0);
        self.order_transitions = OrderTransitions::of(view, now);
        // If all were refused, there is nothing to write, and nothing to wait for.
        if !view.is_clean() {
            view.nodes.put(node);
            view.accept_changes();
        }
        Ok(())
    }

    /// Takes a block of order numbers when the batch could need more than are left.
    fn lease_order_numbers(&self, node: &mut Node, wanted: usize, view: &mut View) -> Result<(), DecisionHalt> {
        if node.order_numbers_left() >= i64::try_from(wanted).unwrap_or(i64::MAX) {
            return Ok(());
        }
        if !self.has_counter {
            return Err(DecisionHalt::NoOrderNumbers);
        }
        let name = SharedCounterName::OrderNumber;
        let next = view.counters.get(name).map_or(FIRST_ORDER_NUMBER, |counter| counter.next);
        let end = next + ORDER_NUMBERS_PER_BLOCK;
        (node.next_order_number, node.order_numbers_end) = (next, end);
        view.counters.put(SharedCounter { name, next: end });
        view.accept_changes();
        Ok(())
    }
}

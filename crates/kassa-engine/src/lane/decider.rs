//! What decides a batch over its view.

use std::panic::{AssertUnwindSafe, catch_unwind};

use kassa_domain::context::Random;
use kassa_domain::guard::{self, Guard};
use kassa_domain::node::{Counter, CounterName, NUMBERS_PER_BLOCK, Node};
use kassa_domain::{Settings, View};

use super::number::Number;
use crate::clock::Clock;
use crate::metrics::Steps;
use crate::pulse::Pulse;
use crate::task::{Surroundings, Task};

/// The first order number of an installation.
const FIRST_NUMBER: i64 = 100_001;

/// Why a batch was not decided to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Halt {
    /// A command has panicked.
    Panicked,
    /// The number of the lane is somebody else's by now.
    Lost,
    /// The program stood still since the tasks were asked for.
    StoodStill,
    /// Too few order numbers are left, and the counter that they come from was not loaded.
    NoNumbers,
}

pub(super) struct Decider<'a> {
    pub(super) number: Number,
    pub(super) clock: &'a dyn Clock,
    pub(super) pulse: &'a Pulse,
    /// Standstills that no task of the lane is older than.
    pub(super) standstills: u64,
    pub(super) random: &'a mut dyn Random,
    pub(super) settings: &'a Settings,
    /// Whether the counter of order numbers was loaded, if it is there.
    pub(super) has_counter: bool,
    pub(super) numbers_left: i64,
    pub(super) makes_jobs: bool,
    pub(super) makes_mails: bool,
    pub(super) steps: Steps,
}

impl Decider<'_> {
    /// Decides each task in turn, unless the number of the lane is lost or the program stood still.
    pub(super) fn decide(&mut self, tasks: &mut [Box<dyn Task>], view: &mut View) -> Result<(), Halt> {
        let now = self.clock.now();
        let mut node = view.nodes.get(self.number.node).ok_or(Halt::Lost)?.clone();
        // What this lane is asked for while it stands still, others do under its number.
        if node.epoch != self.number.epoch && guard::is_on(Guard::Epoch) {
            return Err(Halt::Lost);
        }
        // Nobody need have wanted the number meanwhile: what was asked for before is late all the same.
        if self.pulse.standstills() != self.standstills && guard::is_on(Guard::Standstill) {
            return Err(Halt::StoodStill);
        }
        // Whoever writes keeps its number by that.
        node.keep(now);
        self.lease_numbers(&mut node, tasks.len(), view)?;
        for task in tasks.iter_mut() {
            let (settings, node, random) = (self.settings, &mut node, &mut *self.random);
            let surroundings = Surroundings { now, settings, node, random };
            catch_unwind(AssertUnwindSafe(|| task.attempt(surroundings, view))).map_err(|_| Halt::Panicked)?;
        }
        self.numbers_left = node.numbers_left();
        self.makes_jobs = view.jobs.changes().iter().any(|change| change.version == 0);
        self.makes_mails = view.mails.changes().iter().any(|change| change.version == 0);
        self.steps = Steps::of(view, now);
        // When all were refused, there is nothing to write, and so nothing to wait for.
        if !view.is_clean() {
            view.nodes.put(node);
            view.accept();
        }
        Ok(())
    }

    /// Takes a block of order numbers when the batch could need more than are left.
    fn lease_numbers(&self, node: &mut Node, wanted: usize, view: &mut View) -> Result<(), Halt> {
        if node.numbers_left() >= i64::try_from(wanted).unwrap_or(i64::MAX) {
            return Ok(());
        }
        if !self.has_counter {
            return Err(Halt::NoNumbers);
        }
        let name = CounterName::OrderNumber;
        let next = view.counters.get(name).map_or(FIRST_NUMBER, |counter| counter.next);
        let end = next + NUMBERS_PER_BLOCK;
        (node.number_next, node.number_end) = (next, end);
        view.counters.put(Counter { name, next: end });
        view.accept();
        Ok(())
    }
}

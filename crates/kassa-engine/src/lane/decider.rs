//! What decides a batch over its view.

use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use kassa_domain::change::{seal_and_place_batch, seal_batch};
use kassa_domain::context::RandomBits;
use kassa_domain::node::Node;
use kassa_domain::safeguard::{self, Safeguard};
use kassa_domain::{DecisionSettings, ShardTag, View};

use super::number::LaneNumber;
use super::queue::LIGHT_ROWS_MAX;
use crate::clock::Clock;
use crate::event_bytes::event_bytes;
use crate::feed::PlacedBatch;
use crate::metrics::{OrderTransitions, PaymentSteps};
use crate::pause::PauseDetector;
use crate::task::{DecisionEnv, Task};
use crate::tenant::Tenant;

/// How long the decisions of a batch may take, in milliseconds: what is not decided by then waits for another batch.
/// Rows say little of how long it takes to show what was changed.
const DECISIONS_MS_MAX: u64 = 20;
/// A command whose decision takes this much processor time is slow, give or take the millisecond in which it is measured.
/// Time in which others had the processor does not count.
const SLOW: Duration = Duration::from_millis(10);

/// Why a batch was not decided to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DecisionHalt {
    /// A command has panicked.
    Panicked,
    /// Another process has claimed the number of the lane.
    Fenced,
    /// The program was paused after the tasks were queued.
    Paused,
    /// Too few order numbers are left, and no block of others was leased.
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
    /// A block of order numbers that nobody else has, for when too few are left.
    pub(super) order_numbers: Option<Range<i64>>,
    /// Whether a batch takes its place in the feed at once: then the head of the feed was loaded.
    pub(super) takes_places: bool,
    /// What came of the last run.
    pub(super) decisions: Decisions,
}

/// What came of the decisions of a batch.
#[derive(Default)]
pub(super) struct Decisions {
    /// The block of order numbers, if it was not taken.
    pub(super) order_numbers: Option<Range<i64>>,
    pub(super) creates_jobs: bool,
    pub(super) creates_mails: bool,
    pub(super) order_transitions: OrderTransitions,
    pub(super) payment_steps: PaymentSteps,
    /// Batches that have a place in the feed now: its own, or those that the sequencer has placed in it.
    pub(super) placed: Vec<PlacedBatch>,
    /// Whether it has stated changes that have no place yet.
    pub(super) has_unplaced_changes: bool,
    /// How many tasks were decided, the first at least.
    pub(super) count: usize,
    pub(super) learned: Learned,
}

/// What a batch tells of those that come later.
#[derive(Clone, Default)]
pub(super) struct Learned {
    /// Whose commands were slow.
    pub(super) slow_tenants: Vec<Tenant>,
    /// How much the events say on which there were commands, in bytes.
    pub(super) event_bytes: Vec<(ShardTag, usize)>,
}

impl Decider<'_> {
    /// Decides each task in turn, as far as there is time, unless the lane was fenced or the program was paused.
    pub(super) fn decide(&mut self, tasks: &mut [Box<dyn Task>], view: &mut View) -> Result<(), DecisionHalt> {
        self.decisions = Decisions::default();
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
        self.ensure_order_numbers(&mut node, tasks.len())?;
        let (mut worked, mut looked_at) = (self.clock.worked(), now);
        for task in tasks.iter_mut() {
            let (settings, node, random) = (self.settings, &mut node, &mut *self.random);
            let env = DecisionEnv { now, settings, node, random };
            catch_unwind(AssertUnwindSafe(|| task.attempt(env, view))).map_err(|_| DecisionHalt::Panicked)?;
            self.decisions.count += 1;
            let at = self.clock.now();
            // To ask how long a thread has worked takes a hundredth of the time of an order: quick ones share the question.
            if at != looked_at {
                let worked_before = std::mem::replace(&mut worked, self.clock.worked());
                looked_at = at;
                // What is heavy by its rows is kept apart anyway.
                if worked.saturating_sub(worked_before) >= SLOW && task.weight() <= LIGHT_ROWS_MAX {
                    self.decisions.learned.slow_tenants.push(task.tenant());
                }
            }
            if at.ms().abs_diff(now.ms()) >= DECISIONS_MS_MAX {
                break;
            }
        }
        let of_tasks = tasks.iter().filter(|task| task.loads_event()).map(|task| task.shard());
        // Events of which no set was loaded count only if a task loads its event.
        let events = view.sets.rows().map(|set| set.event.tag()).chain(of_tasks);
        self.decisions.learned.event_bytes = event_bytes(view, events).into_iter().collect();
        self.decisions.creates_jobs = view.jobs.changes().iter().any(|change| change.version == 0);
        self.decisions.creates_mails = view.mails.changes().iter().any(|change| change.version == 0);
        self.decisions.order_transitions = OrderTransitions::of(view, now);
        self.decisions.payment_steps = PaymentSteps::of(view, now);
        let is_taken = |block: &Range<i64>| !view.is_clean() && block.end == node.order_numbers_end;
        self.decisions.order_numbers = self.order_numbers.clone().filter(|block| !is_taken(block));
        // If all were refused, there is nothing to write, and nothing to wait for.
        if !view.is_clean() {
            let sealed = if self.takes_places {
                seal_and_place_batch(&mut node, now, view)
            } else {
                seal_batch(&mut node, now, view)
            };
            self.decisions.has_unplaced_changes = sealed.is_some() && !self.takes_places;
            self.decisions.placed = placed_batches(view);
            view.nodes.put(node);
            view.accept_changes();
        }
        Ok(())
    }

    /// Goes on with the block of order numbers that was leased, when the batch could need more than are left.
    fn ensure_order_numbers(&self, node: &mut Node, wanted: usize) -> Result<(), DecisionHalt> {
        if node.order_numbers_left() >= i64::try_from(wanted).unwrap_or(i64::MAX) {
            return Ok(());
        }
        let block = self.order_numbers.clone().ok_or(DecisionHalt::NoOrderNumbers)?;
        (node.next_order_number, node.order_numbers_end) = (block.start, block.end);
        Ok(())
    }
}

/// The batches that a batch has placed, by their places.
fn placed_batches(view: &View) -> Vec<PlacedBatch> {
    let changed = view.change_batches.changes();
    let mut placed: Vec<PlacedBatch> = changed.iter().filter_map(|change| PlacedBatch::new(change.row?)).collect();
    placed.sort_unstable_by_key(|batch| batch.place);
    placed
}

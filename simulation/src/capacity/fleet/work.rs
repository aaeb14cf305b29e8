//! Work of a processor that others take turns with.

use super::super::event_queue::EventQueue;
use super::super::numbers::{float, rounded};
use super::batch::Stage;
use super::{Fleet, FleetEvent};

/// For how long a processor stays with one piece of work while others wait.
const SLICE_US: u64 = 250;

/// What is left of a piece of work, and what comes then.
#[derive(Clone, Copy, Debug)]
pub(in crate::capacity) struct Work {
    pub(super) pool: usize,
    pub(super) left_us: u64,
    /// From its end until the next stage begins.
    pub(super) delay_us: u64,
    /// Nobody waits for some work.
    pub(super) then: Option<(usize, u32, Stage)>,
}

/// How often other programs want a processor.
const OTHERS_EVERY_US: u64 = 4_000;

impl Fleet {
    /// Other programs take this share of each processor.
    pub(super) fn run_others<E: From<FleetEvent>>(&mut self, queue: &mut EventQueue<E>, now: u64, share: f64) {
        let left_us = rounded(share * float(OTHERS_EVERY_US));
        if left_us == 0 {
            return;
        }
        for _ in 0..self.pools[0].processors() {
            self.work(queue, now, Work { pool: 0, left_us, delay_us: 0, then: None });
        }
        queue.push(now + OTHERS_EVERY_US, FleetEvent::Others { share });
    }

    /// The next slice of some work.
    pub(super) fn work<E: From<FleetEvent>>(&mut self, queue: &mut EventQueue<E>, now: u64, work: Work) {
        let slice = work.left_us.min(SLICE_US);
        let done = self.pools[work.pool].run(now, slice);
        if work.left_us > slice {
            queue.push(done, FleetEvent::Work(Work { left_us: work.left_us - slice, ..work }));
        } else if let Some((lane, generation, stage)) = work.then {
            queue.push(done + work.delay_us, FleetEvent::Stage { lane, generation, stage });
        }
    }
}

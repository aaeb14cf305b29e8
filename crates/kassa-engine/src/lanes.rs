//! All lanes of an engine: which of them a command goes to, and how they end.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;

use kassa_store::Store;
use parking_lot::{Mutex, RwLock};
use tokio::runtime::Handle;
use tokio::task::JoinSet;

use crate::failure::Failure;
#[cfg(feature = "test-support")]
use crate::lane::ManualLane;
use crate::lane::{HeavyPace, HeavyTurns, Lane, LaneState, TaskSender, queue};
use crate::start_error::StartError;
use crate::task::Task;

/// What lanes were in the middle of when one looked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LanesAtWork(Vec<Option<u64>>);

impl LanesAtWork {
    /// Whether a lane was in the middle of the same batch before, and does not wait for its database.
    pub fn is_stuck_since(&self, before: &Self) -> bool {
        self.0.iter().zip(&before.0).any(|(now, then)| now.is_some() && now == then)
    }
}

/// Lanes that are at work.
pub(crate) struct Lanes {
    /// `None` once they are closed.
    queues: RwLock<Option<Vec<TaskSender>>>,
    threads: Mutex<Vec<JoinHandle<()>>>,
    states: Vec<Arc<LaneState>>,
    /// Whether a stop was requested. An engine that is only dropped may have no runtime any more.
    stop_requested: Arc<AtomicBool>,
    /// In which place each writes.
    places: Vec<usize>,
    /// It says in which place what is.
    store: Store,
}

/// In which place of the database each lane writes: they take turns.
pub(crate) fn place_of_lane(lane: usize, places: usize) -> usize {
    lane.checked_rem(places).unwrap_or(0)
}

/// Which lane decides what is of a hash, in a place: one that writes there, or any, where none does.
fn lane_of(hash: usize, place: usize, places: &[usize]) -> Option<usize> {
    let near = || places.iter().enumerate().filter(|(_, its)| **its == place).map(|(at, _)| at);
    match near().count() {
        0 => hash.checked_rem(places.len()),
        count => near().nth(hash % count),
    }
}

impl Lanes {
    /// Puts each lane on a thread of its own.
    pub(crate) fn start(lanes: Vec<Lane>, store: &Store) -> Result<Self, StartError> {
        let (mut queues, mut threads) = (Vec::new(), Vec::new());
        let stop_requested = Arc::new(AtomicBool::new(false));
        let states = lanes.iter().map(Lane::state).collect();
        let places = lanes.iter().map(Lane::place).collect();
        let heavy_turns = HeavyTurns::new(lanes.len());
        for (at, lane) in lanes.into_iter().enumerate() {
            let (sender, waiting) = queue(HeavyPace::new(&heavy_turns, at));
            let (runtime, stop_requested) = (Handle::current(), Arc::clone(&stop_requested));
            let thread = std::thread::Builder::new()
                .name(format!("lane-{at}"))
                .spawn(move || lane.run(waiting, &runtime, &stop_requested))
                .map_err(|error| StartError::Thread(error.to_string()))?;
            queues.push(sender);
            threads.push(thread);
        }
        let (queues, threads) = (RwLock::new(Some(queues)), Mutex::new(threads));
        Ok(Self { queues, threads, states, stop_requested, places, store: store.clone() })
    }

    /// Lanes without threads, which the test runs.
    #[cfg(feature = "test-support")]
    pub(crate) fn manual(lanes: Vec<Lane>, store: &Store) -> (Self, Vec<ManualLane>) {
        let states = lanes.iter().map(Lane::state).collect();
        let places = lanes.iter().map(Lane::place).collect();
        let heavy_turns = HeavyTurns::new(lanes.len());
        let (queues, lanes) = lanes
            .into_iter()
            .enumerate()
            .map(|(at, lane)| {
                let (sender, waiting) = queue(HeavyPace::new(&heavy_turns, at));
                (sender, ManualLane::new(lane, waiting))
            })
            .unzip();
        let (threads, stop_requested) = (Mutex::default(), Arc::default());
        (
            Self { queues: RwLock::new(Some(queues)), threads, states, stop_requested, places, store: store.clone() },
            lanes,
        )
    }

    /// How many there are; none once they are closed.
    pub(crate) fn count(&self) -> usize {
        self.queues.read().as_ref().map_or(0, Vec::len)
    }

    /// The numbers of those that have one.
    pub(crate) fn numbers(&self) -> Vec<u16> {
        self.states.iter().filter_map(|state| state.number()).collect()
    }

    /// How many commands wait for each of them.
    pub(crate) fn queue_lengths(&self) -> Vec<usize> {
        let queues = self.queues.read();
        let queues = queues.as_deref().unwrap_or_default();
        queues.iter().map(TaskSender::len).collect()
    }

    /// Puts a command into the queue of its shard's lane: commands of one event meet in one lane, which writes where the event
    /// is. What finds no place was not decided.
    pub(crate) fn send(&self, task: Box<dyn Task>) -> Result<(), Failure> {
        let queues = self.queues.read();
        let queues = queues.as_deref().unwrap_or_default();
        // Tags are hashes.
        let hash = usize::try_from(task.shard().to_i64()).unwrap_or(0);
        let at = lane_of(hash, self.store.place_of(task.shard()), &self.places);
        at.and_then(|at| queues.get(at)).ok_or(Failure::Busy)?.send(task)
    }

    /// Puts a task of the system in front of the queue of one lane.
    pub(crate) fn send_to_lane(&self, at: usize, task: Box<dyn Task>) -> Result<(), Failure> {
        let queues = self.queues.read();
        let queue = queues.as_deref().and_then(|queues| queues.get(at)).ok_or(Failure::Busy)?;
        queue.send_urgent(task)
    }

    /// Whether one of them has ended.
    pub(crate) fn has_ended_lane(&self) -> bool {
        self.queues.read().as_ref().is_none_or(|queues| queues.iter().any(TaskSender::is_closed))
    }

    /// Whether they are at work and, as far as one knows, can write: all of them. Where they write on several servers of a database, one of
    /// them is enough: a server that is lost is lost to all programs.
    pub(crate) fn can_write(&self) -> bool {
        let can_write = |state: &Arc<LaneState>| state.can_write();
        let are_able = if self.places.iter().any(|place| *place > 0) {
            self.states.iter().any(can_write)
        } else {
            self.states.iter().all(can_write)
        };
        !self.has_ended_lane() && are_able
    }

    /// Counts the steps of all of them, for whoever asks whether somebody wrote meanwhile: see [`LaneState::steps`].
    pub(crate) fn step_count(&self) -> Box<dyn Fn() -> u64 + Send + Sync> {
        let states = self.states.clone();
        Box::new(move || states.iter().map(|state| state.steps()).sum())
    }

    /// What each is in the middle of.
    pub(crate) fn batches_under_way(&self) -> LanesAtWork {
        LanesAtWork(self.states.iter().map(|state| state.steps_under_way()).collect())
    }

    /// Ready when one of them has ended without a stop request: it has panicked.
    pub(crate) async fn wait_for_lane_failure(&self) {
        let mut any: JoinSet<()> =
            self.queues.read().as_deref().unwrap_or_default().iter().map(TaskSender::closed).collect();
        any.join_next().await;
    }

    /// Accepts no more commands, finishes those that wait, and ends the lanes.
    pub(crate) async fn close(&self) {
        self.stop_requested.store(true, Ordering::Release);
        self.queues.write().take();
        let threads = std::mem::take(&mut *self.threads.lock());
        for thread in threads {
            let joined = tokio::task::spawn_blocking(move || thread.join()).await;
            if !matches!(joined, Ok(Ok(()))) {
                tracing::error!("a lane panicked");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_goes_to_a_lane_of_its_place() {
        let places: Vec<usize> = (0..5).map(|lane| place_of_lane(lane, 2)).collect();
        assert_eq!(places, [0, 1, 0, 1, 0]);
        let lanes = |place| (0..4).map(|hash| lane_of(hash, place, &places).unwrap()).collect::<Vec<_>>();
        assert_eq!((lanes(0), lanes(1)), (vec![0, 2, 4, 0], vec![1, 3, 1, 3]));
        assert_eq!(lanes(2), [0, 1, 2, 3], "nobody writes there: any lane asks the others");
        assert_eq!((lane_of(7, 0, &[]), lane_of(7, 3, &[0])), (None, Some(0)));
    }
}

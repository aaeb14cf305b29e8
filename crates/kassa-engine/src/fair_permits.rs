//! A semaphore that is shared out fairly: those who wait are served in turn, caller by caller, however many requests
//! one of them has; and nobody holds more than its share, so that something is left for others who come later.

use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::hash::Hash;
use std::sync::Arc;

use parking_lot::Mutex;
use tokio::sync::oneshot::{self, Sender};

/// How many permits there are, and who may hold and wait for how many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FairLimits {
    /// Permits in all.
    pub total: usize,
    /// The most that one caller holds.
    pub per_caller: usize,
    /// The most requests of one caller that wait.
    pub waiting_per_caller: usize,
    /// The most that wait in all. Beyond it the caller with the most gives a place up to one with fewer.
    pub waiting: usize,
}

/// Permits for callers named by `K`. Clones share them.
pub struct FairPermits<K: Copy + Eq + Hash>(Arc<Shared<K>>);

struct Shared<K: Copy + Eq + Hash> {
    limits: FairLimits,
    state: Mutex<State<K>>,
}

struct State<K: Copy + Eq + Hash> {
    free: usize,
    /// Those that hold permits or wait for them.
    callers: HashMap<K, Caller<K>>,
    /// Those that wait and hold less than their share, in the order in which they are served. Each is there once.
    round: VecDeque<K>,
    waiting: usize,
}

struct Caller<K: Copy + Eq + Hash> {
    held: usize,
    queue: VecDeque<Sender<FairPermit<K>>>,
    is_in_round: bool,
}

/// A permit, given back when it is dropped.
pub struct FairPermit<K: Copy + Eq + Hash> {
    permits: FairPermits<K>,
    caller: K,
}

/// Too many wait already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooManyWaiting;

impl<K: Copy + Eq + Hash> Clone for FairPermits<K> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<K: Copy + Eq + Hash> FairPermits<K> {
    /// As many as the limits say.
    pub fn new(limits: FairLimits) -> Self {
        let state = State { free: limits.total, callers: HashMap::new(), round: VecDeque::new(), waiting: 0 };
        Self(Arc::new(Shared { limits, state: Mutex::new(state) }))
    }

    /// A permit, when it is this caller's turn. Whoever stops waiting loses its place.
    pub async fn acquire(&self, caller: K) -> Result<FairPermit<K>, TooManyWaiting> {
        if let Some(permit) = self.try_acquire(caller) {
            return Ok(permit);
        }
        let (sender, receiver) = oneshot::channel();
        self.enqueue(caller, sender)?;
        self.serve();
        // A sender is dropped before it has sent where its place is given to another caller.
        receiver.await.map_err(|_| TooManyWaiting)
    }

    /// A permit, if one is free for this caller now.
    pub fn try_acquire(&self, caller: K) -> Option<FairPermit<K>> {
        let mut guard = self.0.state.lock();
        let state = &mut *guard;
        let entry = state.callers.entry(caller).or_insert_with(Caller::new);
        if state.free == 0 || entry.held >= self.0.limits.per_caller || entry.is_in_round {
            state.leave_if_idle(caller);
            return None;
        }
        state.free -= 1;
        entry.held += 1;
        Some(FairPermit { permits: self.clone(), caller })
    }

    /// Whether somebody would be served if this caller gave a permit back.
    pub fn has_waiting(&self, caller: K) -> bool {
        let state = self.0.state.lock();
        !state.round.is_empty() || state.callers.get(&caller).is_some_and(|entry| !entry.queue.is_empty())
    }

    /// How many wait.
    pub fn waiting(&self) -> usize {
        self.0.state.lock().waiting
    }

    fn enqueue(&self, caller: K, sender: Sender<FairPermit<K>>) -> Result<(), TooManyWaiting> {
        let limits = &self.0.limits;
        let mut guard = self.0.state.lock();
        let state = &mut *guard;
        let entry = state.callers.entry(caller).or_insert_with(Caller::new);
        if entry.queue.len() >= limits.waiting_per_caller {
            // Those that stopped waiting are still there.
            let before = entry.queue.len();
            entry.queue.retain(|waiting| !waiting.is_closed());
            state.waiting -= before - entry.queue.len();
        }
        let own = entry.queue.len();
        if own >= limits.waiting_per_caller || (state.waiting >= limits.waiting && !state.make_room(own)) {
            state.leave_if_idle(caller);
            return Err(TooManyWaiting);
        }
        state.callers.entry(caller).or_insert_with(Caller::new).queue.push_back(sender);
        state.waiting += 1;
        state.join_round(caller, limits.per_caller);
        Ok(())
    }

    /// Gives what is free to those whose turn it is.
    fn serve(&self) {
        // A permit that its receiver no longer wants comes back, which takes the lock.
        while let Some((sender, permit)) = self.next_grant() {
            drop(sender.send(permit));
        }
    }

    fn next_grant(&self) -> Option<(Sender<FairPermit<K>>, FairPermit<K>)> {
        let mut guard = self.0.state.lock();
        let state = &mut *guard;
        while state.free > 0 {
            let caller = state.round.pop_front()?;
            let Some(entry) = state.callers.get_mut(&caller) else { continue };
            entry.is_in_round = false;
            let queued = entry.queue.len();
            // Those that stopped waiting are passed over.
            let next = std::iter::from_fn(|| entry.queue.pop_front()).find(|waiting| !waiting.is_closed());
            state.waiting -= queued - entry.queue.len();
            let Some(sender) = next else {
                state.leave_if_idle(caller);
                continue;
            };
            state.free -= 1;
            entry.held += 1;
            state.join_round(caller, self.0.limits.per_caller);
            return Some((sender, FairPermit { permits: self.clone(), caller }));
        }
        None
    }

    fn release(&self, caller: K) {
        let mut guard = self.0.state.lock();
        let state = &mut *guard;
        state.free += 1;
        if let Some(entry) = state.callers.get_mut(&caller) {
            entry.held -= 1;
        }
        state.join_round(caller, self.0.limits.per_caller);
        state.leave_if_idle(caller);
    }
}

impl<K: Copy + Eq + Hash> State<K> {
    /// Puts a caller at the end of the round, if it waits and may have another permit.
    fn join_round(&mut self, caller: K, per_caller: usize) {
        let Some(entry) = self.callers.get_mut(&caller) else { return };
        if !entry.is_in_round && !entry.queue.is_empty() && entry.held < per_caller {
            entry.is_in_round = true;
            self.round.push_back(caller);
        }
    }

    /// Takes a place from the caller with the most requests that wait, for one who has `own`; whether there is room now.
    fn make_room(&mut self, own: usize) -> bool {
        let Some(most) = self.callers.values_mut().max_by_key(|entry| entry.queue.len()) else { return false };
        if most.queue.len() <= own + 1 {
            return false;
        }
        // Who came last has waited least. The caller stays in the round: it has others that wait.
        drop(most.queue.pop_back());
        self.waiting -= 1;
        true
    }

    /// Forgets a caller that holds nothing and waits for nothing.
    fn leave_if_idle(&mut self, caller: K) {
        if self
            .callers
            .get(&caller)
            .is_some_and(|entry| entry.held == 0 && entry.queue.is_empty() && !entry.is_in_round)
        {
            self.callers.remove(&caller);
        }
    }
}

impl<K: Copy + Eq + Hash> Caller<K> {
    fn new() -> Self {
        Self { held: 0, queue: VecDeque::new(), is_in_round: false }
    }
}

impl<K: Copy + Eq + Hash> FairPermit<K> {
    /// Who holds it.
    pub fn caller(&self) -> K {
        self.caller
    }
}

impl<K: Copy + Eq + Hash> Drop for FairPermit<K> {
    fn drop(&mut self) {
        self.permits.release(self.caller);
        self.permits.serve();
    }
}

impl<K: Copy + Eq + Hash + fmt::Debug> fmt::Debug for FairPermit<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a permit of {:?}", self.caller)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use futures_util::FutureExt;
    use futures_util::future::BoxFuture;
    use proptest::prelude::*;

    use super::*;

    const LIMITS: FairLimits = FairLimits { total: 3, per_caller: 2, waiting_per_caller: 4, waiting: 6 };

    type Waiting = BoxFuture<'static, Result<FairPermit<char>, TooManyWaiting>>;

    /// A request that has been polled: it holds a permit, waits, or was refused.
    fn request(permits: &FairPermits<char>, caller: char) -> Result<Result<FairPermit<char>, TooManyWaiting>, Waiting> {
        let permits = permits.clone();
        let mut waiting: Waiting = Box::pin(async move { permits.acquire(caller).await });
        (&mut waiting).now_or_never().ok_or(waiting)
    }

    fn granted(permits: &FairPermits<char>, caller: char) -> FairPermit<char> {
        request(permits, caller).ok().unwrap().unwrap()
    }

    fn waiting(permits: &FairPermits<char>, caller: char) -> Waiting {
        request(permits, caller).err().unwrap()
    }

    #[test]
    fn a_caller_holds_no_more_than_its_share() {
        let permits = FairPermits::new(LIMITS);
        let (first, _second) = (granted(&permits, 'a'), granted(&permits, 'a'));
        let third = waiting(&permits, 'a');
        assert!(permits.has_waiting('a') && !permits.has_waiting('b'), "one is free, and it is not for this caller");
        let _other = granted(&permits, 'b');
        drop(first);
        assert!(third.now_or_never().unwrap().is_ok());
    }

    #[test]
    fn when_all_places_are_taken_the_caller_with_the_most_gives_one_up() {
        let permits = FairPermits::new(LIMITS);
        let _held: Vec<_> = "abc".chars().map(|caller| granted(&permits, caller)).collect();
        let mut of_a: Vec<_> = (0..4).map(|_| waiting(&permits, 'a')).collect();
        let _of_b: Vec<_> = (0..2).map(|_| waiting(&permits, 'b')).collect();
        let of_c = waiting(&permits, 'c');
        assert_eq!(permits.waiting(), LIMITS.waiting);
        let last = of_a.pop().unwrap().now_or_never().expect("it has lost its place");
        assert!(last.is_err() && of_a.iter_mut().all(|earlier| earlier.now_or_never().is_none()));
        let _second_of_c = waiting(&permits, 'c');
        assert!(matches!(request(&permits, 'c'), Ok(Err(TooManyWaiting))), "nobody has many more");
        assert!(of_c.now_or_never().is_none());
    }

    #[test]
    fn where_nobody_may_wait_there_are_permits_all_the_same() {
        let permits = FairPermits::new(FairLimits { waiting_per_caller: 0, waiting: 0, ..LIMITS });
        let held: Vec<_> = "aab".chars().map(|caller| granted(&permits, caller)).collect();
        assert!(permits.try_acquire('a').is_none() && permits.try_acquire('c').is_none());
        assert!(matches!(request(&permits, 'c'), Ok(Err(TooManyWaiting))));
        drop(held);
        assert!(permits.try_acquire('c').is_some());
    }

    #[test]
    fn callers_are_served_in_turn_however_many_requests_they_have() {
        let permits = FairPermits::new(FairLimits { total: 1, per_caller: 1, ..LIMITS });
        let mut held = granted(&permits, 'x');
        let mut queue: Vec<(char, Waiting)> =
            "aaab".chars().chain("bc".chars()).map(|caller| (caller, waiting(&permits, caller))).collect();
        let mut order = String::new();
        while !queue.is_empty() {
            drop(held);
            let (at, next) =
                queue.iter_mut().enumerate().find_map(|(at, (_, next))| Some((at, next.now_or_never()?))).unwrap();
            held = next.unwrap();
            order.push(queue.remove(at).0);
        }
        assert_eq!(order, "abcaba");
        drop(held);
        assert!(permits.0.state.lock().callers.is_empty());
    }

    #[test]
    fn too_many_do_not_wait() {
        let permits = FairPermits::new(LIMITS);
        let _held: Vec<_> = "aab".chars().map(|caller| granted(&permits, caller)).collect();
        let mut queue: Vec<_> = "aaaabb".chars().map(|caller| waiting(&permits, caller)).collect();
        assert_eq!(permits.waiting(), 6);
        assert!(matches!(request(&permits, 'a'), Ok(Err(TooManyWaiting))), "too many of its own");
        // Whoever stops waiting makes room.
        drop(queue.remove(0));
        queue.push(waiting(&permits, 'a'));
        assert!(matches!(request(&permits, 'a'), Ok(Err(TooManyWaiting))));
    }

    #[test]
    fn who_stops_waiting_is_passed_over() {
        let permits = FairPermits::new(FairLimits { total: 1, per_caller: 1, ..LIMITS });
        let held = granted(&permits, 'x');
        let (gone, behind) = (waiting(&permits, 'a'), waiting(&permits, 'b'));
        drop(gone);
        drop(held);
        let held = behind.now_or_never().unwrap().unwrap();
        // One that was served, and never came to know it.
        let served = waiting(&permits, 'a');
        drop(held);
        drop(served);
        drop(granted(&permits, 'b'));
        assert!(permits.0.state.lock().callers.is_empty());
    }

    proptest! {
        /// Whatever is asked, given back and abandoned: the limits hold, nobody waits for a permit that is free, and
        /// nothing is lost.
        #[test]
        fn limits_hold_and_no_permit_is_lost(steps in proptest::collection::vec((0_u8..4, 0_usize..4), 1..200)) {
            let permits = FairPermits::new(LIMITS);
            let (mut held, mut queue): (Vec<FairPermit<char>>, Vec<(char, Waiting)>) = Default::default();
            for (step, which) in steps {
                match step {
                    0 | 1 => {
                        let caller = ['a', 'b', 'c', 'd'][which];
                        match request(&permits, caller) {
                            Ok(Ok(permit)) => held.push(permit),
                            Ok(Err(TooManyWaiting)) => {}
                            Err(waiting) => queue.push((caller, waiting)),
                        }
                    }
                    2 if which < held.len() => drop(held.remove(which)),
                    3 if which < queue.len() => drop(queue.remove(which)),
                    _ => {}
                }
                let mut still = Vec::new();
                for (caller, mut waiting) in queue {
                    match (&mut waiting).now_or_never() {
                        Some(Ok(permit)) => held.push(permit),
                        // Its place is another caller's now.
                        Some(Err(TooManyWaiting)) => {}
                        None => still.push((caller, waiting)),
                    }
                }
                queue = still;
                let mut shares: HashMap<char, usize> = HashMap::new();
                for permit in &held {
                    *shares.entry(permit.caller).or_default() += 1;
                }
                prop_assert!(held.len() <= LIMITS.total && shares.values().all(|share| *share <= LIMITS.per_caller));
                let could_go_on = |caller: &char| shares.get(caller).is_none_or(|share| *share < LIMITS.per_caller);
                let idle = held.len() < LIMITS.total && queue.iter().any(|(caller, _)| could_go_on(caller));
                prop_assert!(!idle, "somebody waits for a permit that is free");
            }
            drop((held, queue));
            let state = permits.0.state.lock();
            prop_assert_eq!((state.free, state.round.len()), (LIMITS.total, 0));
        }
    }
}

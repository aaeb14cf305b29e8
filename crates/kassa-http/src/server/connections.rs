//! The connections of a listener: when all places are taken, those that do nothing give way to a new one, and so does the
//! oldest request of whoever has the most.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use kassa_engine::metrics::{Limit, LimitHits};
use parking_lot::Mutex;
use tokio::sync::{Notify, oneshot};
use tokio::time::Instant;

use super::pace::ClientPace;
use crate::app::AppState;
use crate::peer::ClientNetwork;

/// Of so many places, one is made free at a time: to find those that give way, all are looked at.
const PLACES_PER_EVICTION: usize = 256;
/// How often in a second connections of an address that has more than half of all places give way to others of its own:
/// beyond that the new ones are closed, which costs least.
const OWN_REPLACEMENTS_PER_SECOND: u32 = 100;
/// So many new connections of an address wait for a place at a time; others are closed.
const NEWCOMERS_PER_NETWORK: usize = 8;
/// So long a connection may have no request before it gives way to an address that has more.
const IDLE_MICROS_MIN: u64 = 1_000_000;
/// Addresses without connections that are remembered for their pace, at most, before those that have rested are looked for.
const NETWORKS_REMEMBERED: usize = 1_024;
/// Of a connection of HTTP/2, so many requests may be taken back beyond those that were answered (CVE-2023-44487).
const RESETS_MAX: usize = 100;
/// What stands in place of a time in a connection that has given way.
const EVICTED: u64 = u64::MAX;
/// The bit by which the time at which a request began differs from that since when there is none.
const BUSY: u64 = 1 << 63;

/// Whose connections give way.
#[derive(Clone, Default)]
pub(crate) struct EvictionPolicy {
    /// Counts connections that gave way.
    pub(crate) limit_hits: Arc<LimitHits>,
    /// All connections come from proxies of the operator, whose addresses say nothing of clients.
    pub(crate) is_behind_proxies: bool,
}

impl EvictionPolicy {
    /// As the interface is set.
    pub(crate) fn of(app: &AppState) -> Self {
        let is_behind_proxies = app.config.trusted_proxies > 0;
        Self { limit_hits: Arc::clone(app.engine.limit_hits()), is_behind_proxies }
    }
}

/// The places of connections, and who has them. Nobody is refused while there are free ones. When all are taken, the
/// address with the most connections gives up that which has had no request for the longest time. If all have a request,
/// it gives up the oldest of those for an address that has fewer connections than it, counted with the new one. An
/// address that has more than half of all places does so for every other; and it does not get places of its own by opening
/// connections again and again. Who waits for a place gets it before those of its like who have more.
pub(super) struct Connections(Arc<SharedPlaces>);

struct SharedPlaces {
    max: usize,
    policy: EvictionPolicy,
    start: Instant,
    table: Mutex<ConnectionTable>,
    /// Whether new connections wait for others to become idle.
    has_newcomers: AtomicBool,
}

#[derive(Default)]
struct ConnectionTable {
    next: u64,
    connections: HashMap<u64, Arc<ConnectionState>>,
    /// What each address has.
    by_network: HashMap<Option<ClientNetwork>, NetworkState>,
    /// How many have given way, and are not closed yet.
    closing: usize,
    /// New connections that wait for a place, in the order in which they came.
    newcomers: Vec<Newcomer>,
    /// A second of the listener's life, and how many connections gave way in it to others of their own address.
    own_replacements: (u64, u32),
}

/// What is known of an address.
#[derive(Default)]
struct NetworkState {
    /// How many connections it has.
    connections: usize,
    pace: Arc<ClientPace>,
}

struct Newcomer {
    network: Option<ClientNetwork>,
    place: oneshot::Sender<Arc<ConnectionPlace>>,
}

/// What is known of a connection.
struct ConnectionState {
    /// `None` where addresses say nothing.
    network: Option<ClientNetwork>,
    /// Since when it has had no request, or a request, in microseconds of the listener's life; or [`EVICTED`].
    activity: AtomicU64,
    /// That of its address, or its own where addresses say nothing.
    pace: Arc<ClientPace>,
    /// How many requests it has: by HTTP/2, several at a time.
    requests: Mutex<usize>,
    /// How much of a head was read that is not whole yet, in bytes.
    head_length: AtomicUsize,
    /// Requests that its client has taken back, less those that were answered.
    resets: AtomicUsize,
    close: Notify,
}

/// Which connection gives way before others: one without a request, of the greediest address, the idlest, the oldest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct EvictionRank {
    is_busy: bool,
    /// How many places its address does not have.
    left_to_most: usize,
    activity: u64,
    id: u64,
}

/// What becomes of a new connection.
pub(super) enum Admission {
    Entered(Arc<ConnectionPlace>),
    /// All places are taken: it gets one when another has given way.
    Waits(oneshot::Receiver<Arc<ConnectionPlace>>),
    /// Its address has too many.
    Refused,
}

/// A place of a connection, until it is dropped.
pub(super) struct ConnectionPlace {
    id: u64,
    state: Arc<ConnectionState>,
    places: Arc<SharedPlaces>,
}

/// A connection has a request, until this is dropped.
pub(super) struct BusyConnection(Arc<ConnectionPlace>);

impl Connections {
    pub(super) fn new(max: usize, policy: EvictionPolicy) -> Self {
        let (table, has_newcomers) = (Mutex::default(), AtomicBool::new(false));
        Self(Arc::new(SharedPlaces { max, policy, start: Instant::now(), table, has_newcomers }))
    }

    /// A place for a connection from this address. If all are taken, others give way.
    pub(super) fn enter(&self, peer: IpAddr) -> Admission {
        let places = &self.0;
        let network = (!places.policy.is_behind_proxies).then(|| ClientNetwork::of(peer));
        let mut table = places.table.lock();
        table.newcomers.retain(|newcomer| !newcomer.place.is_closed());
        if table.newcomers.is_empty() && table.connections.len() < places.max {
            return Admission::Entered(places.insert(&mut table, network));
        }
        if !table.admits(network, places.max, micros_since(places.start)) {
            drop(table);
            places.policy.limit_hits.record(Limit::Connections);
            return Admission::Refused;
        }
        let (place, entered) = oneshot::channel();
        table.newcomers.push(Newcomer { network, place });
        // From here on each that becomes idle gives way by itself, also one that does so before the others are looked at.
        places.has_newcomers.store(true, Ordering::SeqCst);
        let evicted = table.make_room(places.max, places.start);
        drop(table);
        places.close(evicted);
        Admission::Waits(entered)
    }
}

impl SharedPlaces {
    fn insert(self: &Arc<Self>, table: &mut ConnectionTable, network: Option<ClientNetwork>) -> Arc<ConnectionPlace> {
        let activity = AtomicU64::new(micros_since(self.start));
        let of_network = table.by_network.entry(network).or_default();
        of_network.connections += 1;
        let pace = match network {
            Some(_) => Arc::clone(&of_network.pace),
            None => Arc::default(),
        };
        let (requests, head_length, resets, close) = Default::default();
        let state = Arc::new(ConnectionState { network, activity, pace, requests, head_length, resets, close });
        let id = table.next;
        table.next += 1;
        table.connections.insert(id, Arc::clone(&state));
        Arc::new(ConnectionPlace { id, state, places: Arc::clone(self) })
    }

    /// Lets connections give way to those that wait, as far as some may.
    fn make_room(&self) {
        let evicted = self.table.lock().make_room(self.max, self.start);
        self.close(evicted);
    }

    fn close(&self, evicted: Vec<Arc<ConnectionState>>) {
        for connection in evicted {
            self.policy.limit_hits.record(Limit::Connections);
            connection.close.notify_one();
        }
    }

    /// A connection is gone: its place is that of the next who waits.
    fn leave(self: &Arc<Self>, id: u64, state: &ConnectionState) {
        let (mut table, mut entered) = (self.table.lock(), Vec::new());
        table.remove(id, state);
        while table.connections.len() < self.max
            && let Some((_, next)) = table.newcomers_in_order().first().copied()
        {
            let Newcomer { network, place } = table.newcomers.remove(next);
            entered.push((place, self.insert(&mut table, network)));
        }
        self.has_newcomers.store(!table.newcomers.is_empty(), Ordering::SeqCst);
        let evicted = table.make_room(self.max, self.start);
        drop(table);
        self.close(evicted);
        for (newcomer, place) in entered {
            // Where nobody waits any more, the place is given on.
            drop(newcomer.send(place));
        }
    }
}

impl NetworkState {
    /// Whether nothing is to be known of it.
    fn is_forgettable(&self) -> bool {
        self.connections == 0 && self.pace.has_rested()
    }
}

impl ConnectionTable {
    fn connections_of(&self, network: Option<ClientNetwork>) -> usize {
        self.by_network.get(&network).map_or(0, |of_network| of_network.connections)
    }

    fn remove(&mut self, id: u64, state: &ConnectionState) {
        self.connections.remove(&id);
        if state.activity.load(Ordering::SeqCst) == EVICTED {
            self.closing -= 1;
        }
        if let Entry::Occupied(mut own) = self.by_network.entry(state.network) {
            own.get_mut().connections -= 1;
            if own.get().is_forgettable() {
                own.remove();
            }
        }
        // Those that had not rested when their last connection was closed.
        if self.by_network.len() > 2 * self.connections.len() + NETWORKS_REMEMBERED {
            self.by_network.retain(|_, own| !own.is_forgettable());
        }
    }

    /// Whether others give way to one more connection of this address.
    fn admits(&mut self, network: Option<ClientNetwork>, max: usize, now_micros: u64) -> bool {
        if network.is_none() {
            return true;
        }
        let waiting = self.newcomers.iter().filter(|newcomer| newcomer.network == network).count();
        if self.connections_of(network) > max / 2 {
            let second = now_micros / 1_000_000;
            if self.own_replacements.0 != second {
                self.own_replacements = (second, 0);
            }
            self.own_replacements.1 += 1;
            if self.own_replacements.1 > OWN_REPLACEMENTS_PER_SECOND {
                return false;
            }
        }
        waiting < NEWCOMERS_PER_NETWORK
    }

    /// Those who wait, each with how many connections its address has before it gets its own; the fewest come first.
    fn newcomers_in_order(&self) -> Vec<(usize, usize)> {
        let mut before: HashMap<Option<ClientNetwork>, usize> = HashMap::new();
        let mut order: Vec<(usize, usize)> = Vec::with_capacity(self.newcomers.len());
        for (at, newcomer) in self.newcomers.iter().enumerate() {
            let before = before.entry(newcomer.network).or_insert_with(|| self.connections_of(newcomer.network));
            order.push((*before, at));
            *before += 1;
        }
        order.sort_unstable();
        order
    }

    /// Marks connections that give way, until there is one for each who waits, or none that may.
    fn make_room(&mut self, max: usize, start: Instant) -> Vec<Arc<ConnectionState>> {
        let mut evicted = Vec::new();
        if self.newcomers.len() <= self.closing {
            return evicted;
        }
        let waiting = self.newcomers_in_order();
        while let Some((own, _)) = waiting.get(self.closing).copied()
            && let Some(more) = self.evict(max, own, micros_since(start))
        {
            self.closing += more.len();
            evicted.extend(more);
        }
        evicted
    }

    /// Marks some connections of the address with the most of them, for an address that has `own`; `None` if there are
    /// none that may be closed for it.
    fn evict(&self, max: usize, own: usize, now_micros: u64) -> Option<Vec<Arc<ConnectionState>>> {
        let mut candidates = Vec::new();
        for (id, connection) in &self.connections {
            let activity = connection.activity.load(Ordering::SeqCst);
            let others = self.connections_of(connection.network);
            let is_busy = activity & BUSY != 0;
            let has_most = connection.network.is_some() && (others > max / 2 || others > own + 1);
            // Whoever was let in before one who has more gets time to ask.
            let is_idle = !is_busy
                && (connection.network.is_none()
                    || others >= own
                    || now_micros.saturating_sub(activity) >= IDLE_MICROS_MIN);
            if activity != EVICTED && (is_idle || (is_busy && has_most)) {
                candidates.push(EvictionRank { is_busy, left_to_most: max - others, activity, id: *id });
            }
        }
        let first = *candidates.iter().min()?;
        let count = if first.is_busy { 1 } else { max.div_ceil(PLACES_PER_EVICTION) };
        if count < candidates.len() {
            candidates.select_nth_unstable(count);
            candidates.truncate(count);
        }
        // Others do not give way because there are too few of those.
        candidates.retain(|one| (one.is_busy, one.left_to_most) == (first.is_busy, first.left_to_most));
        let connections = candidates.iter().map(|one| (&self.connections[&one.id], one.activity));
        let marked = connections.filter(|(connection, seen)| connection.mark_evicted(*seen));
        Some(marked.map(|(connection, _)| Arc::clone(connection)).collect())
    }
}

impl ConnectionState {
    /// Whether it gives way: it does what it was seen to do.
    fn mark_evicted(&self, seen: u64) -> bool {
        self.activity.compare_exchange(seen, EVICTED, Ordering::SeqCst, Ordering::SeqCst).is_ok()
    }
}

impl ConnectionPlace {
    /// Ready when the connection has to be closed.
    pub(super) async fn evicted(&self) {
        self.state.close.notified().await;
    }

    /// How fast its address is.
    pub(super) fn pace(&self) -> &ClientPace {
        &self.state.pace
    }

    /// How long the head is that is not whole, with so many bytes more; `None` if they are those of a body.
    pub(super) fn head_length_after(&self, bytes: usize) -> Option<usize> {
        let is_busy = self.state.activity.load(Ordering::SeqCst) & BUSY != 0;
        (!is_busy).then(|| self.state.head_length.fetch_add(bytes, Ordering::Relaxed) + bytes)
    }

    /// A request begins; `None` if the connection is about to be closed.
    pub(super) fn begin_request(self: &Arc<Self>) -> Option<BusyConnection> {
        let mut requests = self.state.requests.lock();
        let began = micros_since(self.places.start) | BUSY;
        self.state.head_length.store(0, Ordering::Relaxed);
        let set = |activity| (activity != EVICTED).then_some(began);
        let entered = self.state.activity.fetch_update(Ordering::SeqCst, Ordering::SeqCst, set);
        entered.ok()?;
        *requests += 1;
        Some(BusyConnection(Arc::clone(self)))
    }

    /// For how long it has had no request; `None` while it has one.
    pub(super) fn idle_time(&self) -> Option<Duration> {
        let activity = self.state.activity.load(Ordering::SeqCst);
        let idle = micros_since(self.places.start).saturating_sub(activity & !BUSY);
        (activity & BUSY == 0).then(|| Duration::from_micros(idle))
    }

    /// A request was answered.
    pub(super) fn record_answer(&self) {
        let forgive = |resets: usize| resets.checked_sub(1);
        // There may be nothing to forgive.
        let _ = self.state.resets.fetch_update(Ordering::Relaxed, Ordering::Relaxed, forgive);
    }

    /// A request was taken back before it was answered. Who does nothing else is disconnected.
    pub(super) fn record_reset(&self) {
        if self.state.resets.fetch_add(1, Ordering::Relaxed) + 1 == RESETS_MAX {
            self.places.policy.limit_hits.record(Limit::Connections);
            self.state.close.notify_one();
        }
    }
}

impl Drop for ConnectionPlace {
    fn drop(&mut self) {
        self.places.leave(self.id, &self.state);
    }
}

impl Drop for BusyConnection {
    fn drop(&mut self) {
        let places = &self.0.places;
        let mut requests = self.0.state.requests.lock();
        *requests -= 1;
        if *requests > 0 {
            return;
        }
        let ended = micros_since(places.start);
        let set = |activity| (activity != EVICTED).then_some(ended);
        // One that was closed stays so.
        let _ = self.0.state.activity.fetch_update(Ordering::SeqCst, Ordering::SeqCst, set);
        drop(requests);
        if places.has_newcomers.load(Ordering::SeqCst) {
            places.make_room();
        }
    }
}

fn micros_since(start: Instant) -> u64 {
    u64::try_from(start.elapsed().as_micros()).unwrap_or(u64::MAX) & !BUSY
}

#[cfg(test)]
mod tests;

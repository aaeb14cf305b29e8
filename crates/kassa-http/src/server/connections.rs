//! The connections of a listener: when all places are taken, those that do nothing give way to a new one.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use kassa_engine::metrics::{Limit, LimitHits};
use parking_lot::Mutex;
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};
use tokio::time::Instant;

use crate::app::AppState;
use crate::peer::ClientNetwork;

/// Of so many places, one is made free at a time: to find those that give way, all are looked at.
const PLACES_PER_EVICTION: usize = 256;
/// How often in a second connections of an address that has more than half of all places give way to others of its own:
/// beyond that the new ones are closed, which costs least.
const OWN_REPLACEMENTS_PER_SECOND: u32 = 100;
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
/// address with the most connections gives up that which has had no request for the longest time. An address that has
/// more than half of all places gives up one with a request, too, if it has no other; and it does not get places of its
/// own by opening connections again and again.
pub(super) struct Connections {
    places: Arc<Semaphore>,
    max: usize,
    policy: EvictionPolicy,
    start: Instant,
    table: Arc<Mutex<ConnectionTable>>,
    /// Whether a new connection waits for another to become idle, which is told to it.
    waits: Arc<AtomicBool>,
    became_idle: Arc<Notify>,
}

#[derive(Default)]
struct ConnectionTable {
    next: u64,
    connections: HashMap<u64, Arc<ConnectionState>>,
    /// How many each address has.
    by_network: HashMap<Option<ClientNetwork>, usize>,
    /// A second of the listener's life, and how many connections gave way in it to others of their own address.
    own_replacements: (u64, u32),
}

/// What is known of a connection.
struct ConnectionState {
    /// `None` where addresses say nothing.
    network: Option<ClientNetwork>,
    /// Since when it has had no request, or a request, in milliseconds of the listener's life; or [`EVICTED`].
    activity: AtomicU64,
    close: Notify,
}

/// A place of a connection, until it is dropped.
pub(super) struct ConnectionPlace {
    id: u64,
    state: Arc<ConnectionState>,
    start: Instant,
    table: Arc<Mutex<ConnectionTable>>,
    waits: Arc<AtomicBool>,
    became_idle: Arc<Notify>,
    _place: OwnedSemaphorePermit,
}

/// A connection has a request, until this is dropped.
pub(super) struct BusyConnection(Arc<ConnectionPlace>);

impl Connections {
    pub(super) fn new(max: usize, policy: EvictionPolicy) -> Self {
        Self {
            places: Arc::new(Semaphore::new(max)),
            max,
            policy,
            start: Instant::now(),
            table: Arc::default(),
            waits: Arc::default(),
            became_idle: Arc::default(),
        }
    }

    /// A place for a connection from this address. If all are taken, others give way; it waits until one has. `None` if
    /// its address has too many.
    pub(super) async fn enter(&self, peer: IpAddr) -> Option<Arc<ConnectionPlace>> {
        let network = (!self.policy.is_behind_proxies).then(|| ClientNetwork::of(peer));
        let place = loop {
            if let Ok(place) = Arc::clone(&self.places).try_acquire_owned() {
                break place;
            }
            if !self.table.lock().admits(network, self.max, milliseconds_since(self.start)) {
                self.policy.limit_hits.record(Limit::Connections);
                return None;
            }
            // From here on it is told of each that becomes idle, also of one that does so before it waits.
            self.waits.store(true, Ordering::SeqCst);
            let became_idle = self.became_idle.notified();
            self.evict();
            tokio::select! {
                place = Arc::clone(&self.places).acquire_owned() => match place {
                    Ok(place) => break place,
                    // Nobody closes it.
                    Err(_) => std::future::pending().await,
                },
                () = became_idle => {}
            }
        };
        self.waits.store(false, Ordering::SeqCst);
        let activity = AtomicU64::new(milliseconds_since(self.start));
        let state = Arc::new(ConnectionState { network, activity, close: Notify::new() });
        let mut table = self.table.lock();
        let id = table.next;
        table.next += 1;
        table.connections.insert(id, Arc::clone(&state));
        *table.by_network.entry(network).or_default() += 1;
        drop(table);
        Some(Arc::new(ConnectionPlace {
            id,
            state,
            start: self.start,
            table: Arc::clone(&self.table),
            waits: Arc::clone(&self.waits),
            became_idle: Arc::clone(&self.became_idle),
            _place: place,
        }))
    }

    /// Closes connections that give way, if there are any.
    fn evict(&self) {
        let count = self.max.div_ceil(PLACES_PER_EVICTION);
        let evicted = self.table.lock().evict(count, self.max);
        for connection in evicted {
            self.policy.limit_hits.record(Limit::Connections);
            connection.close.notify_one();
        }
    }
}

impl ConnectionTable {
    /// Whether others give way to one more connection of this address.
    fn admits(&mut self, network: Option<ClientNetwork>, max: usize, now_ms: u64) -> bool {
        let own = self.by_network.get(&network).copied().unwrap_or_default();
        if network.is_none() || own <= max / 2 {
            return true;
        }
        let second = now_ms / 1_000;
        if self.own_replacements.0 != second {
            self.own_replacements = (second, 0);
        }
        self.own_replacements.1 += 1;
        self.own_replacements.1 <= OWN_REPLACEMENTS_PER_SECOND
    }

    /// Marks so many connections of the address with the most of them.
    fn evict(&self, count: usize, max: usize) -> Vec<Arc<ConnectionState>> {
        let mut candidates = Vec::new();
        for connection in self.connections.values() {
            let activity = connection.activity.load(Ordering::SeqCst);
            let own = self.by_network.get(&connection.network).copied().unwrap_or_default();
            let is_busy = activity & BUSY != 0;
            let may_be_closed = !is_busy || (connection.network.is_some() && own > max / 2);
            if activity != EVICTED && may_be_closed {
                candidates.push((is_busy, max - own, activity, connection));
            }
        }
        // Those without a request come first, of these those of the greediest, and of these the idlest.
        let rank = |candidate: &(bool, usize, u64, &Arc<ConnectionState>)| (candidate.0, candidate.1, candidate.2);
        if count < candidates.len() {
            candidates.select_nth_unstable_by_key(count, rank);
            candidates.truncate(count);
        }
        let Some(least) = candidates.iter().map(|(is_busy, share, ..)| (*is_busy, *share)).min() else {
            return Vec::new();
        };
        // Others do not give way because there are too few of those.
        let greediest = candidates.into_iter().filter(|(is_busy, share, ..)| (*is_busy, *share) == least);
        greediest
            .filter(|(_, _, seen, connection)| connection.mark_evicted(*seen))
            .map(|(_, _, _, connection)| Arc::clone(connection))
            .collect()
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

    /// A request begins; `None` if the connection is about to be closed.
    pub(super) fn begin_request(self: &Arc<Self>) -> Option<BusyConnection> {
        let began = milliseconds_since(self.start) | BUSY;
        let set = |activity| (activity != EVICTED).then_some(began);
        let entered = self.state.activity.fetch_update(Ordering::SeqCst, Ordering::SeqCst, set);
        entered.ok().map(|_| BusyConnection(Arc::clone(self)))
    }
}

impl Drop for ConnectionPlace {
    fn drop(&mut self) {
        let mut table = self.table.lock();
        table.connections.remove(&self.id);
        if let Entry::Occupied(mut own) = table.by_network.entry(self.state.network) {
            *own.get_mut() -= 1;
            if *own.get() == 0 {
                own.remove();
            }
        }
    }
}

impl Drop for BusyConnection {
    fn drop(&mut self) {
        let ended = milliseconds_since(self.0.start);
        let set = |activity| (activity != EVICTED).then_some(ended);
        // One that was closed stays so.
        let _ = self.0.state.activity.fetch_update(Ordering::SeqCst, Ordering::SeqCst, set);
        if self.0.waits.load(Ordering::SeqCst) {
            self.0.became_idle.notify_one();
        }
    }
}

fn milliseconds_since(start: Instant) -> u64 {
    u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX) & !BUSY
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use futures_util::FutureExt as _;

    use super::*;

    /// How many places the tests have.
    const MAX: usize = 6;

    /// Whether a connection has to be closed.
    fn is_evicted(place: &ConnectionPlace) -> bool {
        place.evicted().now_or_never().is_some()
    }

    async fn enter(connections: &Connections, address: &str) -> Arc<ConnectionPlace> {
        let place = connections.enter(address.parse().unwrap()).await.unwrap();
        tokio::time::advance(Duration::from_millis(1)).await;
        place
    }

    /// Enters when there is no place: the places that have to be closed are dropped.
    async fn enter_full(
        connections: &Connections,
        places: &mut Vec<Arc<ConnectionPlace>>,
        address: &str,
    ) -> Vec<usize> {
        let mut entering = Box::pin(connections.enter(address.parse().unwrap()));
        assert!((&mut entering).now_or_never().is_none());
        let evicted: Vec<usize> = (0..places.len()).filter(|at| is_evicted(&places[*at])).collect();
        evicted.iter().rev().for_each(|at| drop(places.remove(*at)));
        places.push(entering.await.unwrap());
        tokio::time::advance(Duration::from_millis(1)).await;
        evicted
    }

    #[tokio::test(start_paused = true)]
    async fn the_idlest_connection_of_the_greediest_address_gives_way() {
        let limit_hits: Arc<LimitHits> = Arc::default();
        let policy = EvictionPolicy { limit_hits: Arc::clone(&limit_hits), is_behind_proxies: false };
        let connections = Connections::new(MAX, policy);
        let mut places = Vec::new();
        // Addresses of one network of IPv6 are one.
        for address in ["192.0.2.1", "2001:db8::1", "2001:db8::2", "2001:db8::3", "192.0.2.1", "192.0.2.2"] {
            places.push(enter(&connections, address).await);
        }
        let busy = places[1].begin_request().unwrap();
        assert_eq!(enter_full(&connections, &mut places, "192.0.2.3").await, [2]);
        drop(busy);
        // Now two addresses have two each; the oldest of all is the idlest of them.
        assert_eq!(enter_full(&connections, &mut places, "192.0.2.4").await, [0]);
        assert_eq!(limit_hits.get(Limit::Connections), 2);
    }

    #[tokio::test(start_paused = true)]
    async fn a_request_is_not_cut_off_for_others_unless_its_address_has_most_places() {
        let connections = Connections::new(MAX, EvictionPolicy::default());
        let mut places = Vec::new();
        for address in ["192.0.2.1", "192.0.2.1", "192.0.2.1", "192.0.2.2", "192.0.2.2", "192.0.2.3"] {
            places.push(enter(&connections, address).await);
        }
        let mut requests: Vec<_> = places.iter().map(|place| place.begin_request().unwrap()).collect();
        let mut waiting = Box::pin(connections.enter("192.0.2.9".parse().unwrap()));
        assert!((&mut waiting).now_or_never().is_none());
        assert!(!places.iter().any(|place| is_evicted(place)));
        // The first that has been answered gives way.
        drop(requests.remove(4));
        assert!((&mut waiting).now_or_never().is_none());
        assert!(is_evicted(&places[4]) && places[4].begin_request().is_none());
        drop(places.remove(4));
        places.push(waiting.await.unwrap());
        drop((requests, places));

        let mut places = Vec::new();
        for address in ["192.0.2.1"; 4].into_iter().chain(["192.0.2.2"; 2]) {
            places.push(enter(&connections, address).await);
        }
        let requests: Vec<_> = places.iter().map(|place| place.begin_request().unwrap()).collect();
        let mut waiting = Box::pin(connections.enter("192.0.2.9".parse().unwrap()));
        assert!((&mut waiting).now_or_never().is_none());
        let evicted: Vec<bool> = places.iter().map(|place| is_evicted(place)).collect();
        assert_eq!(evicted.iter().filter(|evicted| **evicted).count(), 1);
        assert!(evicted[..4].contains(&true));
        drop(requests);
    }

    #[tokio::test(start_paused = true)]
    async fn an_address_that_has_most_places_does_not_get_others_by_insisting() {
        let connections = Connections::new(MAX, EvictionPolicy::default());
        let mut places = Vec::new();
        for address in ["192.0.2.1"; 4].into_iter().chain(["192.0.2.2"; 2]) {
            places.push(enter(&connections, address).await);
        }
        for round in 0..OWN_REPLACEMENTS_PER_SECOND {
            let mut entering = Box::pin(connections.enter("192.0.2.1".parse().unwrap()));
            assert!((&mut entering).now_or_never().is_none(), "{round}");
        }
        assert!(connections.enter("192.0.2.1".parse().unwrap()).await.is_none());
        let mut other = Box::pin(connections.enter("192.0.2.2".parse().unwrap()));
        assert!((&mut other).now_or_never().is_none(), "it waits until another has given way");
        tokio::time::advance(Duration::from_secs(1)).await;
        let mut later = Box::pin(connections.enter("192.0.2.1".parse().unwrap()));
        assert!((&mut later).now_or_never().is_none());
    }

    #[tokio::test(start_paused = true)]
    async fn behind_proxies_the_idlest_of_all_gives_way() {
        let policy = EvictionPolicy { is_behind_proxies: true, ..EvictionPolicy::default() };
        let connections = Connections::new(MAX, policy);
        let mut places = Vec::new();
        for address in ["10.0.0.2", "10.0.0.1", "10.0.0.1", "10.0.0.1", "10.0.0.1", "10.0.0.1"] {
            places.push(enter(&connections, address).await);
        }
        assert_eq!(enter_full(&connections, &mut places, "10.0.0.1").await, [0]);
        let requests: Vec<_> = places.iter().map(|place| place.begin_request().unwrap()).collect();
        assert!(connections.enter("10.0.0.1".parse().unwrap()).now_or_never().is_none());
        assert!(!places.iter().any(|place| is_evicted(place)), "no request of a proxy is cut off");
        drop(requests);
    }
}

//! Tests of places.

use std::time::Duration;

use futures_util::FutureExt as _;

use super::*;

/// How many places the tests have.
const MAX: usize = 6;

/// Whether a connection has to be closed.
fn is_evicted(place: &ConnectionPlace) -> bool {
    place.evicted().now_or_never().is_some()
}

/// Which of them have to be closed.
fn evicted(places: &[Arc<ConnectionPlace>]) -> Vec<usize> {
    (0..places.len()).filter(|at| is_evicted(&places[*at])).collect()
}

async fn enter(connections: &Connections, address: &str) -> Arc<ConnectionPlace> {
    let Admission::Entered(place) = connections.enter(address.parse().unwrap()) else { panic!("it has to wait") };
    tokio::time::advance(Duration::from_millis(1)).await;
    place
}

/// Enters when there is no place.
fn wait(connections: &Connections, address: &str) -> oneshot::Receiver<Arc<ConnectionPlace>> {
    let Admission::Waits(mut entered) = connections.enter(address.parse().unwrap()) else { panic!("it need not wait") };
    assert!(entered.try_recv().is_err());
    entered
}

fn is_refused(connections: &Connections, address: &str) -> bool {
    matches!(connections.enter(address.parse().unwrap()), Admission::Refused)
}

/// The same: the places that have to be closed are dropped.
async fn enter_full(connections: &Connections, places: &mut Vec<Arc<ConnectionPlace>>, address: &str) -> Vec<usize> {
    let entered = wait(connections, address);
    let evicted = evicted(places);
    evicted.iter().rev().for_each(|at| drop(places.remove(*at)));
    places.push(entered.await.unwrap());
    tokio::time::advance(Duration::from_millis(1)).await;
    evicted
}

/// Places of these addresses, each with a request.
async fn busy(connections: &Connections, addresses: &[&str]) -> (Vec<Arc<ConnectionPlace>>, Vec<BusyConnection>) {
    let mut places = Vec::new();
    for address in addresses {
        places.push(enter(connections, address).await);
    }
    let mut requests = Vec::new();
    for place in &places {
        requests.push(place.begin_request().unwrap());
        tokio::time::advance(Duration::from_millis(1)).await;
    }
    (places, requests)
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
    let request = places[1].begin_request().unwrap();
    assert_eq!(enter_full(&connections, &mut places, "192.0.2.3").await, [2]);
    drop(request);
    // Now two addresses have two each; the oldest of all is the idlest of them.
    assert_eq!(enter_full(&connections, &mut places, "192.0.2.4").await, [0]);
    assert_eq!(limit_hits.get(Limit::Connections), 2);
}

#[tokio::test(start_paused = true)]
async fn the_oldest_request_of_the_greediest_address_gives_way_to_an_address_that_has_fewer() {
    let connections = Connections::new(MAX, EvictionPolicy::default());
    let two = ["192.0.2.1", "192.0.2.2", "192.0.2.2", "192.0.2.1", "192.0.2.1", "192.0.2.2"];
    let (mut places, mut requests) = busy(&connections, &two).await;
    // Neither gets more than the other, however often it asks, and neither keeps others from being let in.
    let greedy: Vec<_> = (0..NEWCOMERS_PER_NETWORK).map(|_| wait(&connections, "192.0.2.1")).collect();
    assert!(is_refused(&connections, "192.0.2.1") && evicted(&places).is_empty());
    let newcomer = wait(&connections, "192.0.2.9");
    assert_eq!(evicted(&places), [0]);
    drop((requests.remove(0), places.remove(0)));
    let place = newcomer.await.unwrap();
    assert_eq!(place.state.network, Some(ClientNetwork::of("192.0.2.9".parse().unwrap())));
    let request = place.begin_request();
    drop(greedy);
    // The next ones: until nobody has more than they would have.
    for (address, gives_way) in [("192.0.2.8", 0), ("192.0.2.7", 0)] {
        let newcomer = wait(&connections, address);
        assert_eq!(evicted(&places), [gives_way], "{address}");
        drop((requests.remove(gives_way), places.remove(gives_way)));
        places.push(newcomer.await.unwrap());
        tokio::time::advance(Duration::from_millis(1)).await;
        requests.push(places.last().unwrap().begin_request().unwrap());
    }
    let _waits = wait(&connections, "192.0.2.8");
    assert!(evicted(&places).is_empty() && request.is_some());
}

#[tokio::test(start_paused = true)]
async fn two_that_have_the_same_wait_until_one_is_idle() {
    let connections = Connections::new(MAX, EvictionPolicy::default());
    let all = ["192.0.2.1", "192.0.2.2", "192.0.2.3", "192.0.2.4", "192.0.2.5", "192.0.2.6"];
    let (mut places, mut requests) = busy(&connections, &all).await;
    let waiting = wait(&connections, "192.0.2.9");
    assert!(evicted(&places).is_empty());
    // The first that has been answered gives way.
    drop(requests.remove(4));
    assert!(is_evicted(&places[4]) && places[4].begin_request().is_none());
    drop(places.remove(4));
    places.push(waiting.await.unwrap());
    assert_eq!(places.len(), MAX);
}

#[tokio::test(start_paused = true)]
async fn a_place_for_one_who_is_gone_is_given_on() {
    let connections = Connections::new(MAX, EvictionPolicy::default());
    let all = ["192.0.2.1", "192.0.2.2", "192.0.2.3", "192.0.2.4", "192.0.2.5", "192.0.2.6"];
    let (mut places, mut requests) = busy(&connections, &all).await;
    let (gone, stays) = (wait(&connections, "192.0.2.8"), wait(&connections, "192.0.2.9"));
    drop(gone);
    drop((requests.pop(), places.pop()));
    stays.await.unwrap();
    assert_eq!(connections.0.table.lock().connections.len(), MAX - 1);
}

#[tokio::test(start_paused = true)]
async fn an_address_that_has_most_places_does_not_get_others_by_insisting() {
    let connections = Connections::new(MAX, EvictionPolicy::default());
    let mut places = Vec::new();
    for address in ["192.0.2.1"; 4].into_iter().chain(["192.0.2.2"; 2]) {
        places.push(enter(&connections, address).await);
    }
    for _ in 0..OWN_REPLACEMENTS_PER_SECOND {
        drop(wait(&connections, "192.0.2.1"));
    }
    assert!(is_refused(&connections, "192.0.2.1"));
    let _other = wait(&connections, "192.0.2.2");
    tokio::time::advance(Duration::from_secs(1)).await;
    let _later = wait(&connections, "192.0.2.1");
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
    let _waits = wait(&connections, "10.0.0.1");
    assert!(evicted(&places).is_empty(), "no request of a proxy is cut off");
    drop(requests);
}

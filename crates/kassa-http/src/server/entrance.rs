//! Where connections are let in, in turn.

use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt as _;
use futures_util::stream::FuturesUnordered;
use kassa_engine::outgoing::Network;
use tokio::net::{TcpListener, TcpStream};
use tokio::time::Instant;

use super::connections::{Admission, ConnectionPlace, Connections};
use super::proxy_protocol;

/// New connections that wait for a place, or whose proxy has not said yet whose they are; more wait in the system's queue.
pub const NEWCOMERS_MAX: usize = 128;

/// A connection that has been let in.
pub(super) struct Accepted {
    pub(super) stream: TcpStream,
    pub(super) peer: SocketAddr,
    pub(super) place: Arc<ConnectionPlace>,
}

/// Connections that were accepted and wait: for a place, for their turn when they have one, or for their proxy to say whose
/// they are. They keep nobody from being let in who may come before them, and cost little: the work for a connection begins
/// with its turn.
pub(super) struct Entrance {
    proxies: Vec<Network>,
    places: Connections,
    newcomers: FuturesUnordered<Waiting<Accepted>>,
    paced: FuturesUnordered<Waiting<Accepted>>,
    unnamed: FuturesUnordered<Waiting<(TcpStream, SocketAddr)>>,
}

/// What comes to nothing if the client goes, or has to give way.
type Waiting<T> = Pin<Box<dyn Future<Output = Option<T>> + Send>>;

impl Entrance {
    pub(super) fn new(proxies: Vec<Network>, places: Connections) -> Self {
        let (newcomers, paced, unnamed) = Default::default();
        Self { proxies, places, newcomers, paced, unnamed }
    }

    /// The next connection to begin, of those that wait and of those that `listener` has. None is lost when this is dropped.
    pub(super) async fn next_of(&mut self, listener: &TcpListener) -> Accepted {
        loop {
            // Where there is none, somebody waits.
            let has_room = self.newcomers.len() + self.unnamed.len() < NEWCOMERS_MAX;
            tokio::select! {
                Some(advanced) = self.advance() => if let Some(accepted) = advanced {
                    return accepted;
                },
                accepted = listener.accept(), if has_room => match accepted {
                    Ok((stream, peer)) => if let Some(accepted) = self.receive(stream, peer) {
                        return accepted;
                    },
                    Err(error) => back_off_after(&error).await,
                },
            }
        }
    }

    /// The next connection to begin of those that wait; `None` when there is none.
    pub(super) async fn next(&mut self) -> Option<Accepted> {
        loop {
            if let Some(accepted) = self.advance().await? {
                return Some(accepted);
            }
        }
    }

    /// Lets one of those that wait go on, which may be to begin; `None` when there is none.
    async fn advance(&mut self) -> Option<Option<Accepted>> {
        let entered = tokio::select! {
            Some(entered) = self.newcomers.next() => entered,
            Some(accepted) = self.paced.next() => return Some(accepted),
            Some(named) = self.unnamed.next() => named.and_then(|(stream, peer)| self.enter(stream, peer)),
            else => return None,
        };
        Some(entered.and_then(|entered| self.pace(entered)))
    }

    /// Takes a connection that was accepted, which is begun at once if it is returned.
    fn receive(&mut self, stream: TcpStream, peer: SocketAddr) -> Option<Accepted> {
        if self.proxies.iter().any(|proxy| proxy.contains(peer.ip().to_canonical())) {
            self.unnamed.push(Box::pin(read_client(stream, peer)));
            return None;
        }
        self.enter(stream, peer).and_then(|entered| self.pace(entered))
    }

    /// Finds a place for a connection, or lets it wait for one. Whoever has too many is let in no more.
    fn enter(&mut self, stream: TcpStream, peer: SocketAddr) -> Option<Accepted> {
        match self.places.enter(peer.ip()) {
            Admission::Entered(place) => Some(Accepted { stream, peer, place }),
            Admission::Waits(place) => {
                let entered = async move { place.await.ok().map(|place| Accepted { stream, peer, place }) };
                self.newcomers.push(Box::pin(entered));
                None
            }
            Admission::Refused => None,
        }
    }

    /// Lets a connection wait for its turn, if it has to.
    fn pace(&mut self, entered: Accepted) -> Option<Accepted> {
        let Some(begins_at) = entered.place.pace().record_connection() else { return Some(entered) };
        self.paced.push(Box::pin(entered.wait_until(begins_at)));
        None
    }
}

impl Accepted {
    /// Waits until its address may begin one more; `None` if it has to give way to another before.
    async fn wait_until(self, begins_at: Instant) -> Option<Self> {
        tokio::select! {
            () = self.place.evicted() => None,
            () = tokio::time::sleep_until(begins_at) => Some(self),
        }
    }
}

/// The connection of a client that a proxy names; `None` if it does not.
async fn read_client(mut stream: TcpStream, proxy: SocketAddr) -> Option<(TcpStream, SocketAddr)> {
    let named = proxy_protocol::read_client(&mut stream, proxy).await;
    let client = named.inspect_err(|error| tracing::debug!(%error, %proxy, "a proxy did not say whom it passes on"));
    client.ok().map(|client| (stream, client))
}

/// A connection that is gone already is nothing; when the system has no more of something, there
/// is no use in asking again at once.
async fn back_off_after(error: &io::Error) {
    let gone = [io::ErrorKind::ConnectionRefused, io::ErrorKind::ConnectionAborted, io::ErrorKind::ConnectionReset];
    if !gone.contains(&error.kind()) {
        tracing::warn!(%error, "no connection could be accepted");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::super::connections::EvictionPolicy;
    use super::*;

    #[tokio::test]
    async fn those_who_wait_are_let_in_without_a_listener() {
        let mut entrance = Entrance::new(Vec::new(), Connections::new(1, EvictionPolicy::default()));
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let mut come = async || {
            let client = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
            let (stream, peer) = listener.accept().await.unwrap();
            (client, entrance.receive(stream, peer))
        };
        let (_first, entered) = come().await;
        let entered = entered.unwrap();
        // While a request is being answered, nobody gives way.
        let busy = entered.place.begin_request();
        let (second, waits) = come().await;
        assert!(waits.is_none());
        drop((busy, entered));
        assert_eq!(entrance.next().await.unwrap().peer, second.local_addr().unwrap());
        assert!(entrance.next().await.is_none());
    }

    #[tokio::test]
    async fn when_all_who_wait_come_to_nothing_the_next_are_accepted() {
        let proxies = vec!["127.0.0.0/8".parse().unwrap()];
        let mut entrance = Entrance::new(proxies, Connections::new(1, EvictionPolicy::default()));
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        for _ in 0..NEWCOMERS_MAX {
            // It goes without a word of whose connection it is.
            drop(TcpStream::connect(listener.local_addr().unwrap()).await.unwrap());
            let (stream, peer) = listener.accept().await.unwrap();
            assert!(entrance.receive(stream, peer).is_none());
        }
        entrance.proxies.clear();
        let client = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
        assert_eq!(entrance.next_of(&listener).await.peer, client.local_addr().unwrap());
    }
}

//! Downloads at a time: so many in all, and so many of one network. Each has a file open, or a connection to the bucket,
//! and pieces in memory, until its client has taken the last byte.

use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use futures_util::StreamExt as _;
use kassa_engine::Failure;
use kassa_engine::fair_permits::{FairLimits, FairPermit, FairPermits};
use kassa_engine::files::ByteStream;
use kassa_engine::metrics::{Limit, LimitHits};
use tokio::time::timeout;

use crate::peer::ClientNetwork;

/// Downloads of all clients at a time.
pub const DOWNLOADS_MAX: usize = 256;
/// Of one client at a time, by its network.
const PER_NETWORK: usize = 32;
/// Downloads that wait for their turn: of one network, and in all. They have no file open yet.
const WAITING_PER_NETWORK: usize = 64;
const WAITING: usize = 1_024;
/// How long one waits for its turn.
const WAIT_MAX: Duration = Duration::from_secs(5);

/// Turns of downloads; `None` are those that come from nowhere. Clones share them.
#[derive(Clone)]
pub(crate) struct Downloads {
    turns: FairPermits<Option<ClientNetwork>>,
    limit_hits: Arc<LimitHits>,
}

/// One of the downloads at a time.
pub(crate) struct Download {
    _permit: FairPermit<Option<ClientNetwork>>,
}

/// A piece of a file. While it waits to be sent, its download is under way.
struct Piece {
    bytes: Bytes,
    _download: Arc<Download>,
}

impl AsRef<[u8]> for Piece {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl Downloads {
    pub(crate) fn new(limit_hits: Arc<LimitHits>) -> Self {
        let turns = FairPermits::new(FairLimits {
            total: DOWNLOADS_MAX,
            per_caller: PER_NETWORK,
            waiting_per_caller: WAITING_PER_NETWORK,
            waiting: WAITING,
        });
        Self { turns, limit_hits }
    }

    /// A download, in the turn of its network; [`Failure::Busy`] if that does not come soon.
    pub(crate) async fn begin(&self, network: Option<ClientNetwork>) -> Result<Download, Failure> {
        if let Ok(Ok(permit)) = timeout(WAIT_MAX, self.turns.acquire(network)).await {
            return Ok(Download { _permit: permit });
        }
        self.limit_hits.record(Limit::Downloads);
        Err(Failure::Busy)
    }
}

impl Download {
    /// The bytes as a body. The download ends when the last piece is sent, not when it is read: the connection keeps
    /// some that its client has not taken.
    pub(crate) fn into_body(self, bytes: ByteStream) -> Body {
        let download = Arc::new(self);
        Body::from_stream(
            bytes.map(move |piece| {
                piece.map(|bytes| Bytes::from_owner(Piece { bytes, _download: Arc::clone(&download) }))
            }),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn network(address: &str) -> ClientNetwork {
        ClientNetwork::of(address.parse().unwrap())
    }

    #[tokio::test(start_paused = true)]
    async fn downloads_of_one_network_leave_room_for_others() {
        let hits = Arc::new(LimitHits::default());
        let downloads = Downloads::new(Arc::clone(&hits));
        let (greedy, other) = (Some(network("192.0.2.1")), Some(network("192.0.2.2")));
        let begun = futures_util::future::join_all((0..300).map(|_| downloads.begin(greedy))).await;
        let held: Vec<Download> = begun.into_iter().filter_map(Result::ok).collect();
        assert_eq!((held.len(), hits.get(Limit::Downloads)), (PER_NETWORK, 300 - PER_NETWORK as u64));
        assert!(downloads.begin(other).await.is_ok());
        drop(held);
        assert!(downloads.begin(greedy).await.is_ok());
    }

    #[tokio::test(start_paused = true)]
    async fn a_download_lasts_until_its_last_piece_is_sent() {
        let downloads = Downloads::new(Arc::default());
        let one = Some(network("192.0.2.1"));
        let mut held: Vec<Download> = Vec::new();
        for _ in 0..PER_NETWORK {
            held.push(downloads.begin(one).await.unwrap());
        }
        let bytes: ByteStream = Box::pin(futures_util::stream::iter([Ok(Bytes::from_static(b"abc"))]));
        let mut pieces = held.pop().unwrap().into_body(bytes).into_data_stream();
        let piece = pieces.next().await.unwrap().unwrap();
        assert!(pieces.next().await.is_none());
        drop(pieces);
        assert!(matches!(downloads.begin(one).await, Err(Failure::Busy)), "a piece is not sent yet");
        drop(piece);
        assert!(downloads.begin(one).await.is_ok());
    }
}

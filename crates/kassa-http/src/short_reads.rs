//! Shares in the threads that answer short requests: of a reader some are answered at a time, and its others wait. So a
//! request of somebody else waits for few, however many connections ask.

use std::sync::Arc;

use kassa_engine::fair_permits::{FairLimits, FairPermit, FairPermits};
use kassa_engine::metrics::{Limit, LimitHits};
use kassa_engine::{Failure, Reader};

/// Of an address without a credential: anybody may ask from there.
const OF_NETWORKS: FairLimits = FairLimits { total: 4_096, per_caller: 16, waiting_per_caller: 4_096, waiting: 16_384 };
/// Of a partner or a user: all their tills and shops.
const OF_CALLERS: FairLimits = FairLimits { total: 4_096, per_caller: 128, waiting_per_caller: 8_192, waiting: 16_384 };

/// The shares. Clones share them.
#[derive(Clone)]
pub(crate) struct ShortReads {
    networks: FairPermits<Reader>,
    callers: FairPermits<Reader>,
    limit_hits: Arc<LimitHits>,
}

impl ShortReads {
    pub(crate) fn new(limit_hits: Arc<LimitHits>) -> Self {
        Self { networks: FairPermits::new(OF_NETWORKS), callers: FairPermits::new(OF_CALLERS), limit_hits }
    }

    /// Ready when another short request of this reader may be answered.
    pub(crate) async fn begin(&self, reader: Reader) -> Result<FairPermit<Reader>, Failure> {
        let permits = match reader {
            Reader::Network(_) => &self.networks,
            Reader::Partner(_) | Reader::User(_) => &self.callers,
        };
        permits.acquire(reader).await.map_err(|_| {
            self.limit_hits.record(Limit::ShortReads);
            Failure::Busy
        })
    }
}

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, Ipv4Addr};

    use futures_util::FutureExt as _;

    use super::*;

    #[tokio::test]
    async fn an_address_that_asks_too_much_waits_for_itself_alone() {
        let reads = ShortReads::new(Arc::default());
        let network = |last| Reader::Network(IpAddr::V4(Ipv4Addr::new(192, 0, 2, last)));
        let mut under_way = Vec::new();
        while let Some(permit) = reads.begin(network(1)).now_or_never() {
            under_way.push(permit.unwrap());
        }
        assert_eq!(under_way.len(), OF_NETWORKS.per_caller);
        assert!(reads.begin(network(2)).now_or_never().is_some(), "another address");
        under_way.pop();
        assert!(reads.begin(network(1)).now_or_never().is_some(), "its next one");
    }
}

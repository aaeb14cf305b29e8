//! Drawings of hall maps that are kept, and how many are under way.

use axum::body::Bytes;
use kassa_domain::hall_map::HallMapId;
use kassa_engine::Reader;
use kassa_engine::fair_permits::{FairLimits, FairPermits};
use moka::sync::Cache;

/// Bytes that drawings of one piece are kept in.
const CACHE_BYTES: u64 = 8 * 1024 * 1024;
/// Drawings of several pieces at the same time; the map of each is in memory until its client has it.
const STREAMS: FairLimits = FairLimits { total: 32, per_caller: 4, waiting_per_caller: 0, waiting: 0 };

/// What drawings of all maps share.
#[derive(Clone)]
pub(crate) struct Drawings {
    /// Whole drawings, by map and revision.
    pub(crate) cache: Cache<(HallMapId, i64), Bytes>,
    /// Turns of drawings of several pieces.
    pub(crate) streams: FairPermits<Reader>,
}

impl Default for Drawings {
    fn default() -> Self {
        let weight = |_: &(HallMapId, i64), svg: &Bytes| u32::try_from(svg.len()).unwrap_or(u32::MAX);
        let cache = Cache::builder().max_capacity(CACHE_BYTES).weigher(weight).build();
        Self { cache, streams: FairPermits::new(STREAMS) }
    }
}

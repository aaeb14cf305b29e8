//! What the programs of partners have asked in the last day: of each API key the newest requests, each with its method,
//! path, status and time.
//!
//! It is kept in the memory of each server, and deliberately nowhere else. A sale has 17,000 requests a second: rows of
//! them would outnumber those of the orders, in the very transactions that orders wait for, and for a day. What somebody
//! looks for here is what a program of theirs has just done wrong, and a thousand requests show that. So a server knows
//! what it has answered itself since it started, and says so; what was changed, and by which key, the history has for
//! good. A request costs one copy of its path and one lock that it shares with a sixteenth of all partners.
//!
//! All bounds are in bytes. When a shard is full, every partner in it is cut down to the same number of bytes, so that
//! one with very many requests takes nothing of one with few; and within a partner the same is true of its keys.
//!
//! Kept is the path, as far as it is no longer than [`PATH_BYTES_MAX`], and nothing of the query, of the head or of the
//! body. No path of the interface has a secret: those stand in heads and bodies.

mod levelling;
mod partner_requests;

use std::collections::HashMap;
use std::sync::OnceLock;

use axum::extract::Request;
use axum::http::{Method, StatusCode};
use kassa_domain::Timestamp;
use kassa_domain::api_key::ApiKeyId;
use kassa_domain::partner::PartnerId;
use kassa_store::PageWindow;
use parking_lot::Mutex;

use self::levelling::common_level;
use self::partner_requests::PartnerRequests;
use crate::route::{METHODS, method_index};

/// How long a request is shown.
pub(crate) const KEPT_MS: i64 = 24 * 60 * 60 * 1000;
/// The longest path that is kept whole, in bytes.
const PATH_BYTES_MAX: usize = 160;
const SHARDS: usize = 16;

/// How much is kept.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RequestLogLimits {
    /// Requests of one key.
    pub(crate) requests_of_key: usize,
    /// Bytes of all together.
    pub(crate) bytes: usize,
}

impl Default for RequestLogLimits {
    fn default() -> Self {
        Self { requests_of_key: 1_000, bytes: 32 * 1024 * 1024 }
    }
}

/// A request that was answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LoggedRequest {
    /// When it was answered.
    pub(crate) at: Timestamp,
    pub(crate) path: Box<str>,
    duration_ms: u32,
    status: u16,
    /// Its place in [`METHODS`].
    method: u8,
}

impl LoggedRequest {
    pub(crate) fn method(&self) -> &'static str {
        METHODS[usize::from(self.method)]
    }

    pub(crate) fn status(&self) -> u16 {
        self.status
    }

    /// How long its answer took, up to its head.
    pub(crate) fn duration_ms(&self) -> u32 {
        self.duration_ms
    }

    /// The first digit of its status.
    pub(crate) fn status_class(&self) -> u16 {
        self.status / 100
    }
}

/// A request whose key is known, while it is being answered.
pub(crate) struct PendingRequest {
    partner: PartnerId,
    key: ApiKeyId,
    path: Box<str>,
    method: u8,
    begun_at: Timestamp,
}

/// Where the key of a request is noted as soon as it is known.
pub(crate) type RequestNote = OnceLock<PendingRequest>;

impl PendingRequest {
    /// A request that came with this key.
    pub(crate) fn of(request: &Request, partner: PartnerId, key: ApiKeyId, begun_at: Timestamp) -> Self {
        Self::new(request.method(), request.uri().path(), (partner, key), begun_at)
    }

    fn new(method: &Method, path: &str, (partner, key): (PartnerId, ApiKeyId), begun_at: Timestamp) -> Self {
        let kept = &path[..path.floor_char_boundary(PATH_BYTES_MAX)];
        // There are eight methods.
        let method = u8::try_from(method_index(method)).unwrap_or_default();
        Self { partner, key, path: kept.into(), method, begun_at }
    }
}

type Shard = HashMap<PartnerId, PartnerRequests>;

/// The requests of all keys.
pub(crate) struct RequestLog {
    limits: RequestLogLimits,
    shards: [Mutex<ShardState>; SHARDS],
}

#[derive(Default)]
struct ShardState {
    partners: Shard,
    bytes: usize,
}

/// Requests of a page, and how many there are in all.
pub(crate) struct RequestPage {
    pub(crate) requests: Vec<LoggedRequest>,
    pub(crate) total: u64,
}

impl RequestLog {
    pub(crate) fn new(limits: RequestLogLimits) -> Self {
        Self { limits, shards: Default::default() }
    }

    fn shard(&self, partner: PartnerId) -> &Mutex<ShardState> {
        &self.shards[usize::try_from(partner.tag().to_i64()).unwrap_or_default() % SHARDS]
    }

    /// Keeps a request that was answered.
    pub(crate) fn record(&self, pending: PendingRequest, status: StatusCode, now: Timestamp) {
        let PendingRequest { partner, key, path, method, begun_at } = pending;
        let duration_ms = u32::try_from(now.ms().saturating_sub(begun_at.ms()).max(0)).unwrap_or(u32::MAX);
        let request = LoggedRequest { at: now, path, duration_ms, status: status.as_u16(), method };
        let mut shard = self.shard(partner).lock();
        let ShardState { partners, bytes } = &mut *shard;
        let own = partners.entry(partner).or_default();
        *bytes -= own.bytes();
        own.push(key, request, self.limits.requests_of_key);
        *bytes += own.bytes();
        if shard.bytes > self.limits.bytes / SHARDS {
            shard.make_room(self.limits.bytes / SHARDS, now);
        }
    }

    /// Requests of a key in the last day, newest first; of some classes of statuses alone, if that is said.
    pub(crate) fn page(
        &self,
        (partner, key): (PartnerId, ApiKeyId),
        status_classes: Option<&[u16]>,
        now: Timestamp,
        window: PageWindow,
    ) -> RequestPage {
        let mut shard = self.shard(partner).lock();
        // Of this partner alone: requests of others wait for the lock meanwhile.
        shard.drop_of_partner(partner, now.plus_ms(-KEPT_MS));
        let all = shard.partners.get(&partner).into_iter().flat_map(|own| own.newest_first(key));
        let wanted =
            all.filter(|request| status_classes.is_none_or(|classes| classes.contains(&request.status_class())));
        let offset = usize::try_from(window.offset).unwrap_or(usize::MAX);
        let (mut requests, mut total) = (Vec::new(), 0);
        for (at, request) in wanted.enumerate() {
            total += 1;
            if at >= offset && requests.len() < window.limit as usize {
                requests.push(request.clone());
            }
        }
        RequestPage { requests, total }
    }
}

impl ShardState {
    /// Forgets what of a partner is too old to be shown.
    fn drop_of_partner(&mut self, partner: PartnerId, since: Timestamp) {
        let Some(own) = self.partners.get_mut(&partner) else { return };
        self.bytes -= own.bytes();
        own.drop_before(since);
        if own.is_empty() {
            self.partners.remove(&partner);
        } else {
            self.bytes += own.bytes();
        }
    }

    /// Forgets what is too old to be shown.
    fn drop_before(&mut self, since: Timestamp) {
        self.partners.retain(|_, own| {
            own.drop_before(since);
            !own.is_empty()
        });
        self.bytes = self.partners.values().map(PartnerRequests::bytes).sum();
    }

    /// Forgets what is old, and then as much as leaves an eighth free: that is done once for thousands of requests.
    fn make_room(&mut self, bytes_max: usize, now: Timestamp) {
        self.drop_before(now.plus_ms(-KEPT_MS));
        let sizes = self.partners.values().map(PartnerRequests::bytes).collect();
        let level = common_level(sizes, bytes_max - bytes_max / 8);
        self.partners.retain(|_, own| {
            own.shrink_to(level);
            !own.is_empty()
        });
        self.bytes = self.partners.values().map(PartnerRequests::bytes).sum();
    }
}

#[cfg(test)]
mod tests;

//! The requests of one partner, by its keys.

use std::collections::{HashMap, VecDeque};

use kassa_domain::Timestamp;
use kassa_domain::api_key::ApiKeyId;

use super::LoggedRequest;
use super::levelling::common_level;

/// What a key takes before it has any request, and a partner before it has a key: places in maps, and allocations.
const EMPTY_BYTES: usize = 128;

/// The requests of a partner.
#[derive(Default)]
pub(super) struct PartnerRequests {
    keys: HashMap<ApiKeyId, KeyRequests>,
    bytes: usize,
}

/// The requests of a key, oldest first.
#[derive(Default)]
struct KeyRequests {
    requests: VecDeque<LoggedRequest>,
    bytes: usize,
}

impl PartnerRequests {
    /// What they take in memory.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    pub(super) fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    pub(super) fn push(&mut self, key: ApiKeyId, request: LoggedRequest, requests_max: usize) {
        let own = self.keys.entry(key).or_default();
        let before = own.total_bytes_or_none();
        own.push(request, requests_max);
        let own = own.total_bytes();
        self.bytes = self.bytes.max(EMPTY_BYTES) - before + own;
    }

    pub(super) fn newest_first(&self, key: ApiKeyId) -> impl Iterator<Item = &LoggedRequest> {
        self.keys.get(&key).into_iter().flat_map(|own| own.requests.iter().rev())
    }

    /// Forgets what is older.
    pub(super) fn drop_before(&mut self, since: Timestamp) {
        self.keep(|own| while own.requests.front().is_some_and(|oldest| oldest.at < since) && own.pop() {});
    }

    /// Forgets as much as leaves no more than these bytes: of the keys with the most.
    pub(super) fn shrink_to(&mut self, bytes_max: usize) {
        if self.bytes <= bytes_max {
            return;
        }
        let sizes = self.keys.values().map(KeyRequests::total_bytes).collect();
        let level = common_level(sizes, bytes_max.saturating_sub(EMPTY_BYTES));
        self.keep(|own| while own.total_bytes() > level && own.pop() {});
    }

    /// Has something done to each key; those that have nothing left are gone.
    fn keep(&mut self, mut change: impl FnMut(&mut KeyRequests)) {
        self.keys.retain(|_, own| {
            change(own);
            !own.requests.is_empty()
        });
        self.bytes = EMPTY_BYTES + self.keys.values().map(KeyRequests::total_bytes).sum::<usize>();
    }
}

impl KeyRequests {
    fn total_bytes(&self) -> usize {
        EMPTY_BYTES + self.bytes
    }

    /// The same; nothing before it has its first request.
    fn total_bytes_or_none(&self) -> usize {
        if self.requests.is_empty() { 0 } else { self.total_bytes() }
    }

    fn push(&mut self, request: LoggedRequest, requests_max: usize) {
        self.bytes += bytes_of(&request);
        self.requests.push_back(request);
        while self.requests.len() > requests_max && self.pop() {}
    }

    /// Forgets the oldest, if there is one.
    fn pop(&mut self) -> bool {
        let Some(oldest) = self.requests.pop_front() else { return false };
        self.bytes -= bytes_of(&oldest);
        true
    }
}

/// What a request takes: queues have up to twice the places that they need.
fn bytes_of(request: &LoggedRequest) -> usize {
    2 * size_of::<LoggedRequest>() + request.path.len() + 16
}

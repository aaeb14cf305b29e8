//! What each part of the work takes, as it was measured.

/// What one write takes besides what it shares with its batch, in microseconds of a processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WriteCosts {
    /// The server, until it is in the queue of its lane: reading, routing, who asks, parsing.
    pub request: u64,
    /// The lane: what is decided.
    pub lane: u64,
    /// The lane's session in the database: rows that are loaded and written.
    pub session: u64,
    /// The database's other processes, and those that follow the changes: nobody waits for them.
    pub aside: u64,
    /// The server, from the commit on: the answer.
    pub answer: u64,
}

/// Costs of requests and batches, in microseconds. Those of processors are of one like that of `bench/README.md`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Costs {
    /// A reservation of two tickets.
    pub order: WriteCosts,
    /// One of the two writes that follow it: who buys, and the payment.
    pub payment: WriteCosts,
    /// A batch in its lane, however many share it.
    pub batch_lane: u64,
    /// A batch in the session of its lane.
    pub batch_session: u64,
    /// A batch in the server's other threads: its place in the feed, above all. Nobody waits for it.
    pub batch_aside: u64,
    /// The same in the database.
    pub batch_aside_session: u64,
    /// From a statement to its result, without the work: the network, and threads that wake.
    pub round_trip: u64,
    /// A flush of the log.
    pub flush: u64,
    /// An answer that refuses, such as 503.
    pub refusal: u64,
    /// A page of an event, which is made once a second for all.
    pub page: u64,
    /// A read of an event by the API, at the server.
    pub read: u64,
    /// The same in the database.
    pub read_session: u64,
    /// A request at the load generator.
    pub load: u64,
}

/// Orders of one batch, at most: rows of a batch, by those that an order of two tickets counts as.
/// `BATCH_ROWS_MAX` in `kassa-engine`, `lane/queue.rs`; `CreateOrder::weight` in `kassa-domain`.
pub const BATCH_ORDERS_MAX: usize = 2_500 / 10;
/// Commands that wait for a lane, at most. `QUEUE_MAX` there.
pub const QUEUE_MAX: usize = 16_384;
/// A batch that takes longer lets nobody wait for it.
pub const BATCH_US_MAX: u64 = 3 * super::SECOND;
/// What a refused client is told to wait: `RETRY_AFTER_BUSY_S` in `kassa-http`, `error.rs`.
pub const RETRY_AFTER_US: u64 = super::SECOND;

impl Costs {
    /// As `simulation/src/capacity/measure` has measured them; `docs/scale.md` says which figure comes from which run.
    pub const MEASURED: Self = Self {
        order: WriteCosts { request: 32, lane: 22, session: 38, aside: 10, answer: 16 },
        payment: WriteCosts { request: 110, lane: 20, session: 120, aside: 340, answer: 25 },
        batch_lane: 310,
        batch_session: 1_050,
        batch_aside: 860,
        batch_aside_session: 900,
        round_trip: 25,
        flush: 850,
        refusal: 22,
        page: 22,
        read: 228,
        read_session: 366,
        load: 12,
    };
}

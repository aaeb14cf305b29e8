//! Where bodies are parsed: a short one in place; a long one on a thread that may work for a while, in a turn of its
//! caller, so that no other request waits for it.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::thread;

use kassa_engine::fair_permits::{FairLimits, FairPermits};
use kassa_engine::metrics::{Limit, LimitHits};
use kassa_engine::{Failure, Reader};

use crate::long_answers::LongAnswers;

/// A longer body is parsed on a thread of its own, in bytes.
const SHORT_BYTES_MAX: usize = 64 * 1024;
/// Long bodies that wait for their turn: of one caller, and in all. Each is in memory.
const WAITING_PER_CALLER: usize = 64;
const WAITING: usize = 1_024;

/// Turns to parse long bodies, as many as processors; `None` are those who come from nowhere. Clones share them.
#[derive(Clone)]
pub(crate) struct BodyParsers {
    turns: FairPermits<Option<Reader>>,
    limit_hits: Arc<LimitHits>,
}

impl BodyParsers {
    pub(crate) fn new(limit_hits: Arc<LimitHits>) -> Self {
        let processors = thread::available_parallelism().map_or(1, NonZeroUsize::get);
        let turns = FairPermits::new(FairLimits {
            total: processors,
            // One caller leaves something for others who come later.
            per_caller: processors.saturating_sub(1).max(1),
            waiting_per_caller: WAITING_PER_CALLER,
            waiting: WAITING,
        });
        Self { turns, limit_hits }
    }

    /// Does the parsing of a body of so many bytes. It goes on where its request is given up: what it works on belongs
    /// to it.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        threads: &LongAnswers,
        caller: Option<Reader>,
        bytes: usize,
        parse: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Failure> {
        if bytes <= SHORT_BYTES_MAX {
            return Ok(parse());
        }
        let turn = self.turns.acquire(caller).await.map_err(|_| {
            self.limit_hits.record(Limit::BodyMemory);
            Failure::Busy
        })?;
        let parse_in_turn = move || {
            let parsed = parse();
            drop(turn);
            parsed
        };
        threads.run_blocking(parse_in_turn).await
    }
}

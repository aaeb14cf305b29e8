//! Load: many connections that ask at once, and how long each answer took.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use hdrhistogram::Histogram;
use tokio::task::JoinSet;

use crate::connection::{Connection, HttpResponse};
use crate::error::BenchError;
use crate::processor_time::busy_seconds_of_others;
use crate::stopwatch;

/// The longest latency that is recorded exactly, in microseconds.
const LATENCY_US_MAX: u64 = 60_000_000;

/// What one connection asks, again and again.
pub(crate) trait LoadScript: 'static {
    /// The next request; `None` when there is nothing more to ask.
    fn next_request(&mut self) -> Option<&[u8]>;

    /// Takes the answer to it. An error ends the measurement.
    fn on_response(&mut self, answer: &HttpResponse<'_>) -> Result<(), BenchError>;
}

/// When requests are sent.
#[derive(Clone, Copy, Debug)]
pub(crate) enum LoadPace {
    /// Each connection sends the next one when it has its answer: how much is possible.
    ClosedLoop,
    /// So many a second over all connections, whether the server keeps up or not; what waits because of
    /// a slow answer counts as waiting.
    FixedRate(f64),
}

/// What was measured.
#[derive(Clone, Debug)]
pub(crate) struct LoadResult {
    /// Requests that were answered.
    pub(crate) responses: u64,
    /// In how long.
    pub(crate) seconds: f64,
    /// How long each took, in microseconds.
    pub(crate) latency_us: Histogram<u64>,
    /// Processor time of everything on the machine but the load itself, in seconds.
    pub(crate) processor_seconds: f64,
}

impl LoadResult {
    pub(crate) fn per_second(&self) -> f64 {
        self.answers() / self.seconds
    }

    /// Processor time of everything but the load for each request, in microseconds.
    pub(crate) fn processor_us_each(&self) -> f64 {
        self.processor_seconds * 1e6 / self.answers()
    }

    fn answers(&self) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "a count of requests, below 2^52")]
        let answers = self.responses as f64;
        answers
    }

    /// The time in milliseconds within which this share of the answers came.
    pub(crate) fn latency_ms(&self, quantile: f64) -> f64 {
        quantile_ms(&self.latency_us, quantile)
    }
}

/// The time in milliseconds that this share of the times, in microseconds, does not exceed.
pub(crate) fn quantile_ms(times_us: &Histogram<u64>, quantile: f64) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "microseconds of less than an hour")]
    let us = times_us.value_at_quantile(quantile) as f64;
    us / 1_000.0
}

/// Runs each script on a connection of its own for so long, and gives the scripts back.
pub(crate) async fn run_load<S: LoadScript>(
    address: SocketAddr,
    scripts: Vec<S>,
    pace: LoadPace,
    duration: Duration,
) -> Result<(LoadResult, Vec<S>), BenchError> {
    let mut connections = Vec::with_capacity(scripts.len());
    for _ in &scripts {
        connections.push(Connection::open(address).await?);
    }
    run_load_over(connections, scripts, pace, duration).await
}

/// The same over connections that are open already, one for each script.
pub(crate) async fn run_load_over<S: LoadScript>(
    connections: Vec<Connection>,
    scripts: Vec<S>,
    pace: LoadPace,
    duration: Duration,
) -> Result<(LoadResult, Vec<S>), BenchError> {
    let busy_before = busy_seconds_of_others()?;
    let start = stopwatch::now();
    let end = start + duration;
    let count = u32::try_from(scripts.len())?;
    let mut tasks = JoinSet::new();
    for (script, connection) in scripts.into_iter().zip(connections) {
        let at = u32::try_from(tasks.len())?;
        let schedule = match pace {
            LoadPace::ClosedLoop => None,
            LoadPace::FixedRate(rate) => {
                let every = Duration::from_secs_f64(f64::from(count) / rate);
                Some(Schedule { due: start + every * at / count, interval: every })
            }
        };
        tasks.spawn_local(run_connection(connection, script, schedule, end));
    }
    let mut scripts = Vec::new();
    let mut latency_us = new_histogram()?;
    while let Some(task) = tasks.join_next().await {
        let (script, part) = task??;
        latency_us.add(part)?;
        scripts.push(script);
    }
    let seconds = (stopwatch::now() - start).as_secs_f64();
    let processor_seconds = busy_seconds_of_others()? - busy_before;
    Ok((LoadResult { responses: latency_us.len(), seconds, latency_us, processor_seconds }, scripts))
}

/// When the next request of a connection is due.
struct Schedule {
    due: Instant,
    interval: Duration,
}

async fn run_connection<S: LoadScript>(
    mut connection: Connection,
    mut script: S,
    mut schedule: Option<Schedule>,
    end: Instant,
) -> Result<(S, Histogram<u64>), BenchError> {
    let mut latency_us = new_histogram()?;
    loop {
        let begun = match &mut schedule {
            None => stopwatch::now(),
            Some(Schedule { due, interval: every }) => {
                let begun = *due;
                tokio::time::sleep_until(begun.into()).await;
                *due += *every;
                begun
            }
        };
        if begun >= end {
            break;
        }
        let Some(request) = script.next_request() else { break };
        let answer = connection.send(request).await?;
        let took = (stopwatch::now() - begun).as_micros();
        latency_us.saturating_record(u64::try_from(took)?);
        script.on_response(&answer)?;
    }
    Ok((script, latency_us))
}

/// For times in microseconds.
pub(crate) fn new_histogram() -> Result<Histogram<u64>, BenchError> {
    Ok(Histogram::new_with_bounds(1, LATENCY_US_MAX, 3)?)
}

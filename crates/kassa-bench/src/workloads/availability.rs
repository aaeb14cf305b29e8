//! Row l: thousands who follow what is left of one event while it sells: what they take, and what the sale loses by them.

use std::cell::{Cell, RefCell};
use std::convert::Infallible;
use std::net::SocketAddr;
use std::path::Path;
use std::rc::Rc;
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::sync::Notify;
use tokio::task::JoinSet;

use super::orders::sell;
use crate::connection::connect;
use crate::context::BenchContext;
use crate::error::BenchError;
use crate::open_files::allow_connections;
use crate::report::{ReportGoal, ReportRow};
use crate::request::{Credential, kassa_request};
use crate::sellers::{Sale, Sellers};

/// Who follow the event: fewer than one address may have.
const READERS: usize = 5_000;
const READERS_QUICK: usize = 500;
/// The event that tells a reader everything. It comes first.
const SNAPSHOT: &[u8] = b"event: availability\n";
/// Bytes that a reader takes at a time.
const READ_BYTES: usize = 2 * 1024;
/// So long all readers that have connected may take to be told everything.
const BEGIN_MAX: Duration = Duration::from_mins(1);

/// Measures a server that is new in each round, whose memory has nothing of earlier readers.
pub(crate) async fn measure(bench: &BenchContext, scratch: &Path) -> Result<Vec<ReportRow>, BenchError> {
    let readers = if bench.is_quick { READERS_QUICK } else { READERS };
    allow_connections(readers + bench.connections)?;
    let mut memory = ReportRow::new("l", format!("memory of {readers} streams of what is left of an event"), "MiB");
    memory = memory.goal(ReportGoal::AtMost(200.0));
    let mut pace = ReportRow::new("l", "orders of that event, beside orders without streams", "/s");
    pace = pace.goal(ReportGoal::AtLeast(0.8));
    for round in 1..=bench.rounds {
        bench.report_progress(&format!("{readers} streams of what is left, round {round} of {}", bench.rounds));
        let server = bench.start_kassa(&scratch.join(format!("followed-{round}")))?;
        let mut sellers = Sellers::open(server.address).await?;
        let sales =
            [sellers.open_sale(bench.tickets_per_sale).await?, sellers.open_sale(bench.tickets_per_sale).await?];
        let before = sell(bench, server.address, &mut sellers, &sales[0]).await?;
        let memory_before = server.memory_mib()?;
        let crowd = Crowd::join(server.address, &sales[1], readers).await?;
        let ours = sell(bench, server.address, &mut sellers, &sales[1]).await?;
        memory.add(server.memory_mib()? - memory_before);
        crowd.leave()?;
        // Whatever else makes later orders slower is not the readers' doing.
        let sale = sellers.open_sale(bench.tickets_per_sale).await?;
        let after = sell(bench, server.address, &mut sellers, &sale).await?;
        pace.add_with_baseline(ours, f64::midpoint(before, after));
        server.stop()?;
    }
    Ok(vec![memory, pace])
}

/// Readers of one event, each in a task of its own. They leave with the value.
struct Crowd {
    heard: Rc<HeardBytes>,
    reading: JoinSet<Result<Infallible, BenchError>>,
    /// What each had heard when the last one had begun.
    heard_at_first: Vec<u64>,
}

/// What readers have heard.
#[derive(Default)]
struct HeardBytes {
    /// Of each, since it was told everything.
    changes: RefCell<Vec<u64>>,
    /// How many were told everything.
    begun: Cell<usize>,
    all_have_begun: Notify,
}

impl Crowd {
    /// Anonymous readers; returns when each of them was told everything.
    async fn join(address: SocketAddr, sale: &Sale, readers: usize) -> Result<Self, BenchError> {
        let path = format!("/v2/resources/events/{}/availability/stream", sale.event);
        let request = kassa_request("GET", &path, &Credential::None, None);
        let heard = Rc::new(HeardBytes { changes: RefCell::new(vec![0; readers]), ..HeardBytes::default() });
        let mut crowd = Self { heard: Rc::clone(&heard), reading: JoinSet::new(), heard_at_first: Vec::new() };
        for reader in 0..readers {
            let mut stream = connect(address).await?;
            stream.write_all(&request).await?;
            crowd.reading.spawn_local(follow(stream, reader, Rc::clone(&heard)));
        }
        tokio::select! {
            () = heard.all_have_begun.notified() => {}
            Some(ended) = crowd.reading.join_next() => {
                let Err(error) = ended?;
                return Err(error);
            }
            () = tokio::time::sleep(BEGIN_MAX) => {
                return Err(format!("of {readers} readers, {} were told anything", heard.begun.get()).into());
            }
        }
        crowd.heard_at_first.clone_from(&heard.changes.borrow());
        Ok(crowd)
    }

    /// Ends all of them; an error unless each was told of changes.
    fn leave(mut self) -> Result<(), BenchError> {
        if let Some(ended) = self.reading.try_join_next() {
            let Err(error) = ended?;
            return Err(error);
        }
        let heard = self.heard.changes.borrow();
        let deaf = heard.iter().zip(&self.heard_at_first).filter(|(now, then)| now == then).count();
        if deaf == 0 { Ok(()) } else { Err(format!("{deaf} readers were told of no change").into()) }
    }
}

/// Waits for the snapshot, and then counts.
async fn follow(mut stream: TcpStream, reader: usize, heard: Rc<HeardBytes>) -> Result<Infallible, BenchError> {
    let mut buffer = vec![0; READ_BYTES];
    let mut beginning = Vec::new();
    while !beginning.windows(SNAPSHOT.len()).any(|bytes| bytes == SNAPSHOT) {
        let bytes = read_some(&mut stream, &mut buffer).await?;
        beginning.extend_from_slice(&buffer[..bytes]);
        if beginning.len() > READ_BYTES {
            return Err(format!("no stream: {}", String::from_utf8_lossy(&beginning)).into());
        }
    }
    drop(beginning);
    heard.begun.set(heard.begun.get() + 1);
    if heard.begun.get() == heard.changes.borrow().len() {
        heard.all_have_begun.notify_one();
    }
    loop {
        let bytes = read_some(&mut stream, &mut buffer).await?;
        heard.changes.borrow_mut()[reader] += bytes as u64;
    }
}

async fn read_some(stream: &mut TcpStream, buffer: &mut [u8]) -> Result<usize, BenchError> {
    match stream.read(buffer).await? {
        0 => Err("the server has closed a stream".into()),
        bytes => Ok(bytes),
    }
}

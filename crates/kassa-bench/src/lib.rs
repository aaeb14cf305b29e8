//! `kassa bench`: what the server does, in figures that anybody can take again.
//!
//! Each figure is taken beside that of an echo, in turns and in the same run, so that the ratio holds
//! on any machine: the echo parses the same requests and gives the same answers with the same HTTP
//! stack, and no work behind it. Both servers are processes of their own; the load comes from one
//! thread of this one. After each sale its orders are held against its tickets. On PostgreSQL `pgbench` takes
//! the place of the echo, and any other server may be put beside ours by an adapter (`compare/`).

mod api_client;
mod arguments;
mod audit;
mod builds;
mod cluster;
mod compare;
mod connection;
mod context;
mod database;
mod delay_proxy;
mod echo;
mod error;
mod event_stream;
mod feed_reader;
mod load;
mod machine;
mod open_files;
mod perf;
mod processor_time;
mod report;
mod request;
mod scratch;
mod scripts;
mod sellers;
mod server;
mod stopwatch;
mod workloads;

use tokio::runtime;
use tokio::signal::unix::{SignalKind, signal};
use tokio::task::LocalSet;

pub use arguments::BenchArguments;
pub use echo::run as serve_echo;
pub use error::BenchError;

/// Measures, and prints a table.
pub fn run(arguments: BenchArguments) -> Result<(), BenchError> {
    // The load comes from one thread: the others are the servers'.
    let runtime = runtime::Builder::new_current_thread().enable_all().build()?;
    // What is given up ends its servers, and takes its folder along.
    LocalSet::new().block_on(&runtime, async {
        tokio::select! {
            measured = builds::measure(arguments) => measured,
            stopped = wait_for_stop_signal() => stopped,
        }
    })
}

async fn wait_for_stop_signal() -> Result<(), BenchError> {
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    tokio::select! {
        _ = terminate.recv() => Err("it was told to end".into()),
        _ = interrupt.recv() => Err("it was interrupted".into()),
    }
}

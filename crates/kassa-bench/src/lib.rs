//! `kassa bench`: what the server does, in figures that anybody can take again.
//!
//! Each figure is taken beside that of an echo, in turns and in the same run, so that the ratio holds
//! on any machine: the echo parses the same requests and gives the same answers with the same HTTP
//! stack, and no work behind it. Both servers are processes of their own; the load comes from one
//! thread of this one. After each sale its orders are held against its tickets. On PostgreSQL `pgbench` takes
//! the place of the echo, and any other server may be put beside ours by an adapter (`compare/`).

mod api_client;
mod audit;
mod cluster;
mod compare;
mod connection;
mod context;
mod database;
mod echo;
mod error;
mod event_stream;
mod feed_reader;
mod load;
mod machine;
mod perf;
mod report;
mod request;
mod scripts;
mod sellers;
mod server;
mod stopwatch;
mod workloads;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use tokio::runtime;
use tokio::signal::unix::{SignalKind, signal};
use tokio::task::LocalSet;
use url::Url;

use compare::Comparison;
use context::{BenchContext, TargetServer, socket_address};
use database::BenchDatabase;
use report::{ReportGoal, ReportRow};
use server::ServerProcess;

pub use echo::run as serve_echo;
pub use error::BenchError;

/// Flags of `kassa bench`.
#[derive(Debug, Args)]
pub struct BenchArguments {
    /// A running server; by default one is started on an empty folder.
    #[arg(long, value_name = "URL")]
    url: Option<Url>,
    /// One short round without the big database; takes less than a minute.
    #[arg(long)]
    quick: bool,
    /// The workloads to measure, such as `a,d`: a and c orders, b orders on PostgreSQL, d reads, e purchases, f to h a
    /// big database, i seats, j readers of changes, k the same at another server on PostgreSQL, l streams of what is left,
    /// m pages of the shop, n pages of the console beside a million orders.
    #[arg(long, value_name = "LETTERS", value_delimiter = ',', default_values = WORKLOADS)]
    rows: Vec<String>,
    /// Rounds per workload; the median is reported.
    #[arg(long, value_name = "NUMBER", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
    /// Duration of each measurement.
    #[arg(long, value_name = "SECONDS", default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..))]
    seconds: u64,
    /// Concurrent connections.
    #[arg(long, value_name = "NUMBER", default_value_t = 64, value_parser = clap::value_parser!(u16).range(1..))]
    connections: u16,
    /// A folder that keeps the big database between runs, about 4 GB; that of n lies beside it, as `DIR.console`.
    #[arg(long, value_name = "DIR")]
    prepare: Option<PathBuf>,
    /// An empty PostgreSQL database for b and k, which is not cleaned up; by default they start their own cluster with the
    /// programs of this machine. Command lines are visible to other users: pass a URL with a password in the variable.
    #[arg(long, env = "KASSA_BENCH_DATABASE", value_name = "URL", hide_env_values = true)]
    database: Option<String>,
    /// An adapter that describes how to order from another server at --url; only orders are measured then, on both.
    #[arg(long, value_name = "FILE", requires = "url", conflicts_with_all = ["rows", "prepare", "database", "perf"])]
    adapter: Option<PathBuf>,
    /// Tickets contested by all buyers, with --adapter.
    #[arg(long, value_name = "NUMBER", default_value_t = 1_000, value_parser = clap::value_parser!(u32).range(1..))]
    tickets: u32,
    /// A file for perf samples of the server during the last round of a.
    #[arg(long, value_name = "FILE", conflicts_with = "url")]
    perf: Option<PathBuf>,
    /// Writes the figures to a JSON file.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// The letters of all works.
const WORKLOADS: [&str; 14] = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n"];
/// Tickets of a sale, so that it does not sell out.
const TICKETS_PER_SALE: u32 = 1_000_000;
const TICKETS_PER_SALE_QUICK: u32 = 200_000;

/// Measures, and prints a table.
pub fn run(arguments: BenchArguments) -> Result<(), BenchError> {
    // The load comes from one thread: the others are the servers'.
    let runtime = runtime::Builder::new_current_thread().enable_all().build()?;
    // What is given up ends its servers, and takes its folder along.
    LocalSet::new().block_on(&runtime, async {
        tokio::select! {
            measured = measure(arguments) => measured,
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

async fn measure(arguments: BenchArguments) -> Result<(), BenchError> {
    if let Some(unknown) = arguments.rows.iter().find(|row| !WORKLOADS.contains(&row.as_str())) {
        return Err(format!("--rows {unknown}: the workloads are {}", WORKLOADS.join(", ")).into());
    }
    let scratch = ScratchFolder::new()?;
    let own = || ServerProcess::start_kassa(&scratch.0.join("server"));
    let bench = BenchContext {
        target: match &arguments.url {
            Some(url) if arguments.adapter.is_none() => TargetServer::Remote(socket_address(url)?),
            _ => TargetServer::Spawned(own()?),
        },
        echo: ServerProcess::start_echo()?,
        rounds: if arguments.quick { 1 } else { arguments.rounds },
        duration: Duration::from_secs(if arguments.quick { 2 } else { arguments.seconds }),
        connections: arguments.connections.into(),
        tickets_per_sale: if arguments.quick { TICKETS_PER_SALE_QUICK } else { TICKETS_PER_SALE },
        is_quick: arguments.quick,
        perf_file: arguments.perf.clone(),
    };
    let rows = match (bench.spawned_server(), &arguments.adapter, &arguments.url) {
        (Some(ours), Some(adapter), Some(url)) => {
            compare::measure(&bench, ours, &Comparison { adapter, url, tickets: arguments.tickets }).await?
        }
        _ => measure_workloads(&bench, &arguments, &scratch.0).await?,
    };
    print!("{}", report::text_table(&rows));
    if let Some(file) = &arguments.json {
        fs::write(file, format!("{:#}\n", report::json_report(&rows, &machine::describe())))?;
    }
    match bench.target {
        TargetServer::Spawned(server) => server.stop(),
        TargetServer::Remote(_) => Ok(()),
    }
}

/// Everything that was asked for, work by work.
async fn measure_workloads(
    bench: &BenchContext,
    arguments: &BenchArguments,
    scratch: &Path,
) -> Result<Vec<ReportRow>, BenchError> {
    let asked = |letters: &[&str]| arguments.rows.iter().any(|row| letters.contains(&row.as_str()));
    let mut all = Vec::new();
    if asked(&["a", "c", "g"]) {
        all.extend(workloads::orders::measure(bench).await?);
    }
    if asked(&["b", "k"]) {
        all.extend(measure_on_postgres(bench, arguments, scratch).await?);
    }
    if asked(&["d"]) {
        all.extend(workloads::reads::measure(bench).await?);
    }
    if asked(&["e"]) {
        all.extend(workloads::purchases::measure(bench).await?);
    }
    all.extend(measure_big_databases(bench, arguments, scratch).await?);
    if asked(&["i"]) {
        all.extend(workloads::seats::measure(bench).await?);
    }
    if asked(&["l"]) {
        if bench.spawned_server().is_some() {
            all.extend(workloads::availability::measure(bench, scratch).await?);
        } else {
            eprintln!("kassa bench: l is left out: it needs a server of its own");
        }
    }
    if let Some(server) = bench.spawned_server().filter(|_| asked(&["g"])) {
        let mut memory = ReportRow::new("g", "memory of the server, at most", "MiB").goal(ReportGoal::AtMost(250.0));
        memory.add(server.memory_mib_max()?);
        all.push(memory);
    }
    if asked(&["m"]) {
        all.extend(workloads::pages::measure(bench).await?);
    }
    if asked(&["j"]) {
        all.extend(workloads::changes::measure_same_server(bench).await?);
    }
    all.sort_by_key(|row| row.workload);
    Ok(all)
}

/// Rows f, g, h and n, which fill databases first.
async fn measure_big_databases(
    bench: &BenchContext,
    arguments: &BenchArguments,
    scratch: &Path,
) -> Result<Vec<ReportRow>, BenchError> {
    let asked = |letters: &[&str]| arguments.rows.iter().any(|row| letters.contains(&row.as_str()));
    let has_big = bench.spawned_server().is_some() && (!arguments.quick || arguments.prepare.is_some());
    if !has_big {
        if asked(&["f", "g", "h", "n"]) {
            eprintln!("kassa bench: no big database: it needs a server of its own, and --prepare with --quick");
        }
        return Ok(Vec::new());
    }
    let mut all = Vec::new();
    if asked(&["f", "g", "h"]) {
        let data = arguments.prepare.clone().unwrap_or_else(|| scratch.join("big"));
        all.extend(workloads::big_database::measure(bench, &data, scratch).await?);
    }
    if asked(&["n"]) {
        let kept = arguments.prepare.as_ref().map(|folder| folder.with_extension("console"));
        all.extend(workloads::console::measure(bench, &kept.unwrap_or_else(|| scratch.join("console"))).await?);
    }
    Ok(all)
}

/// Rows b and k, where there is a PostgreSQL for them.
async fn measure_on_postgres(
    bench: &BenchContext,
    arguments: &BenchArguments,
    scratch: &Path,
) -> Result<Vec<ReportRow>, BenchError> {
    let asked = |letter: &str| arguments.rows.iter().any(|row| row == letter);
    let leave_out = |why: &str| {
        for letter in ["b", "k"].into_iter().filter(|letter| asked(letter)) {
            eprintln!("kassa bench: {letter} is left out: {why}");
        }
        Ok(Vec::new())
    };
    if bench.spawned_server().is_none() {
        return leave_out("it needs a server of its own");
    }
    let database = match BenchDatabase::open(arguments.database.as_deref(), &scratch.join("postgres"))? {
        Ok(database) => database,
        Err(missing) => return leave_out(&missing),
    };
    let mut all = Vec::new();
    // This comes first: then there are no tables of others yet.
    if asked("k") {
        all.extend(workloads::changes::measure_other_server(bench, &database, scratch).await?);
    }
    if asked("b") {
        all.extend(workloads::postgres::measure(bench, &database, scratch).await?);
    }
    Ok(all)
}

/// A folder that goes with the value.
struct ScratchFolder(PathBuf);

impl ScratchFolder {
    fn new() -> Result<Self, BenchError> {
        let folder = std::env::temp_dir().join(format!("kassa-bench-{}", std::process::id()));
        fs::create_dir_all(&folder)?;
        Ok(Self(folder))
    }
}

impl Drop for ScratchFolder {
    fn drop(&mut self) {
        if let Err(error) = fs::remove_dir_all(&self.0) {
            eprintln!("kassa bench: {} stays behind: {error}", self.0.display());
        }
    }
}

//! `kassa bench`: what the server does, in figures that anybody can take again.
//!
//! Each figure is taken beside that of an echo, in turns and in the same run, so that the ratio holds
//! on any machine: the echo parses the same requests and gives the same answers with the same HTTP
//! stack, and no work behind it. Both servers are processes of their own; the load comes from one
//! thread of this one. After each sale its orders are held against its tickets. On PostgreSQL `pgbench` takes
//! the place of the echo, and any other server may be put beside ours by an adapter (`compare/`).

mod api;
mod audit;
mod cluster;
mod compare;
mod connection;
mod database;
mod echo;
mod house;
mod load;
mod machine;
mod perf;
mod report;
mod request;
mod rows;
mod script;
mod server;
mod stopwatch;

use std::fs;
use std::net::{SocketAddr, ToSocketAddrs as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use tokio::runtime;
use tokio::signal::unix::{SignalKind, signal};
use tokio::task::LocalSet;
use url::Url;

use crate::installation::Fatal;
use crate::serve::web_address;
use compare::Comparison;
use database::Database;
use perf::Recording;
use report::{Goal, Row};
use server::Server;

pub(crate) use echo::run as echo;

/// Flags of `kassa bench`.
#[derive(Debug, Args)]
pub(crate) struct BenchArguments {
    /// A server that is running; without it, one is started on an empty folder.
    #[arg(long, value_name = "URL", value_parser = web_address)]
    url: Option<Url>,
    /// One short round of everything but the big database: less than a minute.
    #[arg(long)]
    quick: bool,
    /// The works to measure, as `a,d`: a and c orders, b orders on PostgreSQL, d reads, e purchases, f to h a
    /// big database, i seats.
    #[arg(long, value_name = "LETTERS", value_delimiter = ',', default_values = WORKS)]
    rows: Vec<String>,
    /// How often each is measured; the median counts.
    #[arg(long, value_name = "NUMBER", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
    /// How long each measurement takes.
    #[arg(long, value_name = "SECONDS", default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..))]
    seconds: u64,
    /// Connections at a time.
    #[arg(long, value_name = "NUMBER", default_value_t = 64, value_parser = clap::value_parser!(u16).range(1..))]
    connections: u16,
    /// Where the big database is kept from run to run; it takes about 4 GB.
    #[arg(long, value_name = "DIR")]
    prepare: Option<PathBuf>,
    /// An empty PostgreSQL database for b, in which all that is made stays; without it, b makes a cluster of its
    /// own from the programs of this machine. Others see a command line: give a password by the variable.
    #[arg(long, env = "KASSA_BENCH_DATABASE", value_name = "URL", hide_env_values = true)]
    database: Option<String>,
    /// How another server is asked for the same: then its orders at --url are measured beside ours, and nothing
    /// else is.
    #[arg(long, value_name = "FILE", requires = "url", conflicts_with_all = ["rows", "prepare", "database", "perf"])]
    adapter: Option<PathBuf>,
    /// Tickets that all buyers want at once, with --adapter.
    #[arg(long, value_name = "NUMBER", default_value_t = 1_000, value_parser = clap::value_parser!(u32).range(1..))]
    tickets: u32,
    /// A file where perf notes what the server does during a's last round.
    #[arg(long, value_name = "FILE", conflicts_with = "url")]
    perf: Option<PathBuf>,
    /// A file for the figures as JSON.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// The letters of all works.
const WORKS: [&str; 9] = ["a", "b", "c", "d", "e", "f", "g", "h", "i"];
/// Tickets of a sale, so that it does not sell out.
const TICKETS: u32 = 1_000_000;
const TICKETS_QUICK: u32 = 200_000;

/// What all works share.
struct Bench {
    server: Measured,
    echo: Server,
    rounds: u32,
    duration: Duration,
    connections: usize,
    /// Tickets of a sale.
    tickets: u32,
    is_quick: bool,
    /// Where the processor time of the server is recorded.
    perf: Option<PathBuf>,
}

/// The server that is measured.
enum Measured {
    Own(Server),
    Other(SocketAddr),
}

impl Bench {
    fn address(&self) -> SocketAddr {
        match &self.server {
            Measured::Own(server) => server.address,
            Measured::Other(address) => *address,
        }
    }

    fn own(&self) -> Option<&Server> {
        match &self.server {
            Measured::Own(server) => Some(server),
            Measured::Other(_) => None,
        }
    }

    /// Processor time of the server so far; unknown of one that runs elsewhere.
    fn processor_seconds(&self) -> Result<Option<f64>, Fatal> {
        self.own().map(Server::processor_seconds).transpose()
    }

    /// Memory of the server; unknown of one that runs elsewhere.
    fn memory_mib(&self) -> Result<Option<f64>, Fatal> {
        self.own().map(Server::memory_mib).transpose()
    }

    /// Records where its processor time goes, if that is wanted of this round.
    fn record(&self, round: u32) -> Result<Option<Recording>, Fatal> {
        let file = self.perf.as_ref().filter(|_| round == self.rounds);
        self.own().zip(file).map(|(server, file)| Recording::start(server, file)).transpose()
    }

    fn tell(&self, what: &str) {
        eprintln!("kassa bench: {what}, {} connections", self.connections);
    }
}

/// Measures, and prints a table.
pub(crate) fn run(arguments: BenchArguments) -> Result<(), Fatal> {
    // The load comes from one thread: the others are the servers'.
    let runtime = runtime::Builder::new_current_thread().enable_all().build()?;
    // What is given up ends its servers, and takes its folder along.
    LocalSet::new().block_on(&runtime, async {
        tokio::select! {
            measured = measure(arguments) => measured,
            stopped = told_to_stop() => stopped,
        }
    })
}

async fn told_to_stop() -> Result<(), Fatal> {
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    tokio::select! {
        _ = terminate.recv() => Err("it was told to end".into()),
        _ = interrupt.recv() => Err("it was interrupted".into()),
    }
}

async fn measure(arguments: BenchArguments) -> Result<(), Fatal> {
    if let Some(unknown) = arguments.rows.iter().find(|row| !WORKS.contains(&row.as_str())) {
        return Err(format!("--rows {unknown}: the works are {}", WORKS.join(", ")).into());
    }
    let scratch = Scratch::new()?;
    let own = || Server::kassa(&scratch.0.join("server"));
    let bench = Bench {
        server: match &arguments.url {
            Some(url) if arguments.adapter.is_none() => Measured::Other(address(url)?),
            _ => Measured::Own(own()?),
        },
        echo: Server::echo()?,
        rounds: if arguments.quick { 1 } else { arguments.rounds },
        duration: Duration::from_secs(if arguments.quick { 2 } else { arguments.seconds }),
        connections: arguments.connections.into(),
        tickets: if arguments.quick { TICKETS_QUICK } else { TICKETS },
        is_quick: arguments.quick,
        perf: arguments.perf.clone(),
    };
    let rows = match (bench.own(), &arguments.adapter, &arguments.url) {
        (Some(ours), Some(adapter), Some(url)) => {
            compare::measure(&bench, ours, &Comparison { adapter, url, tickets: arguments.tickets }).await?
        }
        _ => rows(&bench, &arguments, &scratch.0).await?,
    };
    print!("{}", report::table(&rows));
    if let Some(file) = &arguments.json {
        fs::write(file, format!("{:#}\n", report::document(&rows, &machine::describe())))?;
    }
    match bench.server {
        Measured::Own(server) => server.stop(),
        Measured::Other(_) => Ok(()),
    }
}

/// Everything that was asked for, work by work.
async fn rows(bench: &Bench, arguments: &BenchArguments, scratch: &Path) -> Result<Vec<Row>, Fatal> {
    let asked = |letters: &[&str]| arguments.rows.iter().any(|row| letters.contains(&row.as_str()));
    let mut all = Vec::new();
    if asked(&["a", "c", "g"]) {
        all.extend(rows::orders::measure(bench).await?);
    }
    if asked(&["b"]) {
        all.extend(on_postgres(bench, arguments, scratch).await?);
    }
    if asked(&["d"]) {
        all.extend(rows::reads::measure(bench).await?);
    }
    if asked(&["e"]) {
        all.extend(rows::purchases::measure(bench).await?);
    }
    let has_big = bench.own().is_some() && (!arguments.quick || arguments.prepare.is_some());
    if asked(&["f", "g", "h"]) && !has_big {
        eprintln!("kassa bench: no big database: it needs a server of its own, and --prepare with --quick");
    }
    if asked(&["f", "g", "h"]) && has_big {
        let data = arguments.prepare.clone().unwrap_or_else(|| scratch.join("big"));
        all.extend(rows::growth::measure(bench, &data, scratch).await?);
    }
    if asked(&["i"]) {
        all.extend(rows::seats::measure(bench).await?);
    }
    if let Some(server) = bench.own().filter(|_| asked(&["g"])) {
        let mut memory = Row::new("g", "memory of the server, at most", "MiB").goal(Goal::AtMost(250.0));
        memory.add(server.memory_mib_max()?);
        all.push(memory);
    }
    all.sort_by_key(|row| row.name);
    Ok(all)
}

/// Row b, where there is a PostgreSQL for it.
async fn on_postgres(bench: &Bench, arguments: &BenchArguments, scratch: &Path) -> Result<Vec<Row>, Fatal> {
    if bench.own().is_none() {
        eprintln!("kassa bench: b is left out: it needs a server of its own");
        return Ok(Vec::new());
    }
    match Database::open(arguments.database.as_deref(), &scratch.join("postgres"))? {
        Ok(database) => rows::postgres::measure(bench, &database, scratch).await,
        Err(missing) => {
            eprintln!("kassa bench: b is left out: {missing}");
            Ok(Vec::new())
        }
    }
}

/// Where a url leads.
fn address(url: &Url) -> Result<SocketAddr, Fatal> {
    if url.scheme() != "http" {
        return Err("--url: the load goes over plain HTTP".into());
    }
    let host = url.host_str().ok_or("--url has no host")?;
    let port = url.port_or_known_default().ok_or("--url has no port")?;
    let address = (host, port).to_socket_addrs()?.next();
    Ok(address.ok_or_else(|| format!("--url: {host} has no address"))?)
}

/// A folder that goes with the value.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Result<Self, Fatal> {
        let folder = std::env::temp_dir().join(format!("kassa-bench-{}", std::process::id()));
        fs::create_dir_all(&folder)?;
        Ok(Self(folder))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if let Err(error) = fs::remove_dir_all(&self.0) {
            eprintln!("kassa bench: {} stays behind: {error}", self.0.display());
        }
    }
}

//! What `kassa bench` is told.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use url::Url;

/// Flags of `kassa bench`.
#[derive(Clone, Debug, Args)]
pub struct BenchArguments {
    /// A running server; by default one is started on an empty folder.
    #[arg(long, value_name = "URL")]
    pub(crate) url: Option<Url>,
    /// One short round without the big database; takes less than a minute.
    #[arg(long)]
    pub(crate) quick: bool,
    /// The workloads to measure, such as `a,d`: a and c orders, b orders on PostgreSQL, d reads, e purchases, f to h a
    /// big database, i seats, j readers of changes, k the same at another server on PostgreSQL, l streams of what is left,
    /// m pages of the shop, n pages of the console beside a million orders, o crowds: many events, connections, sets and
    /// orders of an agent, p reads at two servers on PostgreSQL, q orders on a database of several servers,
    /// r orders far from PostgreSQL.
    #[arg(long, value_name = "LETTERS", value_delimiter = ',', default_values = WORKLOADS)]
    pub(crate) rows: Vec<String>,
    /// Rounds per workload, 5 by default; the median is reported.
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) rounds: Option<u32>,
    /// Duration of each measurement, 5 by default.
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) seconds: Option<u64>,
    /// Concurrent connections.
    #[arg(long, value_name = "NUMBER", default_value_t = 64, value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) connections: u16,
    /// A folder that keeps the big database between runs, about 4 GB; that of n lies beside it, as `DIR.console`.
    #[arg(long, value_name = "DIR")]
    pub(crate) prepare: Option<PathBuf>,
    /// An empty PostgreSQL database for b, k, p, q and r, which is not cleaned up; by default they start their own cluster with the
    /// programs of this machine. Command lines are visible to other users: pass a URL with a password in the variable.
    #[arg(long, env = "KASSA_BENCH_DATABASE", value_name = "URL", hide_env_values = true)]
    pub(crate) database: Option<String>,
    /// An empty database with Citus for q, on the coordinator, which is not cleaned up. Without it q is left out.
    #[arg(long, env = "KASSA_BENCH_SPREAD_DATABASE", value_name = "URL", hide_env_values = true)]
    pub(crate) spread_database: Option<String>,
    /// An adapter that describes how to order from another server at --url; only orders are measured then, on both.
    #[arg(long, value_name = "FILE", requires = "url", conflicts_with_all = ["rows", "prepare", "database", "spread_database", "perf"])]
    pub(crate) adapter: Option<PathBuf>,
    /// Tickets contested by all buyers, with --adapter.
    #[arg(long, value_name = "NUMBER", default_value_t = 1_000, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) tickets: u32,
    /// A file for perf samples of the server during the last round of a.
    #[arg(long, value_name = "FILE", conflicts_with = "url")]
    pub(crate) perf: Option<PathBuf>,
    /// Writes the figures to a JSON file.
    #[arg(long, value_name = "FILE")]
    pub(crate) json: Option<PathBuf>,
    /// The figures of an earlier run, written by --json: what got better and worse since is said in a table.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["adapter", "in_turns_with"])]
    pub(crate) compare_with: Option<PathBuf>,
    /// Another build of this program: both are measured, in turns round by round, and compared. Without the big databases.
    #[arg(long, value_name = "PROGRAM", conflicts_with_all = ["adapter", "url", "perf", "prepare", "database", "spread_database"])]
    pub(crate) in_turns_with: Option<PathBuf>,
    /// Fails when a share of the echo or of pgbench falls by more than this share of itself, such as 0.33; what has
    /// fallen is measured once more first.
    #[arg(long, value_name = "SHARE", value_parser = parse_share)]
    pub(crate) fall_at_most: Option<f64>,
}

impl BenchArguments {
    /// Rounds per workload: as many as were asked for.
    pub(crate) fn round_count(&self) -> u32 {
        self.rounds.unwrap_or(if self.quick { 1 } else { ROUNDS })
    }

    /// Duration of each measurement: as long as was asked for.
    pub(crate) fn duration(&self) -> Duration {
        self.seconds.map_or(if self.quick { SECONDS_QUICK } else { SECONDS }, Duration::from_secs)
    }

    /// Whether none was chosen.
    pub(crate) fn asks_for_all(&self) -> bool {
        self.rows.len() == WORKLOADS.len()
    }

    /// Whether one of these workloads is to be measured.
    pub(crate) fn asks_for(&self, letters: &[&str]) -> bool {
        self.rows.iter().any(|row| letters.contains(&row.as_str()))
    }
}

/// A number between nothing and all.
fn parse_share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share| (0.0..1.0).contains(share));
    share.ok_or_else(|| "it is at least 0 and below 1, such as 0.33".to_owned())
}

/// The letters of all works.
pub(crate) const WORKLOADS: [&str; 18] =
    ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n", "o", "p", "q", "r"];
const ROUNDS: u32 = 5;
const SECONDS: Duration = Duration::from_secs(5);
const SECONDS_QUICK: Duration = Duration::from_secs(2);
/// Tickets of a sale, so that it does not sell out.
pub(crate) const TICKETS_PER_SALE: u32 = 1_000_000;
pub(crate) const TICKETS_PER_SALE_QUICK: u32 = 200_000;

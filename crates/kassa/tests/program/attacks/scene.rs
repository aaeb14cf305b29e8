//! A server, a tenant that sells, one that attacks, and what the attack does to the sale.

use std::collections::BTreeMap;
use std::fmt;
use std::net::{Ipv4Addr, SocketAddrV4};
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use tempfile::TempDir;

use super::attackers::{Attacker, Attackers};
use super::connection::Request;
use super::seller::{Latencies, Seller, Sold};
use super::{attack_time, quiet_time};
use crate::client::{Client, text};
use crate::commands::{kassa_serve, release_program};
use crate::sale::{Organizer, Sale};
use crate::server::Server;
use crate::tenant::TestDatabase;
use crate::waiting::SetOnDrop;

/// Tickets of the seller: more than it sells in the longest of attacks.
const TICKETS: u32 = 100_000;
/// How long the seller sells before anything is measured.
const WARM_UP: Duration = Duration::from_secs(1);
/// How much slower the median may become.
const SLOWDOWN_MAX: u32 = 3;
/// The slowest that one request of a hundred may be.
const P99_MAX: Duration = Duration::from_millis(250);
/// The same of its long requests, which wait for their turns among all others who list.
const LONG_P99_MAX: Duration = Duration::from_secs(1);
/// The most memory that the server may ever have taken.
const MEMORY_MIB_MAX: u64 = 600;
/// A server that takes so much is killed, before it takes all that the machine has.
const MEMORY_BYTES_KILLED: u64 = 3 * 1024 * 1024 * 1024;
/// The log of SQLite and the memory of the server are looked at so often.
const WATCH_INTERVAL: Duration = Duration::from_millis(20);

/// Where a server keeps its rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Database {
    Sqlite,
    /// With four lanes.
    Postgres,
}

/// A server with two tenants.
pub(super) struct Scene {
    pub(super) server: Server,
    pub(super) attacker: Organizer,
    pub(super) sale: Sale,
    pub(super) folder: TempDir,
    pub(super) tenant: Option<TestDatabase>,
    /// Whether the seller uploads pictures, and whether its customers get mails.
    pub(super) seller_uploads: bool,
    pub(super) seller_mails: bool,
    /// What the seller's office asks now and then, besides.
    pub(super) seller_long_requests: Vec<Request>,
}

/// What an attack did.
pub(super) struct Outcome {
    quiet: Latencies,
    attacked: Latencies,
    pub(super) sold: Sold,
    memory_mib_max: u64,
    /// The longest that the log of SQLite became.
    pub(super) log_bytes_max: u64,
    /// How often attackers got which status, or which error.
    pub(super) outcomes: BTreeMap<String, usize>,
    /// Samples of the metric that counts what was limited.
    limit_hits: Vec<String>,
}

impl Scene {
    /// A server as it is when nothing is configured.
    #[track_caller]
    pub(super) fn start(database: Database) -> Self {
        Self::start_with(database, |_| ())
    }

    /// One with settings of its own.
    #[track_caller]
    pub(super) fn start_with(database: Database, configure: impl FnOnce(&mut Command)) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let tenant = (database == Database::Postgres).then(TestDatabase::new);
        let mut command = match &tenant {
            Some(tenant) => tenant.serve(folder.path()),
            None => kassa_serve(folder.path()),
        };
        configure(&mut command);
        let server = Server::run(&mut command);
        let sale = Sale::open(&server, TICKETS);
        let attacker = Organizer::register(&server, "attacker@example.org");
        Self {
            server,
            attacker,
            sale,
            folder,
            tenant,
            seller_uploads: false,
            seller_mails: false,
            seller_long_requests: Vec::new(),
        }
    }

    pub(super) fn address(&self) -> SocketAddrV4 {
        self.server.address().parse().unwrap()
    }

    fn seller(&self) -> Seller<'_> {
        Seller {
            server: self.address(),
            sale: &self.sale,
            uploads: self.seller_uploads,
            mails: self.seller_mails,
            long_requests: &self.seller_long_requests,
        }
    }

    /// Sells for a while, then for another while 32 connections from these addresses attack.
    pub(super) fn attack(&self, addresses: &[Ipv4Addr], attack: impl Fn(&mut Attacker<'_>) + Sync) -> Outcome {
        self.attack_after(&self.sell_quietly(), addresses, attack)
    }

    /// Sells for a while: what the sale is like when nobody attacks.
    pub(super) fn sell_quietly(&self) -> Sold {
        // The first requests find every cache empty.
        self.seller().sell(WARM_UP);
        self.seller().sell(quiet_time())
    }

    /// Sells while 32 connections from these addresses attack.
    pub(super) fn attack_after(
        &self,
        quiet: &Sold,
        addresses: &[Ipv4Addr],
        attack: impl Fn(&mut Attacker<'_>) + Sync,
    ) -> Outcome {
        assert!(quiet.refusals.is_empty(), "the seller was refused before the attack: {:?}", quiet.refusals);
        let (log_bytes_max, is_over) = (AtomicU64::new(0), AtomicBool::new(false));
        let (sold, outcomes) = thread::scope(|scope| {
            scope.spawn(|| self.watch(&log_bytes_max, &is_over));
            let _over = SetOnDrop(&is_over);
            Attackers::run(self.address(), addresses, &attack, || self.seller().sell(attack_time()))
        });
        assert!(
            !self.server.has_ended(),
            "the server is gone; it had to be killed if it took {MEMORY_BYTES_KILLED} bytes"
        );
        let outcome = Outcome {
            quiet: quiet.latencies(),
            attacked: sold.latencies(),
            sold,
            memory_mib_max: self.server.process_id().memory_bytes_max() / 1024 / 1024,
            log_bytes_max: log_bytes_max.into_inner(),
            outcomes,
            limit_hits: self.limit_hits(),
        };
        println!("{outcome}");
        outcome
    }

    /// Looks how long the log of SQLite becomes, and ends a server that would take all memory of the machine.
    fn watch(&self, log_bytes_max: &AtomicU64, is_over: &AtomicBool) {
        let server = self.server.process_id();
        while !is_over.load(Ordering::Relaxed) && !self.server.has_ended() {
            log_bytes_max.fetch_max(self.log_bytes(), Ordering::Relaxed);
            if server.memory_bytes() > MEMORY_BYTES_KILLED {
                return server.kill();
            }
            thread::sleep(WATCH_INTERVAL);
        }
    }

    /// The bytes of the write-ahead log of SQLite.
    fn log_bytes(&self) -> u64 {
        // There is none on PostgreSQL.
        self.folder.path().join("kassa.db-wal").metadata().map_or(0, |file| file.len())
    }

    /// The bytes of all that is kept: of the database and of files.
    pub(super) fn stored_bytes(&self) -> u64 {
        let of_database = self.tenant.as_ref().map_or(0, |tenant| {
            let sizes = "SELECT sum(pg_total_relation_size(oid))::text FROM pg_class WHERE relkind = 'r'";
            let text = format!("{sizes} AND relnamespace = '{}'::regnamespace", tenant.name());
            tenant.query(&text).unwrap().parse().unwrap()
        });
        of_database + folder_bytes(self.folder.path())
    }

    /// The samples of the metric that says how often each limit was hit.
    fn limit_hits(&self) -> Vec<String> {
        let metrics = text(&Client::anonymous(&self.server.ops).get("/metrics").success_body());
        let samples = metrics.lines().filter_map(|line| line.strip_prefix("kassa_limit_hits_total"));
        samples.filter(|sample| !sample.ends_with(" 0")).map(str::to_owned).collect()
    }
}

fn folder_bytes(folder: &Path) -> u64 {
    let sizes = std::fs::read_dir(folder).unwrap().map(|entry| {
        let path = entry.unwrap().path();
        // What was temporary may be gone by now.
        if path.is_dir() { folder_bytes(&path) } else { path.metadata().map_or(0, |file| file.len()) }
    });
    sizes.sum()
}

impl Outcome {
    /// Nothing of the seller was refused, and memory stayed bounded.
    #[track_caller]
    pub(super) fn assert_nothing_refused(&self) {
        assert!(self.sold.refusals.is_empty(), "the seller was refused: {self}");
        assert!(self.memory_mib_max < MEMORY_MIB_MAX, "the server took too much memory: {self}");
    }

    /// The same, and of a release build, the seller hardly noticed.
    #[track_caller]
    pub(super) fn assert_harmless(&self) {
        self.assert_nothing_refused();
        if release_program().is_none() {
            println!("how fast a debug build is says little: KASSA_PROGRAM names no release build");
            return;
        }
        assert!(self.attacked.p99 <= P99_MAX, "the seller waited for more than {P99_MAX:?}: {self}");
        let median_max = self.quiet.median * SLOWDOWN_MAX;
        assert!(
            self.attacked.median <= median_max,
            "the median is more than {SLOWDOWN_MAX} times the quiet one: {self}"
        );
        let has_waited = self.sold.long_latencies().is_some_and(|long| long.p99 > LONG_P99_MAX);
        assert!(!has_waited, "long requests of the seller waited for more than {LONG_P99_MAX:?}: {self}");
    }

    /// How often the attackers were answered like this.
    pub(super) fn count(&self, outcome: &str) -> usize {
        self.outcomes.get(outcome).copied().unwrap_or(0)
    }

    /// How often limits of this kind were hit, as operators see it.
    pub(super) fn was_limited(&self, kind: &str) -> bool {
        self.limit_hits.iter().any(|sample| sample.contains(kind))
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(out)?;
        writeln!(out, "  quiet:     {}", self.quiet)?;
        writeln!(out, "  attacked:  {}", self.attacked)?;
        if let Some(long) = self.sold.long_latencies() {
            writeln!(out, "  long ones: {long}")?;
        }
        let refusals = &self.sold.refusals;
        writeln!(out, "  refused:   {}, such as {:?}", refusals.len(), refusals.iter().take(3).collect::<Vec<_>>())?;
        writeln!(out, "  memory:    {} MiB at most", self.memory_mib_max)?;
        writeln!(out, "  log:       {} KiB at most", self.log_bytes_max / 1024)?;
        writeln!(out, "  attackers: {:?}", self.outcomes)?;
        write!(out, "  limits:    {:?}", self.limit_hits)
    }
}

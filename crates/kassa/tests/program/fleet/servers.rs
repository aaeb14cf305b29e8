//! Servers on one database, with one secret and one folder for files.

use std::collections::BTreeSet;
use std::process::Command;

use tempfile::TempDir;

use crate::client::Client;
use crate::sale::Sale;
use crate::server::Server;
use crate::tenant::TestDatabase;
use crate::verify::kassa_verify;
use crate::waiting::wait_for;

/// Servers, and what they share. All goes with the test.
pub(crate) struct ServerFleet {
    pub(crate) all: Vec<Server>,
    tenant: TestDatabase,
    folder: TempDir,
}

impl ServerFleet {
    /// Three of them.
    #[track_caller]
    pub(crate) fn start_three() -> Self {
        Self::start(3)
    }

    /// So many.
    #[track_caller]
    pub(crate) fn start(count: usize) -> Self {
        let mut servers = Self { all: Vec::new(), tenant: TestDatabase::new(), folder: tempfile::tempdir().unwrap() };
        for _ in 0..count {
            let server = servers.start_another();
            servers.all.push(server);
        }
        servers
    }

    /// One more, on the same database.
    #[track_caller]
    pub(crate) fn start_another(&self) -> Server {
        Server::run(&mut self.serve())
    }

    /// The command that starts one more.
    #[track_caller]
    pub(crate) fn serve(&self) -> Command {
        // A folder of its own, which nobody else needs.
        let data = tempfile::tempdir_in(self.folder.path()).unwrap().keep();
        let mut command = self.tenant.serve(&data);
        command.env("KASSA_SECRET", "one secret that all of them share");
        command.env("KASSA_FILES", self.folder.path().join("files")).env("KASSA_LOG", "kassa_engine=debug,info");
        // Receivers of webhooks are on this machine.
        command.args(["--webhook-allow", "127.0.0.0/8"]);
        command
    }

    /// Brings the schema one step further than this program knows, as the next release does.
    pub(crate) fn migrate_to_next_step(&self, sql: &'static str) {
        self.tenant.migrate_to_next_step(sql);
    }

    /// All, for whoever only looks.
    pub(crate) fn all_servers(&self) -> Vec<&Server> {
        self.all.iter().collect()
    }

    /// A caller of each, with the key of a sale.
    pub(crate) fn clients(&self, sale: &Sale) -> Vec<Client> {
        self.all.iter().map(|server| sale.client(server)).collect()
    }

    /// The places of all but this.
    pub(crate) fn others(&self, than: usize) -> Vec<usize> {
        (0..self.all.len()).filter(|at| *at != than).collect()
    }

    /// What a statement gives, as text; `None` where it gives no row.
    pub(crate) fn query(&self, what: &str, table: &str, which: &str) -> Option<String> {
        self.tenant.query(&format!("SELECT {what} FROM {}.{table} WHERE {which}", self.tenant.name()))
    }

    /// How many connections of the servers hold locks, and have done nothing for longer than any batch takes
    /// whose server does not stand still.
    pub(crate) fn stalled_transactions(&self) -> String {
        let is_ours = format!("usename = '{}' AND state = 'idle in transaction'", self.tenant.name());
        let since = "state_change < clock_timestamp() - interval '200 ms'";
        let text = format!(
            "SELECT count(*)::text FROM pg_stat_activity WHERE {is_ours} AND backend_xid IS NOT NULL AND {since}"
        );
        self.tenant.query(&text).unwrap()
    }

    /// The port of the server of the database that has the rows of an event, by the order in which events were made, and the shard
    /// of its orders there.
    #[track_caller]
    pub(crate) fn place_of_event(&self, at: usize) -> (String, String) {
        let schema = self.tenant.name();
        let tag = format!("SELECT tag FROM {schema}.sets ORDER BY event LIMIT 1 OFFSET {at}");
        let shard = format!("get_shard_id_for_distribution_column('{schema}.orders', ({tag}))");
        let place = format!(
            "SELECT nodeport::text || ' ' || shardid::text FROM pg_dist_shard_placement WHERE shardid = {shard}"
        );
        let place = self.tenant.query(&place).unwrap();
        let (server, shard) = place.split_once(' ').unwrap();
        (server.to_owned(), shard.to_owned())
    }

    /// Whether no transaction of two phases waits for its end, at any server of the database.
    pub(crate) fn has_nothing_prepared(&self) -> bool {
        let of_workers = "SELECT sum(result::int)::text FROM \
            run_command_on_workers('SELECT count(*) FROM pg_prepared_xacts WHERE database = current_database()')";
        self.tenant.query(of_workers).unwrap() == "0"
    }

    /// Moves an event to another server of the database, while whoever writes to it has to wait. Where they wait for each
    /// other, Citus may give up the move, which is tried again then.
    #[track_caller]
    pub(crate) fn move_event(&self, at: usize) {
        let (server, shard) = self.place_of_event(at);
        let (from, to) = (format!("here.nodeport = {server}"), format!("there.nodeport <> {server}"));
        let statement = format!(
            "SELECT citus_move_shard_placement({shard}, here.nodename, here.nodeport, there.nodename, there.nodeport, \
                'block_writes') \
             FROM pg_dist_node AS here JOIN pg_dist_node AS there ON {from} AND {to} AND there.shouldhaveshards LIMIT 1"
        );
        wait_for("the event has moved", || match self.tenant.try_execute_as_owner(&statement) {
            Ok(()) => Some(()),
            Err(error) => {
                assert!(error.to_string().contains("distributed deadlock"), "{error}");
                None
            }
        });
    }

    /// The place of the server that has given the last place of the feed.
    #[track_caller]
    pub(crate) fn sequencer(&self) -> usize {
        let lane = self.query("sequencer_node::text", "feed_heads", "true").unwrap().parse().unwrap();
        self.all.iter().position(|server| lane_numbers(server).contains(&lane)).unwrap()
    }

    /// A server that was killed is replaced by a new one, in its place.
    #[track_caller]
    pub(crate) fn replace_killed(&mut self, at: usize) {
        let new = self.start_another();
        std::mem::replace(&mut self.all[at], new).assert_killed();
    }

    /// Waits until the numbers of a server, which does not write, can be claimed by others.
    #[track_caller]
    pub(crate) fn wait_until_lanes_are_claimable(&self, server: &Server) {
        let numbers: Vec<String> = lane_numbers(server).iter().map(ToString::to_string).collect();
        let is_kept = "lease_till > extract(epoch FROM clock_timestamp()) * 1000";
        let which = format!("number IN ({}) AND {is_kept}", numbers.join(", "));
        wait_for("the leases have ended", || self.query("1::text", "nodes", &which).is_none().then_some(()));
    }

    /// `kassa verify` of the database.
    pub(crate) fn verify(&self) -> Command {
        let mut verify = kassa_verify(self.folder.path());
        verify.env("KASSA_DATABASE", self.tenant.url());
        verify
    }

    /// Stops them in order.
    #[track_caller]
    pub(crate) fn stop(self) {
        for server in self.all {
            server.stop();
        }
    }
}

/// The numbers that the lanes of a server got, also those that they have lost.
pub(crate) fn lane_numbers(server: &Server) -> BTreeSet<usize> {
    logged_values(server, "lane claimed its number", "node=").into_iter().collect()
}

/// The numbers after a name in the lines of a log that say something.
pub(crate) fn logged_values(server: &Server, line: &str, name: &str) -> Vec<usize> {
    let log = server.log();
    let lines = log.iter().filter(|text| text.contains(line));
    let words = lines.filter_map(|text| text.split_whitespace().find_map(|word| word.strip_prefix(name)));
    words.filter_map(|word| word.parse().ok()).collect()
}

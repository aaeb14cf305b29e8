//! A PostgreSQL server of a test's own, made by the programs of the machine, and what can happen to it.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use rustix::process::{Pid, Signal, geteuid, kill_process};
use tempfile::TempDir;

use crate::commands::kassa_serve;
use crate::waiting::wait_for;

/// Where machines keep the programs of their servers, by version.
const PROGRAMS_FOLDER: &str = "/usr/lib/postgresql";

/// A server of databases in a folder, which its socket is in, too. It goes with the test.
pub(crate) struct PostgresCluster {
    folder: TempDir,
    postmaster: Option<Child>,
}

impl PostgresCluster {
    /// One that follows nobody, and has nothing in it yet. It runs.
    #[track_caller]
    pub(crate) fn new() -> Self {
        let mut cluster = Self::unstarted();
        let mut initdb = cluster.program("initdb");
        initdb.args(["--username", "kassa", "--auth", "trust", "--encoding", "UTF8", "--locale", "C.UTF-8"]);
        initdb.arg("--no-sync");
        run_successfully(initdb.arg("--pgdata").arg(cluster.data_folder()));
        cluster.start();
        cluster
    }

    /// A copy of another, which follows it from then on; the other waits for it at each commit.
    #[track_caller]
    pub(crate) fn following(primary: &Self) -> Self {
        let mut cluster = Self::unstarted();
        cluster.follow(primary);
        cluster
    }

    /// Becomes a copy of another, whatever it was before.
    #[track_caller]
    pub(crate) fn follow(&mut self, primary: &Self) {
        assert!(self.postmaster.is_none(), "it runs");
        if self.data_folder().exists() {
            fs::remove_dir_all(self.data_folder()).unwrap();
        }
        let mut copy = self.program("pg_basebackup");
        copy.args(["--username", "kassa", "--checkpoint", "fast", "--no-sync", "--write-recovery-conf", "--host"]);
        run_successfully(copy.arg(primary.folder.path()).arg("--pgdata").arg(self.data_folder()));
        self.start();
        // It is set where the copy was made, and not in the copy, which waits for nobody when it takes over.
        primary.query("ALTER SYSTEM SET synchronous_standby_names TO '*'");
        primary.query("SELECT pg_reload_conf()");
        wait_for("the standby follows", || {
            let state = primary.query("SELECT sync_state FROM pg_stat_replication WHERE state = 'streaming'");
            (state == "sync").then_some(())
        });
    }

    fn unstarted() -> Self {
        let folder = tempfile::Builder::new().prefix("kassa-fleet-").tempdir_in("/tmp").unwrap();
        if geteuid().is_root() {
            run_successfully(Command::new("chown").arg("nobody").arg(folder.path()));
        }
        Self { folder, postmaster: None }
    }

    fn data_folder(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    /// A program of the server's. It does not run as root.
    fn program(&self, name: &str) -> Command {
        let program = newest_programs().join(name);
        let mut command = if geteuid().is_root() {
            let mut command = Command::new("setpriv");
            command.args(["--reuid=nobody", "--clear-groups", "--"]).arg(program);
            command
        } else {
            Command::new(program)
        };
        command.current_dir(self.folder.path()).env("LC_ALL", "C.UTF-8").stdin(Stdio::null());
        command
    }

    /// Starts it, and waits until it lets clients in.
    #[track_caller]
    pub(crate) fn start(&mut self) {
        let log = File::options().create(true).append(true).open(self.log_file()).unwrap();
        let mut postgres = self.program("postgres");
        postgres.arg("-D").arg(self.data_folder()).arg("-k").arg(self.folder.path());
        // What is left of it when it is killed lies in its folder.
        postgres.args(["-c", "listen_addresses=", "-c", "dynamic_shared_memory_type=mmap"]);
        postgres.stdout(log.try_clone().unwrap()).stderr(log);
        self.postmaster = Some(postgres.spawn().unwrap());
        wait_for("the database lets clients in", || {
            let over = self.postmaster.as_mut().unwrap().try_wait().unwrap();
            assert!(over.is_none(), "it has ended: {}", fs::read_to_string(self.log_file()).unwrap());
            self.try_query("SELECT 1").ok()
        });
    }

    fn log_file(&self) -> PathBuf {
        self.folder.path().join("log")
    }

    /// What a statement gives, as text.
    #[track_caller]
    pub(crate) fn query(&self, text: &str) -> String {
        self.try_query(text).unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    fn try_query(&self, text: &str) -> Result<String, String> {
        let mut psql = Command::new(newest_programs().join("psql"));
        psql.args(["-X", "-A", "-t", "-q", "-U", "kassa", "-d", "postgres", "-h"]).arg(self.folder.path());
        let output = psql.args(["-c", text]).stdin(Stdio::null()).output().unwrap();
        let told = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).trim().to_owned();
        if output.status.success() { Ok(told(output.stdout)) } else { Err(told(output.stderr)) }
    }

    /// The folder of its socket, as a host in a URL.
    fn host(&self) -> String {
        self.folder.path().to_str().unwrap().replace('/', "%2F")
    }

    /// The URL of one of its databases.
    pub(crate) fn url(&self, database: &str) -> String {
        format!("postgres://kassa@{}/{database}", self.host())
    }

    /// Dumps its database, and makes another of the dump.
    #[track_caller]
    pub(crate) fn dump_into(&self, database: &str) {
        let file = self.folder.path().join("dump");
        let host = format!("--host={}", self.folder.path().display());
        let tool = |name: &str| {
            let mut command = self.program(name);
            command.args([&host, "--username=kassa"]);
            command
        };
        run_successfully(tool("pg_dump").args(["--format=custom", "--dbname=postgres", "--file"]).arg(&file));
        self.create_database(database);
        run_successfully(
            tool("pg_restore").args(["--exit-on-error", "--single-transaction", "--dbname", database]).arg(&file),
        );
    }

    /// One more database, which is empty.
    #[track_caller]
    pub(crate) fn create_database(&self, name: &str) {
        self.query(&format!("CREATE DATABASE {name}"));
    }

    /// It follows nobody any more, and takes writes.
    #[track_caller]
    pub(crate) fn promote(&self) {
        run_successfully(self.program("pg_ctl").arg("promote").arg("--pgdata").arg(self.data_folder()));
    }

    /// All of its processes end at once, as when a machine loses its power.
    pub(crate) fn kill(&mut self) {
        let Some(mut postmaster) = self.postmaster.take() else { return };
        signal(&processes(&postmaster), Signal::KILL);
        // It was killed just now.
        let _ = postmaster.wait();
        self.free_memory();
    }

    /// All of its processes stand still.
    pub(crate) fn freeze(&self) {
        signal(&processes(self.postmaster.as_ref().unwrap()), Signal::STOP);
    }

    /// They go on.
    pub(crate) fn thaw(&self) {
        signal(&processes(self.postmaster.as_ref().unwrap()), Signal::CONT);
    }

    /// A killed server leaves a piece of shared memory behind, whose number is in the file of its process.
    fn free_memory(&self) {
        let file = fs::read_to_string(self.data_folder().join("postmaster.pid")).unwrap_or_default();
        if let Some(id) = file.lines().nth(6).and_then(|line| line.split_whitespace().nth(1)) {
            let _ = Command::new("ipcrm").args(["-m", id]).stderr(Stdio::null()).status();
        }
    }
}

impl Drop for PostgresCluster {
    fn drop(&mut self) {
        self.kill();
    }
}

/// `kassa serve` on these databases, one of which takes writes.
pub(crate) fn serve(data: &Path, clusters: &[&PostgresCluster]) -> Command {
    let mut command = kassa_serve(data);
    command.env("KASSA_DATABASE", url_of(clusters));
    command
}

/// The URL of a database that is on several servers, one of which takes writes.
pub(crate) fn url_of(clusters: &[&PostgresCluster]) -> String {
    let hosts: Vec<String> = clusters.iter().map(|cluster| cluster.host()).collect();
    format!("postgres://kassa@{}/postgres", hosts.join(","))
}

/// The folder of the newest server's programs.
fn newest_programs() -> PathBuf {
    let version = |folder: &Path| folder.file_name().unwrap().to_string_lossy().parse::<u32>().ok();
    let folders = fs::read_dir(PROGRAMS_FOLDER).into_iter().flatten().map(|entry| entry.unwrap().path());
    let newest = folders.filter_map(|folder| Some((version(&folder)?, folder.join("bin")))).max();
    newest
        .unwrap_or_else(|| panic!("{PROGRAMS_FOLDER} has no server: install it as root: apt-get install postgresql"))
        .1
}

/// The server's first process, and all that it has started.
fn processes(postmaster: &Child) -> Vec<Pid> {
    let first = Pid::from_child(postmaster);
    let is_child = |pid: &Pid| {
        // "pid (name) state parent …"
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        let parent = stat.rsplit(')').next().and_then(|rest| rest.split_whitespace().nth(1));
        parent.and_then(|text| text.parse().ok()) == Some(first.as_raw_nonzero().get())
    };
    let all = fs::read_dir("/proc").unwrap().map(|entry| entry.unwrap().file_name());
    let all = all.filter_map(|name| name.to_str()?.parse().ok().and_then(Pid::from_raw));
    [first].into_iter().chain(all.filter(is_child)).collect()
}

fn signal(processes: &[Pid], signal: Signal) {
    for process in processes {
        // It may have ended by itself.
        let _ = kill_process(*process, signal);
    }
}

#[track_caller]
fn run_successfully(command: &mut Command) {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}: {output:?}");
}

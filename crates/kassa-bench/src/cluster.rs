//! A PostgreSQL cluster of a measurement's own, made from the machine's programs. It goes with the value.

use std::os::unix::fs::chown;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::{env, fs};

use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use rustix::process::{Pid, Signal, geteuid, kill_process};

use crate::error::BenchError;
use crate::server::wait_for_log_line;

/// The user that owns nothing, and its group: the database server does not run as root.
const NOBODY_UID: u32 = 65_534;
/// Who a new cluster belongs to.
const DATABASE_USER: &str = "kassa";
/// The programs that make a cluster, run it, and load it.
pub(crate) const REQUIRED_PROGRAMS: [&str; 3] = ["initdb", "postgres", "pgbench"];

/// The folder that PostgreSQL's programs are in.
#[derive(Clone, Debug)]
pub(crate) struct PostgresPrograms(PathBuf);

impl PostgresPrograms {
    /// The newest on this machine of which none is missing.
    pub(crate) fn find() -> Option<Self> {
        let path = env::var_os("PATH").unwrap_or_default();
        let of_debian = program_folders(Path::new("/usr/lib/postgresql"), "");
        let of_others = program_folders(Path::new("/usr"), "pgsql-");
        let mut folders = of_debian.into_iter().chain(of_others).chain(env::split_paths(&path));
        folders.find(|folder| REQUIRED_PROGRAMS.iter().all(|program| folder.join(program).is_file())).map(Self)
    }

    /// One of them.
    pub(crate) fn command(&self, name: &str) -> Command {
        Command::new(self.0.join(name))
    }
}

/// The folders of programs of all versions that lie in a folder, the newest first.
fn program_folders(above: &Path, before: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(above).into_iter().flatten().filter_map(Result::ok);
    let mut found: Vec<(u32, PathBuf)> = entries
        .filter_map(|entry| {
            let number = entry.file_name().to_str()?.strip_prefix(before)?.parse().ok()?;
            Some((number, entry.path().join("bin")))
        })
        .collect();
    found.sort();
    found.into_iter().rev().map(|(_, folder)| folder).collect()
}

/// A cluster that runs. Nothing of it is set but where it listens.
pub(crate) struct PostgresCluster {
    process: Child,
    /// Its database.
    pub(crate) url: String,
}

impl PostgresCluster {
    /// Makes one in a folder, which must not be there yet.
    pub(crate) fn start(programs: &PostgresPrograms, folder: &Path) -> Result<Self, BenchError> {
        fs::create_dir(folder)?;
        if geteuid().is_root() {
            chown(folder, Some(NOBODY_UID), Some(NOBODY_UID))?;
        }
        let data = folder.join("data");
        let mut initdb = as_server_user(programs.command("initdb"), folder);
        initdb.arg("--pgdata").arg(&data).args(["--username", DATABASE_USER, "--auth", "trust"]);
        let made = initdb.args(["--encoding", "UTF8", "--locale", "C"]).output()?;
        if !made.status.success() {
            return Err(format!("initdb: {}", String::from_utf8_lossy(&made.stderr)).into());
        }
        let place = folder.to_str().ok_or("the folder of temporary files is not named in UTF-8")?;
        let mut server = as_server_user(programs.command("postgres"), folder);
        server.arg("-D").arg(&data).args(["-c", "listen_addresses=", "-c"]);
        server.arg(format!("unix_socket_directories={place}")).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut process = server.spawn()?;
        let log = process.stderr.take().ok_or("a server has no log")?;
        let place = utf8_percent_encode(place, NON_ALPHANUMERIC);
        // It ends with the value, also when it never gets ready.
        let cluster = Self { process, url: format!("postgres://{DATABASE_USER}@{place}/postgres") };
        wait_for_log_line(log, |line| line.contains("ready to accept connections").then_some(Ok(())))?;
        Ok(cluster)
    }
}

impl Drop for PostgresCluster {
    fn drop(&mut self) {
        // At once, and with all of its processes. Both fail when it has ended already.
        let _ = kill_process(Pid::from_child(&self.process), Signal::QUIT);
        let _ = self.process.wait();
    }
}

/// A program of the server, run as the user that it belongs to.
fn as_server_user(mut program: Command, folder: &Path) -> Command {
    program.current_dir(folder).stdin(Stdio::null());
    if geteuid().is_root() {
        program.uid(NOBODY_UID).gid(NOBODY_UID);
    }
    program
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::program_folders;

    #[test]
    fn the_newest_version_comes_first_and_other_folders_are_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["pgsql-9", "pgsql-15", "pgsql-old", "share"] {
            fs::create_dir(folder.path().join(name)).unwrap();
        }
        let found = program_folders(folder.path(), "pgsql-");
        assert_eq!(found, [folder.path().join("pgsql-15/bin"), folder.path().join("pgsql-9/bin")]);
    }
}

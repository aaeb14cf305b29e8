//! The PostgreSQL database of row b: one of its own, or one that was given. `pgbench` works on it, and so
//! do we.

use std::path::Path;
use std::process::Stdio;

use tokio::process::Command;

use super::cluster::{Cluster, PROGRAMS, Programs};
use super::server::Server;
use crate::installation::Fatal;

/// What `pgbench` says before the transactions of a second.
const TPS: &str = "tps = ";

/// A database, and the programs that work on it.
pub(super) struct Database {
    programs: Programs,
    url: String,
    _cluster: Option<Cluster>,
}

impl Database {
    /// The one that was given, in which all that is made stays; else one of a new cluster. What is missing
    /// for it is the error.
    pub(super) fn open(given: Option<&str>, folder: &Path) -> Result<Result<Self, String>, Fatal> {
        let Some(programs) = Programs::find() else {
            let missing = format!("the programs {} of PostgreSQL are not on this machine", PROGRAMS.join(", "));
            return Ok(Err(missing));
        };
        if let Some(url) = given {
            return Ok(Ok(Self { programs, url: url.to_owned(), _cluster: None }));
        }
        let cluster = Cluster::start(&programs, folder)?;
        Ok(Ok(Self { programs, url: cluster.url.clone(), _cluster: Some(cluster) }))
    }

    /// `kassa serve` on it. This comes first: it takes no database that has tables of others.
    pub(super) fn serve(&self, data: &Path) -> Result<Server, Fatal> {
        Server::kassa_on(data, &self.url)
    }

    /// Makes the tables of `pgbench`, so many times as big as the smallest.
    pub(super) async fn fill(&self, scale: u32) -> Result<(), Fatal> {
        let mut pgbench = self.pgbench();
        pgbench.args(["--initialize", "--quiet", "--scale", &scale.to_string()]);
        run(pgbench).await.map(drop)
    }

    /// Transactions a second of the work that `pgbench` does unless told otherwise, which is like TPC-B.
    pub(super) async fn transactions(&self, seconds: u64) -> Result<f64, Fatal> {
        let mut pgbench = self.pgbench();
        pgbench.args(["-c", "16", "-j", "2", "-M", "prepared", "-T", &seconds.to_string()]);
        tps(&run(pgbench).await?)
    }

    /// `pgbench`, whose command line does not show a password.
    fn pgbench(&self) -> Command {
        let mut pgbench = Command::from(self.programs.command("pgbench"));
        pgbench.env("PGDATABASE", &self.url);
        pgbench
    }
}

/// Runs `pgbench` to its end, and gives what it says.
async fn run(mut pgbench: Command) -> Result<String, Fatal> {
    // When nobody waits for it any more, it ends.
    let ran = pgbench.stdin(Stdio::null()).kill_on_drop(true).output().await?;
    if ran.status.success() {
        return Ok(String::from_utf8_lossy(&ran.stdout).into_owned());
    }
    Err(format!("pgbench: {}", String::from_utf8_lossy(&ran.stderr)).into())
}

/// The transactions a second in what `pgbench` has said.
fn tps(said: &str) -> Result<f64, Fatal> {
    let line = said.lines().find_map(|line| line.strip_prefix(TPS));
    let figure =
        line.and_then(|line| line.split_whitespace().next()).ok_or("pgbench tells no transactions a second")?;
    Ok(figure.parse()?)
}

#[cfg(test)]
mod tests {
    use super::tps;

    #[test]
    fn pgbench_tells_its_transactions_a_second() {
        let said = "scaling factor: 50\nlatency average = 3.1 ms\ntps = 5123.25 (without initial connection time)\n";
        assert!((tps(said).unwrap() - 5123.25).abs() < 1e-9);
        assert!(tps("latency average = 3.1 ms").is_err());
    }
}

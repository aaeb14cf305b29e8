//! The PostgreSQL database of row b: one of its own, or one that was given. `pgbench` works on it, and so
//! do we.

use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use tokio::process::Command;

use crate::cluster::{PostgresCluster, PostgresPrograms, REQUIRED_PROGRAMS};
use crate::delay_proxy::delayed_url;
use crate::error::BenchError;
use crate::server::ServerProcess;

/// What `pgbench` says before the transactions of a second.
const TPS_PREFIX: &str = "tps = ";

/// A database, and the programs that work on it.
pub(crate) struct BenchDatabase {
    programs: PostgresPrograms,
    url: String,
    _cluster: Option<PostgresCluster>,
}

impl BenchDatabase {
    /// The one that was given, in which all that is made stays; else one of a new cluster. What is missing
    /// for it is the error.
    pub(crate) fn open(given: Option<&str>, folder: &Path) -> Result<Result<Self, String>, BenchError> {
        let Some(programs) = PostgresPrograms::find() else {
            let missing =
                format!("the programs {} of PostgreSQL are not on this machine", REQUIRED_PROGRAMS.join(", "));
            return Ok(Err(missing));
        };
        if let Some(url) = given {
            return Ok(Ok(Self { programs, url: url.to_owned(), _cluster: None }));
        }
        let cluster = PostgresCluster::start(&programs, folder)?;
        Ok(Ok(Self { programs, url: cluster.url.clone(), _cluster: Some(cluster) }))
    }

    /// `kassa serve` on it. This comes first: it takes no database that has tables of others.
    pub(crate) fn serve(&self, program: &Path, data: &Path) -> Result<ServerProcess, BenchError> {
        ServerProcess::start_kassa_on_postgres(program, data, &self.url)
    }

    /// The same by a way on which each message takes so much longer.
    pub(crate) fn serve_far(&self, program: &Path, data: &Path, delay: Duration) -> Result<ServerProcess, BenchError> {
        ServerProcess::start_kassa_on_postgres(program, data, &delayed_url(&self.url, delay)?)
    }

    /// Makes the tables of `pgbench`, so many times as big as the smallest.
    pub(crate) async fn create_pgbench_tables(&self, scale: u32) -> Result<(), BenchError> {
        let mut pgbench = self.pgbench_command();
        pgbench.args(["--initialize", "--quiet", "--scale", &scale.to_string()]);
        run_pgbench(pgbench).await.map(drop)
    }

    /// Transactions a second of the work that `pgbench` does by default, which is like TPC-B.
    pub(crate) async fn transactions_per_second(&self, seconds: u64) -> Result<f64, BenchError> {
        let mut pgbench = self.pgbench_command();
        pgbench.args(["-c", "16", "-j", "2", "-M", "prepared", "-T", &seconds.to_string()]);
        parse_tps(&run_pgbench(pgbench).await?)
    }

    /// `pgbench`, whose command line does not show a password.
    fn pgbench_command(&self) -> Command {
        let mut pgbench = Command::from(self.programs.command("pgbench"));
        pgbench.env("PGDATABASE", &self.url);
        pgbench
    }
}

/// Runs `pgbench` to its end, and gives what it says.
async fn run_pgbench(mut pgbench: Command) -> Result<String, BenchError> {
    // When nobody waits for it any more, it ends.
    let ran = pgbench.stdin(Stdio::null()).kill_on_drop(true).output().await?;
    if ran.status.success() {
        return Ok(String::from_utf8_lossy(&ran.stdout).into_owned());
    }
    Err(format!("pgbench: {}", String::from_utf8_lossy(&ran.stderr)).into())
}

/// The transactions a second in what `pgbench` has said.
fn parse_tps(said: &str) -> Result<f64, BenchError> {
    let line = said.lines().find_map(|line| line.strip_prefix(TPS_PREFIX));
    let figure =
        line.and_then(|line| line.split_whitespace().next()).ok_or("pgbench reported no transactions a second")?;
    Ok(figure.parse()?)
}

#[cfg(test)]
mod tests {
    use super::parse_tps;

    #[test]
    fn pgbench_tells_its_transactions_a_second() {
        let said = "scaling factor: 50\nlatency average = 3.1 ms\ntps = 5123.25 (without initial connection time)\n";
        assert!((parse_tps(said).unwrap() - 5123.25).abs() < 1e-9);
        assert!(parse_tps("latency average = 3.1 ms").is_err());
    }
}

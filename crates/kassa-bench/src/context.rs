//! The servers of a run, and how long and with how many connections each workload asks them.

use std::net::{SocketAddr, ToSocketAddrs as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use url::Url;

use crate::error::BenchError;
use crate::perf::PerfRecording;
use crate::server::ServerProcess;

/// What all workloads share.
pub(crate) struct BenchContext {
    /// The program that servers are started of.
    pub(crate) program: PathBuf,
    pub(crate) target: TargetServer,
    pub(crate) echo: ServerProcess,
    pub(crate) rounds: u32,
    pub(crate) duration: Duration,
    pub(crate) connections: usize,
    /// Tickets of a sale.
    pub(crate) tickets_per_sale: u32,
    pub(crate) is_quick: bool,
    /// Where the processor time of the server is recorded.
    pub(crate) perf_file: Option<PathBuf>,
}

/// The server that is measured.
pub(crate) enum TargetServer {
    Spawned(ServerProcess),
    Remote(SocketAddr),
}

impl BenchContext {
    pub(crate) fn resolve_address(&self) -> SocketAddr {
        match &self.target {
            TargetServer::Spawned(server) => server.address,
            TargetServer::Remote(address) => *address,
        }
    }

    pub(crate) fn spawned_server(&self) -> Option<&ServerProcess> {
        match &self.target {
            TargetServer::Spawned(server) => Some(server),
            TargetServer::Remote(_) => None,
        }
    }

    /// Another server of the program that is measured, on this folder.
    pub(crate) fn start_kassa(&self, data: &Path) -> Result<ServerProcess, BenchError> {
        ServerProcess::start_kassa(&self.program, data)
    }

    /// Processor time of the server so far; unknown of one that runs elsewhere.
    pub(crate) fn processor_seconds(&self) -> Result<Option<f64>, BenchError> {
        self.spawned_server().map(ServerProcess::processor_seconds).transpose()
    }

    /// Memory of the server; unknown of one that runs elsewhere.
    pub(crate) fn memory_mib(&self) -> Result<Option<f64>, BenchError> {
        self.spawned_server().map(ServerProcess::memory_mib).transpose()
    }

    /// Records where its processor time goes, if that is wanted of this round.
    pub(crate) fn start_recording(&self, round: u32) -> Result<Option<PerfRecording>, BenchError> {
        let file = self.perf_file.as_ref().filter(|_| round == self.rounds);
        self.spawned_server().zip(file).map(|(server, file)| PerfRecording::start(server, file)).transpose()
    }

    pub(crate) fn report_progress(&self, what: &str) {
        eprintln!("kassa bench: {what}, {} connections", self.connections);
    }
}

/// The socket that a URL leads to.
pub(crate) fn socket_address(url: &Url) -> Result<SocketAddr, BenchError> {
    if url.scheme() != "http" {
        return Err("--url: the load goes over plain HTTP".into());
    }
    let host = url.host_str().ok_or("--url has no host")?;
    let port = url.port_or_known_default().ok_or("--url has no port")?;
    let address = (host, port).to_socket_addrs()?.next();
    Ok(address.ok_or_else(|| format!("--url: {host} has no address"))?)
}

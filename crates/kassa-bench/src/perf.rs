//! Where the processor time of a server goes, recorded by `perf` while it is under load.

use std::path::Path;
use std::process::{Child, Command, Stdio};

use rustix::process::{Pid, Signal, kill_process};

use crate::error::BenchError;
use crate::server::ServerProcess;

/// Samples a second of each processor: no round number, so that nothing beats in time with it.
const SAMPLES_PER_SECOND: &str = "997";

/// A recording that is going on.
pub(crate) struct PerfRecording(Child);

impl PerfRecording {
    /// Begins to watch a server.
    pub(crate) fn start(server: &ServerProcess, file: &Path) -> Result<Self, BenchError> {
        let mut perf = Command::new("perf");
        perf.args(["record", "--quiet", "--event", "cpu-clock", "--call-graph", "fp", "--freq", SAMPLES_PER_SECOND]);
        perf.args(["--pid", &server.process_id().to_string(), "--output"]).arg(file);
        let child = perf.stdin(Stdio::null()).stdout(Stdio::null()).spawn();
        child.map(Self).map_err(|error| format!("--perf: perf: {error}").into())
    }

    /// Ends, and has all written.
    pub(crate) fn stop(mut self) -> Result<(), BenchError> {
        kill_process(Pid::from_child(&self.0), Signal::INT)?;
        // Interrupted is how it is meant to end, and not how it says that it failed.
        let status = self.0.wait()?;
        match status.code() {
            Some(code) if code != 0 => Err(format!("--perf: perf has ended with {status}").into()),
            _ => Ok(()),
        }
    }
}

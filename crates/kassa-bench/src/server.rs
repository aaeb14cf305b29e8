//! A server that is measured: a process of its own, so that its memory and its processor time are
//! its alone.

use std::io::{BufRead as _, BufReader};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, ChildStderr, Command, Stdio};
use std::{env, fs, thread};

use rustix::process::{Pid, Signal, kill_process};

use crate::error::BenchError;
use crate::processor_time::processor_seconds_in;

const KIB_PER_MIB: f64 = 1024.0;

/// A server of this program. It ends with the value.
pub(crate) struct ServerProcess {
    process: Child,
    /// Where it listens.
    pub(crate) address: SocketAddr,
}

impl ServerProcess {
    /// `kassa serve` of a program on a folder, as anybody starts it.
    pub(crate) fn start_kassa(program: &Path, data: &Path) -> Result<Self, BenchError> {
        Self::start(serve_command(program, data))
    }

    /// The same on a PostgreSQL database, which several may share.
    pub(crate) fn start_kassa_on_postgres(program: &Path, data: &Path, database: &str) -> Result<Self, BenchError> {
        let mut command = serve_command(program, data);
        command.env("KASSA_DATABASE", database).env("KASSA_SECRET", SHARED_SECRET);
        Self::start(command)
    }

    /// The echo that it is measured beside: always that of the program that measures.
    pub(crate) fn start_echo() -> Result<Self, BenchError> {
        let mut command = without_settings(&env::current_exe()?);
        command.arg("echo");
        Self::start(command)
    }

    fn start(mut command: Command) -> Result<Self, BenchError> {
        let mut process = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn()?;
        let log = process.stderr.take().ok_or("a server has no log")?;
        match wait_for_log_line(log, parse_ready_line) {
            Ok(address) => Ok(Self { process, address }),
            Err(error) => {
                process.kill()?;
                process.wait()?;
                Err(error)
            }
        }
    }

    /// The number of its process.
    pub(crate) fn process_id(&self) -> u32 {
        self.process.id()
    }

    /// Memory that it holds.
    pub(crate) fn memory_mib(&self) -> Result<f64, BenchError> {
        self.memory_status_mib("VmRSS:")
    }

    /// Memory that it has held at most.
    pub(crate) fn memory_mib_max(&self) -> Result<f64, BenchError> {
        self.memory_status_mib("VmHWM:")
    }

    fn memory_status_mib(&self, name: &str) -> Result<f64, BenchError> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.process.id()))?;
        let line =
            status.lines().find_map(|line| line.strip_prefix(name)).ok_or("the memory of a process is not known")?;
        let kib: f64 = line.trim().trim_end_matches("kB").trim().parse()?;
        Ok(kib / KIB_PER_MIB)
    }

    /// Processor time that it has used so far, in seconds.
    pub(crate) fn processor_seconds(&self) -> Result<f64, BenchError> {
        processor_seconds_in(&fs::read_to_string(format!("/proc/{}/stat", self.process.id()))?)
    }

    /// Stops it in order.
    pub(crate) fn stop(mut self) -> Result<(), BenchError> {
        kill_process(Pid::from_child(&self.process), Signal::TERM)?;
        let status = self.process.wait()?;
        if status.success() { Ok(()) } else { Err(format!("the server has ended with {status}").into()) }
    }
}

impl Drop for ServerProcess {
    fn drop(&mut self) {
        // Both fail when it has ended already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Makes the tables of an empty database, and spreads them over its servers.
pub(crate) fn distribute(program: &Path, data: &Path, database: &str) -> Result<(), BenchError> {
    let mut command = without_settings(program);
    command.args(["migrate", "--distribute", "--data"]).arg(data);
    let output = command.env("KASSA_DATABASE", database).env("KASSA_SECRET", SHARED_SECRET).output()?;
    if output.status.success() {
        return Ok(());
    }
    Err(format!("the tables could not be spread: {}", String::from_utf8_lossy(&output.stderr)).into())
}

/// A program without settings that were meant for another server.
fn without_settings(program: &Path) -> Command {
    let mut command = Command::new(program);
    for (name, _) in env::vars_os() {
        if name.to_string_lossy().starts_with("KASSA_") {
            command.env_remove(name);
        }
    }
    command
}

/// The secret of all servers on one database.
const SHARED_SECRET: &str = "what the servers of a measurement share";
/// What one partner may store: all sales of a measurement are of one organizer.
const QUOTAS: &str = "events=1000000,tickets=1000000000";

/// `kassa serve` on a folder and on a free port.
fn serve_command(program: &Path, data: &Path) -> Command {
    let mut command = without_settings(program);
    command.arg("serve").arg("--data").arg(data).args(["--listen", "127.0.0.1:0", "--log", "info", "--quota", QUOTAS]);
    command
}

/// The address of a server, if this line of its log reports that it is ready.
fn parse_ready_line(line: &str) -> Option<Result<SocketAddr, BenchError>> {
    let address = line.split_whitespace().find_map(|word| word.strip_prefix("url=http://"));
    Some(address.filter(|_| line.contains("is ready"))?.parse().map_err(BenchError::from))
}

/// Waits until a log says what is waited for, and lets the rest of it pass.
pub(crate) fn wait_for_log_line<T>(
    log: ChildStderr,
    wanted: impl Fn(&str) -> Option<Result<T, BenchError>>,
) -> Result<T, BenchError> {
    let mut lines = BufReader::new(log).lines();
    let mut said = Vec::new();
    for line in lines.by_ref() {
        let line = line?;
        if let Some(found) = wanted(&line) {
            let found = found?;
            thread::spawn(move || lines.map_while(Result::ok).for_each(drop));
            return Ok(found);
        }
        said.push(line);
    }
    Err(format!("the server did not start:\n{}", said.join("\n")).into())
}

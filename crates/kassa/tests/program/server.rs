//! A server that runs until the test ends it.

use std::fmt;
use std::io::{BufRead as _, BufReader, Read};
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;

use rustix::process::{Pid, Signal, kill_process};

use crate::commands::{kassa_serve, wait_for_exit};
use crate::waiting::wait_for;

/// A running server. It is killed when the test lets go of it.
pub(crate) struct Server {
    process: Child,
    log: Arc<Mutex<Vec<String>>>,
    output: Arc<Mutex<Vec<String>>>,
    /// Where clients connect: `http://127.0.0.1:…`.
    pub(crate) url: String,
    /// Where operators look.
    pub(crate) ops: String,
}

impl Server {
    /// Starts `kassa serve` on a folder.
    #[track_caller]
    pub(crate) fn start(data: &Path) -> Self {
        Self::run(&mut kassa_serve(data))
    }

    /// Runs a command that serves, or comes to, and waits until it is ready.
    #[track_caller]
    pub(crate) fn run(command: &mut Command) -> Self {
        let mut process = command.spawn().unwrap();
        let log = collect_lines(process.stderr.take().unwrap());
        let output = collect_lines(process.stdout.take().unwrap());
        let mut server = Self { process, log, output, url: String::new(), ops: String::new() };
        let ready = wait_for("Kassa is ready", || {
            let over = server.process.try_wait().unwrap().is_some();
            let line = server.log().into_iter().find(|line| line.contains("Kassa is ready"));
            assert!(line.is_some() || !over, "it has ended: {:?}", server.log());
            line
        });
        let field = |name: &str| ready.split_whitespace().find_map(|word| word.strip_prefix(name)).unwrap().to_owned();
        (server.url, server.ops) = (field("url="), field("ops="));
        server
    }

    /// The address of the clients' listener, without the scheme.
    pub(crate) fn address(&self) -> &str {
        self.url.trim_start_matches("https://").trim_start_matches("http://")
    }

    /// Its number, for signals from elsewhere while it is in use.
    pub(crate) fn process_id(&self) -> ProcessId {
        ProcessId(Pid::from_child(&self.process))
    }

    /// What it has logged so far.
    pub(crate) fn log(&self) -> Vec<String> {
        self.log.lock().unwrap().clone()
    }

    /// What it has printed so far.
    pub(crate) fn output(&self) -> Vec<String> {
        self.output.lock().unwrap().clone()
    }

    /// Whether it has ended, or is about to: such a process takes no memory any more.
    pub(crate) fn has_ended(&self) -> bool {
        let status = std::fs::read_to_string(self.process_id().proc_folder().join("status"));
        !status.is_ok_and(|status| status.contains("VmRSS:"))
    }

    /// How it ended, after it was told to.
    #[track_caller]
    pub(crate) fn wait_for_exit(&mut self) -> ExitStatus {
        wait_for_exit(&mut self.process)
    }

    /// Sees that it was killed, and did not end by itself.
    #[track_caller]
    pub(crate) fn assert_killed(mut self) {
        let status = self.wait_for_exit();
        assert_eq!(status.signal(), Some(Signal::KILL.as_raw()), "{status}: {:?}", self.log());
    }

    /// Stops it in order, and sees that nothing was wrong while it ran.
    #[track_caller]
    pub(crate) fn stop(mut self) {
        self.process_id().terminate();
        let status = self.wait_for_exit();
        assert_eq!(status.code(), Some(0), "{:?}", self.log());
        self.assert_no_errors_logged();
    }

    /// No request has brought it out of step.
    #[track_caller]
    pub(crate) fn assert_no_errors_logged(&self) {
        let alarms: Vec<String> =
            self.log().into_iter().filter(|line| line.contains(" ERROR ") || line.contains("panicked")).collect();
        assert!(alarms.is_empty(), "{alarms:?}");
    }
}

/// The number of a server that the test has started and not yet waited for.
#[derive(Clone, Copy)]
pub(crate) struct ProcessId(Pid);

impl fmt::Display for ProcessId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl ProcessId {
    /// SIGTERM: it shall stop in order.
    pub(crate) fn terminate(self) {
        kill_process(self.0, Signal::TERM).unwrap();
    }

    /// SIGHUP: it shall read its settings again.
    pub(crate) fn hang_up(self) {
        kill_process(self.0, Signal::HUP).unwrap();
    }

    /// SIGKILL: it has no time for anything.
    pub(crate) fn kill(self) {
        kill_process(self.0, Signal::KILL).unwrap();
    }

    /// SIGSTOP: it stands still, with all that it holds.
    pub(crate) fn freeze(self) {
        kill_process(self.0, Signal::STOP).unwrap();
    }

    /// SIGCONT: it goes on where it stood.
    pub(crate) fn thaw(self) {
        kill_process(self.0, Signal::CONT).unwrap();
    }

    /// A command that sees the mounts that the server sees.
    pub(crate) fn in_mount_namespace(self, inner: &Command) -> Command {
        let mut command = Command::new("nsenter");
        command.args(["--user", "--mount", "--preserve-credentials", "--target", &self.0.to_string(), "--"]);
        command.arg(inner.get_program()).args(inner.get_args());
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// What the system says of it.
    pub(crate) fn proc_folder(self) -> PathBuf {
        Path::new("/proc").join(self.0.to_string())
    }

    /// What it holds in memory, in bytes.
    #[track_caller]
    pub(crate) fn memory_bytes(self) -> u64 {
        self.status_bytes("VmRSS:")
    }

    /// The most that it has held in memory since it was started, in bytes.
    #[track_caller]
    pub(crate) fn memory_bytes_max(self) -> u64 {
        self.status_bytes("VmHWM:")
    }

    #[track_caller]
    fn status_bytes(self, field: &str) -> u64 {
        let status = std::fs::read_to_string(self.proc_folder().join("status")).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix(field)).unwrap();
        1024 * line.trim().trim_end_matches(" kB").parse::<u64>().unwrap()
    }

    /// A path as the server sees it, which may have mounts of its own.
    pub(crate) fn path_in_mount_namespace(self, path: &Path) -> PathBuf {
        self.proc_folder().join("root").join(path.strip_prefix("/").unwrap())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Both fail when the process has ended already.
        let _ = self.process.kill();
        let _ = self.process.wait();
        if thread::panicking() {
            eprintln!("the log of the server:\n{}", self.log().join("\n"));
        }
    }
}

/// Keeps the lines of a pipe as they come, so that its writer never waits.
fn collect_lines(pipe: impl Read + Send + 'static) -> Arc<Mutex<Vec<String>>> {
    let lines = Arc::new(Mutex::new(Vec::new()));
    let kept = Arc::clone(&lines);
    thread::spawn(move || {
        for line in BufReader::new(pipe).lines().map_while(Result::ok) {
            kept.lock().unwrap().push(line);
        }
    });
    lines
}

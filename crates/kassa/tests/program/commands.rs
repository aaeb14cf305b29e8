//! Runs of the program that end by themselves.

use std::ffi::{OsStr, OsString};
use std::io::{Read, Write as _};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::Duration;

use serde_json::Value;

use crate::waiting::wait_for_within;

/// The program that is tested instead of the one that was built with the tests: a release build, which measurements
/// need.
pub(crate) fn release_program() -> Option<OsString> {
    std::env::var_os("KASSA_PROGRAM")
}

/// The program with a clean environment: what is set outside must not decide what is tested.
pub(crate) fn kassa() -> Command {
    let mut command = Command::new(release_program().unwrap_or_else(|| env!("CARGO_BIN_EXE_kassa").into()));
    // No file of the machine either.
    command
        .env_clear()
        .env("KASSA_CONFIG", "/dev/null")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// A program of an older release, which is tried beside this one: `.ci/older` builds it.
pub(crate) fn older_program() -> Option<OsString> {
    std::env::var_os("KASSA_OLDER_PROGRAM")
}

/// The same, run by another program.
pub(crate) fn run_by(program: &OsStr, command: &Command) -> Command {
    let mut other = Command::new(program);
    other.args(command.get_args()).env_clear();
    other.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
    other.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    other
}

/// `kassa serve` on this folder and on free ports.
pub(crate) fn kassa_serve(data: &Path) -> Command {
    let mut command = kassa();
    command.args(["serve", "--listen", "127.0.0.1:0", "--ops-listen", "127.0.0.1:0", "--data"]).arg(data);
    command
}

/// `kassa demo` on this folder and on free ports.
pub(crate) fn kassa_demo(data: &Path) -> Command {
    let mut command = kassa();
    command.args(["demo", "--listen", "127.0.0.1:0", "--ops-listen", "127.0.0.1:0", "--data"]).arg(data);
    command
}

/// `kassa admin` on this folder.
pub(crate) fn kassa_admin<A: AsRef<OsStr>>(data: &Path, arguments: impl IntoIterator<Item = A>) -> Command {
    let mut command = kassa();
    command.arg("admin").arg("--data").arg(data).args(arguments);
    command
}

/// `kassa copy` of this folder into this database.
pub(crate) fn kassa_copy(data: &Path, url: &str) -> Command {
    let mut command = kassa();
    command.arg("copy").arg("--from").arg(data).env("KASSA_DATABASE", url);
    command
}

/// How a run ended, and what it said.
#[derive(Debug)]
pub(crate) struct CommandOutput {
    pub(crate) status: ExitStatus,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// Runs a command to its end with this text on its standard input.
#[track_caller]
pub(crate) fn run_command(command: &mut Command, input: &str) -> CommandOutput {
    let mut process = command.stdin(Stdio::piped()).spawn().unwrap();
    // A program that does not read it may have ended already.
    let _ = process.stdin.take().unwrap().write_all(input.as_bytes());
    wait_for_output(process)
}

/// Waits for the end of a process, and gathers what it says.
#[track_caller]
pub(crate) fn wait_for_output(mut process: Child) -> CommandOutput {
    let (stdout, stderr) = (process.stdout.take().unwrap(), process.stderr.take().unwrap());
    let (stdout, stderr) = (thread::spawn(move || read_text(stdout)), thread::spawn(move || read_text(stderr)));
    let status = wait_for_exit(&mut process);
    CommandOutput { status, stdout: stdout.join().unwrap(), stderr: stderr.join().unwrap() }
}

fn read_text(mut pipe: impl Read) -> String {
    let mut text = String::new();
    pipe.read_to_string(&mut text).unwrap();
    text
}

/// How long a program may take that works by itself: a recount looks at all that a long test has sold.
const EXIT_TIMEOUT: Duration = Duration::from_mins(5);

/// Waits for the end of a process; one that does not end is killed, and the test fails.
#[track_caller]
pub(crate) fn wait_for_exit(process: &mut Child) -> ExitStatus {
    struct Killed<'a>(&'a mut Child);
    impl Drop for Killed<'_> {
        fn drop(&mut self) {
            // It fails when the process has ended, as it should have.
            let _ = self.0.kill();
        }
    }
    let watched = Killed(process);
    wait_for_within(EXIT_TIMEOUT, "the program ends", || watched.0.try_wait().unwrap())
}

impl CommandOutput {
    /// The lines of JSON that a successful run printed.
    #[track_caller]
    pub(crate) fn json_lines(&self) -> Vec<Value> {
        assert!(self.status.success(), "{self:?}");
        self.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// The only line of JSON that a successful run printed.
    #[track_caller]
    pub(crate) fn json_line(&self) -> Value {
        let mut lines = self.json_lines();
        assert_eq!(lines.len(), 1, "{self:?}");
        lines.remove(0)
    }

    /// A run that failed with one sentence, which names these things.
    #[track_caller]
    pub(crate) fn assert_failed_naming(&self, names: &[&str]) {
        assert_eq!(self.status.code(), Some(1), "{self:?}");
        let lines: Vec<&str> = self.stderr.lines().collect();
        let [sentence] = lines.as_slice() else { panic!("more or less than one sentence: {self:?}") };
        assert!(sentence.starts_with("kassa: "), "{self:?}");
        for name in names {
            assert!(sentence.contains(name), "{name:?} is not named: {sentence}");
        }
        assert_eq!(self.stdout, "");
    }
}

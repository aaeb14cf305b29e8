//! Logs: to standard error, as text or as JSON lines. No secret is ever logged.

use std::env;
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt as _;

use clap::ValueEnum;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;
use tracing_subscriber::{EnvFilter, Layer as _, Registry, fmt, reload};

/// What commands say besides their results: what they wait for, and why something could not be had.
pub(crate) const COMMAND_LOG_FILTER: &str = "kassa_store=info,warn";

/// The form of the log.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum LogFormat {
    /// For people.
    Text,
    /// For programs: one object a line.
    Json,
}

/// What is logged, which can be changed.
pub(crate) struct LogFilter(reload::Handle<EnvFilter, Registry>);

/// Starts logging. `filter` is as `info` or `kassa_engine=debug,warn`.
pub(crate) fn start(filter: &str, format: LogFormat) -> Result<LogFilter, String> {
    let (filter, handle) = reload::Layer::new(parse_filter(filter)?);
    let logs = fmt::layer().with_writer(io::stderr);
    // The journal knows when it was told something.
    let lines = match (format, is_journal()) {
        (LogFormat::Text, false) => logs.with_ansi(false).boxed(),
        (LogFormat::Text, true) => logs.with_ansi(false).without_time().boxed(),
        (LogFormat::Json, false) => logs.json().boxed(),
        (LogFormat::Json, true) => logs.json().without_time().boxed(),
    };
    let started = tracing_subscriber::registry().with(filter).with(lines).try_init();
    started.map(|()| LogFilter(handle)).map_err(|error| error.to_string())
}

impl LogFilter {
    /// Logs something else from now on.
    pub(crate) fn set(&self, filter: &str) -> Result<(), String> {
        self.0.reload(parse_filter(filter)?).map_err(|error| error.to_string())
    }
}

/// Whether a filter can be understood.
pub(crate) fn check_filter(filter: &str) -> Result<(), String> {
    parse_filter(filter).map(drop)
}

fn parse_filter(filter: &str) -> Result<EnvFilter, String> {
    filter.parse().map_err(|error| format!("--log {filter}: {error}"))
}

/// Whether standard error is the journal: `JOURNAL_STREAM` names its device and inode.
fn is_journal() -> bool {
    let Ok(named) = env::var("JOURNAL_STREAM") else { return false };
    fs::metadata("/proc/self/fd/2").is_ok_and(|file| named == format!("{}:{}", file.dev(), file.ino()))
}

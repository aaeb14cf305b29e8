//! Logs: to standard error, as text or as JSON lines. No secret is ever logged.

use clap::ValueEnum;
use tracing_subscriber::EnvFilter;

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

/// Starts logging. `filter` is as `info` or `kassa_engine=debug,warn`.
pub(crate) fn start(filter: &str, format: LogFormat) -> Result<(), String> {
    let filter: EnvFilter = filter.parse().map_err(|error| format!("--log {filter}: {error}"))?;
    let logs = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    let started = match format {
        LogFormat::Text => logs.with_ansi(false).try_init(),
        LogFormat::Json => logs.json().try_init(),
    };
    started.map_err(|error| error.to_string())
}

//! `kassa doctor`: looks at what a server needs, and says what to do about what is amiss.

mod backups;
mod clock;
mod database;
mod finding;
mod log_shipping;
mod machine;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use crate::error::Fatal;
use crate::serve::ServeArguments;
use crate::telemetry::{self, LogFormat};
use finding::Finding;

/// Flags of `kassa doctor`: those of `kassa serve`, so that it looks at what the server has.
#[derive(Debug, Args)]
pub(crate) struct DoctorArguments {
    #[command(flatten)]
    serve: Box<ServeArguments>,
    /// A folder that backups are written to: the newest file in it must not be older than a day and an hour. By default
    /// those at `--backup-to` are looked at.
    #[arg(long, value_name = "DIR")]
    backups: Option<PathBuf>,
}

/// Prints all findings. The exit status is 1 if something is to be done.
pub(crate) async fn run(arguments: DoctorArguments) -> Result<ExitCode, Fatal> {
    telemetry::start("error", LogFormat::Text)?;
    let DoctorArguments { serve, backups } = arguments;
    let place = serve.place();
    let mut findings: Vec<Finding> = serve
        .findings()
        .into_iter()
        .map(|text| Finding::problem("settings", text, "correct the setting: kassa config show says where it is from"))
        .collect();
    if findings.is_empty() {
        findings.push(Finding::fine("settings", "they go together"));
    }
    findings.extend(machine::look(&place.data));
    findings.push(clock::look());
    findings.extend(serve.certificate_file().iter().map(|file| machine::look_at_certificate(file)));
    findings.extend(database::look(place, serve.connections_wanted()).await);
    findings.push(match backups {
        Some(folder) => backups::look_into(&folder),
        None => backups::look(serve.backups.place(place)).await,
    });
    findings.extend(log_shipping::look(serve.log_shipping.place(place)).await);
    for finding in &findings {
        println!("{finding}");
    }
    let is_well = findings.iter().all(|finding| !finding.is_problem());
    Ok(if is_well { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

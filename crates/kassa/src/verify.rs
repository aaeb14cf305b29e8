//! `kassa verify`: whether the database holds what it should.

use std::process::ExitCode;

use clap::{Args, value_parser};
use kassa_engine::verify::{VerifyPace, VerifyReport, verify};

use crate::config::InstallationArguments;
use crate::error::Fatal;
use crate::installation;
use crate::telemetry::{self, LogFormat};

/// The exit status where something does not agree.
const EXIT_MISMATCH: u8 = 1;
/// The exit status where nothing could be found out.
const EXIT_INCONCLUSIVE: u8 = 3;

/// Flags of `kassa verify`.
#[derive(Debug, Args)]
pub(crate) struct VerifyArguments {
    #[command(flatten)]
    installation: InstallationArguments,
    /// How much of the time it reads, in percent; in between it pauses, and leaves the database to others.
    #[arg(long, value_name = "PERCENT", default_value_t = 50, value_parser = value_parser!(u32).range(1..=100))]
    share: u32,
}

/// Prints what does not agree, a line each. The exit status is 0 where all agrees, 1 where something does not, and 3
/// where that could not be found out.
pub(crate) async fn run(arguments: VerifyArguments) -> ExitCode {
    match verify_installation(&arguments).await {
        Ok(verified) => print_result(&verified),
        Err(error) => {
            eprintln!("kassa: {error}");
            ExitCode::from(EXIT_INCONCLUSIVE)
        }
    }
}

async fn verify_installation(arguments: &VerifyArguments) -> Result<VerifyReport, Fatal> {
    telemetry::start(telemetry::COMMAND_LOG_FILTER, LogFormat::Text)?;
    let store = installation::open_read_only(&arguments.installation).await?;
    Ok(verify(&store, VerifyPace::percent(arguments.share)).await?)
}

fn print_result(verified: &VerifyReport) -> ExitCode {
    let VerifyReport { rows, events, unsettled, findings } = verified;
    for finding in findings.items() {
        println!("{finding}");
    }
    let more = findings.count() - findings.items().len() as u64;
    if more > 0 {
        println!("and {more} more");
    }
    if *unsettled > 0 {
        eprintln!("{unsettled} rows changed whenever they were read: the next run will report them");
    }
    let seen = format!("{rows} rows and {events} events were counted again");
    if findings.is_empty() {
        println!("all agrees: {seen}");
        ExitCode::SUCCESS
    } else {
        eprintln!("{} things do not agree: {seen}", findings.count());
        ExitCode::from(EXIT_MISMATCH)
    }
}

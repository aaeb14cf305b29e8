//! Kassa: ticket sales in one binary.

mod admin;
mod backup;
mod changes;
mod config;
mod copy;
mod demo;
mod error;
mod export;
mod files;
mod http_url;
mod installation;
mod limits;
mod mail;
mod migrate;
mod open_files;
mod quotas;
mod serve;
mod settings_in_force;
mod shop;
mod stripe;
mod telemetry;
mod usage;
mod verify;
mod webhooks;

use std::process::ExitCode;

use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand};
use tokio::runtime::Runtime;

use crate::settings_in_force::settings_in_force;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Sells tickets: organizers put events on sale, agents sell them, buyers get the seat they were
/// promised.
#[derive(Debug, Parser)]
#[command(name = "kassa", version, arg_required_else_help = true)]
struct Arguments {
    #[command(subcommand)]
    command: Commands,
}

#[derive(Debug, Subcommand)]
enum Commands {
    /// Runs the server.
    Serve(Box<serve::ServeArguments>),
    /// Runs a server with sample data in its own folder.
    Demo(Box<demo::DemoArguments>),
    /// Manages users, partners and API keys; safe while the server runs.
    Admin(admin::AdminArguments),
    /// Writes orders to standard output as CSV or JSON Lines.
    Export(export::ExportArguments),
    /// Prints what has changed, in its order; safe while the server runs.
    Changes(changes::ChangesArguments),
    /// Writes the database and the attachments of a data folder to one file; safe while the server runs.
    Backup(backup::BackupArguments),
    /// Creates a data folder from a backup.
    Restore(backup::RestoreArguments),
    /// Recounts everything and reports every mismatch; safe while the server runs.
    Verify(verify::VerifyArguments),
    /// Applies pending schema migrations, as the server does when it starts.
    Migrate(migrate::MigrateArguments),
    /// Copies an installation from its data folder to a PostgreSQL database.
    Copy(copy::CopyArguments),
    /// Measures a server against an echo server on the same machine.
    Bench(kassa_bench::BenchArguments),
    /// The echo server that `kassa bench` compares against.
    #[command(hide = true)]
    Echo,
}

// What is shipped has all its guards.
const _: () =
    assert!(cfg!(debug_assertions) || !kassa_domain::safeguard::REMOVABLE, "built with the feature `controls`");

fn main() -> ExitCode {
    let mut program = Arguments::command();
    let called = program.get_matches_mut();
    let mut arguments = Arguments::from_arg_matches(&called).unwrap_or_else(|error| error.exit());
    let settings = settings_in_force(&program, &called);
    if let Commands::Serve(serve) = &mut arguments.command {
        serve.tell_settings(settings);
    } else if let Commands::Demo(demo) = &mut arguments.command {
        demo.tell_settings(settings);
    }
    // As many threads as processors, or as `TOKIO_WORKER_THREADS` says: with one fewer, left to the lane, that processor
    // stood idle while requests waited, and reads were at half their pace.
    let runtime = match Runtime::new() {
        Ok(runtime) => runtime,
        Err(error) => return fail(&format!("the runtime could not start: {error}")),
    };
    let succeeded = |()| ExitCode::SUCCESS;
    let result = match arguments.command {
        Commands::Serve(arguments) => runtime.block_on(serve::run(*arguments)).map(succeeded),
        Commands::Demo(arguments) => runtime.block_on(demo::run(*arguments)).map(succeeded),
        Commands::Admin(arguments) => runtime.block_on(admin::run(arguments)).map(succeeded),
        Commands::Export(arguments) => runtime.block_on(export::run(arguments)).map(succeeded),
        Commands::Changes(arguments) => runtime.block_on(changes::run(arguments)).map(succeeded),
        Commands::Backup(arguments) => backup::run(&arguments).map(succeeded),
        Commands::Restore(arguments) => backup::restore(&arguments).map(succeeded),
        Commands::Verify(arguments) => Ok(runtime.block_on(verify::run(arguments))),
        Commands::Migrate(arguments) => runtime.block_on(migrate::run(arguments)),
        Commands::Copy(arguments) => runtime.block_on(copy::run(arguments)).map(succeeded),
        Commands::Bench(arguments) => kassa_bench::run(arguments).map(succeeded),
        Commands::Echo => runtime.block_on(kassa_bench::serve_echo()).map(succeeded),
    };
    match result {
        Ok(status) => status,
        Err(error) => fail(&error.to_string()),
    }
}

fn fail(reason: &str) -> ExitCode {
    eprintln!("kassa: {reason}");
    ExitCode::FAILURE
}

//! Kassa: ticket sales in one binary.

mod admin;
mod bench;
mod config;
mod copy;
mod demo;
mod export;
mod files;
mod installation;
mod limits;
mod mail;
mod migrate;
mod serve;
mod telemetry;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

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
    Serve(serve::ServeArguments),
    /// Runs a server with a catalogue to try things out on, in a folder of its own.
    Demo(demo::DemoArguments),
    /// Works on the data beside the server, or without one.
    Admin(admin::AdminArguments),
    /// Writes orders to standard output, for spreadsheets and for other programs.
    Export(export::ExportArguments),
    /// Brings the schema of the database up to date, as the server does when it starts.
    Migrate(migrate::MigrateArguments),
    /// Copies an installation from its data folder into a PostgreSQL database.
    Copy(copy::CopyArguments),
    /// Measures a server, beside an echo on the same machine.
    Bench(bench::BenchArguments),
    /// What `kassa bench` measures a server beside.
    #[command(hide = true)]
    Echo,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return fail(&format!("the runtime could not start: {error}")),
    };
    let succeeded = |()| ExitCode::SUCCESS;
    let result = match arguments.command {
        Commands::Serve(arguments) => runtime.block_on(serve::run(arguments)).map(succeeded),
        Commands::Demo(arguments) => runtime.block_on(demo::run(arguments)).map(succeeded),
        Commands::Admin(arguments) => runtime.block_on(admin::run(arguments)).map(succeeded),
        Commands::Export(arguments) => runtime.block_on(export::run(arguments)).map(succeeded),
        Commands::Migrate(arguments) => runtime.block_on(migrate::run(arguments)),
        Commands::Copy(arguments) => runtime.block_on(copy::run(arguments)).map(succeeded),
        Commands::Bench(arguments) => bench::run(arguments).map(succeeded),
        Commands::Echo => runtime.block_on(bench::echo()).map(succeeded),
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

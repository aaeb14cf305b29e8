//! Kassa: ticket sales in one binary.

mod admin;
mod backup;
mod backups;
mod bound_server;
mod changes;
mod config;
mod config_command;
mod config_file;
mod copy;
mod demo;
mod doctor;
mod error;
mod export;
mod files;
mod health;
mod http_url;
mod installation;
mod limits;
mod log_shipping;
mod mail;
mod manual;
mod migrate;
mod open_files;
mod program_arguments;
mod quotas;
mod reload;
mod secrets;
mod serve;
mod server_arguments;
mod service_manager;
mod settings_in_force;
mod shop;
mod stripe;
mod telemetry;
mod tls;
mod traces;
mod usage;
mod verify;
mod webhooks;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{CommandFactory as _, Parser, Subcommand};
use tokio::runtime::Runtime;

use crate::config_command::ConfigCommand;
use crate::program_arguments::{InvalidArguments, ProgramArguments, read_arguments};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Sells tickets: organizers put events on sale, agents sell them, buyers get the seat they were
/// promised.
#[derive(Debug, Parser)]
#[command(name = "kassa", version = env!("KASSA_VERSION"), arg_required_else_help = true)]
struct Arguments {
    /// A file with settings, for what neither flags nor the environment say. `/etc/kassa/kassa.toml` by default, if it is
    /// there.
    #[arg(long, global = true, env = "KASSA_CONFIG", value_name = "FILE")]
    config: Option<PathBuf>,
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
    /// Writes the database and the attachments of an installation to one file; safe while the server runs.
    Backup(backup::BackupArguments),
    /// Creates an installation from a backup, or only checks the backup.
    Restore(backup::RestoreArguments),
    /// Recounts everything and reports every mismatch; safe while the server runs.
    Verify(verify::VerifyArguments),
    /// Applies pending schema migrations, as the server does when it starts.
    Migrate(migrate::MigrateArguments),
    /// Copies an installation from its data folder to a PostgreSQL database.
    Copy(copy::CopyArguments),
    /// Looks at what a server needs, and says what to do about what is amiss.
    Doctor(doctor::DoctorArguments),
    /// Asks the server of this machine whether it is ready.
    Health(health::HealthArguments),
    /// Checks or shows the settings of the server.
    Config(config_command::ConfigArguments),
    /// Measures a server against an echo server on the same machine.
    Bench(kassa_bench::BenchArguments),
    /// Writes the manual pages and the completions of shells that packages contain.
    #[command(hide = true)]
    Manual(manual::ManualArguments),
    /// The echo server that `kassa bench` compares against.
    #[command(hide = true)]
    Echo,
}

// What is shipped has all its guards.
const _: () =
    assert!(cfg!(debug_assertions) || !kassa_domain::safeguard::REMOVABLE, "built with the feature `controls`");

fn main() -> ExitCode {
    let mut program = match read_arguments() {
        Ok(program) => program,
        Err(InvalidArguments::Flags(error)) => error.exit(),
        Err(InvalidArguments::File(errors)) => return fail(&errors.to_string()),
    };
    let settings = program.settings_in_force();
    if let Commands::Serve(serve) = &mut program.arguments.command {
        serve.tell_settings(settings);
    } else if let Commands::Demo(demo) = &mut program.arguments.command {
        demo.tell_settings(settings);
    } else if let Commands::Config(config) = &program.arguments.command {
        return run_config(&program, &config.command);
    }
    let arguments = program.arguments;
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
        Commands::Backup(arguments) => runtime.block_on(backup::run(arguments)).map(succeeded),
        Commands::Restore(arguments) => runtime.block_on(backup::restore(arguments)).map(succeeded),
        Commands::Verify(arguments) => Ok(runtime.block_on(verify::run(arguments))),
        Commands::Migrate(arguments) => runtime.block_on(migrate::run(arguments)),
        Commands::Copy(arguments) => runtime.block_on(copy::run(arguments)).map(succeeded),
        Commands::Doctor(arguments) => runtime.block_on(doctor::run(arguments)),
        Commands::Health(arguments) => health::run(&arguments),
        Commands::Manual(arguments) => manual::run(Arguments::command(), &arguments).map(succeeded),
        // Done above: it needs no runtime.
        Commands::Config(_) => Ok(ExitCode::SUCCESS),
        Commands::Bench(arguments) => kassa_bench::run(arguments).map(succeeded),
        Commands::Echo => runtime.block_on(kassa_bench::serve_echo()).map(succeeded),
    };
    match result {
        Ok(status) => status,
        Err(error) => fail(&error.to_string()),
    }
}

fn run_config(program: &ProgramArguments, command: &ConfigCommand) -> ExitCode {
    match command {
        ConfigCommand::Show(serve) => config_command::show(program, serve),
        ConfigCommand::Check(serve) => {
            let file = program.file.as_ref().map(|file| file.path.display().to_string());
            if let Err(error) = config_command::check(serve, file.as_deref()) {
                return fail(&error.to_string());
            }
        }
    }
    ExitCode::SUCCESS
}

fn fail(reason: &str) -> ExitCode {
    for line in reason.lines() {
        eprintln!("kassa: {line}");
    }
    ExitCode::FAILURE
}

//! `kassa migrate`: applies pending schema migrations, or lists them.

use std::path::Path;
use std::process::ExitCode;

use clap::Args;
use kassa_store::SchemaMigration;
use kassa_store::postgres::{DatabaseUrl, Distribution, Postgres};
use kassa_store::sqlite::DataFolder;

use crate::config::InstallationArguments;
use crate::error::Fatal;
use crate::installation::database_error_text;
use crate::telemetry::{self, LogFormat};

/// The exit status of `--check` where steps are missing.
const EXIT_STEPS_MISSING: u8 = 3;

/// Flags of `kassa migrate`.
#[derive(Debug, Args)]
pub(crate) struct MigrateArguments {
    #[command(flatten)]
    installation: InstallationArguments,
    /// Changes nothing, and lists the steps that are missing. The exit status is 0 where there are none, 3 where
    /// there are some, and 1 where the database is too new, of another program, or not there.
    #[arg(long)]
    check: bool,
    /// Then spreads the tables over the servers of a database that has Citus, as far as they are not. No server may run
    /// meanwhile.
    #[arg(long, conflicts_with = "check")]
    distribute: bool,
}

/// Applies the steps that are missing, and prints them.
pub(crate) async fn run(arguments: MigrateArguments) -> Result<ExitCode, Fatal> {
    telemetry::start(telemetry::COMMAND_LOG_FILTER, LogFormat::Text)?;
    let place = &arguments.installation;
    let steps = if let Some(url) = place.database()? {
        let steps = migrate_postgres(&url, &arguments).await;
        steps.map_err(|error| database_error_text(&url, &*error))?
    } else if arguments.distribute {
        return Err("--distribute: a database in the data folder is in one place".into());
    } else {
        let steps = migrate_sqlite(&place.data, arguments.check);
        steps.map_err(|error| format!("data folder {}: {error}", place.data.display()))?
    };
    let word = if arguments.check { "missing" } else { "applied" };
    for step in &steps {
        println!("{word}: {step}");
    }
    match (steps.is_empty(), arguments.check) {
        (true, _) => println!("the schema is up to date"),
        (false, true) => return Ok(ExitCode::from(EXIT_STEPS_MISSING)),
        (false, false) => {}
    }
    Ok(ExitCode::SUCCESS)
}

async fn migrate_postgres(url: &DatabaseUrl, arguments: &MigrateArguments) -> Result<Vec<SchemaMigration>, Fatal> {
    let postgres = Postgres::connect(url).await?;
    if arguments.check {
        return postgres.status().await?.pending_migrations.ok_or_else(|| "there is nothing of Kassa in it".into());
    }
    let steps = postgres.migrate().await?;
    if arguments.distribute {
        match postgres.distribute().await? {
            Distribution::Tables(tables) => tables.iter().for_each(|table| println!("distributed: {table}")),
            Distribution::NoCitus => return Err("it has no extension citus".into()),
            Distribution::ServerRuns => {
                return Err("a server runs on it, or did ten seconds ago: stop it before its tables are spread".into());
            }
        }
    }
    Ok(steps)
}

fn migrate_sqlite(data: &Path, check: bool) -> Result<Vec<SchemaMigration>, Fatal> {
    let folder = DataFolder::open_shared(data)?;
    let missing = folder.pending_migrations()?.ok_or("kassa.db is empty")?;
    if check { Ok(missing) } else { Ok(folder.migrate()?) }
}

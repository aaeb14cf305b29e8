//! The programs of PostgreSQL that make dumps, and read them.

use std::io;
use std::path::Path;
use std::process::Stdio;

use kassa_store::postgres::{DatabaseUrl, Postgres};
use tokio::process::Command;

use super::BackupError;

/// The schema that every database has.
const PUBLIC_SCHEMA: &str = "public";
const NOT_INSTALLED: &str =
    "it is not installed: backups of PostgreSQL need its client programs (Debian: postgresql-client)";

/// Dumps the schema of an installation into a file, as of one moment. Nobody waits for it but changes of the schema.
pub(super) async fn dump(url: &DatabaseUrl, file: &Path) -> Result<(), BackupError> {
    let failed = |error: &dyn std::error::Error| BackupError::at(&format!("database {url}"), &error.to_string());
    let postgres = Postgres::connect(url).await.map_err(|error| failed(&error))?;
    let schema = postgres.schema_name().await.map_err(|error| failed(&error))?;
    let mut command = Command::new("pg_dump");
    command.args(["--format=custom", "--no-password", "--file"]).arg(file);
    // A database may have schemas of others, which this user cannot read.
    if schema != PUBLIC_SCHEMA {
        command.arg(format!("--schema=\"{schema}\""));
    }
    run(command.envs(url.client_environment()), &format!("database {url}: pg_dump")).await
}

/// Reads a dump to its end.
pub(super) async fn check_dump(file: &Path) -> Result<(), BackupError> {
    let mut command = Command::new("pg_restore");
    command.args(["--exit-on-error", "--file=/dev/null"]).arg(file);
    run(&mut command, &format!("{}: pg_restore", file.display())).await
}

/// Fills a database that has nothing of ours with a dump, all of it or nothing.
pub(crate) async fn restore_dump(url: &DatabaseUrl, file: &Path) -> Result<(), BackupError> {
    let mut command = Command::new("pg_restore");
    command.args(["--exit-on-error", "--single-transaction", "--no-owner", "--no-privileges", "--no-password"]);
    let variables = url.client_environment();
    if let Some((_, database)) = variables.iter().find(|(name, _)| *name == "PGDATABASE") {
        command.arg("--dbname").arg(database);
    }
    run(command.arg(file).envs(variables), &format!("database {url}: pg_restore")).await
}

/// Runs a program to its end; it goes when nobody waits for it any more. Its last words are the reason of a failure.
async fn run(command: &mut Command, what: &str) -> Result<(), BackupError> {
    let ended = command.stdin(Stdio::null()).stdout(Stdio::null()).kill_on_drop(true).output().await;
    let ended = ended.map_err(|error| {
        if error.kind() == io::ErrorKind::NotFound {
            return BackupError::at(what, NOT_INSTALLED);
        }
        BackupError::at(what, &error)
    })?;
    if ended.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&ended.stderr);
    let reason = said.lines().rfind(|line| !line.trim().is_empty()).map(str::to_owned);
    Err(BackupError::at(what, &reason.unwrap_or_else(|| ended.status.to_string())))
}

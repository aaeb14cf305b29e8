//! `kassa backup` and `kassa restore`: an installation as one file, and back.

mod restore;

pub(crate) use restore::{RestoreArguments, restore};

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use kassa_engine::Engine;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch;

use crate::backups::{
    BackupInterval, BackupPlace, BackupSchedule, BackupSource, RETENTION_DEFAULT, Retention, make_file, make_one,
    run_schedule,
};
use crate::config::InstallationArguments;
use crate::error::Fatal;
use crate::files::FileStorageLocation;
use crate::installation;
use crate::telemetry::{self, LogFormat};

/// What is logged while backups are made so often.
const SCHEDULE_LOG_FILTER: &str = "kassa=info,warn";

/// Flags of `kassa backup`.
#[derive(Debug, Args)]
pub(crate) struct BackupArguments {
    /// The file to create; an existing one is not overwritten. Without it, a backup gets a name by its time at `--to`.
    #[arg(value_name = "FILE", conflicts_with = "every")]
    file: Option<PathBuf>,
    /// Where backups go: a folder that is there, or `s3://<bucket>/<prefix>`.
    #[arg(long, env = "KASSA_BACKUP_TO", value_name = "PLACE")]
    to: Option<FileStorageLocation>,
    /// Which backups are kept at `--to`: the newest of each of the last hours, days and weeks that have any.
    #[arg(long, env = "KASSA_BACKUP_KEEP", value_name = "NUMBERS", default_value = RETENTION_DEFAULT)]
    keep: Retention,
    /// Goes on, and makes a backup so often, such as `1h`, until it is stopped. The server does the same by itself if it is
    /// told to.
    #[arg(long, value_name = "TIME")]
    every: Option<BackupInterval>,
    #[command(flatten)]
    installation: InstallationArguments,
}

/// Makes a backup; it is there as a whole, and on the disk, or not at all.
pub(crate) async fn run(arguments: BackupArguments) -> Result<(), Fatal> {
    let filter = if arguments.every.is_some() { SCHEDULE_LOG_FILTER } else { telemetry::COMMAND_LOG_FILTER };
    telemetry::start(filter, LogFormat::Text)?;
    let place = &arguments.installation;
    let source = BackupSource::of(place)?;
    if let Some(file) = &arguments.file {
        let made = make_file(&source, file).await?;
        print_summary(&file.display().to_string(), made.files, place);
        return Ok(());
    }
    let to = arguments.to.as_ref().ok_or("name a file, or say --to")?;
    let to = BackupPlace::open(to, &place.files)?;
    let every = arguments.every.map_or(Duration::MAX, |interval| interval.0);
    let schedule = BackupSchedule { source, place: to, every, keep: arguments.keep };
    require_database(place)?;
    // One server or command at a time makes backups there: that is written in the database.
    let installation = installation::open_alongside_server(place).await?;
    let ended = if arguments.every.is_some() {
        run_until_signal(schedule, &installation.engine).await
    } else {
        let made = make_one(&schedule, &installation.engine).await;
        made.map(|(name, made)| print_summary(&format!("{}/{name}", schedule.place), made.files, place))
            .map_err(Fatal::from)
    };
    installation.engine.close().await;
    ended
}

/// A command that makes backups creates no installation.
fn require_database(place: &InstallationArguments) -> Result<(), Fatal> {
    if place.database()?.is_none() && !place.data.join("kassa.db").exists() {
        return Err(format!("data folder {}: there is no database in it", Path::display(&place.data)).into());
    }
    Ok(())
}

/// Makes backups until SIGTERM or SIGINT.
async fn run_until_signal(schedule: BackupSchedule, engine: &Engine) -> Result<(), Fatal> {
    let (mut terminate, mut interrupt) = (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
    let (stop, stopped) = watch::channel(false);
    let running = run_schedule(schedule, engine.clone(), stopped);
    let stopping = async {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
        stop.send_replace(true);
    };
    tokio::join!(running, stopping);
    Ok(())
}

fn print_summary(name: &str, files: u64, place: &InstallationArguments) {
    println!("{name} holds the database and {files} files.");
    if place.files.are_outside_data_folder() {
        println!("The attachments are not in it: they are kept elsewhere.");
    }
    println!("The secret is not in it: keep it, too, apart from it. Without it no key can be read.");
}

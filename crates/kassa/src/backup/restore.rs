//! `kassa restore`: an installation of what `kassa backup` or a server has written.

use std::fs;
use std::io::{self, Read};
use std::path::Path;

use clap::Args;
use kassa_store::StoreError;
use kassa_store::postgres::{DatabaseUrl, Postgres};
use kassa_store::sqlite::DataFolder;

use crate::backups::{
    ArchiveContents, ArchiveEntry, BackupFile, BackupPlace, DatabaseKind, FILES_ENTRY, create_private_file,
    read_archive, restore_dump,
};
use crate::config::InstallationArguments;
use crate::error::Fatal;
use crate::files::FileStorageLocation;
use crate::installation;
use crate::log_shipping::{Recovery, RecoveryTime};
use crate::telemetry::{self, LogFormat};

/// Where the database is unpacked, until all of the archive was read.
const DRAFT: &str = "kassa.db.new";

/// Flags of `kassa restore`.
#[derive(Debug, Args)]
pub(crate) struct RestoreArguments {
    /// What `kassa backup`, or a server, has written: a file, or `s3://<bucket>/<name>`. With `--to`, the place that a server
    /// ships its log to.
    #[arg(value_name = "FILE")]
    file: FileStorageLocation,
    /// As of when, of a log that was shipped: a time such as `2026-11-25T20:15:00Z`, or `latest`.
    #[arg(long, value_name = "TIME", conflicts_with = "verify")]
    to: Option<RecoveryTime>,
    /// Only reads the file to its end, and looks at the database in it, which is unpacked meanwhile: beside the file, or in
    /// the data folder if it is in a bucket.
    #[arg(long)]
    verify: bool,
    #[command(flatten)]
    installation: InstallationArguments,
}

/// Unpacks the file, looks at what it holds, and makes that the database, at the very end: what was interrupted holds none,
/// and no server starts on it.
pub(crate) async fn restore(arguments: RestoreArguments) -> Result<(), Fatal> {
    telemetry::start(telemetry::COMMAND_LOG_FILTER, LogFormat::Text)?;
    let RestoreArguments { file, to, verify, installation: place } = arguments;
    let recovery = match to {
        Some(to) => Some(find_recovery(&BackupPlace::open(&file, &place.files)?, to, &place).await?),
        None => None,
    };
    let file = match &recovery {
        Some(recovery) => recovery.base(),
        None => BackupFile::at(&file, &place.files)?,
    };
    let data = &place.data;
    if verify {
        let found = file.verify(data).await?;
        println!("{file} is whole: it holds the database and {} files.", found.files);
        return Ok(());
    }
    let (files, secret) = if let Some(url) = place.database()? {
        (restore_on_server(&url, data, &file).await?, data.join("secret"))
    } else {
        let folder =
            DataFolder::open_for_server(data).map_err(|error| format!("data folder {}: {error}", data.display()))?;
        let restored = restore_into_folder(&folder, data, &file, recovery.as_ref()).await;
        (restored.inspect_err(|_| folder.remove_created())?, folder.secret_file())
    };
    println!("{} holds the database and {files} files of {file}.", where_it_is(&place)?);
    if let Some(recovery) = recovery {
        println!("With what was shipped since then, the database is as of {}.", recovery.as_of());
    }
    if !secret.exists() {
        println!(
            "Put the secret that it was made with into {}, or give it to the server, before you start it.",
            secret.display()
        );
    }
    Ok(())
}

fn where_it_is(place: &InstallationArguments) -> Result<String, Fatal> {
    let data = place.data.display();
    Ok(place.database()?.map_or_else(|| data.to_string(), |url| format!("{url}, with {data},")))
}

async fn find_recovery(
    shipped: &BackupPlace,
    to: RecoveryTime,
    place: &InstallationArguments,
) -> Result<Recovery, Fatal> {
    if place.database()?.is_some() {
        return Err("--to restores a database in a data folder; PostgreSQL has its own recovery".into());
    }
    Recovery::find(shipped, to).await
}

/// Unpacks the archive into the folder, brings its database up to date by what was shipped later, and returns the number of
/// files besides.
async fn restore_into_folder(
    folder: &DataFolder,
    data: &Path,
    file: &BackupFile,
    recovery: Option<&Recovery>,
) -> Result<u64, Fatal> {
    if folder.has_database().map_err(|error| format!("data folder {}: {error}", data.display()))? {
        return Err(format!("data folder {}: it holds a database already: give a new one", data.display()).into());
    }
    reject_occupied(data, &[DatabaseKind::Sqlite.entry(), FILES_ENTRY])?;
    let draft = data.join(DRAFT);
    let files = match unpack(file, data, &draft).await {
        Ok(ArchiveContents { database: DatabaseKind::Sqlite, files }) => {
            adopt(folder, &draft, file, recovery).await.map(|()| files)
        }
        Ok(ArchiveContents { database: DatabaseKind::Postgres, .. }) => {
            let advice = "name an empty database by --database or KASSA_DATABASE";
            Err(format!("{file}: it holds a dump of PostgreSQL: {advice}").into())
        }
        Err(error) => Err(error),
    };
    files.inspect_err(|_| clean_up(data, &draft))
}

/// Makes what was unpacked the database of the folder.
async fn adopt(folder: &DataFolder, draft: &Path, file: &BackupFile, recovery: Option<&Recovery>) -> Result<(), Fatal> {
    if let Some(recovery) = recovery {
        recovery.complete(draft).await?;
    }
    Ok(folder.restore_from(draft).map_err(|error| format!("{file}: {error}"))?)
}

/// Fills an empty database, and the data folder with the attachments; returns the number of these.
async fn restore_on_server(url: &DatabaseUrl, data: &Path, file: &BackupFile) -> Result<u64, Fatal> {
    let in_database = |error: StoreError| installation::database_error_text(url, &error);
    let status = Postgres::connect(url).await.map_err(in_database)?.status().await.map_err(in_database)?;
    if status.pending_migrations.is_some() {
        return Err(format!("database {url}: it holds an installation already: give an empty one").into());
    }
    installation::create_data_folder(data).map_err(|error| format!("data folder {}: {error}", data.display()))?;
    reject_occupied(data, &[FILES_ENTRY, DRAFT])?;
    let draft = data.join(DRAFT);
    let restored = match unpack(file, data, &draft).await {
        Ok(ArchiveContents { database: DatabaseKind::Postgres, files }) => {
            restore_dump(url, &draft).await.map(|()| files).map_err(Fatal::from)
        }
        Ok(ArchiveContents { database: DatabaseKind::Sqlite, .. }) => {
            let advice = "restore it into a data folder, and move that by kassa copy";
            Err(format!("{file}: it holds a database of SQLite: {advice}").into())
        }
        Err(error) => Err(error),
    };
    if restored.is_err() {
        clean_up(data, &draft);
    } else {
        fs::remove_file(&draft)?;
    }
    restored
}

/// Whatever lies there is somebody's, and not taken away when something goes wrong.
fn reject_occupied(data: &Path, names: &[&str]) -> Result<(), Fatal> {
    match names.iter().find(|name| data.join(name).exists()) {
        Some(name) => Err(format!("data folder {}: it holds {name} already: give a new one", data.display()).into()),
        None => Ok(()),
    }
}

/// What was unpacked in vain goes; the first error is the one to tell.
fn clean_up(data: &Path, draft: &Path) {
    let _ = fs::remove_file(draft);
    let _ = fs::remove_dir_all(data.join(FILES_ENTRY));
}

/// The database goes into the draft, and attachments where they belong.
async fn unpack(file: &BackupFile, data: &Path, draft: &Path) -> Result<ArchiveContents, Fatal> {
    let (data, draft) = (data.to_owned(), draft.to_owned());
    let unpacked = file.read(move |archive| {
        read_archive(archive, |entry, bytes| match entry {
            ArchiveEntry::Database(_) => write_entry(bytes, &draft),
            ArchiveEntry::Attachment(path) => write_entry(bytes, &data.join(path)),
        })
    });
    Ok(unpacked.await?.map_err(|error| format!("{file}: {error}"))?)
}

/// Writes an entry into a new file, which is on the disk then.
fn write_entry(bytes: &mut dyn Read, path: &Path) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let mut file = create_private_file(path)?;
    io::copy(bytes, &mut file)?;
    file.sync_all()
}

//! `kassa restore`: a data folder of what `kassa backup` has written.

use std::fs::{self, File};
use std::io::{self, Read, Seek as _};
use std::path::{Component, Path, PathBuf};

use clap::Args;
use kassa_store::sqlite::DataFolder;
use tar::{Archive, Entry, EntryType};

use super::partial_file::create_private_file;
use super::{COMPLETE_ENTRY, DATABASE_ENTRY, DIGEST_LINE_PREFIX, FILES_ENTRY, POSTGRES_NOT_SUPPORTED, digest_writer};
use crate::config::InstallationArguments;
use crate::error::Fatal;
use crate::telemetry::{self, LogFormat};

/// Flags of `kassa restore`.
#[derive(Debug, Args)]
pub(crate) struct RestoreArguments {
    /// What `kassa backup` has written.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    installation: InstallationArguments,
}

/// Longer than the last entry is, in bytes.
const COMPLETE_ENTRY_BYTES_MAX: u64 = 1_024;

/// Why a file is of no use.
#[derive(Debug, thiserror::Error)]
enum BackupError {
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error("it is no backup of Kassa: it holds {0:?}")]
    UnexpectedEntry(PathBuf),
    #[error("it is not complete: it breaks off before its end")]
    Truncated,
    #[error("it is damaged: it holds other bytes than were written")]
    Damaged,
    #[error("it holds no database")]
    NoDatabase,
}

/// Unpacks the file, looks at what it holds, and makes that the database of the folder, at the very end: a folder in
/// which it was interrupted holds none, and no server starts on it.
pub(crate) fn restore(arguments: &RestoreArguments) -> Result<(), Fatal> {
    telemetry::start(telemetry::COMMAND_LOG_FILTER, LogFormat::Text)?;
    let RestoreArguments { file, installation: place } = arguments;
    if place.database()?.is_some() {
        return Err(POSTGRES_NOT_SUPPORTED.into());
    }
    let data = &place.data;
    let folder =
        DataFolder::open_for_server(data).map_err(|error| format!("data folder {}: {error}", data.display()))?;
    let files = restore_into(&folder, arguments).inspect_err(|_| folder.remove_created())?;
    println!("{} holds the database and {files} files of {}.", data.display(), file.display());
    if !folder.secret_file().exists() {
        println!(
            "Put the secret that it was made with into {}, or give it to the server, before you start it.",
            folder.secret_file().display()
        );
    }
    Ok(())
}

/// Unpacks the archive into the folder, and returns the number of files besides the database.
fn restore_into(folder: &DataFolder, arguments: &RestoreArguments) -> Result<u64, Fatal> {
    let (data, file) = (&arguments.installation.data, &arguments.file);
    let in_folder = |error: &dyn std::error::Error| format!("data folder {}: {error}", data.display());
    let in_file = |error: &dyn std::error::Error| format!("{}: {error}", file.display());
    let archive = File::open(file).map_err(|error| in_file(&error))?;
    if folder.has_database().map_err(|error| in_folder(&error))? {
        return Err(format!("data folder {}: it holds a database already: give a new one", data.display()).into());
    }
    // Whatever lies there is somebody's, and not taken away when something goes wrong.
    if let Some(name) = [DATABASE_ENTRY, FILES_ENTRY].into_iter().find(|name| data.join(name).exists()) {
        return Err(format!("data folder {}: it holds {name} already: give a new one", data.display()).into());
    }
    let draft = data.join("kassa.db.new");
    let unpacked = unpack(archive, data, &draft);
    let files = match unpacked {
        Ok(files) => folder.restore_from(&draft).map(|()| files).map_err(|error| in_file(&error)),
        Err(error) => Err(in_file(&error)),
    };
    Ok(files.inspect_err(|_| clean_up(data, &draft))?)
}

/// What was unpacked in vain goes; the first error is the one to tell.
fn clean_up(data: &Path, draft: &Path) {
    let _ = fs::remove_file(draft);
    let _ = fs::remove_dir_all(data.join(FILES_ENTRY));
}

/// Tells how many files there were besides the database.
fn unpack(archive: File, data: &Path, draft: &Path) -> Result<u64, BackupError> {
    let (mut files, mut has_database, mut end) = (0, false, None);
    let mut archive = Archive::new(archive);
    for entry in archive.entries()? {
        let mut entry = entry?;
        let name = entry.path()?.into_owned();
        if end.is_some() || entry.header().entry_type() != EntryType::Regular {
            return Err(BackupError::UnexpectedEntry(name));
        }
        if name == Path::new(DATABASE_ENTRY) {
            has_database = true;
            write_entry(entry, draft)?;
        } else if name == Path::new(COMPLETE_ENTRY) {
            let mut text = String::new();
            entry.by_ref().take(COMPLETE_ENTRY_BYTES_MAX).read_to_string(&mut text)?;
            end = Some((entry.raw_header_position(), text));
        } else if is_attachment_entry(&name) {
            files += 1;
            write_entry(entry, &data.join(name))?;
        } else {
            return Err(BackupError::UnexpectedEntry(name));
        }
    }
    let (length, text) = end.ok_or(BackupError::Truncated)?;
    let mut archive = archive.into_inner();
    archive.rewind()?;
    let found = digest_writer::digest_of_prefix(archive, length)?;
    if text.lines().find_map(|line| line.strip_prefix(DIGEST_LINE_PREFIX)) != Some(found.as_str()) {
        return Err(BackupError::Damaged);
    }
    if has_database { Ok(files) } else { Err(BackupError::NoDatabase) }
}

/// Whether it is below `files`, and leads nowhere else.
fn is_attachment_entry(name: &Path) -> bool {
    let mut parts = name.components();
    parts.next() == Some(Component::Normal(FILES_ENTRY.as_ref()))
        && parts.all(|part| matches!(part, Component::Normal(_)))
}

/// Writes an entry into a new file, which is on the disk then.
fn write_entry(mut entry: Entry<'_, File>, path: &Path) -> Result<(), BackupError> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let size = entry.size();
    let mut file = create_private_file(path)?;
    let written = io::copy(&mut entry.by_ref().take(size), &mut file)?;
    file.sync_all()?;
    if written == size { Ok(()) } else { Err(BackupError::Truncated) }
}

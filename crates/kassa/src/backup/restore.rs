//! `kassa restore`: a data folder of what `kassa backup` has written.

use std::fs::{self, File};
use std::io::{self, Read, Seek as _};
use std::path::{Component, Path, PathBuf};

use clap::Args;
use kassa_store::sqlite::DataFolder;
use tar::{Archive, Entry, EntryType};

use super::draft::new_file;
use super::{COMPLETE, DATABASE, DIGEST, FILES, ON_A_SERVER, digest};
use crate::config::Place;
use crate::installation::Fatal;
use crate::telemetry::{self, LogFormat};

/// Flags of `kassa restore`.
#[derive(Debug, Args)]
pub(crate) struct RestoreArguments {
    /// What `kassa backup` has written.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    place: Place,
}

/// Longer than the last entry is, in bytes.
const END_MAX: u64 = 1_024;

/// Why a file is of no use.
#[derive(Debug, thiserror::Error)]
enum BadBackup {
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error("it is no backup of Kassa: it holds {0:?}")]
    Foreign(PathBuf),
    #[error("it is not complete: it breaks off before its end")]
    Short,
    #[error("it is damaged: it holds other bytes than were written")]
    Damaged,
    #[error("it holds no database")]
    Empty,
}

/// Unpacks the file, looks at what it holds, and makes that the database of the folder, at the very end: a folder in
/// which it was interrupted holds none, and no server starts on it.
pub(crate) fn restore(arguments: &RestoreArguments) -> Result<(), Fatal> {
    telemetry::start(telemetry::OF_COMMANDS, LogFormat::Text)?;
    let RestoreArguments { file, place } = arguments;
    if place.database()?.is_some() {
        return Err(ON_A_SERVER.into());
    }
    let data = &place.data;
    let folder = DataFolder::serve(data).map_err(|error| format!("data folder {}: {error}", data.display()))?;
    let files = fill(&folder, arguments).inspect_err(|_| folder.abandon())?;
    println!("{} holds the database and {files} files of {}.", data.display(), file.display());
    if !folder.secret_file().exists() {
        println!(
            "Put the secret that it was made with into {}, or give it to the server, before you start it.",
            folder.secret_file().display()
        );
    }
    Ok(())
}

/// Makes what the archive holds the folder's own, and tells how many files there were besides the database.
fn fill(folder: &DataFolder, arguments: &RestoreArguments) -> Result<u64, Fatal> {
    let (data, file) = (&arguments.place.data, &arguments.file);
    let in_folder = |error: &dyn std::error::Error| format!("data folder {}: {error}", data.display());
    let in_file = |error: &dyn std::error::Error| format!("{}: {error}", file.display());
    let archive = File::open(file).map_err(|error| in_file(&error))?;
    if folder.has_database().map_err(|error| in_folder(&error))? {
        return Err(format!("data folder {}: it holds a database already: give a new one", data.display()).into());
    }
    // Whatever lies there is somebody's, and not taken away when something goes wrong.
    if let Some(name) = [DATABASE, FILES].into_iter().find(|name| data.join(name).exists()) {
        return Err(format!("data folder {}: it holds {name} already: give a new one", data.display()).into());
    }
    let draft = data.join("kassa.db.new");
    let unpacked = unpack(archive, data, &draft);
    let files = match unpacked {
        Ok(files) => folder.adopt(&draft).map(|()| files).map_err(|error| in_file(&error)),
        Err(error) => Err(in_file(&error)),
    };
    Ok(files.inspect_err(|_| clean_up(data, &draft))?)
}

/// What was unpacked in vain goes; the first error is the one to tell.
fn clean_up(data: &Path, draft: &Path) {
    let _ = fs::remove_file(draft);
    let _ = fs::remove_dir_all(data.join(FILES));
}

/// Tells how many files there were besides the database.
fn unpack(archive: File, data: &Path, draft: &Path) -> Result<u64, BadBackup> {
    let (mut files, mut has_database, mut end) = (0, false, None);
    let mut archive = Archive::new(archive);
    for entry in archive.entries()? {
        let mut entry = entry?;
        let name = entry.path()?.into_owned();
        if end.is_some() || entry.header().entry_type() != EntryType::Regular {
            return Err(BadBackup::Foreign(name));
        }
        if name == Path::new(DATABASE) {
            has_database = true;
            write(entry, draft)?;
        } else if name == Path::new(COMPLETE) {
            let mut text = String::new();
            entry.by_ref().take(END_MAX).read_to_string(&mut text)?;
            end = Some((entry.raw_header_position(), text));
        } else if is_file(&name) {
            files += 1;
            write(entry, &data.join(name))?;
        } else {
            return Err(BadBackup::Foreign(name));
        }
    }
    let (length, text) = end.ok_or(BadBackup::Short)?;
    let mut archive = archive.into_inner();
    archive.rewind()?;
    let found = digest::of(archive, length)?;
    if text.lines().find_map(|line| line.strip_prefix(DIGEST)) != Some(found.as_str()) {
        return Err(BadBackup::Damaged);
    }
    if has_database { Ok(files) } else { Err(BadBackup::Empty) }
}

/// Whether it is below `files`, and leads nowhere else.
fn is_file(name: &Path) -> bool {
    let mut parts = name.components();
    parts.next() == Some(Component::Normal(FILES.as_ref())) && parts.all(|part| matches!(part, Component::Normal(_)))
}

/// Writes an entry into a new file, which is on the disk then.
fn write(mut entry: Entry<'_, File>, path: &Path) -> Result<(), BadBackup> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let size = entry.size();
    let mut file = new_file(path)?;
    let written = io::copy(&mut entry.by_ref().take(size), &mut file)?;
    file.sync_all()?;
    if written == size { Ok(()) } else { Err(BadBackup::Short) }
}

//! `kassa backup` and `kassa restore`: an installation in a data folder, as one file.
//!
//! The file is a tar archive: `kassa.db`, the database as of one moment; `files/…`, the bytes of attachments, unless
//! they are elsewhere; and `complete` as the last entry, with the digest of all before it, so that a part of a file, or one
//! that was damaged, is known as such. The secret is not in it: whoever has the file alone can read no key.

mod digest_writer;
mod partial_file;
mod restore;

pub(crate) use restore::{RestoreArguments, restore};

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use clap::Args;
use kassa_store::sqlite::DataFolder;
use tar::{Builder, Header};

use crate::config::InstallationArguments;
use crate::error::Fatal;
use crate::telemetry::{self, LogFormat};
use digest_writer::DigestWriter;
use partial_file::PartialFile;

/// The entries of an archive.
const DATABASE_ENTRY: &str = "kassa.db";
const FILES_ENTRY: &str = "files";
const COMPLETE_ENTRY: &str = "complete";
/// The line of the last entry that holds the digest of all before it begins so.
const DIGEST_LINE_PREFIX: &str = "sha256 ";

/// The error for an installation on PostgreSQL.
const POSTGRES_NOT_SUPPORTED: &str = "the database is on a PostgreSQL server, which has tools of its own for backups, as pg_dump: \
                           see docs/operations.md";

/// Flags of `kassa backup`.
#[derive(Debug, Args)]
pub(crate) struct BackupArguments {
    /// The file to create; an existing one is not overwritten.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    installation: InstallationArguments,
}

/// Writes the file; it is there as a whole, and on the disk, or not at all.
pub(crate) fn run(arguments: &BackupArguments) -> Result<(), Fatal> {
    telemetry::start(telemetry::COMMAND_LOG_FILTER, LogFormat::Text)?;
    let place = &arguments.installation;
    if place.database()?.is_some() {
        return Err(POSTGRES_NOT_SUPPORTED.into());
    }
    let in_folder = |error: &dyn std::error::Error| format!("data folder {}: {error}", place.data.display());
    let folder = DataFolder::open_shared(&place.data).map_err(|error| in_folder(&error))?;
    let named = |error: io::Error| format!("{}: {error}", arguments.file.display());
    let (draft, file) = PartialFile::create(&arguments.file).map_err(named)?;
    let copy = draft.create_database_copy().map_err(named)?;
    folder.backup_to(&copy).map_err(|error| in_folder(&error))?;
    let mut archive = Builder::new(DigestWriter::new(file));
    archive.append_path_with_name(&copy, DATABASE_ENTRY).map_err(named)?;
    let own = place.data.join(FILES_ENTRY);
    let files =
        if place.files.are_outside_data_folder() { 0 } else { append_files(&mut archive, &own).map_err(named)? };
    append_complete_entry(&mut archive).map_err(named)?;
    archive.into_inner().and_then(|file| file.into_inner().sync_all()).map_err(named)?;
    draft.publish().map_err(named)?;
    print_summary(arguments, files);
    Ok(())
}

/// Adds the bytes of attachments. A row never names bytes that are not there yet: those of the database, which was
/// copied before, are all among them, but for what was removed since.
fn append_files(archive: &mut Builder<DigestWriter<File>>, own: &Path) -> io::Result<u64> {
    let (mut count, mut folders) = (0, vec![own.to_owned()]);
    while let Some(folder) = folders.pop() {
        let entries = match fs::read_dir(&folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            entries => entries?,
        };
        for entry in entries {
            let path = entry?.path();
            // What is being uploaded has a `#` in its name.
            let is_whole = path.file_name().is_some_and(|name| !name.to_string_lossy().contains('#'));
            let mut file = match File::open(&path) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                file => file?,
            };
            if file.metadata()?.is_dir() {
                folders.push(path);
            } else if is_whole {
                let name = path.strip_prefix(own).map_err(io::Error::other)?;
                archive.append_file(Path::new(FILES_ENTRY).join(name), &mut file)?;
                count += 1;
            }
        }
    }
    Ok(count)
}

fn append_complete_entry(archive: &mut Builder<DigestWriter<File>>) -> io::Result<()> {
    let digest = archive.get_ref().hex_digest();
    let text = format!("kassa {}\n{DIGEST_LINE_PREFIX}{digest}\n", env!("CARGO_PKG_VERSION"));
    let mut header = Header::new_gnu();
    header.set_size(text.len() as u64);
    header.set_mode(0o600);
    archive.append_data(&mut header, COMPLETE_ENTRY, text.as_bytes())
}

fn print_summary(arguments: &BackupArguments, files: u64) {
    println!("{} holds the database and {files} files.", arguments.file.display());
    if arguments.installation.files.are_outside_data_folder() {
        println!("The attachments are not in it: they are kept elsewhere.");
    }
    println!("The secret is not in it: keep it, too, apart from it. Without it no key can be read.");
}

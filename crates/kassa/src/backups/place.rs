//! Where the backups of a schedule are kept.

use std::fmt;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use kassa_engine::files::NamedFiles;

use super::BackupError;
use super::backup_file::BackupFile;
use super::making::{MadeBackup, make_file, make_in_bucket};
use super::name::BackupName;
use super::partial_file::{PART_ENDING, PartialFile, SCRATCH_ENDING};
use super::source::BackupSource;
use super::worker_thread::on_thread;
use crate::error::Fatal;
use crate::files::{FileStorageLocation, FilesArguments};

/// A place for backups.
#[derive(Clone, Debug)]
pub(crate) enum BackupPlace {
    /// It must be there: a disk that is not mounted is not replaced by a folder.
    Folder(PathBuf),
    Bucket {
        files: NamedFiles,
        url: String,
    },
}

impl fmt::Display for BackupPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Folder(folder) => write!(f, "{}", folder.display()),
            Self::Bucket { url, .. } => f.write_str(url),
        }
    }
}

impl BackupPlace {
    /// Nothing is asked of it yet.
    pub(crate) fn open(location: &FileStorageLocation, files: &FilesArguments) -> Result<Self, Fatal> {
        match location {
            FileStorageLocation::Folder(folder) => Ok(Self::Folder(folder.clone())),
            FileStorageLocation::Bucket { .. } => {
                Ok(Self::Bucket { files: files.open_bucket(location)?, url: location.to_string() })
            }
        }
    }

    /// All backups of schedules there, of whichever installation.
    pub(crate) async fn list(&self) -> Result<Vec<BackupName>, BackupError> {
        Ok(self.names().await?.iter().filter_map(|name| name.parse().ok()).collect())
    }

    /// The names of all files there.
    pub(crate) async fn names(&self) -> Result<Vec<String>, BackupError> {
        match self {
            Self::Folder(folder) => {
                let folder = folder.clone();
                on_thread(move || names_in(&folder)).await?.map_err(|error| BackupError::at(self, &error))
            }
            Self::Bucket { files, .. } => files.list().await.map_err(|error| BackupError::at(self, &error)),
        }
    }

    /// A file there. Nothing is opened or asked yet.
    pub(crate) fn file(&self, name: &str) -> BackupFile {
        match self {
            Self::Folder(folder) => BackupFile::File(folder.join(name)),
            Self::Bucket { files, url } => {
                BackupFile::InBucket { files: files.clone(), place: url.clone(), name: name.to_owned() }
            }
        }
    }

    /// Makes a backup of this name there.
    pub(crate) async fn make(&self, source: &BackupSource, name: &str) -> Result<MadeBackup, BackupError> {
        match self {
            Self::Folder(folder) => make_file(source, &folder.join(name)).await,
            Self::Bucket { files, url } => make_in_bucket(source, files, (url, name)).await,
        }
    }

    /// Writes a file there: it has its name when it is there as a whole. It takes no other's place in a folder.
    pub(crate) async fn put(&self, name: &str, bytes: Vec<u8>) -> Result<(), BackupError> {
        let failed = |error: &dyn std::error::Error| BackupError::at(&self.file(name), &error.to_string());
        match self {
            Self::Folder(folder) => {
                let file = folder.join(name);
                on_thread(move || write_file(&file, &bytes)).await?.map_err(|error| failed(&error))
            }
            Self::Bucket { files, .. } => files.put(name, bytes).await.map_err(|error| failed(&error)),
        }
    }

    /// Removes a file, if it is there.
    pub(crate) async fn remove(&self, name: &str) -> Result<(), BackupError> {
        let failed = |error: &dyn std::error::Error| BackupError::at(&self.file(name), &error.to_string());
        match self {
            Self::Folder(folder) => {
                let file = folder.join(name);
                match on_thread(move || fs::remove_file(file)).await? {
                    Err(error) if error.kind() != io::ErrorKind::NotFound => Err(failed(&error)),
                    Ok(()) | Err(_) => Ok(()),
                }
            }
            Self::Bucket { files, .. } => files.remove(name).await.map_err(|error| failed(&error)),
        }
    }

    /// Removes what one that was killed has left of files whose names begin so. Nobody else may be making any of them.
    pub(crate) async fn remove_drafts(&self, prefix: &str) -> Result<(), BackupError> {
        let Self::Folder(folder) = self else { return Ok(()) };
        let (folder, prefix) = (folder.clone(), prefix.to_owned());
        let remove = move || {
            let of_draft = |name: &&String| {
                let ending = name.strip_prefix(&prefix).and_then(|name| name.rsplit_once('.'));
                ending.is_some_and(|(_, ending)| ending == PART_ENDING || ending == SCRATCH_ENDING)
            };
            names_in(&folder)?.iter().filter(of_draft).try_for_each(|name| fs::remove_file(folder.join(name)))
        };
        on_thread(remove).await?.map_err(|error| BackupError::at(self, &error))
    }
}

/// It is on the disk then.
fn write_file(file: &Path, bytes: &[u8]) -> io::Result<()> {
    let (draft, mut out) = PartialFile::create(file)?;
    out.write_all(bytes)?;
    out.sync_all()?;
    draft.publish()
}

fn names_in(folder: &Path) -> io::Result<Vec<String>> {
    fs::read_dir(folder)?.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned())).collect()
}

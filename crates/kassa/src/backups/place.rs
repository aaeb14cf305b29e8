//! Where the backups of a schedule are kept.

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use kassa_engine::files::NamedFiles;

use super::BackupError;
use super::making::{MadeBackup, make_file, make_in_bucket};
use super::name::{BackupName, prefix_of};
use super::partial_file::{PART_ENDING, SCRATCH_ENDING};
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
        let names = match self {
            Self::Folder(folder) => {
                let folder = folder.clone();
                on_thread(move || names_in(&folder)).await?.map_err(|error| BackupError::at(self, &error))?
            }
            Self::Bucket { files, .. } => files.list().await.map_err(|error| BackupError::at(self, &error))?,
        };
        Ok(names.iter().filter_map(|name| name.parse().ok()).collect())
    }

    /// Makes one there.
    pub(super) async fn make(&self, source: &BackupSource, name: &BackupName) -> Result<MadeBackup, BackupError> {
        match self {
            Self::Folder(folder) => make_file(source, &folder.join(name.to_string())).await,
            Self::Bucket { files, url } => make_in_bucket(source, files, (url, &name.to_string())).await,
        }
    }

    pub(super) async fn remove(&self, name: &BackupName) -> Result<(), BackupError> {
        match self {
            Self::Folder(folder) => {
                let file = folder.join(name.to_string());
                let removed = on_thread(move || fs::remove_file(file)).await?;
                removed.map_err(|error| BackupError::at(self, &format!("{name}: {error}")))
            }
            Self::Bucket { files, .. } => {
                let removed = files.remove(&name.to_string()).await;
                removed.map_err(|error| BackupError::at(self, &format!("{name}: {error}")))
            }
        }
    }

    /// Removes what one that was killed has left. Nobody else may be making one of this installation.
    pub(super) async fn remove_drafts(&self, installation: &str) -> Result<(), BackupError> {
        let Self::Folder(folder) = self else { return Ok(()) };
        let (folder, prefix) = (folder.clone(), prefix_of(installation));
        let remove = move || {
            let of_draft = |name: &&String| {
                let ending = name.strip_prefix(&prefix).and_then(|name| name.rsplit_once(".tar."));
                ending.is_some_and(|(_, ending)| ending == PART_ENDING || ending == SCRATCH_ENDING)
            };
            names_in(&folder)?.iter().filter(of_draft).try_for_each(|name| fs::remove_file(folder.join(name)))
        };
        on_thread(remove).await?.map_err(|error| BackupError::at(self, &error))
    }
}

fn names_in(folder: &Path) -> io::Result<Vec<String>> {
    fs::read_dir(folder)?.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned())).collect()
}

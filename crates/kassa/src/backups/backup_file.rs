//! A backup that is read, wherever it is.

use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use futures_util::TryStreamExt as _;
use kassa_engine::files::NamedFiles;

use super::archive::{ArchiveContents, ArchiveEntry, ArchiveError, read_archive};
use super::pipe::{PipeReader, pipe};
use super::scratch_file::ScratchFile;
use super::source::check_database;
use super::worker_thread::on_thread;
use super::{BackupError, partial_file};
use crate::error::Fatal;
use crate::files::{FileStorageLocation, FilesArguments};

/// What is unpacked of a backup in a bucket, in the data folder.
const BUCKET_SCRATCH: &str = "backup.db";

/// A backup that is read.
#[derive(Clone, Debug)]
pub(crate) enum BackupFile {
    File(PathBuf),
    InBucket {
        files: NamedFiles,
        /// Where it is, for people.
        place: String,
        name: String,
    },
}

impl fmt::Display for BackupFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => write!(f, "{}", path.display()),
            Self::InBucket { place, name, .. } => write!(f, "{place}/{name}"),
        }
    }
}

impl BackupFile {
    /// A file, or one in a bucket at the service of attachments. Nothing is opened or asked yet.
    pub(crate) fn at(location: &FileStorageLocation, files: &FilesArguments) -> Result<Self, Fatal> {
        let (bucket, path) = match location {
            FileStorageLocation::Folder(file) => return Ok(Self::File(file.clone())),
            FileStorageLocation::Bucket { bucket, prefix } => (bucket, prefix),
        };
        let (prefix, name) = path.rsplit_once('/').unwrap_or(("", path));
        if name.is_empty() {
            return Err(format!("{location}: it names no file").into());
        }
        let place = FileStorageLocation::Bucket { bucket: bucket.clone(), prefix: prefix.to_owned() };
        Ok(Self::InBucket { files: files.open_bucket(&place)?, place: place.to_string(), name: name.to_owned() })
    }

    /// Reads it on a thread.
    pub(crate) async fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut dyn Read) -> T + Send + 'static,
    ) -> Result<T, BackupError> {
        let (files, name) = match self {
            Self::File(path) => {
                let mut file = File::open(path).map_err(|error| BackupError::at(self, &error))?;
                return on_thread(move || work(&mut file)).await;
            }
            Self::InBucket { files, name, .. } => (files, name),
        };
        let mut stream = files.read(name).await.map_err(|error| BackupError::at(self, &error))?;
        let (sender, receiver) = pipe();
        let reading = on_thread(move || work(&mut PipeReader::new(receiver)));
        let receiving = async move {
            loop {
                let piece = match stream.try_next().await {
                    Ok(Some(piece)) => Ok(piece.to_vec()),
                    Ok(None) => return,
                    Err(error) => Err(io::Error::other(error)),
                };
                // Who has seen enough reads no more.
                if sender.send(piece).await.is_err() {
                    return;
                }
            }
        };
        let (read, ()) = tokio::join!(reading, receiving);
        read
    }

    /// Reads it to its end, and looks at its database, which is unpacked in place of what is in `scratch`.
    pub(super) async fn check(&self, scratch: &ScratchFile) -> Result<ArchiveContents, BackupError> {
        scratch.clear().map_err(|error| BackupError::at(&scratch.path().display(), &error))?;
        let database = scratch.path().to_owned();
        let read = self.read(move |archive| unpack_database(archive, &database)).await?;
        let found = read.map_err(|error| BackupError::at(self, &error))?;
        check_database(found.database, scratch.path()).await?;
        Ok(found)
    }

    /// Sees that it can be restored. It needs the space of the database beside the file meanwhile, or in the data folder.
    pub(crate) async fn verify(&self, data: &Path) -> Result<ArchiveContents, BackupError> {
        let scratch = match self {
            Self::File(path) => partial_file::scratch_path(path),
            Self::InBucket { .. } => bucket_scratch_path(data),
        };
        let scratch =
            ScratchFile::create(scratch.clone()).map_err(|error| BackupError::at(&scratch.display(), &error))?;
        self.check(&scratch).await
    }
}

/// The bytes of a short file.
pub(crate) async fn read_bytes(file: &BackupFile) -> Result<Vec<u8>, BackupError> {
    let read = file.read(|source| {
        let mut bytes = Vec::new();
        source.read_to_end(&mut bytes).map(|_| bytes)
    });
    read.await?.map_err(|error| BackupError::at(file, &error))
}

/// Where the database of a backup in a bucket is while it is made or read.
pub(super) fn bucket_scratch_path(data: &Path) -> PathBuf {
    data.join(BUCKET_SCRATCH)
}

/// Writes the database of an archive into an empty file, and reads the rest.
fn unpack_database(archive: &mut dyn Read, database: &Path) -> Result<ArchiveContents, ArchiveError> {
    read_archive(archive, |entry, bytes| match entry {
        ArchiveEntry::Database(_) => {
            let mut file = File::options().write(true).truncate(true).open(database)?;
            io::copy(bytes, &mut file)?;
            Ok(())
        }
        ArchiveEntry::Attachment(_) => Ok(()),
    })
}

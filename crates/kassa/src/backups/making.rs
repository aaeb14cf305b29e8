//! How a backup is made: the database is copied, all is written as one archive, and that is read again, to its end, as a
//! restore would do it. Only then it has its name in a folder; in a bucket it goes again if it is not what was sent.

use std::io::{self, BufWriter};
use std::path::Path;

use kassa_engine::files::NamedFiles;

use super::BackupError;
use super::archive::{ArchiveContents, WrittenArchive, write_archive};
use super::backup_file::{BackupFile, bucket_scratch_path};
use super::partial_file::{PartialFile, scratch_path};
use super::pipe::{PipeWriter, pipe};
use super::scratch_file::ScratchFile;
use super::source::BackupSource;
use super::worker_thread::on_thread;

/// What was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MadeBackup {
    pub(crate) bytes: u64,
    /// How many attachments are in it.
    pub(crate) files: u64,
}

/// Makes a backup of this name; it is there as a whole, and on the disk, or not at all. It needs the space of the database
/// once more beside the file meanwhile.
pub(crate) async fn make_file(source: &BackupSource, file: &Path) -> Result<MadeBackup, BackupError> {
    let named = |error: io::Error| BackupError::at(&file.display(), &error);
    let (draft, out) = PartialFile::create(file).map_err(named)?;
    let copy = ScratchFile::create(scratch_path(file)).map_err(named)?;
    source.copy_database(copy.path()).await?;
    let (kind, database, attachments) = (source.database_kind(), copy.path().to_owned(), source.attachments.clone());
    let write = move || {
        let (out, written) = write_archive(BufWriter::new(out), (kind, &database), attachments.as_deref())?;
        out.into_inner()?.sync_all()?;
        Ok(written)
    };
    let written = on_thread(write).await?.map_err(named)?;
    check_again(source, written, &BackupFile::File(draft.path()), &copy).await?;
    draft.publish().map_err(named)?;
    Ok(MadeBackup { bytes: written.bytes, files: written.files })
}

/// Makes a backup of this name in a bucket, which `place` names for people. It needs the space of the database once more in
/// the data folder meanwhile.
pub(super) async fn make_in_bucket(
    source: &BackupSource,
    bucket: &NamedFiles,
    (place, name): (&str, &str),
) -> Result<MadeBackup, BackupError> {
    let path = bucket_scratch_path(&source.data);
    let copy = ScratchFile::create(path.clone()).map_err(|error| BackupError::at(&path.display(), &error))?;
    source.copy_database(copy.path()).await?;
    let file = BackupFile::InBucket { files: bucket.clone(), place: place.to_owned(), name: name.to_owned() };
    let written = send(source, bucket, (&file, name), copy.path()).await?;
    if let Err(error) = check_again(source, written, &file, &copy).await {
        if let Err(error) = bucket.remove(name).await {
            tracing::warn!(%error, name, "a backup that is not what was sent could not be removed");
        }
        return Err(error);
    }
    Ok(MadeBackup { bytes: written.bytes, files: written.files })
}

/// Sends the archive while a thread writes it.
async fn send(
    source: &BackupSource,
    bucket: &NamedFiles,
    (file, name): (&BackupFile, &str),
    database: &Path,
) -> Result<WrittenArchive, BackupError> {
    let failed = |error: &dyn std::error::Error| BackupError::at(file, &error.to_string());
    let mut upload = bucket.begin(name).await.map_err(|error| failed(&error))?;
    let (sender, mut pieces) = pipe();
    let (kind, database, attachments) = (source.database_kind(), database.to_owned(), source.attachments.clone());
    let writing = on_thread(move || {
        write_archive(PipeWriter::new(sender), (kind, &database), attachments.as_deref()).map(|(_, written)| written)
    });
    let sending = async {
        let mut sent = Ok(());
        while sent.is_ok()
            && let Some(piece) = pieces.recv().await
        {
            sent = match piece {
                Ok(piece) => upload.write(piece).await.map_err(|error| failed(&error)),
                Err(error) => Err(failed(&error)),
            };
        }
        // Who writes is not held up by one who sends no more.
        drop(pieces);
        (sent, upload)
    };
    let (written, (sent, upload)) = tokio::join!(writing, sending);
    let written = sent.and_then(|()| written?.map_err(|error| failed(&error)));
    match written {
        Ok(written) => upload.finish().await.map(|()| written).map_err(|error| failed(&error)),
        Err(error) => {
            // The first error is the one to tell.
            let _ = upload.abort().await;
            Err(error)
        }
    }
}

/// Sees that what is read again is what was written, and that its database can be used.
async fn check_again(
    source: &BackupSource,
    written: WrittenArchive,
    file: &BackupFile,
    scratch: &ScratchFile,
) -> Result<(), BackupError> {
    let expected = ArchiveContents { database: source.database_kind(), files: written.files };
    if file.check(scratch).await? != expected {
        return Err(BackupError::at(file, &"it holds something else than was written"));
    }
    Ok(())
}

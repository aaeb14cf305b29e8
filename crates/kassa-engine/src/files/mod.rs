//! Where the bytes of attachments lie: a folder, or a bucket that speaks S3.
//!
//! Bytes come first and their row after them, so that no row names bytes that are not there. A
//! crash between the two leaves bytes that no row names: they take space and do no harm. When an attachment is removed,
//! its row says so first, and the bytes go after it: what a crash leaves of them, the row tells, and housekeeping deletes.

mod backend;
mod copy;
mod named;
mod upload;
mod upload_slots;

pub use backend::{FileStoreError, S3Settings};
pub use copy::{ContentMismatch, CopyOutcome};
pub use named::{BucketError, NamedFiles, NamedUpload};
pub use upload::{StoredFile, Upload};

use std::fmt;
use std::ops::Range;
use std::pin::Pin;
use std::sync::Arc;

use bytes::Bytes;
use futures_util::{Stream, StreamExt};
use kassa_domain::attachment::Hex128;
use kassa_domain::partner::PartnerId;
use object_store::path::Path;
use object_store::{GetOptions, ObjectStore, ObjectStoreExt};

use crate::failure::Failure;
use upload_slots::UploadSlots;

/// The bytes of a file, piece by piece. An error ends them.
pub type ByteStream = Pin<Box<dyn Stream<Item = Result<Bytes, Failure>> + Send>>;

/// The store of the bytes. Clones share it.
#[derive(Clone)]
pub struct FileStore {
    store: Arc<dyn ObjectStore>,
    /// Goes before every name.
    prefix: Path,
    /// Bytes that are collected before they are written; shorter files are written in one piece.
    part_bytes: usize,
    upload_slots: UploadSlots,
}

impl fmt::Debug for FileStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The settings of a store may hold credentials.
        f.debug_struct("FileStore").field("prefix", &self.prefix).finish_non_exhaustive()
    }
}

impl FileStore {
    fn with_store(store: Arc<dyn ObjectStore>, prefix: Path, part_bytes: usize) -> Self {
        Self { store, prefix, part_bytes, upload_slots: UploadSlots::default() }
    }

    /// Begins an upload of a partner, or of the program itself, under a name that was never used. Without a free place:
    /// [`Failure::Busy`].
    pub fn begin(&self, token: Hex128, partner: Option<PartnerId>) -> Result<Upload, Failure> {
        let slot = self.upload_slots.try_acquire(partner).ok_or(Failure::Busy)?;
        Ok(Upload::new(Arc::clone(&self.store), token, self.path(token), self.part_bytes, slot))
    }

    /// The bytes of a file from `range`, which lies within its `length`.
    pub async fn read(&self, token: Hex128, length: u64, range: Range<u64>) -> Result<ByteStream, Failure> {
        let path = self.path(token);
        let wanted = (range != (0..length)).then(|| range.clone());
        let options = GetOptions::new().with_range(wanted);
        let found = self.store.get_opts(&path, options).await.map_err(|error| {
            if matches!(error, object_store::Error::NotFound { .. }) {
                return Failure::internal(&format!("the bytes of an attachment are gone: {error}"));
            }
            store_failure(&error)
        })?;
        if found.meta.size != length || found.range != range {
            let text = format!("{path} has {} bytes in place of {length}", found.meta.size);
            return Err(Failure::internal(&text));
        }
        Ok(found.into_stream().map(|piece| piece.map_err(|error| store_failure(&error))).boxed())
    }

    /// Removes the bytes of a file that has no row.
    pub async fn discard(&self, token: Hex128) {
        let path = self.path(token);
        if let Err(error) = self.store.delete(&path).await {
            tracing::warn!(%error, %path, "an orphaned file could not be removed");
        }
    }

    /// Deletes the bytes of a file, if they are there.
    pub async fn delete(&self, token: Hex128) -> Result<(), Failure> {
        match self.store.delete(&self.path(token)).await {
            Ok(()) | Err(object_store::Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(store_failure(&error)),
        }
    }

    /// Two digits of the name are a folder, so that no folder becomes too long.
    fn path(&self, token: Hex128) -> Path {
        let name = token.to_string();
        self.prefix.clone().join(&name[..2]).join(name.as_str())
    }
}

/// Logs a failure of the store, and returns what the caller may know of it.
fn store_failure(error: &object_store::Error) -> Failure {
    tracing::warn!(%error, "the file store is unavailable");
    Failure::Unavailable
}

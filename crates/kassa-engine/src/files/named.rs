//! Files with names of their own in a bucket, such as backups.

use std::fmt;
use std::sync::Arc;

use bytes::Bytes;
use futures_util::{Stream, StreamExt as _, TryStreamExt as _};
use object_store::path::Path;
use object_store::{MultipartUpload, ObjectStore, ObjectStoreExt as _, PutPayload, PutPayloadMut};

use super::backend::{FileStoreError, S3Settings};

/// Parts that are sent: S3 takes 10,000 of them, which is 160 GB.
const PART_BYTES: usize = 16 * 1024 * 1024;

/// What a bucket answered, or that it did not.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct BucketError(#[from] object_store::Error);

/// The files of a bucket below a prefix. Clones share it.
#[derive(Clone)]
pub struct NamedFiles {
    store: Arc<dyn ObjectStore>,
    prefix: Path,
}

impl fmt::Debug for NamedFiles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The settings of a store may hold credentials.
        f.debug_struct("NamedFiles").field("prefix", &self.prefix).finish_non_exhaustive()
    }
}

impl NamedFiles {
    /// Those of a bucket. Nothing is asked of it yet.
    pub fn in_bucket(s3: &S3Settings) -> Result<Self, FileStoreError> {
        let (store, prefix) = s3.open()?;
        Ok(Self { store, prefix })
    }

    /// The names of all files right below the prefix.
    pub async fn list(&self) -> Result<Vec<String>, BucketError> {
        let found = self.store.list_with_delimiter(Some(&self.prefix)).await?;
        Ok(found.objects.iter().filter_map(|file| file.location.filename().map(str::to_owned)).collect())
    }

    /// The bytes of a file.
    pub async fn read(
        &self,
        name: &str,
    ) -> Result<impl Stream<Item = Result<Bytes, BucketError>> + Send + Unpin + 'static, BucketError> {
        let found = self.store.get(&self.path(name)).await?;
        Ok(found.into_stream().map_err(BucketError::from).boxed())
    }

    /// Begins a file. It takes its name when it is finished, all at once.
    pub async fn begin(&self, name: &str) -> Result<NamedUpload, BucketError> {
        let parts = self.store.put_multipart(&self.path(name)).await?;
        Ok(NamedUpload { parts, buffer: PutPayloadMut::new() })
    }

    /// Writes a short file: it is there as a whole, in place of one of its name, or not at all.
    pub async fn put(&self, name: &str, bytes: impl Into<PutPayload>) -> Result<(), BucketError> {
        self.store.put(&self.path(name), bytes.into()).await?;
        Ok(())
    }

    /// Removes a file.
    pub async fn remove(&self, name: &str) -> Result<(), BucketError> {
        match self.store.delete(&self.path(name)).await {
            Ok(()) | Err(object_store::Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    fn path(&self, name: &str) -> Path {
        self.prefix.clone().join(name)
    }
}

/// A file on its way into a bucket. One that is neither finished nor aborted leaves parts that nobody sees, which the
/// bucket's own rules remove.
pub struct NamedUpload {
    parts: Box<dyn MultipartUpload>,
    /// What was not sent yet: less than a part.
    buffer: PutPayloadMut,
}

impl NamedUpload {
    /// Takes the next bytes.
    pub async fn write(&mut self, piece: impl Into<Bytes>) -> Result<(), BucketError> {
        let mut piece: Bytes = piece.into();
        // All parts but the last have the same length: some services want it so.
        while self.buffer.content_length() + piece.len() >= PART_BYTES {
            self.buffer.push(piece.split_to(PART_BYTES - self.buffer.content_length()));
            let part: PutPayload = std::mem::take(&mut self.buffer).freeze();
            self.parts.put_part(part).await?;
        }
        self.buffer.push(piece);
        Ok(())
    }

    /// Ends the file: it has its name.
    pub async fn finish(mut self) -> Result<(), BucketError> {
        if self.buffer.content_length() > 0 {
            self.parts.put_part(std::mem::take(&mut self.buffer).freeze()).await?;
        }
        self.parts.complete().await?;
        Ok(())
    }

    /// Gives the file up: nothing of it is kept.
    pub async fn abort(mut self) -> Result<(), BucketError> {
        Ok(self.parts.abort().await?)
    }
}

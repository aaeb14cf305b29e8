//! Bytes of attachments that move from one store to another.

use futures_util::TryStreamExt as _;
use kassa_domain::attachment::{Attachment, Bits};
use object_store::ObjectStoreExt as _;

use super::{Files, failed};
use crate::Failure;

/// What came of an attachment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moved {
    /// Its bytes are copied.
    Copied,
    /// They were there already.
    WasThere,
}

impl Files {
    /// How long a file is; `None` where there is none.
    async fn length(&self, token: Bits) -> Result<Option<u64>, Failure> {
        match self.store.head(&self.path(token)).await {
            Ok(found) => Ok(Some(found.size)),
            Err(object_store::Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(failed(&error)),
        }
    }

    /// Copies the bytes of an attachment from another store, and sees that they are those of its row. Bytes of
    /// the right length that are there already are left alone: they were stored whole.
    pub async fn copy_from(&self, other: &Self, attachment: &Attachment) -> Result<Moved, Failure> {
        let Attachment { token, md5, .. } = *attachment;
        let length = u64::try_from(attachment.length).unwrap_or_default();
        if self.length(token).await? == Some(length) {
            return Ok(Moved::WasThere);
        }
        let mut pieces = other.read(token, length, 0..length).await?;
        let mut upload = self.begin(token)?;
        while let Some(piece) = pieces.try_next().await? {
            upload.write(piece).await?;
        }
        let stored = upload.finish().await?;
        if (stored.length, stored.md5) == (length, md5) {
            return Ok(Moved::Copied);
        }
        self.discard(token).await;
        Err(Failure::internal("the bytes of an attachment are not those that its row tells of"))
    }
}

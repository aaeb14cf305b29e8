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

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use kassa_domain::{Id, Timestamp};

    use super::*;

    /// Stores bytes, and tells of them as their row would.
    async fn stored(files: &Files, token: Bits, bytes: &'static [u8]) -> Attachment {
        let mut upload = files.begin(token).unwrap();
        upload.write(Bytes::from_static(bytes)).await.unwrap();
        let stored = upload.finish().await.unwrap();
        Attachment {
            id: Id::root(1),
            author: Id::root(2),
            content_type: "text/plain".parse().unwrap(),
            length: i64::try_from(stored.length).unwrap(),
            md5: stored.md5,
            token,
            removed: false,
            created_at: Timestamp::from_ms(0),
            updated_at: Timestamp::from_ms(0),
            revision: 1,
        }
    }

    #[tokio::test]
    async fn bytes_are_copied_once() {
        let (from, to) = (Files::in_memory(), Files::in_memory());
        let attachment = stored(&from, Bits([7; 16]), b"the bytes of a file").await;
        assert_eq!(to.copy_from(&from, &attachment).await, Ok(Moved::Copied));
        assert_eq!(to.copy_from(&Files::in_memory(), &attachment).await, Ok(Moved::WasThere));
        let mut pieces = to.read(attachment.token, 19, 0..19).await.unwrap();
        let mut bytes = Vec::new();
        while let Some(piece) = pieces.try_next().await.unwrap() {
            bytes.extend(piece);
        }
        assert_eq!(bytes, b"the bytes of a file");
    }

    #[tokio::test]
    async fn bytes_that_are_not_those_of_the_row_are_not_kept() {
        let (from, to) = (Files::in_memory(), Files::in_memory());
        let attachment = stored(&from, Bits([7; 16]), b"the bytes of a file").await;
        let other = Attachment { md5: Bits([1; 16]), ..attachment.clone() };
        let short = Attachment { length: 3, ..attachment.clone() };
        let gone = Attachment { token: Bits([8; 16]), ..attachment.clone() };
        for bad in [other, short, gone] {
            assert!(to.copy_from(&from, &bad).await.is_err(), "{bad:?}");
            assert_eq!(to.length(bad.token).await, Ok(None), "{bad:?}");
        }
        assert_eq!(to.copy_from(&from, &attachment).await, Ok(Moved::Copied));
    }
}

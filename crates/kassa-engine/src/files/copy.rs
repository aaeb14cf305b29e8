//! Bytes of attachments that move from one store to another.

use futures_util::TryStreamExt as _;
use kassa_domain::attachment::{Attachment, Hex128};
use md5::{Digest as _, Md5};
use object_store::ObjectStoreExt as _;

use super::{FileStore, store_failure};
use crate::failure::Failure;

/// What came of an attachment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CopyOutcome {
    /// Its bytes are copied.
    Copied,
    /// They were there already.
    AlreadyPresent,
    /// There are none that are those of its row, and nothing was changed.
    Mismatch(ContentMismatch),
}

/// What is wrong with the bytes of an attachment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ContentMismatch {
    /// There are none.
    #[error("lost: there is no such file")]
    Missing,
    /// There are more or fewer.
    #[error("damaged: {found} bytes in place of {expected}")]
    Length {
        /// As many as there are.
        found: u64,
        /// As many as the row says.
        expected: u64,
    },
    /// They are others.
    #[error("damaged: other bytes than those that were uploaded, by their MD5")]
    Changed,
}

impl FileStore {
    /// What is wrong with the bytes of an attachment, all of which are read; `None` where they are those of its row.
    async fn find_mismatch(&self, attachment: &Attachment) -> Result<Option<ContentMismatch>, Failure> {
        let wanted = expected_length(attachment);
        match self.store.head(&self.path(attachment.token)).await {
            Ok(found) if found.size == wanted => {}
            Ok(found) => return Ok(Some(ContentMismatch::Length { found: found.size, expected: wanted })),
            Err(object_store::Error::NotFound { .. }) => return Ok(Some(ContentMismatch::Missing)),
            Err(error) => return Err(store_failure(&error)),
        }
        let mut pieces = self.read(attachment.token, wanted, 0..wanted).await?;
        let mut md5 = Md5::new();
        while let Some(piece) = pieces.try_next().await? {
            md5.update(&piece);
        }
        Ok((Hex128(md5.finalize().into()) != attachment.md5).then_some(ContentMismatch::Changed))
    }

    /// Copies the bytes of an attachment from another store, where there is one, unless they are here already. Bytes
    /// that are not those of the row are reported, and are not copied. Errors: a store that is not available.
    pub async fn copy_from(&self, other: Option<&Self>, attachment: &Attachment) -> Result<CopyOutcome, Failure> {
        let Some(fault) = self.find_mismatch(attachment).await? else { return Ok(CopyOutcome::AlreadyPresent) };
        let Some(other) = other else { return Ok(CopyOutcome::Mismatch(fault)) };
        if let Some(fault) = other.find_mismatch(attachment).await? {
            return Ok(CopyOutcome::Mismatch(fault));
        }
        let (token, length) = (attachment.token, expected_length(attachment));
        let mut pieces = other.read(token, length, 0..length).await?;
        let mut upload = self.begin(token, None)?;
        while let Some(piece) = pieces.try_next().await? {
            upload.write(piece).await?;
        }
        let stored = upload.finish().await?;
        if (stored.length, stored.md5) == (length, attachment.md5) {
            return Ok(CopyOutcome::Copied);
        }
        // They have changed since they were looked at.
        self.discard(token).await;
        Ok(CopyOutcome::Mismatch(ContentMismatch::Changed))
    }
}

fn expected_length(attachment: &Attachment) -> u64 {
    u64::try_from(attachment.length).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use kassa_domain::change::Revision;
    use kassa_domain::{Id, Timestamp};

    use super::*;

    /// Stores bytes, and describes them as their row would.
    async fn stored(files: &FileStore, token: Hex128, bytes: &'static [u8]) -> Attachment {
        let mut upload = files.begin(token, None).unwrap();
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
            revision: Revision::stored(1, None),
            bytes_discarded: false,
        }
    }

    #[tokio::test]
    async fn bytes_are_copied_once() {
        let (from, to) = (FileStore::in_memory(), FileStore::in_memory());
        let attachment = stored(&from, Hex128([7; 16]), b"the bytes of a file").await;
        assert_eq!(to.copy_from(Some(&from), &attachment).await, Ok(CopyOutcome::Copied));
        for other in [Some(&FileStore::in_memory()), None] {
            assert_eq!(to.copy_from(other, &attachment).await, Ok(CopyOutcome::AlreadyPresent));
        }
        let mut pieces = to.read(attachment.token, 19, 0..19).await.unwrap();
        let mut bytes = Vec::new();
        while let Some(piece) = pieces.try_next().await.unwrap() {
            bytes.extend(piece);
        }
        assert_eq!(bytes, b"the bytes of a file");
    }

    #[tokio::test]
    async fn mismatching_bytes_are_reported_and_not_copied() {
        let (from, to) = (FileStore::in_memory(), FileStore::in_memory());
        let attachment = stored(&from, Hex128([7; 16]), b"the bytes of a file").await;
        let other = Attachment { md5: Hex128([1; 16]), ..attachment.clone() };
        let short = Attachment { length: 3, ..attachment.clone() };
        let gone = Attachment { token: Hex128([8; 16]), ..attachment.clone() };
        let cases = [
            (&other, ContentMismatch::Changed),
            (&short, ContentMismatch::Length { found: 19, expected: 3 }),
            (&gone, ContentMismatch::Missing),
        ];
        for (attachment, fault) in cases {
            assert_eq!(to.copy_from(Some(&from), attachment).await, Ok(CopyOutcome::Mismatch(fault)));
            assert_eq!(to.find_mismatch(attachment).await, Ok(Some(ContentMismatch::Missing)), "{fault}");
            for place in [Some(&from), None] {
                assert_eq!(
                    from.copy_from(place, attachment).await,
                    Ok(CopyOutcome::Mismatch(fault)),
                    "in its own place"
                );
            }
        }
        assert_eq!(to.copy_from(Some(&from), &attachment).await, Ok(CopyOutcome::Copied));
    }

    #[tokio::test]
    async fn damaged_bytes_at_the_destination_are_replaced() {
        let (from, to) = (FileStore::in_memory(), FileStore::in_memory());
        let attachment = stored(&from, Hex128([7; 16]), b"the bytes of a file").await;
        stored(&to, Hex128([7; 16]), b"the bytes of a fire").await;
        assert_eq!(to.copy_from(None, &attachment).await, Ok(CopyOutcome::Mismatch(ContentMismatch::Changed)));
        assert_eq!(to.copy_from(Some(&from), &attachment).await, Ok(CopyOutcome::Copied));
        assert_eq!(to.copy_from(None, &attachment).await, Ok(CopyOutcome::AlreadyPresent));
    }
}

//! Bytes of attachments that move from one store to another.

use futures_util::TryStreamExt as _;
use kassa_domain::attachment::{Attachment, Bits};
use md5::{Digest as _, Md5};
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
    /// There are none that are those of its row, and nothing was changed.
    Bad(Bad),
}

/// What is wrong with the bytes of an attachment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Bad {
    /// There are none.
    #[error("lost: there is no such file")]
    Lost,
    /// There are more or fewer.
    #[error("damaged: {found} bytes in place of {wanted}")]
    Length {
        /// As many as there are.
        found: u64,
        /// As many as the row says.
        wanted: u64,
    },
    /// They are others.
    #[error("damaged: other bytes than those that were uploaded, by their MD5")]
    Changed,
}

impl Files {
    /// What is wrong with the bytes of an attachment, all of which are read; `None` where they are those of its row.
    async fn fault_of(&self, attachment: &Attachment) -> Result<Option<Bad>, Failure> {
        let wanted = length_of(attachment);
        match self.store.head(&self.path(attachment.token)).await {
            Ok(found) if found.size == wanted => {}
            Ok(found) => return Ok(Some(Bad::Length { found: found.size, wanted })),
            Err(object_store::Error::NotFound { .. }) => return Ok(Some(Bad::Lost)),
            Err(error) => return Err(failed(&error)),
        }
        let mut pieces = self.read(attachment.token, wanted, 0..wanted).await?;
        let mut md5 = Md5::new();
        while let Some(piece) = pieces.try_next().await? {
            md5.update(&piece);
        }
        Ok((Bits(md5.finalize().into()) != attachment.md5).then_some(Bad::Changed))
    }

    /// Copies the bytes of an attachment from another store, where there is one, unless they are here already. Bytes
    /// that are not those of the row are told, and are not copied. Errors: a store that is not available.
    pub async fn copy_from(&self, other: Option<&Self>, attachment: &Attachment) -> Result<Moved, Failure> {
        let Some(fault) = self.fault_of(attachment).await? else { return Ok(Moved::WasThere) };
        let Some(other) = other else { return Ok(Moved::Bad(fault)) };
        if let Some(fault) = other.fault_of(attachment).await? {
            return Ok(Moved::Bad(fault));
        }
        let (token, length) = (attachment.token, length_of(attachment));
        let mut pieces = other.read(token, length, 0..length).await?;
        let mut upload = self.begin(token)?;
        while let Some(piece) = pieces.try_next().await? {
            upload.write(piece).await?;
        }
        let stored = upload.finish().await?;
        if (stored.length, stored.md5) == (length, attachment.md5) {
            return Ok(Moved::Copied);
        }
        // They have changed since they were looked at.
        self.discard(token).await;
        Ok(Moved::Bad(Bad::Changed))
    }
}

fn length_of(attachment: &Attachment) -> u64 {
    u64::try_from(attachment.length).unwrap_or_default()
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
        assert_eq!(to.copy_from(Some(&from), &attachment).await, Ok(Moved::Copied));
        for other in [Some(&Files::in_memory()), None] {
            assert_eq!(to.copy_from(other, &attachment).await, Ok(Moved::WasThere));
        }
        let mut pieces = to.read(attachment.token, 19, 0..19).await.unwrap();
        let mut bytes = Vec::new();
        while let Some(piece) = pieces.try_next().await.unwrap() {
            bytes.extend(piece);
        }
        assert_eq!(bytes, b"the bytes of a file");
    }

    #[tokio::test]
    async fn bytes_that_are_not_those_of_the_row_are_told_and_stay_where_they_are() {
        let (from, to) = (Files::in_memory(), Files::in_memory());
        let attachment = stored(&from, Bits([7; 16]), b"the bytes of a file").await;
        let other = Attachment { md5: Bits([1; 16]), ..attachment.clone() };
        let short = Attachment { length: 3, ..attachment.clone() };
        let gone = Attachment { token: Bits([8; 16]), ..attachment.clone() };
        let cases = [(&other, Bad::Changed), (&short, Bad::Length { found: 19, wanted: 3 }), (&gone, Bad::Lost)];
        for (attachment, fault) in cases {
            assert_eq!(to.copy_from(Some(&from), attachment).await, Ok(Moved::Bad(fault)));
            assert_eq!(to.fault_of(attachment).await, Ok(Some(Bad::Lost)), "{fault}");
            for place in [Some(&from), None] {
                assert_eq!(from.copy_from(place, attachment).await, Ok(Moved::Bad(fault)), "in its own place");
            }
        }
        assert_eq!(to.copy_from(Some(&from), &attachment).await, Ok(Moved::Copied));
    }

    #[tokio::test]
    async fn bytes_that_were_there_and_are_damaged_are_replaced() {
        let (from, to) = (Files::in_memory(), Files::in_memory());
        let attachment = stored(&from, Bits([7; 16]), b"the bytes of a file").await;
        stored(&to, Bits([7; 16]), b"the bytes of a fire").await;
        assert_eq!(to.copy_from(None, &attachment).await, Ok(Moved::Bad(Bad::Changed)));
        assert_eq!(to.copy_from(Some(&from), &attachment).await, Ok(Moved::Copied));
        assert_eq!(to.copy_from(None, &attachment).await, Ok(Moved::WasThere));
    }
}

//! Attachments: a row for each file that was uploaded.

use kassa_domain::attachment::{
    Attachment, AttachmentId, CreateAttachment, Hex128, MediaType, NoteDiscardedBytes, RemoveAttachment,
};
use kassa_domain::partner::PartnerId;
use kassa_domain::{Actor, ReadSet, Refusal};

use crate::caller::CallerRef;
use crate::engine::Engine;
use crate::failure::Failure;
use crate::files::{StoredFile, Upload};
use crate::metrics::Limit;
use crate::task::Executed;

impl Engine {
    /// Random bits that name a new file.
    pub fn new_file_token(&self) -> Hex128 {
        let mut random = self.inner.random.lock();
        let halves = [random.next_u64().to_be_bytes(), random.next_u64().to_be_bytes()];
        Hex128(std::array::from_fn(|at| halves[at / 8][at % 8]))
    }

    /// Begins an upload of a partner, of as many bytes as the client has told. If there is no place for it:
    /// [`Failure::Busy`].
    pub async fn begin_upload(
        &self,
        by: impl Into<CallerRef<'_>>,
        partner: PartnerId,
        length: Option<u64>,
    ) -> Result<Upload, Failure> {
        // Under an idempotency key it may have been stored before: then that is the answer.
        if by.into().conditions().idempotency.is_none() {
            let view = self.view(&ReadSet { partners: vec![partner], ..ReadSet::default() }).await?;
            let length = length.map_or(0, |length| i64::try_from(length).unwrap_or(i64::MAX));
            if let Some(author) = view.partners.get(partner) {
                CreateAttachment::check_room(author, length, &self.inner.settings.quotas)?;
            }
        }
        let begun = self.files().begin(self.new_file_token(), Some(partner));
        begun.inspect_err(|_| self.limit_hits().record(Limit::Uploads))
    }

    /// Ends an upload and makes the row of what it stored. Where no row was made, no bytes are
    /// kept.
    pub async fn create_attachment<R: Send + 'static>(
        &self,
        by: impl Into<CallerRef<'_>>,
        author: PartnerId,
        content_type: MediaType,
        stored: StoredFile,
        render: impl Fn(&Attachment) -> R + Send + 'static,
    ) -> Result<R, Failure> {
        let StoredFile { token, length, md5 } = stored;
        let length = i64::try_from(length).unwrap_or(i64::MAX);
        let command = CreateAttachment { author, content_type, length, md5, token };
        let made = self.execute_or_replay(by.into(), command, move |_, attachment| render(attachment)).await;
        match &made {
            Ok(Executed::Replayed(_))
            | Err(
                Failure::Refused(_)
                | Failure::Busy
                | Failure::TooManyHeavy
                | Failure::TooManyAnswers { .. }
                | Failure::TooLarge,
            ) => {
                self.files().discard(token).await;
            }
            // The row may be there for all that is known.
            Ok(Executed::Decided(_)) | Err(Failure::Unavailable | Failure::ReadTimeout | Failure::Internal(_)) => {}
        }
        made.map(Executed::into_response)
    }

    /// Removes an attachment that nothing shows, then its bytes. If these cannot be deleted now, housekeeping tries again.
    pub async fn remove_attachment<R: Send + 'static>(
        &self,
        by: impl Into<CallerRef<'_>>,
        attachment: AttachmentId,
        render: impl Fn(&Attachment) -> R + Send + 'static,
    ) -> Result<R, Failure> {
        let view = self.view(&ReadSet { attachments: vec![attachment], ..ReadSet::default() }).await?;
        let found = view.attachments.get(attachment).ok_or(Refusal::NotFound("attachment"))?;
        let command = RemoveAttachment { attachment, author: found.author, token: found.token };
        let removed = self.execute(by, command, move |_, attachment| render(attachment)).await?;
        if let Err(error) = self.discard_bytes(attachment, found.token).await {
            tracing::warn!(%error, %attachment, "the bytes of a removed attachment are deleted later");
        }
        Ok(removed)
    }

    /// Deletes the bytes of an attachment that was removed.
    pub(crate) async fn discard_bytes(&self, attachment: AttachmentId, token: Hex128) -> Result<bool, Failure> {
        self.files().delete(token).await?;
        self.execute(&Actor::System, NoteDiscardedBytes { attachment }, |_, is_new| *is_new).await
    }
}

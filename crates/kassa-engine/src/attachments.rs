//! Attachments: a row for each file that was uploaded.

use kassa_domain::attachment::{Attachment, CreateAttachment, Hex128, MediaType};
use kassa_domain::partner::PartnerId;

use crate::caller::CallerRef;
use crate::engine::Engine;
use crate::failure::Failure;
use crate::files::StoredFile;
use crate::task::Executed;

impl Engine {
    /// Random bits that name a new file.
    pub fn new_file_token(&self) -> Hex128 {
        let mut random = self.inner.random.lock();
        let halves = [random.next_u64().to_be_bytes(), random.next_u64().to_be_bytes()];
        Hex128(std::array::from_fn(|at| halves[at / 8][at % 8]))
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
            Ok(Executed::Replayed(_)) | Err(Failure::Refused(_) | Failure::Busy) => self.files().discard(token).await,
            // The row may be there for all that is known.
            Ok(Executed::Decided(_)) | Err(Failure::Unavailable | Failure::Internal(_)) => {}
        }
        made.map(Executed::into_response)
    }
}

//! A file on its way into the store: never whole in memory.

use std::sync::Arc;

use bytes::Bytes;
use kassa_domain::attachment::Hex128;
use md5::{Digest, Md5};
use object_store::path::Path;
use object_store::{MultipartUpload, ObjectStore, ObjectStoreExt, PutPayload, PutPayloadMut};

use super::store_failure;
use super::upload_slots::UploadSlot;
use crate::failure::Failure;

/// An upload. Dropped before its end, it leaves nothing behind.
pub struct Upload {
    store: Arc<dyn ObjectStore>,
    path: Path,
    token: Hex128,
    part_bytes: usize,
    /// What was not sent yet: less than a part.
    buffer: PutPayloadMut,
    /// The parts that were sent; `None` as long as all fits into one.
    parts: Option<Box<dyn MultipartUpload>>,
    length: u64,
    md5: Md5,
    slot: UploadSlot,
}

/// A file that is in the store, durably, and has no row yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use = "bytes without a row are lost"]
pub struct StoredFile {
    /// What names it.
    pub token: Hex128,
    /// Its length in bytes.
    pub length: u64,
    /// The MD5 of its bytes.
    pub md5: Hex128,
}

impl Upload {
    pub(super) fn new(
        store: Arc<dyn ObjectStore>,
        token: Hex128,
        path: Path,
        part_bytes: usize,
        slot: UploadSlot,
    ) -> Self {
        let buffer = PutPayloadMut::new();
        Self { store, path, token, part_bytes, buffer, parts: None, length: 0, md5: Md5::new(), slot }
    }

    /// How many bytes came.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// Takes the next bytes.
    pub async fn write(&mut self, mut piece: Bytes) -> Result<(), Failure> {
        self.length += piece.len() as u64;
        self.md5.update(&piece);
        loop {
            let free = self.part_bytes - self.buffer.content_length();
            if piece.len() < free {
                self.buffer.extend_from_slice(&piece);
                return Ok(());
            }
            // All parts but the last have the same length: some services want it so.
            self.buffer.extend_from_slice(&piece.split_to(free));
            let part = self.take_buffer();
            self.send_part(part).await?;
        }
    }

    /// Ends the file: it is in the store.
    pub async fn finish(mut self) -> Result<StoredFile, Failure> {
        let rest = self.take_buffer();
        let _turn = self.slot.flush_turn().await;
        if self.parts.is_none() {
            self.store.put(&self.path, rest).await.map_err(|error| store_failure(&error))?;
        } else if rest.content_length() > 0 {
            self.send_part(rest).await?;
        }
        if let Some(parts) = &mut self.parts {
            parts.complete().await.map_err(|error| store_failure(&error))?;
        }
        self.parts = None;
        Ok(StoredFile { token: self.token, length: self.length, md5: Hex128(self.md5.finalize_reset().into()) })
    }

    /// Gives the file up: nothing of it is kept.
    pub async fn abort(mut self) {
        if let Some(parts) = self.parts.take() {
            abort_parts(parts, &self.path).await;
        }
    }

    fn take_buffer(&mut self) -> PutPayload {
        std::mem::take(&mut self.buffer).freeze()
    }

    async fn send_part(&mut self, part: PutPayload) -> Result<(), Failure> {
        if self.parts.is_none() {
            let parts = self.store.put_multipart(&self.path).await;
            self.parts = Some(parts.map_err(|error| store_failure(&error))?);
        }
        match &mut self.parts {
            Some(parts) => parts.put_part(part).await.map_err(|error| store_failure(&error)),
            None => Ok(()),
        }
    }
}

impl Drop for Upload {
    fn drop(&mut self) {
        let Some(parts) = self.parts.take() else { return };
        let Ok(runtime) = tokio::runtime::Handle::try_current() else { return };
        let path = self.path.clone();
        runtime.spawn(async move { abort_parts(parts, &path).await });
    }
}

async fn abort_parts(mut parts: Box<dyn MultipartUpload>, path: &Path) {
    if let Err(error) = parts.abort().await {
        tracing::warn!(%error, %path, "the parts of an aborted upload could not be removed");
    }
}

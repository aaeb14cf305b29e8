//! What is noted when the bytes of a removed attachment are gone.

use crate::context::Context;
use crate::context::command::Command;
use crate::refusal::Refusal;
use crate::values::id::ShardTag;
use crate::values::resource_ids::AttachmentId;
use crate::view::{ReadSet, View};

/// Notes that the bytes of an attachment have been deleted. Until then they may be there, and are looked for again.
#[derive(Debug)]
pub struct NoteDiscardedBytes {
    /// Whose bytes.
    pub attachment: AttachmentId,
}

impl Command for NoteDiscardedBytes {
    /// Whether that was not known.
    type Outcome = bool;

    const SILENT: Option<&'static str> = Some("the removal of the attachment was stated before its bytes went");

    fn shard(&self) -> ShardTag {
        self.attachment.tag()
    }

    fn read_set(&self, read_set: &mut ReadSet) {
        read_set.attachments.push(self.attachment);
    }

    fn decide(&self, _: &mut Context<'_>, view: &mut View) -> Result<bool, Refusal> {
        let found = view.attachments.get(self.attachment).filter(|attachment| attachment.must_discard_bytes());
        let Some(mut attachment) = found.cloned() else { return Ok(false) };
        attachment.bytes_discarded = true;
        view.attachments.put(attachment);
        Ok(true)
    }
}

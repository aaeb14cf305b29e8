//! What passes the filters of queries/attachments.rs, and in which order.

use std::cmp::Ordering;

use super::newest_first;
use crate::memory_tables::{FilterInMemory, MemoryTables};
use crate::queries::AttachmentsFilter;
use kassa_domain::attachment::Attachment;

impl FilterInMemory<Attachment> for AttachmentsFilter {
    fn matches(&self, attachment: &Attachment, _: &MemoryTables) -> bool {
        self.authors.contains(&attachment.author)
            && self.ids.as_ref().is_none_or(|ids| ids.contains(&attachment.id))
            && (self.include_removed || !attachment.removed)
    }

    fn compare(&self, one: &Attachment, other: &Attachment) -> Ordering {
        newest_first(&one.id, &other.id)
    }
}

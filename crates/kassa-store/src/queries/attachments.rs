//! Attachments.

use std::cmp::Ordering;

use kassa_domain::attachment::{Attachment, AttachmentId};
use kassa_domain::partner::PartnerId;

use super::partners::ids;
use super::{Conditions, Filter, newest_first};
use crate::memory::Tables;

/// Attachments of partners, newest first.
#[derive(Clone, Debug)]
pub struct AttachmentsFilter {
    /// Whose.
    pub authors: Vec<PartnerId>,
    /// Only these.
    pub ids: Option<Vec<AttachmentId>>,
    /// Whether removed ones are shown, too.
    pub removed: bool,
}

impl Filter for AttachmentsFilter {
    type Row = Attachment;
    const ORDER: &'static str = "id DESC";

    fn conditions(&self, sql: &mut Conditions) {
        sql.one_of("author", ids(&self.authors));
        if let Some(list) = &self.ids {
            sql.one_of("id", ids(list));
        }
        if !self.removed {
            sql.add("removed = 0", []);
        }
    }

    fn passes(&self, attachment: &Attachment, _: &Tables) -> bool {
        self.authors.contains(&attachment.author)
            && self.ids.as_ref().is_none_or(|ids| ids.contains(&attachment.id))
            && (self.removed || !attachment.removed)
    }

    fn compare(&self, one: &Attachment, other: &Attachment) -> Ordering {
        newest_first(&one.id, &other.id)
    }
}

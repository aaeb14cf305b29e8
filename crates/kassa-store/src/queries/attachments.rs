//! Attachments.

use kassa_domain::attachment::{Attachment, AttachmentId};
use kassa_domain::partner::PartnerId;

use super::partners::root_keys;
use super::{Conditions, Filter};

/// Attachments of partners, newest first.
#[derive(Clone, Debug)]
pub struct AttachmentsFilter {
    /// Whose.
    pub authors: Vec<PartnerId>,
    /// Only these.
    pub ids: Option<Vec<AttachmentId>>,
    /// Whether removed ones are shown, too.
    pub include_removed: bool,
}

impl Filter for AttachmentsFilter {
    type Row = Attachment;
    const ORDER: &'static str = "id DESC";

    fn conditions(&self, sql: &mut Conditions) {
        sql.one_of("author", root_keys(&self.authors));
        if let Some(list) = &self.ids {
            sql.one_of("id", root_keys(list));
        }
        if !self.include_removed {
            sql.add("removed = 0", []);
        }
    }
}

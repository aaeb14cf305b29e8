//! Attachments.

use kassa_domain::Id;
use kassa_domain::attachment::{Attachment, AttachmentId};
use kassa_domain::change::Revision;
use kassa_domain::partner::PartnerId;
use kassa_domain::view::Condition;

use crate::lists::{Conditions, Filter, Predicate, SortKey};
use crate::rows::{batch_id_cell, read_batch_id, read_time, table};

table! { Attachment, "attachments", |row, source| {
    Key Int "id": id = Id::root(source.int()?), row.id.key();
    Immutable Int "author": author = Id::root(source.int()?), row.author.key();
    Immutable Text "content_type": content_type = source.parse()?, row.content_type.as_str();
    Immutable Int "length": length = source.int()?, row.length;
    Immutable Text "md5": md5 = source.parse()?, row.md5.to_string();
    Immutable Text "token": token = source.parse()?, row.token.to_string();
    Mutable Int "removed": removed = source.flag()?, row.removed;
    Immutable Int "created_at": created_at = read_time(source)?, row.created_at.ms();
    Mutable Int "updated_at": updated_at = read_time(source)?, row.updated_at.ms();
    Mutable Int "revision": revision = source.int()?, row.revision.number();
    Mutable Blob "changed_in": changed_in = read_batch_id(source)?, batch_id_cell(row.revision.changed_in());
    Mutable Int "bytes_discarded": bytes_discarded = source.flag()?, row.bytes_discarded;
} => Attachment {
    id,
    author,
    content_type,
    length,
    md5,
    token,
    removed,
    created_at,
    updated_at,
    revision: Revision::stored(revision, changed_in),
    bytes_discarded,
},
    unique vec![row.token.to_string()],
    check row.length > 0
}

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

/// As `permission::sees_attachment` says.
impl Filter for AttachmentsFilter {
    type Row = Attachment;

    fn conditions(&self, conditions: &mut Conditions) {
        conditions.add(Predicate::names_one_of("author", &self.authors));
        conditions.extend(self.ids.as_deref().map(|ids| Predicate::names_one_of("id", ids)));
        conditions.extend((!self.include_removed).then(|| Condition::NOT_REMOVED.into()));
    }
}

/// Removed attachments whose bytes may be there still, the oldest first.
#[derive(Clone, Copy, Debug)]
pub struct AttachmentsToDiscard;

impl Filter for AttachmentsToDiscard {
    type Row = Attachment;

    fn order(&self) -> &'static [SortKey] {
        &[SortKey::Ascending("id")]
    }

    fn conditions(&self, conditions: &mut Conditions) {
        conditions.add(Predicate::from(Condition::Number("removed", 1)));
        conditions.add(Predicate::from(Condition::Number("bytes_discarded", 0)));
    }
}

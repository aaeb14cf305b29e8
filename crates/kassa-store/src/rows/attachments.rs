//! Attachments.

use kassa_domain::Id;
use kassa_domain::attachment::Attachment;

use super::system::read_time;
use super::{Column, MappedRow, RowKey as _, columns};
use crate::cell::{Cell, RowReader};
use crate::error::StoreError;

impl MappedRow for Attachment {
    const TABLE: &'static str = "attachments";
    const COLUMNS: &'static [Column] = columns![
        Key Int "id",
        Immutable Int "author",
        Immutable Text "content_type",
        Immutable Int "length",
        Immutable Text "md5",
        Immutable Text "token",
        Mutable Int "removed",
        Immutable Int "created_at",
        Mutable Int "updated_at",
        Mutable Int "revision",
    ];

    fn write<'a>(&'a self, out: &mut Vec<Cell<'a>>) {
        self.id.write(out);
        out.extend([
            self.author.key().into(),
            self.content_type.as_str().into(),
            self.length.into(),
            self.md5.to_string().into(),
            self.token.to_string().into(),
            self.removed.into(),
            self.created_at.ms().into(),
            self.updated_at.ms().into(),
            self.revision.into(),
        ]);
    }

    fn read(source: &mut dyn RowReader) -> Result<Self, StoreError> {
        Ok(Self {
            id: Id::root(source.int()?),
            author: Id::root(source.int()?),
            content_type: source.parse()?,
            length: source.int()?,
            md5: source.parse()?,
            token: source.parse()?,
            removed: source.flag()?,
            created_at: read_time(source)?,
            updated_at: read_time(source)?,
            revision: source.int()?,
        })
    }
}

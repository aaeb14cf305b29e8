//! Attachments.

use kassa_domain::Id;
use kassa_domain::attachment::Attachment;

use super::house::read_time;
use super::{Column, Key as _, Mapped, columns};
use crate::cell::{Cell, Source};
use crate::error::StoreError;

impl Mapped for Attachment {
    const TABLE: &'static str = "attachments";
    const COLUMNS: &'static [Column] = columns![
        Key Int "id",
        Fixed Int "author",
        Fixed Text "content_type",
        Fixed Int "length",
        Fixed Text "md5",
        Fixed Text "token",
        Free Int "removed",
        Fixed Int "created_at",
        Free Int "updated_at",
        Free Int "revision",
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

    fn read(source: &mut dyn Source) -> Result<Self, StoreError> {
        Ok(Self {
            id: Id::root(source.int()?),
            author: Id::root(source.int()?),
            content_type: source.parsed()?,
            length: source.int()?,
            md5: source.parsed()?,
            token: source.parsed()?,
            removed: source.flag()?,
            created_at: read_time(source)?,
            updated_at: read_time(source)?,
            revision: source.int()?,
        })
    }

    fn uniques(&self) -> Vec<String> {
        vec![self.token.to_string()]
    }

    fn checks(&self) -> bool {
        self.length > 0
    }
}

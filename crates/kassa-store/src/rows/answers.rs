//! Answers that are kept.

use kassa_domain::Tag;
use kassa_domain::once::{AnswerKey, KeptAnswer};

use super::house::{read_tag, read_time};
use super::{Column, Key, Mapped, columns};
use crate::cell::{Cell, Source};
use crate::error::StoreError;

impl Key for AnswerKey {
    fn write<'a>(&'a self, out: &mut Vec<Cell<'a>>) {
        out.push(self.digest.as_slice().into());
    }

    fn shard(&self) -> Option<Tag> {
        Some(self.tag)
    }
}

impl Mapped for KeptAnswer {
    const TABLE: &'static str = "kept_answers";
    const COLUMNS: &'static [Column] = columns![
        Key Blob "digest",
        Tag Int "tag",
        Free Blob "request",
        Free Blob "sealed",
        Free Int "is_final",
        Free Int "kept_at",
    ];

    fn write<'a>(&'a self, out: &mut Vec<Cell<'a>>) {
        self.key.write(out);
        out.extend([self.key.tag.to_i64().into(), self.request.as_slice().into(), self.sealed.as_slice().into()]);
        out.extend([self.is_final.into(), self.kept_at.ms().into()]);
    }

    fn read(source: &mut dyn Source) -> Result<Self, StoreError> {
        let digest = source.hash()?;
        Ok(Self {
            key: AnswerKey { tag: read_tag(source)?, digest },
            request: source.hash()?,
            sealed: source.blob()?,
            is_final: source.flag()?,
            kept_at: read_time(source)?,
        })
    }
}

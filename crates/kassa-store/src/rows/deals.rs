//! Deals.

use kassa_domain::Id;
use kassa_domain::deal::{Deal, DealStatus};

use super::house::{read_tag, read_time};
use super::{Column, Key as _, Mapped, columns};
use crate::cell::{Cell, Source, json};
use crate::error::StoreError;

impl Mapped for Deal {
    const TABLE: &'static str = "deals";
    const COLUMNS: &'static [Column] = columns![
        Key Int "id",
        Tag Int "tag",
        Fixed Int "event",
        Fixed Int "subj",
        Fixed Int "obj",
        Free Text "status",
        Fixed Int "reversed",
        Fixed Text "message",
        Fixed Json "terms",
        Fixed Int "created_at",
        Free Int "updated_at",
        Free Int "revision",
    ];

    fn write<'a>(&'a self, out: &mut Vec<Cell<'a>>) {
        self.id.write(out);
        out.extend([self.id.tag().to_i64(), self.event.key(), self.subj.key(), self.obj.key()].map(Cell::from));
        out.extend([self.status.name().into(), self.reversed.into(), self.message.as_str().into(), json(&self.terms)]);
        out.extend([self.created_at.ms(), self.updated_at.ms(), self.revision].map(Cell::from));
    }

    fn read(source: &mut dyn Source) -> Result<Self, StoreError> {
        let key = source.int()?;
        let tag = read_tag(source)?;
        let (event, subj, obj) = (Id::root(source.int()?), Id::root(source.int()?), Id::root(source.int()?));
        let text = source.text()?;
        let status = DealStatus::ALL.into_iter().find(|status| status.name() == text);
        Ok(Self {
            id: Id::under(tag, key),
            event,
            subj,
            obj,
            status: status.ok_or_else(|| StoreError::Corrupt(format!("deal status {text}")))?,
            reversed: source.flag()?,
            message: source.text()?,
            terms: source.json()?,
            created_at: read_time(source)?,
            updated_at: read_time(source)?,
            revision: source.int()?,
        })
    }
}

//! Deals.

use kassa_domain::Id;
use kassa_domain::deal::{Deal, DealStatus};

use super::system::{read_tag, read_time};
use super::{Column, MappedRow, RowKey as _, columns};
use crate::cell::{Cell, RowReader, json_cell};
use crate::error::StoreError;

impl MappedRow for Deal {
    const TABLE: &'static str = "deals";
    const COLUMNS: &'static [Column] = columns![
        Key Int "id",
        Tag Int "tag",
        Immutable Int "event",
        Immutable Int "agent",
        Immutable Int "organizer",
        Mutable Text "status",
        Immutable Int "proposed_by_agent",
        Immutable Text "message",
        Immutable Json "terms",
        Immutable Int "created_at",
        Mutable Int "updated_at",
        Mutable Int "revision",
    ];

    fn write<'a>(&'a self, out: &mut Vec<Cell<'a>>) {
        self.id.write(out);
        out.extend([self.id.tag().to_i64(), self.event.key(), self.agent.key(), self.organizer.key()].map(Cell::from));
        out.extend([
            self.status.name().into(),
            self.proposed_by_agent.into(),
            self.message.as_str().into(),
            json_cell(&self.terms),
        ]);
        out.extend([self.created_at.ms(), self.updated_at.ms(), self.revision].map(Cell::from));
    }

    fn read(source: &mut dyn RowReader) -> Result<Self, StoreError> {
        let key = source.int()?;
        let tag = read_tag(source)?;
        let (event, subj, obj) = (Id::root(source.int()?), Id::root(source.int()?), Id::root(source.int()?));
        let text = source.text()?;
        let status = DealStatus::ALL.into_iter().find(|status| status.name() == text);
        Ok(Self {
            id: Id::with_tag(tag, key),
            event,
            agent: subj,
            organizer: obj,
            status: status.ok_or_else(|| StoreError::Corrupt(format!("deal status {text}")))?,
            proposed_by_agent: source.flag()?,
            message: source.text()?,
            terms: source.json()?,
            created_at: read_time(source)?,
            updated_at: read_time(source)?,
            revision: source.int()?,
        })
    }
}

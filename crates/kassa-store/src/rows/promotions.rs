//! Promotions.

use kassa_domain::promotion::{LevelDiscount, Promotion};
use kassa_domain::{Id, Window};
use serde::{Deserialize, Serialize};

use super::system::{read_tag, read_time};
use super::{Column, MappedRow, RowKey as _, columns};
use crate::cell::{Cell, RowReader, json_cell};
use crate::error::StoreError;

/// What of a promotion nothing filters by.
#[derive(Serialize, Deserialize)]
struct PromotionBody {
    lifetime: Window,
    #[serde(flatten)]
    discount: LevelDiscount,
}

impl MappedRow for Promotion {
    const TABLE: &'static str = "promotions";
    const COLUMNS: &'static [Column] = columns![
        Key Int "id",
        Tag Int "tag",
        Immutable Int "event",
        Mutable Int "removed",
        Mutable Json "body",
        Immutable Int "created_at",
        Mutable Int "updated_at",
        Mutable Int "revision",
    ];

    fn write<'a>(&'a self, out: &mut Vec<Cell<'a>>) {
        let body = PromotionBody { lifetime: self.lifetime, discount: self.discount.clone() };
        self.id.write(out);
        out.extend([self.id.tag().to_i64().into(), self.event.key().into(), self.removed.into(), json_cell(&body)]);
        out.extend([self.created_at.ms(), self.updated_at.ms(), self.revision].map(Cell::from));
    }

    fn read(source: &mut dyn RowReader) -> Result<Self, StoreError> {
        let key = source.int()?;
        let tag = read_tag(source)?;
        let event = Id::root(source.int()?);
        let removed = source.flag()?;
        let PromotionBody { lifetime, discount } = source.json()?;
        Ok(Self {
            id: Id::with_tag(tag, key),
            event,
            lifetime,
            discount,
            removed,
            created_at: read_time(source)?,
            updated_at: read_time(source)?,
            revision: source.int()?,
        })
    }
}

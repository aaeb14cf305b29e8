//! Promotions.

use kassa_domain::promotion::{Discount, Promotion};
use kassa_domain::{Id, Window};
use serde::{Deserialize, Serialize};

use super::house::{read_tag, read_time};
use super::{Column, Key as _, Mapped, columns};
use crate::cell::{Cell, Source, json};
use crate::error::StoreError;

/// What of a promotion nothing filters by.
#[derive(Serialize, Deserialize)]
struct Body {
    lifetime: Window,
    #[serde(flatten)]
    discount: Discount,
}

impl Mapped for Promotion {
    const TABLE: &'static str = "promotions";
    const COLUMNS: &'static [Column] = columns![
        Key Int "id",
        Tag Int "tag",
        Fixed Int "event",
        Free Int "removed",
        Free Json "body",
        Fixed Int "created_at",
        Free Int "updated_at",
        Free Int "revision",
    ];

    fn write<'a>(&'a self, out: &mut Vec<Cell<'a>>) {
        let body = Body { lifetime: self.lifetime, discount: self.discount.clone() };
        self.id.write(out);
        out.extend([self.id.tag().to_i64().into(), self.event.key().into(), self.removed.into(), json(&body)]);
        out.extend([self.created_at.ms(), self.updated_at.ms(), self.revision].map(Cell::from));
    }

    fn read(source: &mut dyn Source) -> Result<Self, StoreError> {
        let key = source.int()?;
        let tag = read_tag(source)?;
        let event = Id::root(source.int()?);
        let removed = source.flag()?;
        let Body { lifetime, discount } = source.json()?;
        Ok(Self {
            id: Id::under(tag, key),
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

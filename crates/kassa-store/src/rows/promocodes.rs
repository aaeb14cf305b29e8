//! Promocodes.

use kassa_domain::price::Share;
use kassa_domain::promocode::{Promocode, TicketsCount, Uses};
use kassa_domain::set::SetId;
use kassa_domain::{Id, Window};
use serde::{Deserialize, Serialize};

use super::house::{read_tag, read_time};
use super::{Column, Key as _, Mapped, columns};
use crate::cell::{Cell, Source, json};
use crate::error::StoreError;

/// What of a promocode nothing filters by.
#[derive(Serialize, Deserialize)]
struct Body {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    desc: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    sets: Vec<SetId>,
    discount: Share,
    #[serde(default)]
    tickets_count: TicketsCount,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    lifetime: Option<Window>,
}

impl Mapped for Promocode {
    const TABLE: &'static str = "promocodes";
    const COLUMNS: &'static [Column] = columns![
        Key Int "id",
        Tag Int "tag",
        Fixed Int "event",
        Fixed Text "code",
        Fixed Text "folded_code",
        Free Int "amount",
        Free Int "reserved",
        Free Int "used",
        Free Json "body",
        Fixed Int "created_at",
        Free Int "updated_at",
        Free Int "revision",
    ];

    fn write<'a>(&'a self, out: &mut Vec<Cell<'a>>) {
        let body = Body {
            name: self.name.clone(),
            desc: self.desc.clone(),
            sets: self.sets.clone(),
            discount: self.discount,
            tickets_count: self.tickets_count,
            lifetime: self.lifetime,
        };
        self.id.write(out);
        out.extend([self.id.tag().to_i64(), self.event.key()].map(Cell::from));
        out.extend([self.code.as_str(), self.code.folded()].map(Cell::from));
        out.extend([self.uses.amount.into(), self.uses.reserved.into(), self.uses.used.into(), json(&body)]);
        out.extend([self.created_at.ms(), self.updated_at.ms(), self.revision].map(Cell::from));
    }

    fn read(source: &mut dyn Source) -> Result<Self, StoreError> {
        let key = source.int()?;
        let tag = read_tag(source)?;
        let event = Id::root(source.int()?);
        let code = source.parsed()?;
        let _folded_code = source.text()?;
        let uses = Uses { amount: source.int_or_null()?, reserved: source.int()?, used: source.int()? };
        let body: Body = source.json()?;
        Ok(Self {
            id: Id::under(tag, key),
            event,
            code,
            name: body.name,
            desc: body.desc,
            sets: body.sets,
            discount: body.discount,
            tickets_count: body.tickets_count,
            lifetime: body.lifetime,
            uses,
            created_at: read_time(source)?,
            updated_at: read_time(source)?,
            revision: source.int()?,
        })
    }

    fn uniques(&self) -> Vec<String> {
        vec![format!("{} code {}", self.event, self.code.folded())]
    }

    fn checks(&self) -> bool {
        self.uses.balance()
    }
}

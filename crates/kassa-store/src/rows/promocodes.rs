//! Promocodes.

use kassa_domain::price::Share;
use kassa_domain::promocode::{Promocode, PromocodeUses, TicketCountLimits};
use kassa_domain::set::SetId;
use kassa_domain::{Id, Window};
use serde::{Deserialize, Serialize};

use super::system::{read_tag, read_time};
use super::{Column, MappedRow, RowKey as _, columns};
use crate::cell::{Cell, RowReader, json_cell};
use crate::error::StoreError;

/// What of a promocode nothing filters by.
#[derive(Serialize, Deserialize)]
struct PromocodeBody {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    desc: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    sets: Vec<SetId>,
    discount: Share,
    #[serde(default)]
    tickets_count: TicketCountLimits,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    lifetime: Option<Window>,
}

impl MappedRow for Promocode {
    const TABLE: &'static str = "promocodes";
    const COLUMNS: &'static [Column] = columns![
        Key Int "id",
        Tag Int "tag",
        Immutable Int "event",
        Immutable Text "code",
        Immutable Text "folded_code",
        Mutable Int "amount",
        Mutable Int "reserved",
        Mutable Int "used",
        Mutable Json "body",
        Immutable Int "created_at",
        Mutable Int "updated_at",
        Mutable Int "revision",
    ];

    fn write<'a>(&'a self, out: &mut Vec<Cell<'a>>) {
        let body = PromocodeBody {
            name: self.name.clone(),
            desc: self.desc.clone(),
            sets: self.sets.clone(),
            discount: self.discount,
            tickets_count: self.ticket_count_limits,
            lifetime: self.lifetime,
        };
        self.id.write(out);
        out.extend([self.id.tag().to_i64(), self.event.key()].map(Cell::from));
        out.extend([self.code.as_str(), self.code.folded()].map(Cell::from));
        out.extend([self.uses.limit.into(), self.uses.reserved.into(), self.uses.used.into(), json_cell(&body)]);
        out.extend([self.created_at.ms(), self.updated_at.ms(), self.revision].map(Cell::from));
    }

    fn read(source: &mut dyn RowReader) -> Result<Self, StoreError> {
        let key = source.int()?;
        let tag = read_tag(source)?;
        let event = Id::root(source.int()?);
        let code = source.parse()?;
        let _folded_code = source.text()?;
        let uses = PromocodeUses { limit: source.int_or_null()?, reserved: source.int()?, used: source.int()? };
        let body: PromocodeBody = source.json()?;
        Ok(Self {
            id: Id::with_tag(tag, key),
            event,
            code,
            name: body.name,
            desc: body.desc,
            sets: body.sets,
            discount: body.discount,
            ticket_count_limits: body.tickets_count,
            lifetime: body.lifetime,
            uses,
            created_at: read_time(source)?,
            updated_at: read_time(source)?,
            revision: source.int()?,
        })
    }
}

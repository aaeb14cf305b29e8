//! Promocodes.

use kassa_domain::change::Revision;
use kassa_domain::event::EventId;
use kassa_domain::price::Share;
use kassa_domain::promocode::{Promocode, PromocodeId, PromocodeUses, TicketCountLimits};
use kassa_domain::set::SetId;
use kassa_domain::{Id, ShardTag, Window};
use serde::{Deserialize, Serialize};

use crate::cell::json_cell;
use crate::lists::{Conditions, Filter, Predicate};
use crate::rows::{batch_id_cell, read_batch_id, read_tag, read_time, table};

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

impl From<&Promocode> for PromocodeBody {
    fn from(promocode: &Promocode) -> Self {
        Self {
            name: promocode.name.clone(),
            desc: promocode.desc.clone(),
            sets: promocode.sets.clone(),
            discount: promocode.discount,
            tickets_count: promocode.ticket_count_limits,
            lifetime: promocode.lifetime,
        }
    }
}

table! { Promocode, "promocodes", |row, source| {
    Key Int "id": key = source.int()?, row.id.key();
    Tag Int "tag": tag = read_tag(source)?, row.id.tag().to_i64();
    Immutable Int "event": event = Id::root(source.int()?), row.event.key();
    Immutable Text "code": code = source.parse()?, row.code.as_str();
    Immutable Text "folded_code": _folded_code = source.text()?, row.code.folded();
    Mutable Int "amount": limit = source.int_or_null()?, row.uses.limit;
    Mutable Int "reserved": reserved = source.int()?, row.uses.reserved;
    Mutable Int "used": used = source.int()?, row.uses.used;
    Mutable Json "body": body = source.json::<PromocodeBody>()?, json_cell(&PromocodeBody::from(row));
    Immutable Int "created_at": created_at = read_time(source)?, row.created_at.ms();
    Mutable Int "updated_at": updated_at = read_time(source)?, row.updated_at.ms();
    Mutable Int "revision": revision = source.int()?, row.revision.number();
    Mutable Blob "changed_in": changed_in = read_batch_id(source)?, batch_id_cell(row.revision.changed_in());
} => Promocode {
    id: Id::with_tag(tag, key),
    event,
    code,
    name: body.name,
    desc: body.desc,
    sets: body.sets,
    discount: body.discount,
    ticket_count_limits: body.tickets_count,
    lifetime: body.lifetime,
    uses: PromocodeUses { limit, reserved, used },
    created_at,
    updated_at,
    revision: Revision::stored(revision, changed_in),
},
    unique vec![format!("{} code {}", row.event, row.code.folded())],
    check row.uses.is_balanced()
}

/// Promocodes of an event, newest first; the caller has seen to it that they may be shown.
#[derive(Clone, Debug)]
pub struct PromocodesFilter {
    /// Of which event.
    pub event: EventId,
    /// Only these.
    pub ids: Option<Vec<PromocodeId>>,
}

impl Filter for PromocodesFilter {
    type Row = Promocode;

    fn shard_tag(&self) -> Option<ShardTag> {
        Some(self.event.tag())
    }

    fn conditions(&self, conditions: &mut Conditions) {
        conditions.add(Predicate::names("event", self.event));
        conditions.extend(self.ids.as_deref().map(|ids| Predicate::one_of_tagged("id", ids)));
    }
}

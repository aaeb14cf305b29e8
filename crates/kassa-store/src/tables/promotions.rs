//! Promotions.

use kassa_domain::change::Revision;
use kassa_domain::event::EventId;
use kassa_domain::promotion::{LevelDiscount, Promotion, PromotionId};
use kassa_domain::view::Condition;
use kassa_domain::{Id, ShardTag, Window};
use serde::{Deserialize, Serialize};

use crate::cell::json_cell;
use crate::lists::{Conditions, Filter, Predicate};
use crate::rows::{batch_id_cell, read_batch_id, read_tag, read_time, table};

/// What of a promotion nothing filters by.
#[derive(Serialize, Deserialize)]
struct PromotionBody {
    lifetime: Window,
    #[serde(flatten)]
    discount: LevelDiscount,
}

impl From<&Promotion> for PromotionBody {
    fn from(promotion: &Promotion) -> Self {
        Self { lifetime: promotion.lifetime, discount: promotion.discount.clone() }
    }
}

table! { Promotion, "promotions", |row, source| {
    Key Int "id": key = source.int()?, row.id.key();
    Tag Int "tag": tag = read_tag(source)?, row.id.tag().to_i64();
    Immutable Int "event": event = Id::root(source.int()?), row.event.key();
    Mutable Int "removed": removed = source.flag()?, row.removed;
    Mutable Json "body": body = source.json::<PromotionBody>()?, json_cell(&PromotionBody::from(row));
    Immutable Int "created_at": created_at = read_time(source)?, row.created_at.ms();
    Mutable Int "updated_at": updated_at = read_time(source)?, row.updated_at.ms();
    Mutable Int "revision": revision = source.int()?, row.revision.number();
    Mutable Blob "changed_in": changed_in = read_batch_id(source)?, batch_id_cell(row.revision.changed_in());
} => Promotion {
    id: Id::with_tag(tag, key),
    event,
    lifetime: body.lifetime,
    discount: body.discount,
    removed,
    created_at,
    updated_at,
    revision: Revision::stored(revision, changed_in),
} }

/// Promotions of an event, newest first; the caller has seen to it that they may be shown.
#[derive(Clone, Debug)]
pub struct PromotionsFilter {
    /// Of which event.
    pub event: EventId,
    /// Only these.
    pub ids: Option<Vec<PromotionId>>,
    /// Whether removed ones are shown, too.
    pub include_removed: bool,
}

impl Filter for PromotionsFilter {
    type Row = Promotion;

    fn shard_tag(&self) -> Option<ShardTag> {
        Some(self.event.tag())
    }

    fn conditions(&self, conditions: &mut Conditions) {
        conditions.add(Predicate::names("event", self.event));
        conditions.extend(self.ids.as_deref().map(|ids| Predicate::one_of_tagged("id", ids)));
        conditions.extend((!self.include_removed).then(|| Condition::NOT_REMOVED.into()));
    }
}

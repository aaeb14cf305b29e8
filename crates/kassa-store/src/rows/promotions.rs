//! Promotions.

use kassa_domain::promotion::{LevelDiscount, Promotion};
use kassa_domain::{Id, Window};
use serde::{Deserialize, Serialize};

use super::system::{read_tag, read_time};
use super::table;
use crate::cell::json_cell;

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
    Mutable Int "revision": revision = source.int()?, row.revision;
} => Promotion {
    id: Id::with_tag(tag, key),
    event,
    lifetime: body.lifetime,
    discount: body.discount,
    removed,
    created_at,
    updated_at,
    revision,
} }

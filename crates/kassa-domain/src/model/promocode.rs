//! Promocodes: codes that make tickets of one event cheaper. What an order does with
//! them is in [`crate::order`].

use serde::{Deserialize, Serialize};

use super::row::Row;
use crate::safeguard::{self, Safeguard};
use crate::values::money::Money;
use crate::values::price::Share;
use crate::values::promocode_text::PromocodeText;
use crate::values::resource_ids::{EventId, PromocodeId, SetId};
use crate::values::revision::Revision;
use crate::values::time::{Timestamp, Window};

/// The most uses that a promocode can be limited to.
pub const PROMOCODE_USES_MAX: u32 = 1_000_000_000;

/// A promocode. What it takes off, and which tickets, never changes: orders rely on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Promocode {
    /// The id.
    pub id: PromocodeId,
    /// Its event.
    pub event: EventId,
    /// What customers type; unique in the event.
    pub code: PromocodeText,
    /// What the organizer calls it.
    pub name: Option<String>,
    /// What the organizer notes about it.
    pub desc: Option<String>,
    /// The sets whose tickets it makes cheaper; all of them when none is named.
    pub sets: Vec<SetId>,
    /// What it takes off the price of each ticket.
    pub discount: Share,
    /// How many such tickets an order must have.
    pub ticket_count_limits: TicketCountLimits,
    /// When orders can begin to use it; `None` for always.
    pub lifetime: Option<Window>,
    /// How often it can be used, and was.
    pub uses: PromocodeUses,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was last edited.
    pub updated_at: Timestamp,
    /// Counts edits, and how often the last use was taken; other uses do not count.
    pub revision: Revision,
}

/// How many tickets that a promocode may act on an order must have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct TicketCountLimits {
    /// At least.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min: Option<u32>,
    /// At most.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max: Option<u32>,
}

impl TicketCountLimits {
    /// Whether so many are enough, and not too many.
    pub fn allows(&self, count: u32) -> bool {
        self.min.is_none_or(|min| min <= count) && self.max.is_none_or(|max| count <= max)
    }
}

/// How often a promocode can be used. `reserved + used <= amount`, always, and the database checks it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PromocodeUses {
    /// In how many orders in all; `None` for any number.
    pub limit: Option<i64>,
    /// Orders that name it and are not paid.
    pub reserved: i64,
    /// Orders that were paid with it.
    pub used: i64,
}

impl PromocodeUses {
    /// Whether one more order can have a use.
    pub fn has_remaining(&self) -> bool {
        let held = if safeguard::is_enabled(Safeguard::ReservedPromocodeUse) { self.reserved } else { 0 };
        self.limit.is_none_or(|amount| held + self.used < amount)
    }

    /// Whether the numbers are consistent.
    pub fn is_balanced(&self) -> bool {
        self.reserved >= 0 && self.used >= 0 && self.limit.is_none_or(|amount| self.reserved + self.used <= amount)
    }

    /// An order begins to hold a use.
    pub(crate) fn reserve(&mut self) {
        self.reserved += 1;
    }

    /// An order gives its use back.
    pub(crate) fn release(&mut self) {
        self.reserved -= 1;
    }

    /// An order that holds a use is paid.
    pub(crate) fn redeem(&mut self) {
        self.reserved -= 1;
        self.used += 1;
    }
}

impl Promocode {
    /// Whether orders can begin to use it at `now`.
    pub fn is_valid(&self, now: Timestamp) -> bool {
        self.lifetime.is_none_or(|lifetime| lifetime.contains(now))
    }

    /// Whether it makes the tickets of a set cheaper.
    pub fn covers(&self, set: SetId) -> bool {
        self.sets.is_empty() || self.sets.contains(&set)
    }

    /// What it takes off a ticket of this price: never more than the price.
    pub fn discount_on(&self, price: Money) -> Money {
        self.discount.of(price).min(price)
    }
}

impl Row for Promocode {
    type Key = PromocodeId;

    fn key(&self) -> PromocodeId {
        self.id
    }

    fn moments(&self, note: &mut dyn FnMut(Timestamp)) {
        self.lifetime.iter().for_each(|lifetime| lifetime.moments(note));
    }
}

//! What a partner stores, counted, and how much of it it may store.
//!
//! The counters stand in the partner's row, and move in the transaction that makes or removes what they count. No
//! order touches them. What was removed counts as long as its row stays, so that nobody can fill a database by making
//! and removing; only what is really gone, such as the bytes of an attachment, is given back.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::set::TicketSet;

macro_rules! quota_kinds {
    ($($(#[$doc:meta])* $kind:ident = $name:literal, $what:literal, $default:literal;)*) => {
        /// What is counted of a partner.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
        pub enum QuotaKind {
            $($(#[$doc])* #[serde(rename = $name)] $kind,)*
        }

        impl QuotaKind {
            /// All of them.
            pub const ALL: [Self; QUOTA_KINDS] = [$(Self::$kind),*];

            /// What settings and commands call it.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$kind => $name,)*
                }
            }

            /// What it counts, in words.
            pub fn description(self) -> &'static str {
                match self {
                    $(Self::$kind => $what,)*
                }
            }

            /// How much a partner may have unless the operator says otherwise.
            const fn default_quota(self) -> i64 {
                match self {
                    $(Self::$kind => $default,)*
                }
            }
        }
    };
}

/// How many kinds there are.
const QUOTA_KINDS: usize = 12;

quota_kinds! {
    /// Its events.
    Events = "events", "events", 20_000;
    /// Tickets that the sets of its events have or shall have.
    Tickets = "tickets", "tickets of its events", 10_000_000;
    /// Promocodes of its events.
    Promocodes = "promocodes", "promocodes of its events", 200_000;
    /// Promotions of its events.
    Promotions = "promotions", "promotions of its events", 50_000;
    /// Its venues.
    Venues = "venues", "venues", 2_000;
    /// Hall maps of its venues.
    HallMaps = "hall_maps", "hall maps", 500;
    /// Its API keys.
    ApiKeys = "api_keys", "API keys", 2_000;
    /// Deals that it proposed.
    Deals = "deals", "deals", 50_000;
    /// Its attachments.
    Attachments = "attachments", "attachments", 100_000;
    /// The bytes of its attachments that are not removed.
    AttachmentBytes = "attachment_bytes", "bytes of attachments", 10_737_418_240;
    /// The bytes of large answers that are kept under its idempotency keys.
    AnswerBytes = "answer_bytes", "bytes of answers kept under Idempotency-Keys", 67_108_864;
    /// Its endpoints of webhooks.
    Webhooks = "webhooks", "webhooks", 100;
}

/// A number for each kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Amounts([i64; QUOTA_KINDS]);

impl Amounts {
    fn get(&self, kind: QuotaKind) -> i64 {
        self.0[kind as usize]
    }

    fn set(&mut self, kind: QuotaKind, amount: i64) {
        self.0[kind as usize] = amount;
    }
}

/// What a partner stores.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PartnerUsage(Amounts);

impl PartnerUsage {
    /// How much of a kind.
    pub fn get(&self, kind: QuotaKind) -> i64 {
        self.0.get(kind)
    }

    /// Counts more of a kind or, below zero, less.
    pub fn add(&mut self, kind: QuotaKind, amount: i64) {
        self.0.set(kind, self.get(kind) + amount);
    }
}

impl FromIterator<(QuotaKind, i64)> for PartnerUsage {
    fn from_iter<I: IntoIterator<Item = (QuotaKind, i64)>>(amounts: I) -> Self {
        amounts.into_iter().fold(Self::default(), |mut usage, (kind, amount)| {
            usage.add(kind, amount);
            usage
        })
    }
}

/// How much each partner may store, unless the operator has allowed it another amount.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quotas(Amounts);

impl Default for Quotas {
    fn default() -> Self {
        Self(Amounts(QuotaKind::ALL.map(QuotaKind::default_quota)))
    }
}

impl Quotas {
    /// How much of a kind.
    pub fn get(&self, kind: QuotaKind) -> i64 {
        self.0.get(kind)
    }

    /// Allows so much of a kind.
    pub fn set(&mut self, kind: QuotaKind, amount: i64) {
        self.0.set(kind, amount);
    }

    /// How much of a kind a partner with these exceptions may store.
    pub fn with(&self, exceptions: &QuotaExceptions, kind: QuotaKind) -> i64 {
        exceptions.get(&kind).copied().unwrap_or_else(|| self.get(kind))
    }
}

/// What the operator has allowed one partner in place of what all are allowed.
pub type QuotaExceptions = BTreeMap<QuotaKind, i64>;

/// There is no kind of this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no quota {name}; there are {}", QuotaKind::ALL.map(QuotaKind::name).join(", "))]
pub struct UnknownQuota {
    name: String,
}

impl FromStr for QuotaKind {
    type Err = UnknownQuota;

    fn from_str(name: &str) -> Result<Self, UnknownQuota> {
        Self::ALL.into_iter().find(|kind| kind.name() == name).ok_or_else(|| UnknownQuota { name: name.to_owned() })
    }
}

impl fmt::Display for QuotaKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl TicketSet {
    /// How many tickets it shall have once its resizing is done: what the organizer's quota counts of it.
    pub fn target_amount(&self) -> i64 {
        self.counts.amount - self.pending_removal
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kind_is_read_by_its_name() {
        for (place, kind) in QuotaKind::ALL.into_iter().enumerate() {
            assert_eq!((kind.name().parse(), kind as usize), (Ok(kind), place));
        }
        let error = "seats".parse::<QuotaKind>().unwrap_err().to_string();
        assert!(error.starts_with("there is no quota seats; there are events, tickets, "), "{error}");
    }

    #[test]
    fn an_exception_takes_the_place_of_what_all_are_allowed() {
        let mut quotas = Quotas::default();
        quotas.set(QuotaKind::Events, 5);
        let exceptions = QuotaExceptions::from([(QuotaKind::Events, 7)]);
        assert_eq!(quotas.with(&exceptions, QuotaKind::Events), 7);
        assert_eq!(quotas.with(&QuotaExceptions::new(), QuotaKind::Events), 5);
        assert_eq!(quotas.with(&exceptions, QuotaKind::Venues), Quotas::default().get(QuotaKind::Venues));
    }
}

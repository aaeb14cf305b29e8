//! What an order was not given of what it asked for.

use crate::values::resource_ids::{SetId, TicketId};
use crate::values::time::Timestamp;

/// Why something that was asked for could not be had.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShortfallReason {
    /// Somebody has paid for it.
    Sold,
    /// It is in another order; it comes back if that order ends.
    Reserved,
    /// The organizer holds it back.
    Blocked,
    /// No price rule is in force, or the set was removed.
    NotOnSale,
    /// The set has no price: no rule at all.
    NoPrice,
    /// All are there, and not all of them sit side by side.
    Scattered,
}

/// What a wish left to be wished: shown in `details`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shortfall {
    /// A ticket that was named.
    Ticket {
        /// Which.
        ticket: TicketId,
        /// Why it is not to be had.
        reason: ShortfallReason,
        /// Until when, where another order holds it.
        reserved_till: Option<Timestamp>,
    },
    /// A number of any tickets of a set.
    AnyOfSet {
        /// Which set.
        set: SetId,
        /// How many were wanted, those held before included.
        requested: u32,
        /// How many the order has now.
        granted: u32,
        /// Why not all, or not as one would wish.
        reason: ShortfallReason,
    },
}

impl Shortfall {
    /// Whether something was left out.
    pub fn is_short(&self) -> bool {
        match self {
            Self::Ticket { .. } => true,
            Self::AnyOfSet { requested: wanted, granted: got, .. } => got < wanted,
        }
    }
}

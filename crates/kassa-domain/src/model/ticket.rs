//! Tickets: what is sold.

use super::row::Row;
pub use crate::values::resource_ids::TicketId;
use crate::values::resource_ids::{EventId, OrderId, RefundId, SetId};
use crate::values::seating::Seat;
use crate::values::time::Timestamp;

/// A ticket. It is made vacant, and always belongs to one set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ticket {
    /// The id.
    pub id: TicketId,
    /// Its event.
    pub event: EventId,
    /// Its set.
    pub set: SetId,
    /// Unique in the event.
    pub number: i64,
    /// Its seat, where the set has seats. It never changes.
    pub seat: Option<Box<Seat>>,
    /// Whose it is.
    pub state: TicketState,
}

/// Whose a ticket is, with what only then exists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TicketState {
    /// Nobody's: for sale.
    Vacant,
    /// In an order that is not paid yet.
    Held {
        /// Which.
        order: OrderId,
        /// Until when.
        till: Timestamp,
    },
    /// In a paid order.
    Sold {
        /// Which.
        order: OrderId,
        /// The barcode that is checked at the entrance: 15 random digits and a check digit, unique in the event.
        barcode: String,
        /// The open refund request that wants to take it back: never two.
        refund: Option<RefundId>,
    },
    /// Held back by the organizer.
    Blocked,
}

impl TicketState {
    /// The number of [`TicketState::Vacant`].
    pub const VACANT: i64 = 0;
    /// The number of [`TicketState::Held`].
    pub const HELD: i64 = 1;
    /// The number of [`TicketState::Sold`].
    pub const SOLD: i64 = 2;
    /// The number of [`TicketState::Blocked`].
    pub const BLOCKED: i64 = 3;

    /// Its number, by which tickets are stored and found.
    pub fn number(&self) -> i64 {
        match self {
            Self::Vacant => Self::VACANT,
            Self::Held { .. } => Self::HELD,
            Self::Sold { .. } => Self::SOLD,
            Self::Blocked => Self::BLOCKED,
        }
    }
}

impl Ticket {
    /// The one order that has it.
    pub fn holder(&self) -> Option<OrderId> {
        match &self.state {
            TicketState::Held { order, .. } | TicketState::Sold { order, .. } => Some(*order),
            TicketState::Vacant | TicketState::Blocked => None,
        }
    }

    /// The barcode of a sold ticket.
    pub fn barcode(&self) -> Option<&str> {
        match &self.state {
            TicketState::Sold { barcode, .. } => Some(barcode),
            TicketState::Vacant | TicketState::Held { .. } | TicketState::Blocked => None,
        }
    }

    /// The open refund request that wants to take a sold ticket back.
    pub fn refund(&self) -> Option<RefundId> {
        match self.state {
            TicketState::Sold { refund, .. } => refund,
            TicketState::Vacant | TicketState::Held { .. } | TicketState::Blocked => None,
        }
    }

    /// Until when an unpaid order holds it.
    pub fn reserved_till(&self) -> Option<Timestamp> {
        match &self.state {
            TicketState::Held { till, .. } => Some(*till),
            TicketState::Vacant | TicketState::Sold { .. } | TicketState::Blocked => None,
        }
    }
}

impl Row for Ticket {
    type Key = TicketId;

    fn key(&self) -> TicketId {
        self.id
    }
}

/// `digits` and their check digit: weights 3 and 1 from the right, as retail barcodes
/// have it.
pub fn with_check_digit(digits: &str) -> String {
    let sum: u32 = digits
        .bytes()
        .rev()
        .enumerate()
        .map(|(place, digit)| u32::from(digit - b'0') * if place % 2 == 0 { 3 } else { 1 })
        .sum();
    format!("{digits}{}", (10 - sum % 10) % 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_check_digit_is_that_of_retail_barcodes() {
        assert_eq!(with_check_digit("629104150021"), "6291041500213");
    }
}

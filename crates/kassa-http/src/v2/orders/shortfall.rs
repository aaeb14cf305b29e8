//! What an order could not have, as v2 shows it.

use kassa_domain::refusal::Shortfall;
use serde::Serialize;
use utoipa::ToSchema;

use crate::wire::{IdRef, SHORTFALL_REASONS, SetRef, TicketRef, TimeV2, shortfall_reasons_schema};

/// What was asked for and is not available: a ticket, or a number of tickets of a set.
#[derive(Serialize, ToSchema)]
#[schema(as = OrderDetail)]
#[serde(untagged)]
pub(super) enum ShortfallV2Body {
    Ticket {
        /// A ticket that was asked for by its id.
        ticket: TicketRef,
        #[schema(schema_with = shortfall_reasons_schema)]
        reason: &'static str,
        /// For a `reserved` ticket: until when another order holds it. `null` otherwise.
        reserved_till: Option<TimeV2>,
    },
    Random {
        /// The set that tickets were asked for from.
        set: SetRef,
        /// How many tickets were asked for.
        wanted: u32,
        /// How many the order has.
        got: u32,
        #[schema(schema_with = shortfall_reasons_schema)]
        reason: &'static str,
    },
}

impl ShortfallV2Body {
    pub(super) fn from_shortfalls(details: &[Shortfall]) -> Vec<Self> {
        details.iter().map(Self::new).collect()
    }

    fn new(shortfall: &Shortfall) -> Self {
        match *shortfall {
            Shortfall::Ticket { ticket, reason, reserved_till } => Self::Ticket {
                ticket: IdRef(ticket),
                reason: SHORTFALL_REASONS.name(reason),
                reserved_till: reserved_till.map(TimeV2),
            },
            Shortfall::AnyOfSet { set, requested: wanted, granted: got, reason } => {
                Self::Random { set: IdRef(set), wanted, got, reason: SHORTFALL_REASONS.name(reason) }
            }
        }
    }
}

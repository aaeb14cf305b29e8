//! What an order could not have.

/// Declares what an order could not have, for a version that shows times as `$Time`.
macro_rules! shortfall_body {
    ($seen:vis enum $Body:ident with $Time:ident;) => {
        /// What was asked for and is not available: a ticket, or a number of tickets of a set.
        #[derive(serde::Serialize, utoipa::ToSchema)]
        #[schema(as = OrderDetail)]
        #[serde(untagged)]
        $seen enum $Body {
            Ticket {
                /// A ticket that was asked for by its id.
                ticket: $crate::wire::TicketRef,
                #[schema(schema_with = $crate::wire::shortfall_reasons_schema)]
                reason: &'static str,
                /// For a `reserved` ticket: until when another order holds it. `null` otherwise.
                reserved_till: Option<$Time>,
            },
            Random {
                /// The set that tickets were asked for from.
                set: $crate::wire::SetRef,
                /// How many tickets were asked for.
                wanted: u32,
                /// How many the order has.
                got: u32,
                #[schema(schema_with = $crate::wire::shortfall_reasons_schema)]
                reason: &'static str,
            },
        }

        impl $Body {
            $seen fn all(shortfalls: &[kassa_domain::refusal::Shortfall]) -> Vec<Self> {
                shortfalls.iter().map(Self::new).collect()
            }

            fn new(shortfall: &kassa_domain::refusal::Shortfall) -> Self {
                use kassa_domain::refusal::Shortfall;
                use $crate::wire::{IdRef, SHORTFALL_REASONS};
                match *shortfall {
                    Shortfall::Ticket { ticket, reason, reserved_till } => Self::Ticket {
                        ticket: IdRef(ticket),
                        reason: SHORTFALL_REASONS.name(reason),
                        reserved_till: reserved_till.map($Time),
                    },
                    Shortfall::AnyOfSet { set, requested, granted, reason } => Self::Random {
                        set: IdRef(set),
                        wanted: requested,
                        got: granted,
                        reason: SHORTFALL_REASONS.name(reason),
                    },
                }
            }
        }
    };
}
pub(crate) use shortfall_body;

//! How many tickets an order must have for a promocode.

use kassa_domain::promocode::TicketCountLimits;

use super::form::wire_form;

wire_form! {
    /// How many tickets of its sets an order must have: `{}` for any number.
    #[schema(as = TicketsCount)]
    pub(crate) struct TicketsCountBody {
        /// The fewest tickets; missing if there is no minimum.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schema(nullable = false)]
        min: Option<u32>,
        /// The most tickets; missing if there is no maximum.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schema(nullable = false)]
        max: Option<u32>,
    }
}

impl From<TicketCountLimits> for TicketsCountBody {
    fn from(TicketCountLimits { min, max }: TicketCountLimits) -> Self {
        Self { min, max }
    }
}

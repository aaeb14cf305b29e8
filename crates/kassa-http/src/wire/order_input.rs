//! What requests to orders say in every version of the interface.

use kassa_domain::Patch;
use kassa_domain::order::{OrderTransition, TicketSelection};
use kassa_domain::promocode::PromocodeText;
use kassa_domain::set::TicketSet;
use kassa_domain::ticket::Ticket;

use super::enum_names::{enum_input, enum_names};
use super::id::IdRef;
use crate::input::{BoundedNumber, IdMap, Input, List, Problems, PromocodeCodeInput};

/// Tickets by their ids.
pub(crate) type TicketList = List<IdRef<Ticket>, 10_000>;
/// How many tickets of each set.
pub(crate) type SetCounts = IdMap<TicketSet, BoundedNumber<1_000_000>>;

/// The problem of a request that says both.
pub(crate) const TICKETS_AND_RANDOM: &str = "must not be given together with tickets";

/// All that an order shall hold, if the request says so.
pub(crate) fn ticket_selection(
    tickets: Input<TicketList>,
    random: Input<SetCounts>,
    problems: &mut Problems,
) -> Option<TicketSelection> {
    match (tickets.optional("tickets", problems), random.optional("random", problems)) {
        (Some(_), Some(_)) => {
            problems.add("random", TICKETS_AND_RANDOM);
            None
        }
        (Some(List(tickets)), None) => Some(TicketSelection::Tickets(tickets.into_iter().map(|id| id.0).collect())),
        (None, Some(IdMap(sets))) => {
            Some(TicketSelection::AnyOfSets(sets.into_iter().map(|(set, count)| (set, count.0)).collect()))
        }
        (None, None) => None,
    }
}

/// All codes that an order shall use, if the request says so.
pub(crate) fn promocode_codes(
    promocodes: Input<List<PromocodeCodeInput>>,
    problems: &mut Problems,
) -> Option<Vec<PromocodeText>> {
    match promocodes.patch("promocodes", problems) {
        Patch::Set(List(codes)) => Some(codes.into_iter().map(|code| code.0).collect()),
        Patch::Clear => Some(Vec::new()),
        Patch::Keep => None,
    }
}

enum_names! {
    /// The transitions that can be asked for; `canceled` is how version 1 spells it, `cancelled` version 2.
    static ORDER_TRANSITIONS: OrderTransition {
        AwaitingPayment => "in_progress",
        Paid => "done",
        Canceled => "canceled" | "cancelled",
    }
}

enum_input! {
    /// A step that an order shall take.
    pub(crate) struct OrderStatusInput(OrderTransition) of ORDER_TRANSITIONS;
}

//! What requests to orders say in every version of the interface.

use kassa_domain::Patch;
use kassa_domain::order::{OrderStatusKind, OrderTransition, TicketSelection};
use kassa_domain::promocode::PromocodeText;
use kassa_domain::set::TicketSet;
use kassa_domain::ticket::Ticket;
use utoipa::openapi::{RefOr, Schema};

use super::id_or_object::IdOrObject;
use crate::error::ErrorDetail;
use crate::input::{BoundedNumber, FromJson, IdMap, Input, List, Problems, PromocodeCodeInput, parse_word};
use crate::openapi::schema;

/// Tickets by their ids, or as orders of version 2 show them.
pub(crate) type TicketList = List<IdOrObject<Ticket>, 10_000>;
/// How many tickets of each set.
pub(crate) type SetCounts = IdMap<TicketSet, BoundedNumber<1_000_000>>;

/// The problem of a request that says both.
pub(crate) const TICKETS_AND_RANDOM: &str = "must not be given together with tickets";

/// All that an order is to hold, if the request says so.
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

/// What a request says of the fields of an object, where `null` clears all of them.
pub(crate) fn object_patch<T, P>(
    object: Patch<T>,
    fields: impl FnOnce(T) -> P,
    cleared: impl FnOnce() -> P,
) -> Option<P> {
    match object {
        Patch::Set(object) => Some(fields(object)),
        Patch::Clear => Some(cleared()),
        Patch::Keep => None,
    }
}

/// All codes that an order is to use, if the request says so.
pub(crate) fn promocode_codes(
    promocodes: Input<List<PromocodeCodeInput>>,
    problems: &mut Problems,
) -> Option<Vec<PromocodeText>> {
    let codes = |List(codes): List<PromocodeCodeInput>| codes.into_iter().map(|code| code.0).collect();
    object_patch(promocodes.patch("promocodes", problems), codes, Vec::new)
}

/// The statuses that a request may name; `canceled` is how version 1 spells it, `cancelled` version 2. Some cannot be
/// asked for: naming one is refused unless the order has it.
const ORDER_TRANSITIONS: &[(&str, OrderTransition)] = &[
    ("in_progress", OrderTransition::AwaitingPayment),
    ("done", OrderTransition::Paid),
    ("canceled", OrderTransition::Canceled),
    ("cancelled", OrderTransition::Canceled),
    ("executed", OrderTransition::Remain(OrderStatusKind::Reserved)),
    ("expired", OrderTransition::Remain(OrderStatusKind::Expired)),
    ("refunded", OrderTransition::Remain(OrderStatusKind::Refunded)),
];

/// The status that an order is to have.
pub(crate) struct OrderStatusInput(pub(crate) OrderTransition);

impl FromJson for OrderStatusInput {
    fn from_json(json: &str) -> Result<Self, Vec<ErrorDetail>> {
        parse_word(ORDER_TRANSITIONS, json).map(Self)
    }

    fn json_schema() -> RefOr<Schema> {
        schema::words(ORDER_TRANSITIONS.iter().map(|(word, _)| *word)).into()
    }
}

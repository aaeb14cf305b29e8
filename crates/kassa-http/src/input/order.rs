//! What requests to orders say in every version of the interface.

use kassa_domain::Patch;
use kassa_domain::order::{Step, Wanted};
use kassa_domain::promocode::Code;
use kassa_domain::set::Set;
use kassa_domain::ticket::Ticket;
use utoipa::openapi::{RefOr, Schema};

use super::field::{FromJson, Input, Problems};
use super::values::{CodeText, Count, List, Map, one_of};
use crate::error::Detail;
use crate::openapi::schema;
use crate::wire::Ref;

/// Tickets by their ids.
pub(crate) type TicketList = List<Ref<Ticket>, 10_000>;
/// How many tickets of each set.
pub(crate) type SetCounts = Map<Set, Count<1_000_000>>;

/// The problem of a request that says both.
pub(crate) const ONE_OF_BOTH: &str = "Only one of tickets or random can be set";

/// All that an order shall hold, if the request says so.
pub(crate) fn wanted(tickets: Input<TicketList>, random: Input<SetCounts>, problems: &mut Problems) -> Option<Wanted> {
    match (tickets.optional("tickets", problems), random.optional("random", problems)) {
        (Some(_), Some(_)) => {
            problems.add("random", ONE_OF_BOTH);
            None
        }
        (Some(List(tickets)), None) => Some(Wanted::Tickets(tickets.into_iter().map(|id| id.0).collect())),
        (None, Some(Map(sets))) => Some(Wanted::Random(sets.into_iter().map(|(set, count)| (set, count.0)).collect())),
        (None, None) => None,
    }
}

/// All codes that an order shall use, if the request says so.
pub(crate) fn codes(promocodes: Input<List<CodeText>>, problems: &mut Problems) -> Option<Vec<Code>> {
    match promocodes.patch("promocodes", problems) {
        Patch::Set(List(codes)) => Some(codes.into_iter().map(|code| code.0).collect()),
        Patch::Clear => Some(Vec::new()),
        Patch::Keep => None,
    }
}

/// The statuses that can be asked for; `canceled` is how version 1 spells it, `cancelled` version 2.
const STEPS: [(&str, Step); 4] = [
    ("in_progress", Step::InProgress),
    ("done", Step::Done),
    ("canceled", Step::Canceled),
    ("cancelled", Step::Canceled),
];

/// A step that an order shall take.
pub(crate) struct StepInput(pub(crate) Step);

impl FromJson for StepInput {
    fn from_json(json: &str) -> Result<Self, Vec<Detail>> {
        one_of(&STEPS, json).map(Self)
    }

    fn form() -> RefOr<Schema> {
        schema::words(STEPS.map(|(name, _)| name)).into()
    }
}

//! Selectors: what a batch of commands wants to see, known before anything is loaded.

use std::collections::BTreeSet;

use super::MissingRows;
use crate::model::order::NetworkMark;
use crate::model::row::Row;
use crate::model::set::{SeatSelector, TicketSet};
use crate::values::email::Email;
use crate::values::hex128::Hex128;
use crate::values::promocode_text::PromocodeText;
use crate::values::resource_ids::{EventId, OrderId, PartnerId, SetId, UserId, VenueId};

/// Events that are loaded to see whether a venue is in use. It is more than one batch can take away from a
/// venue, so that the one that keeps the venue is among them.
pub const EVENTS_AT_MAX: u32 = 1_500;

/// The most sessions that a user is shown at a time.
pub const SESSIONS_SHOWN_MAX: u32 = 100;

/// The most proposals of an agent for an event that wait for an answer.
pub const PROPOSALS_MAX: u32 = 10;

/// The most unpaid orders of visitors with one e-mail, or from one network, that are looked at.
pub const UNPAID_ORDERS_MAX: u32 = 100;

/// What the commands of a batch want of the vacant tickets of one set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VacancyRequest {
    /// The set.
    pub set: SetId,
    /// How many each command wants, in their order.
    pub counts: Vec<u32>,
    /// How many tickets the whole batch may take of the set, those that it names included.
    pub max_tickets: u32,
}

impl VacancyRequest {
    /// How many tickets of its set each command will get, as far as one can tell before they are decided.
    pub fn expected_grants(&self, set: &TicketSet) -> Vec<u32> {
        let available = u32::try_from(set.available());
        debug_assert!(available.is_ok(), "a set has more tickets than any may have");
        let mut free = available.unwrap_or(u32::MAX);
        let mut grants = Vec::with_capacity(self.counts.len());
        for count in &self.counts {
            let granted = free.min(*count);
            free -= granted;
            if granted > 0 {
                grants.push(granted);
            }
        }
        grants
    }

    /// The numbers of neighbours that may be looked for, each once: what is wanted, and what is left of it
    /// when too few are free.
    pub fn run_lengths(&self, set: &TicketSet) -> BTreeSet<u32> {
        self.expected_grants(set).into_iter().chain(self.counts.iter().copied()).collect()
    }

    /// How many row inventories are enough for any of them: each ticket that is taken spoils one row
    /// inventory, and of one more than that at least one stays as it is.
    pub fn sufficient_rows(&self) -> u32 {
        self.max_tickets.saturating_add(1)
    }
}

/// What names the rows of a selector.
macro_rules! selector_key {
    ($row:ty) => {
        <$row as Row>::Key
    };
    ($row:ty, $key:ty) => {
        $key
    };
}

/// Brings the keys of a selector into order.
macro_rules! normalize_keys {
    // Stable: who asks first is given first.
    (vacant, $keys:expr) => {
        $keys.sort_by_key(|(set, _)| *set)
    };
    ($how:ident, $keys:expr) => {{
        $keys.sort_unstable();
        $keys.dedup();
    }};
}

macro_rules! define_read_set {
    ($($table:ident: $row:ty, $phase:ident {
        $($(#[$doc:meta])* $access:ident $field:ident $how:ident $(($key:ty))? $([$($lookups:tt)*])?;)*
    })*) => {
        /// The rows to load. In which order they are locked, [`every_selector!`](crate::every_selector) says.
        #[derive(Clone, Debug, Default)]
        pub struct ReadSet {
            $($($(#[$doc])* pub $field: Vec<selector_key!($row $(, $key)?)>,)*)*
        }

        impl ReadSet {
            /// Sorts and merges what several commands named: each row is loaded once, and in the order in
            /// which everybody locks.
            pub fn normalize(&mut self) {
                $($(normalize_keys!($how, self.$field);)*)*
            }

            /// How many keys it names.
            pub fn len(&self) -> usize {
                0 $($(+ self.$field.len())*)*
            }

            /// Whether it names nothing.
            pub fn is_empty(&self) -> bool {
                true $($(&& self.$field.is_empty())*)*
            }
        }
    };
}
crate::every_selector!(define_read_set);

impl ReadSet {
    /// What is wanted of each set's vacant tickets, by set.
    pub fn vacancy_requests(&self) -> Vec<VacancyRequest> {
        // A ticket that another command of the batch takes by its id, or takes away, may be one of those
        // offered: then there must be one more.
        let seats: u32 = self.seats.iter().map(|seats| seats.range.count()).sum();
        let tickets = u32::try_from(self.tickets.len());
        debug_assert!(tickets.is_ok(), "a batch is bounded");
        let named = tickets.unwrap_or(u32::MAX).saturating_add(seats);
        let mut requests = Vec::new();
        for same_set in self.vacant.chunk_by(|one, other| one.0 == other.0) {
            let counts: Vec<u32> = same_set.iter().map(|(_, count)| *count).collect();
            // A client may ask for any number of tickets; a set has fewer than this.
            let max_tickets = counts.iter().fold(named, |sum, count| sum.saturating_add(*count));
            requests.extend(same_set.first().map(|(set, _)| VacancyRequest { set: *set, counts, max_tickets }));
        }
        requests
    }

    /// Names besides what decisions turned out to need.
    pub fn add_missing(&mut self, missing: MissingRows) {
        self.seats.extend(missing.seats);
        self.vacant.extend(missing.vacant);
        self.seat_row_inventories_of.extend(missing.row_inventories_of);
        self.partners.extend(missing.partners);
        self.users.extend(missing.users);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::values::id::Id;

    #[test]
    fn tickets_named_by_id_are_offered_in_addition() {
        // One command wants a ticket by its id, which may be one of the two that others are offered.
        let (one, other) = (Id::root(1), Id::root(2));
        let vacant = vec![(one, 1), (other, 3), (one, 1)];
        let mut read_set = ReadSet { tickets: vec![Id::root(9), Id::root(9)], vacant, ..ReadSet::default() };
        read_set.normalize();
        let requests = [
            VacancyRequest { set: one, counts: vec![1, 1], max_tickets: 3 },
            VacancyRequest { set: other, counts: vec![3], max_tickets: 4 },
        ];
        assert_eq!(read_set.vacancy_requests(), requests);
    }
}

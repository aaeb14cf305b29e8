//! Selectors: what a batch of commands wants to see, known before anything is loaded.

use std::collections::BTreeSet;

use super::MissingRows;
use crate::model::api_key::ApiKey;
use crate::model::attachment::Attachment;
use crate::model::deal::Deal;
use crate::model::event::Event;
use crate::model::hall_map::HallMap;
use crate::model::idempotency::IdempotencyRecord;
use crate::model::installation_setting::InstallationSetting;
use crate::model::job::Job;
use crate::model::mail::Mail;
use crate::model::node::{Node, SharedCounter};
use crate::model::order::Order;
use crate::model::partner::{Partner, PartnerManager};
use crate::model::promocode::Promocode;
use crate::model::promotion::Promotion;
use crate::model::refund::RefundRequest;
use crate::model::row::Row;
use crate::model::seat_row_inventory::SeatRowInventory;
use crate::model::session::Session;
use crate::model::set::{SeatSelector, TicketSet};
use crate::model::ticket::Ticket;
use crate::model::user::User;
use crate::model::venue::Venue;
use crate::values::email::Email;
use crate::values::hex128::Hex128;
use crate::values::promocode_text::PromocodeText;
use crate::values::resource_ids::{EventId, PartnerId, SetId};

/// Events that are loaded to see whether a venue is in use. It is more than one batch can take away from a
/// venue, so that the one that keeps the venue is among them.
pub const EVENTS_AT_MAX: u32 = 1_500;

type Keys<R> = Vec<<R as Row>::Key>;

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
        let mut free = u32::try_from(set.available()).unwrap_or(u32::MAX);
        let grant = |count: &u32| {
            let granted = free.min(*count);
            free -= granted;
            granted
        };
        self.counts.iter().map(grant).filter(|count| *count > 0).collect()
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

macro_rules! define_read_set {
    ($($(#[$doc:meta])* $field:ident: $keys:ty,)*) => {
        /// The rows to load. In which order they are locked, the store says.
        #[derive(Clone, Debug, Default)]
        pub struct ReadSet {
            $($(#[$doc])* pub $field: $keys,)*
            /// So many vacant tickets of a set, one entry for each command that wants some: without seats from the
            /// set's cursor on, with seats where its row inventories say.
            pub vacant: Vec<(SetId, u32)>,
        }

        impl ReadSet {
            /// Sorts and merges what several commands named: each row is loaded once, and in the order in
            /// which everybody locks.
            pub fn normalize(&mut self) {
                fn distinct<T: Ord>(list: &mut Vec<T>) {
                    list.sort_unstable();
                    list.dedup();
                }
                $(distinct(&mut self.$field);)*
                // Stable: who asks first is given first.
                self.vacant.sort_by_key(|(set, _)| *set);
            }
        }
    };
}
define_read_set! {
    /// Writers, by node.
    nodes: Keys<Node>,
    /// Shared counters, by name.
    counters: Keys<SharedCounter>,
    /// Settings of the installation, by name.
    installation_settings: Keys<InstallationSetting>,
    /// Answers that are kept, by their keys.
    idempotency_records: Keys<IdempotencyRecord>,
    /// Users, by id.
    users: Keys<User>,
    /// Users, by e-mail.
    users_by_email: Vec<Email>,
    /// Sessions, by the hash of their token.
    sessions: Keys<Session>,
    /// Partners, by id.
    partners: Keys<Partner>,
    /// The organizer of an event: for reading.
    organizers_of: Keys<Event>,
    /// Single memberships of users in partners.
    managers: Keys<PartnerManager>,
    /// All managers of a partner.
    managers_of: Keys<Partner>,
    /// All partners of a user.
    partners_of: Keys<User>,
    /// API keys, by id.
    keys: Keys<ApiKey>,
    /// API keys, by the hash of their token.
    keys_by_hash: Vec<[u8; 32]>,
    /// Attachments, by id.
    attachments: Keys<Attachment>,
    /// Attachments, by the token of their bytes.
    attachments_by_token: Vec<Hex128>,
    /// Orders, by id.
    orders: Keys<Order>,
    /// Refund requests, by id.
    refunds: Keys<RefundRequest>,
    /// All refund requests of an order: for reading.
    refunds_of: Keys<Order>,
    /// Refund requests of an order that are still open.
    open_refunds_of: Keys<Order>,
    /// Promocodes, by id.
    promocodes: Keys<Promocode>,
    /// Promocodes, by event and code, whatever its case.
    promocodes_by_text: Vec<(EventId, PromocodeText)>,
    /// Sets, by id: for reading.
    sets: Keys<TicketSet>,
    /// All sets of an event; their locks are the event's mutex.
    sets_of: Keys<Event>,
    /// Tickets, by id.
    tickets: Keys<Ticket>,
    /// Tickets that an order holds or was sold.
    tickets_held_by: Keys<Order>,
    /// Tickets of a set that the organizer holds back.
    blocked_tickets_of: Vec<SetId>,
    /// Tickets of a set by their seats.
    seats: Vec<SeatSelector>,
    /// Row inventories, by id. Those of tickets that are loaded need not be named.
    seat_row_inventories: Keys<SeatRowInventory>,
    /// All row inventories of a set.
    seat_row_inventories_of: Vec<SetId>,
    /// Venues, by id. An event that is given a venue names it, too: a venue's lock is what its
    /// removal and its uses meet at.
    venues: Keys<Venue>,
    /// Hall maps, by id. An event that is given a map names it: a map's lock is what its changes and its uses
    /// meet at.
    hall_maps: Keys<HallMap>,
    /// The hall map by which an event sells: for reading.
    hall_map_of: Keys<Event>,
    /// Events, by id; read after the sets were locked.
    events: Keys<Event>,
    /// Deals, by id; read after the sets were locked.
    deals: Keys<Deal>,
    /// All deals of an event with an agent.
    deals_of: Vec<(EventId, PartnerId)>,
    /// The newest accepted deal of an agent with an organizer.
    deals_between: Vec<(PartnerId, PartnerId)>,
    /// Events at a venue that are neither removed nor canceled: up to [`EVENTS_AT_MAX`] without an
    /// end, and as many of those that end last.
    events_at: Keys<Venue>,
    /// Promotions, by id; read after the sets were locked.
    promotions: Keys<Promotion>,
    /// All promotions of an event that are not removed; read after the sets were locked.
    promotions_of: Keys<Event>,
    /// Jobs, by id.
    jobs: Keys<Job>,
    /// Mails, by id.
    mails: Keys<Mail>,
}

impl ReadSet {
    /// What is wanted of each set's vacant tickets, by set.
    pub fn vacancy_requests(&self) -> Vec<VacancyRequest> {
        // A ticket that another command of the batch takes by its id, or takes away, may be one of those
        // offered: then there must be one more.
        let chairs: u32 = self.seats.iter().map(|chairs| chairs.range.count()).sum();
        let named = u32::try_from(self.tickets.len()).unwrap_or(u32::MAX).saturating_add(chairs);
        let same_set = self.vacant.chunk_by(|one, other| one.0 == other.0);
        let wishes = same_set.filter_map(|wishes| {
            let counts: Vec<u32> = wishes.iter().map(|(_, count)| *count).collect();
            let most = counts.iter().fold(named, |sum, count| sum.saturating_add(*count));
            Some(VacancyRequest { set: wishes.first()?.0, counts, max_tickets: most })
        });
        wishes.collect()
    }

    /// Names besides what decisions turned out to need.
    pub fn add_missing(&mut self, missing: MissingRows) {
        self.seats.extend(missing.seats);
        self.vacant.extend(missing.vacant);
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
        let wishes = |set, counts: &[u32], most| VacancyRequest { set, counts: counts.to_vec(), max_tickets: most };
        assert_eq!(read_set.vacancy_requests(), [wishes(one, &[1, 1], 3), wishes(other, &[3], 4)]);
    }
}

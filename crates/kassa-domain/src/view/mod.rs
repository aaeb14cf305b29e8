//! What a batch of commands sees and changes: the rows they named, loaded together.

mod marks;
mod missing_rows;
mod read_set;
mod seat_choice;
mod seat_picking;
mod selectors;
mod stated_changes;
mod table;
mod tables;

pub use crate::model::row::{Row, RowKey};
pub use marks::Mark;
pub use missing_rows::MissingRows;
pub use read_set::{EVENTS_AT_MAX, PROPOSALS_MAX, ReadSet, SESSIONS_SHOWN_MAX, UNPAID_ORDERS_MAX, VacancyRequest};
pub use seat_picking::{PickedTickets, row_inventories_to_load};
pub use selectors::{Access, Condition, Lookup, Selector};
pub use stated_changes::StatedChanges;
pub use table::{RowChange, Table};

use rustc_hash::{FxHashMap, FxHashSet};

use crate::model::deal::{Deal, DealStatus};
use crate::model::event::Event;
use crate::model::hall_map::HallMap;
use crate::model::invitation::Invitation;
use crate::model::partner::Partner;
use crate::model::promocode::Promocode;
use crate::model::promotion::Promotion;
use crate::model::role::Membership;
use crate::model::seat_row_inventory::SeatRowInventory;
use crate::model::set::TicketSet;
use crate::model::ticket::{Ticket, TicketState};
use crate::model::user::User;
use crate::values::email::Email;
use crate::values::promocode_text::PromocodeText;
use crate::values::resource_ids::{EventId, PartnerId, SetId, TicketId, UserId, VenueId};
use crate::values::time::Timestamp;

macro_rules! define_view {
    ($($field:ident: $row:ty,)*) => {
        /// The rows of one batch. Each command works on it in turn; a refusal takes back what the
        /// command had changed.
        #[derive(Default)]
        pub struct View {
            $(
                #[doc = concat!("The `", stringify!($field), "` that were named.")]
                pub $field: Table<$row>,
            )*
            /// The changes that the commands stated.
            pub changes: StatedChanges,
            vacant: FxHashMap<SetId, Vec<TicketId>>,
            seat_picking: seat_picking::SeatPicking,
            missing: MissingRows,
        }

        impl View {
            /// Makes the changes since the last call part of the batch.
            pub fn accept_changes(&mut self) {
                $(self.$field.accept_changes();)*
                self.changes.accept();
            }

            /// Takes back the changes since the last [`View::accept_changes`].
            pub fn roll_back(&mut self) {
                $(self.$field.roll_back();)*
                self.changes.roll_back();
            }

            /// Adds rows that were read later.
            pub fn extend(&mut self, other: Self) {
                $(self.$field.extend(other.$field);)*
            }

            /// Whether nothing was changed.
            pub fn is_clean(&self) -> bool {
                true $(&& self.$field.is_clean())*
            }

            /// How many rows were put or removed since the last [`View::accept_changes`], each as often as it was.
            fn pending_rows(&self) -> usize {
                0 $(+ self.$field.pending_rows())*
            }
        }
    };
}

crate::every_table!(define_view);

fn is_vacant(ticket: &Ticket) -> bool {
    ticket.state == TicketState::Vacant
}

impl View {
    /// Whether something was changed since the last [`View::accept_changes`] that others could see. How far a job has
    /// come and where a set's vacant seats are follows from other rows, or says nothing to anybody.
    pub(crate) fn has_visible_pending_rows(&self) -> bool {
        self.pending_rows() > self.jobs.pending_rows() + self.seat_row_inventories.pending_rows()
    }

    /// For drivers: the tickets of a set that were found vacant, in the order in which they should be given
    /// out: from the set's cursor on, then from the start.
    pub fn offer_vacant(&mut self, set: SetId, tickets: Vec<TicketId>) {
        self.vacant.insert(set, tickets);
    }

    /// Up to `count` tickets of a set without seats that are vacant now, from the set's cursor on.
    pub fn pick_vacant(&self, set: &TicketSet, count: usize) -> Vec<TicketId> {
        let offered = self.vacant.get(&set.id).map_or(&[][..], Vec::as_slice);
        // The offer starts after the cursor as it was loaded and may wrap round once: it is two
        // ascending runs. Commands before this one have moved the cursor along it.
        let turn = offered.windows(2).position(|pair| pair[0] > pair[1]).map_or(offered.len(), |at| at + 1);
        let first = &offered[..turn];
        let passed = first.partition_point(|ticket| ticket.key() <= set.pick_cursor);
        let start = if passed < first.len() { passed } else { turn };
        let in_turn = offered[start..].iter().chain(&offered[..start]).copied();
        let vacant = in_turn.filter(|id| self.tickets.get(*id).is_some_and(is_vacant));
        let mut picked: Vec<TicketId> = vacant.take(count).collect();
        if picked.len() < count {
            // The offer is used up. What commands of this batch gave back is for sale, too.
            let taken: FxHashSet<TicketId> = picked.iter().copied().collect();
            let vacant = self.tickets.rows().filter(|ticket| ticket.set == set.id && is_vacant(ticket));
            let mut given_back: Vec<TicketId> = vacant.map(|t| t.id).filter(|id| !taken.contains(id)).collect();
            given_back.sort_unstable();
            picked.extend(given_back.into_iter().take(count - picked.len()));
        }
        picked
    }

    /// The sets of an event that are in the view, in the order in which they are shown.
    pub fn sets_of(&self, event: EventId) -> Vec<&TicketSet> {
        let mut sets: Vec<&TicketSet> = self.sets.rows().filter(|set| set.event == event).collect();
        sets.sort_unstable_by_key(|set| (set.pos, set.id));
        sets
    }

    /// The sets of every event in the view, each in the order in which they are shown.
    pub fn sets_by_event(&self) -> FxHashMap<EventId, Vec<&TicketSet>> {
        let mut events: FxHashMap<EventId, Vec<&TicketSet>> = FxHashMap::default();
        for set in self.sets.rows() {
            events.entry(set.event).or_default().push(set);
        }
        for sets in events.values_mut() {
            sets.sort_unstable_by_key(|set| (set.pos, set.id));
        }
        events
    }

    /// The newest accepted deal under which one of these partners sells an event.
    pub fn newest_deal_of(&self, event: EventId, partners: &[PartnerId]) -> Option<&Deal> {
        let sells = |deal: &&Deal| deal.event == event && deal.is_accepted() && partners.contains(&deal.agent);
        self.deals.rows().filter(sells).max_by_key(|deal| deal.id)
    }

    /// The same for every event in the view that has such a deal.
    pub fn deals_by_event(&self, partners: &[PartnerId]) -> FxHashMap<EventId, &Deal> {
        let mut events: FxHashMap<EventId, &Deal> = FxHashMap::default();
        for deal in self.deals.rows().filter(|deal| deal.is_accepted() && partners.contains(&deal.agent)) {
            let newest = events.entry(deal.event).or_insert(deal);
            if newest.id < deal.id {
                *newest = deal;
            }
        }
        events
    }

    /// How many proposals of an agent for an event in the view wait for an answer.
    pub fn pending_proposals(&self, event: EventId, agent: PartnerId) -> usize {
        let waits = |deal: &&Deal| deal.event == event && deal.agent == agent && deal.status == DealStatus::New;
        self.deals.rows().filter(waits).count()
    }

    /// The promocode of an event with this code, whatever its case.
    pub fn promocode(&self, event: EventId, code: &PromocodeText) -> Option<&Promocode> {
        self.promocodes.rows().find(|promocode| promocode.event == event && promocode.code.matches(code))
    }

    /// The promotions of an event that are in the view and not removed, in no order.
    pub fn promotions_of(&self, event: EventId) -> impl Iterator<Item = &Promotion> {
        self.promotions.rows().filter(move |promotion| promotion.event == event && !promotion.removed)
    }

    /// Whether an accepted deal in the view is between a partner and one of the others.
    pub fn has_deal_with(&self, partner: PartnerId, others: &[PartnerId]) -> bool {
        self.deals.rows().any(|deal| deal.is_accepted() && deal.is_between(partner, others))
    }

    /// Whether the organizer has ended a deal in the view with this agent.
    pub fn has_ended_deal_with(&self, organizer: PartnerId, agent: PartnerId) -> bool {
        let is_between = |deal: &Deal| deal.organizer == organizer && deal.agent == agent;
        self.deals.rows().any(|deal| deal.ended_by_organizer && is_between(deal))
    }

    /// The events in the view that take place at a venue, in no order.
    pub fn events_at(&self, venue: VenueId) -> impl Iterator<Item = &Event> {
        self.events.rows().filter(move |event| event.venue == Some(venue))
    }

    /// Whether the organizer of an event is in the view and may act: only then the event is public, and sells.
    pub fn is_organizer_active(&self, event: &Event) -> bool {
        self.partners.get(event.organizer).is_some_and(|organizer| organizer.inactivity().is_none())
    }

    /// The hall map by which an event sells.
    pub fn hall_map_of(&self, event: &Event) -> Option<&HallMap> {
        event.hall_map.and_then(|map| self.hall_maps.get(map))
    }

    /// What decisions needed and did not find, if anything.
    pub fn take_missing(&mut self) -> Option<MissingRows> {
        let missing = std::mem::take(&mut self.missing);
        (missing != MissingRows::default()).then_some(missing)
    }

    /// A partner. If it is not here, that is noted for [`View::take_missing`].
    pub fn require_partner(&mut self, id: PartnerId) -> Option<&Partner> {
        if self.partners.get(id).is_none() {
            self.missing.partners.push(id);
        }
        self.partners.get(id)
    }

    /// All row inventories of a set. If some are not here, that is noted for [`View::take_missing`].
    pub fn require_row_inventories(&mut self, set: &TicketSet) -> Option<Vec<&SeatRowInventory>> {
        let of_set = |inventory: &&SeatRowInventory| inventory.set == set.id;
        let here: u32 = self.seat_row_inventories.rows().filter(of_set).map(|inventory| inventory.seats).sum();
        if i64::from(here) < set.counts.amount - set.counts.pending {
            self.missing.row_inventories_of.push(set.id);
            return None;
        }
        Some(self.seat_row_inventories.rows().filter(of_set).collect())
    }

    /// A user. If it is not here, that is noted for [`View::take_missing`].
    pub fn require_user(&mut self, id: UserId) -> Option<&User> {
        if self.users.get(id).is_none() {
            self.missing.users.push(id);
        }
        self.users.get(id)
    }

    /// The user with this e-mail.
    pub fn user_by_email(&self, email: &Email) -> Option<&User> {
        self.users.rows().find(|user| user.email == *email)
    }

    /// Who manages a partner, by id.
    pub fn managers_of(&self, partner: PartnerId) -> Vec<UserId> {
        let mut users: Vec<UserId> = self.managers.rows().filter(|m| m.partner == partner).map(|m| m.user).collect();
        users.sort_unstable();
        users
    }

    /// Whom a partner has invited who has not answered by `now`, by id.
    pub fn invited_by(&self, partner: PartnerId, now: Timestamp) -> Vec<UserId> {
        let is_open = |invitation: &&Invitation| invitation.key.partner == Some(partner) && invitation.is_pending(now);
        let mut users: Vec<UserId> = self.invitations.rows().filter(is_open).map(|open| open.key.user).collect();
        users.sort_unstable();
        users
    }

    /// What a user is to each of the partners that it manages, by id.
    pub fn memberships_of(&self, user: UserId) -> Vec<Membership> {
        let own = self.managers.rows().filter(|manager| manager.user == user);
        let mut all: Vec<Membership> =
            own.map(|manager| Membership { partner: manager.partner, role: manager.role }).collect();
        all.sort_unstable_by_key(|membership| membership.partner);
        all
    }

    /// The partners that a user manages, by id.
    pub fn partners_of(&self, user: UserId) -> Vec<PartnerId> {
        let mut partners: Vec<PartnerId> = self.managers.rows().filter(|m| m.user == user).map(|m| m.partner).collect();
        partners.sort_unstable();
        partners
    }
}

//! What is left of an event: how many tickets of each set, and which seats.
//!
//! Whoever sees the event sees the same of it. Seats are bits, in the order of the layout, which is told apart: it changes
//! when the organizer edits the event, and not with sales.

use std::collections::HashMap;
use std::sync::Arc;

use kassa_domain::change::{Change, ChangeType, Subject};
use kassa_domain::event::{Event, EventId};
use kassa_domain::partner::PartnerId;
use kassa_domain::precondition::ResourceRef;
use kassa_domain::seat_row_inventory::SeatRowInventory;
use kassa_domain::seating::{RowName, Seating, SeatingJson};
use kassa_domain::set::{SetId, TicketSet};
use kassa_domain::{Actor, ReadSet, Timestamp, View, hex, permission};
use sha2::{Digest as _, Sha256};

use crate::engine::Engine;
use crate::failure::Failure;

/// Bytes of a digest that tell one layout from another.
const TAG_BYTES: usize = 8;

/// What is left of an event at a time.
#[derive(Clone, Debug)]
pub struct Availability {
    /// Which event.
    pub event: EventId,
    /// Whose it is.
    pub organizer: PartnerId,
    /// Whether everybody may see it.
    pub is_public: bool,
    /// Whether its tickets are on sale.
    pub on_sale: bool,
    /// Its sets, in the order in which they are shown.
    pub sets: Vec<SetAvailability>,
    /// Its seats.
    pub layout: Arc<SeatLayout>,
    /// When something of this will be different although nobody does anything.
    pub changes_at: Option<Timestamp>,
}

/// What is left of a set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetAvailability {
    /// Which set.
    pub set: SetId,
    /// How many of its tickets can be had.
    pub left: i64,
    /// Whether its tickets are on sale.
    pub on_sale: bool,
    /// Which of its seats can be had; `None` for a set without seats.
    pub free: Option<SeatBits>,
}

/// A bit for each seat of a set in the order of its layout: eight to a byte, the first one lowest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeatBits(Vec<u8>);

/// The sets of an event and their seats.
#[derive(Clone, Debug)]
pub struct SeatLayout {
    /// Another for each other layout: 16 hexadecimal digits.
    pub tag: String,
    /// The sets that are not removed, in the order in which they are shown.
    pub sets: Vec<SetLayout>,
}

/// A set and its seats.
#[derive(Clone, Debug)]
pub struct SetLayout {
    /// Which set.
    pub set: SetId,
    /// Its name.
    pub name: String,
    /// Its sector of the hall; empty where that says nothing.
    pub sector: String,
    /// Its seats; `None` for a set without seats.
    pub seats: Option<Seating>,
    /// The same as it was stored.
    stored: Option<SeatingJson>,
}

impl SeatBits {
    fn new(seats: usize) -> Self {
        Self(vec![0; seats.div_ceil(8)])
    }

    fn insert(&mut self, at: usize) {
        self.0[at / 8] |= 1 << (at % 8);
    }

    /// The bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// How many seats can be had.
    pub fn count(&self) -> u32 {
        self.0.iter().map(|byte| byte.count_ones()).sum()
    }

    /// The places of the seats that can be had here and not there.
    pub fn missing_in<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = usize> {
        let bits = |(at, (own, theirs)): (usize, (&u8, &u8))| {
            let only = own & !theirs;
            (0..8).filter(move |bit| only & (1 << bit) != 0).map(move |bit| at * 8 + bit)
        };
        self.0.iter().zip(&other.0).enumerate().flat_map(bits)
    }
}

impl SeatLayout {
    /// The layout of these sets: the earlier one, if it still is the same.
    fn of(sets: &[&TicketSet], earlier: Option<&Arc<Self>>) -> Arc<Self> {
        if let Some(earlier) = earlier.filter(|earlier| earlier.is_of(sets)) {
            return Arc::clone(earlier);
        }
        let mut digest = Sha256::new();
        let mut add = |text: &str| {
            digest.update(text.len().to_le_bytes());
            digest.update(text);
        };
        for set in sets {
            add(&set.id.to_string());
            add(&set.name);
            add(&set.sector);
            add(stored_seats(set).map_or("", SeatingJson::as_str));
        }
        let layout = |set: &&TicketSet| SetLayout {
            set: set.id,
            name: set.name.clone(),
            sector: set.sector.clone(),
            seats: stored_seats(set).map(SeatingJson::seating),
            stored: stored_seats(set).cloned(),
        };
        let tag = hex::encode(&digest.finalize()[..TAG_BYTES]);
        Arc::new(Self { tag, sets: sets.iter().map(layout).collect() })
    }

    fn is_of(&self, sets: &[&TicketSet]) -> bool {
        let is_same = |(layout, set): (&SetLayout, &&TicketSet)| {
            layout.set == set.id
                && layout.name == set.name
                && layout.sector == set.sector
                && layout.stored.as_ref() == stored_seats(set)
        };
        self.sets.len() == sets.len() && self.sets.iter().zip(sets).all(is_same)
    }
}

/// The seats that a set shall have: those that a job still makes cannot be had, and those that it takes away are gone.
fn stored_seats(set: &TicketSet) -> Option<&SeatingJson> {
    set.seats.as_ref().map(|seats| &seats.layout)
}

impl Availability {
    /// What a view says of an event that was read with [`Engine::inventory_view`]; `None` if there is no such event. What
    /// the layout was before saves reading it anew.
    pub fn of(event: EventId, view: &View, now: Timestamp, earlier: Option<&Arc<SeatLayout>>) -> Option<Self> {
        let event = view.events.get(event)?;
        let sets: Vec<&TicketSet> = view.sets_of(event.id).into_iter().filter(|set| !set.removed).collect();
        let layout = SeatLayout::of(&sets, earlier);
        let mut rows: HashMap<SetId, HashMap<&RowName, &SeatRowInventory>> = HashMap::new();
        for inventory in view.seat_row_inventories.rows() {
            rows.entry(inventory.set).or_default().insert(&inventory.row, inventory);
        }
        let on_sale = permission::is_on_sale(event, now, view);
        let of_set = |(set, layout): (&&TicketSet, &SetLayout)| SetAvailability {
            set: set.id,
            left: set.available(),
            on_sale: on_sale && set.selling_rule(now).is_some(),
            free: layout.seats.as_ref().map(|seats| free_seats(seats, rows.get(&set.id))),
        };
        Some(Self {
            event: event.id,
            organizer: event.organizer,
            is_public: permission::sees_event(&Actor::Anonymous, event, view),
            on_sale,
            sets: sets.iter().zip(&layout.sets).map(of_set).collect(),
            changes_at: next_change(event, &sets, now),
            layout,
        })
    }

    /// Whether the same can be had, of the same seats, by the same people.
    pub fn is_same(&self, other: &Self) -> bool {
        self.is_public == other.is_public
            && self.on_sale == other.on_sale
            && self.layout.tag == other.layout.tag
            && self.sets == other.sets
    }

    /// The sets whose seats are told.
    fn seated_sets(&self) -> Vec<SetId> {
        self.layout.sets.iter().filter(|set| set.seats.is_some()).map(|set| set.set).collect()
    }
}

fn free_seats(seats: &Seating, rows: Option<&HashMap<&RowName, &SeatRowInventory>>) -> SeatBits {
    let mut free = SeatBits::new(usize::try_from(seats.count()).unwrap_or(0));
    let mut first = 0;
    for (row, range) in seats.ranges() {
        if let Some(inventory) = rows.and_then(|rows| rows.get(row)) {
            let vacant = (first..).zip(range.from..=range.to).filter(|(_, number)| inventory.vacant.contains(*number));
            vacant.for_each(|(at, _)| free.insert(at));
        }
        first += range.count() as usize;
    }
    free
}

/// The next time at which a price begins or ends, or the event does.
fn next_change(event: &Event, sets: &[&TicketSet], now: Timestamp) -> Option<Timestamp> {
    let windows = sets.iter().flat_map(|set| &set.rules).map(|rule| rule.window);
    let times = windows.flat_map(|window| [Some(window.start), window.finish]).chain([event.ends_at()]);
    times.flatten().filter(|time| *time > now).min()
}

/// Whom a change makes see another availability.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AvailabilityChange {
    /// What is left of an event may be another.
    OfEvent(EventId),
    /// Who sees an event may be another, too.
    OfReaders(EventId),
    /// A partner may act no longer, or again: what is left of its events may be another, and who it is that sees others.
    OfPartner(PartnerId),
}

impl AvailabilityChange {
    /// What a change of the log means for what can be had; `None` where that is nothing.
    pub fn of(change: &Change) -> Option<Self> {
        match (change.kind, change.subject, change.event) {
            (
                ChangeType::PartnerRemoved | ChangeType::PartnerRestored | ChangeType::PartnerSuspended,
                Subject::Resource(ResourceRef::Partner(partner)),
                _,
            ) => Some(Self::OfPartner(partner)),
            (ChangeType::DealAccepted | ChangeType::DealTerminated, _, Some(event)) => Some(Self::OfReaders(event)),
            (_, _, event) => event.map(Self::OfEvent),
        }
    }
}

impl Engine {
    /// Everything that [`Availability::of`] looks at, as of one moment, and what else `around` names.
    pub async fn inventory_view(&self, event: EventId, around: &ReadSet) -> Result<View, Failure> {
        self.inventory_view_with(event, around, Vec::new()).await
    }

    /// What is left of an event; `None` if there is no such event. What it was before saves work.
    pub async fn availability(
        &self,
        event: EventId,
        earlier: Option<&Availability>,
    ) -> Result<Option<Availability>, Failure> {
        let seated = earlier.map(Availability::seated_sets).unwrap_or_default();
        let view = self.inventory_view_with(event, &ReadSet::default(), seated).await?;
        Ok(Availability::of(event, &view, self.now(), earlier.map(|earlier| &earlier.layout)))
    }

    /// The same where some sets are known to have seats: which others have, the first look tells.
    async fn inventory_view_with(
        &self,
        event: EventId,
        around: &ReadSet,
        mut seated: Vec<SetId>,
    ) -> Result<View, Failure> {
        loop {
            let read_set = ReadSet {
                events: vec![event],
                organizers_of: vec![event],
                sets_of: vec![event],
                seat_row_inventories_of: seated.clone(),
                ..around.clone()
            };
            let view = self.view(&read_set).await?;
            let has_seats = |set: &&TicketSet| set.event == event && !set.removed && set.seats.is_some();
            let found: Vec<SetId> = view.sets.rows().filter(has_seats).map(|set| set.id).collect();
            if found.iter().all(|set| seated.contains(set)) {
                return Ok(view);
            }
            seated = found;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    /// The highest number of a seat here, and one.
    const SEATS: usize = 50;

    fn some_seats() -> impl Strategy<Value = BTreeSet<usize>> {
        prop::collection::btree_set(0..SEATS, 0..SEATS)
    }

    fn bits_of(seats: &BTreeSet<usize>) -> SeatBits {
        let mut bits = SeatBits::new(SEATS);
        for at in seats {
            bits.insert(*at);
        }
        bits
    }

    #[test]
    fn the_first_seat_is_the_lowest_bit_of_the_first_byte() {
        assert_eq!(bits_of(&BTreeSet::from([0, 2, 8, 49])).bytes(), &[0b101_u8, 1, 0, 0, 0, 0, 0b10][..]);
        assert!(SeatBits::new(0).bytes().is_empty());
    }

    proptest! {
        #[test]
        fn bits_differ_as_sets_do(before in some_seats(), after in some_seats()) {
            let (was, is) = (bits_of(&before), bits_of(&after));
            prop_assert_eq!(is.count() as usize, after.len());
            prop_assert!(was.missing_in(&is).eq(before.difference(&after).copied()));
            prop_assert!(is.missing_in(&was).eq(after.difference(&before).copied()));
            prop_assert_eq!(was == is, before == after);
        }
    }
}

//! A new set.

use super::RequestedPriceRule;
use super::resize::charge_tickets;
use super::rules::check_rules_of_event;
use super::seats::check_seats_on_map;
use crate::context::Context;
use crate::context::command::{COMMAND_ROWS_MAX, Command, HALL_MAP_WEIGHT, LIGHT_WEIGHT, rows_of_text};
use crate::model::change::ChangeType;
use crate::model::set::{TicketCounts, TicketSet};
use crate::permission;
use crate::refusal::Refusal;
use crate::values::id::ShardTag;
use crate::values::money::Money;
use crate::values::resource_ids::EventId;
use crate::values::revision::Revision;
use crate::values::seating::Seating;
use crate::view::{ReadSet, View};

/// The most sets of one event, removed ones included.
pub const SETS_MAX: u32 = 500;

/// Makes a set and its tickets: up to 10,000 of them at once, the rest by a job.
#[derive(Debug)]
pub struct CreateSet {
    /// Of which event.
    pub event: EventId,
    /// Its name.
    pub name: String,
    /// Its description.
    pub desc: Option<String>,
    /// Where its tickets are in the hall.
    pub sector: String,
    /// Where it stands among the event's sets.
    pub pos: i64,
    /// How many tickets, where they have no seats.
    pub amount: u32,
    /// The seats: a ticket for each.
    pub seats: Option<Seating>,
    /// A plain price.
    pub price: Option<Money>,
    /// Prices in time.
    pub rules: Vec<RequestedPriceRule>,
}

impl CreateSet {
    /// A set without name, tickets and prices; other fields say what it has.
    pub fn empty(event: EventId) -> Self {
        let (name, sector) = (String::new(), String::new());
        Self { event, name, desc: None, sector, pos: 0, amount: 0, seats: None, price: None, rules: Vec::new() }
    }
}

impl Command for CreateSet {
    type Outcome = TicketSet;

    fn shard(&self) -> ShardTag {
        self.event.tag()
    }

    fn read_set(&self, read_set: &mut ReadSet) {
        read_set.events.push(self.event);
        read_set.organizers_of.push(self.event);
        read_set.sets_of.push(self.event);
        read_set.organizers_to_charge.push(self.event);
        read_set.hall_map_of.push(self.event);
    }

    fn weight(&self) -> u32 {
        let tickets = self.seats.as_ref().map_or(i64::from(self.amount), Seating::count);
        let map = if self.seats.is_some() { HALL_MAP_WEIGHT } else { 0 };
        let text = rows_of_text(self.desc.as_ref().map_or(0, String::len));
        LIGHT_WEIGHT + map + text + u32::try_from(tickets).unwrap_or(COMMAND_ROWS_MAX).min(COMMAND_ROWS_MAX)
    }

    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<TicketSet, Refusal> {
        let mut event = view.events.get(self.event).ok_or(Refusal::NotFound("event"))?.clone();
        permission::write_event(cx.actor, &event, view)?;
        let siblings = view.sets_of(self.event);
        if siblings.len() >= SETS_MAX as usize {
            return Err(Refusal::TooMany { what: "sets of one event", max: SETS_MAX });
        }
        let taken: Vec<&str> = siblings.iter().map(|set| set.serial.as_str()).collect();
        let serial = loop {
            let serial = cx.random_text(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ", 3);
            if !taken.contains(&serial.as_str()) {
                break serial;
            }
        };
        let mut set = TicketSet {
            id: cx.id_with_tag(event.id.tag()),
            event: event.id,
            name: self.name.clone(),
            desc: self.desc.clone(),
            sector: self.sector.clone(),
            pos: self.pos,
            serial,
            rules: Vec::new(),
            counts: TicketCounts::default(),
            seats: None,
            pending_removal: 0,
            pick_cursor: 0,
            job: None,
            removed: false,
            created_at: cx.now,
            updated_at: cx.now,
            revision: Revision::default(),
            inventory: Revision::default(),
        };
        set.set_rules(&self.rules, &event, cx)?;
        if let Some(price) = self.price {
            set.set_price(price, cx.now, &event, cx)?;
        }
        check_rules_of_event(&set, 0, view)?;
        match &self.seats {
            Some(seats) => set.set_target_seats(seats, view)?,
            None => set.set_target(i64::from(self.amount))?,
        }
        if let Some(map) = view.hall_map_of(&event) {
            check_seats_on_map([&set], map)?;
        }
        charge_tickets(0, &set, &event, cx, view)?;
        set.advance(&mut event, cx, view)?;
        view.events.put(event);
        let facts = set.creation_facts(cx.now);
        cx.state(&mut set, ChangeType::SetCreated, facts, view);
        view.sets.put(set.clone());
        Ok(set)
    }
}

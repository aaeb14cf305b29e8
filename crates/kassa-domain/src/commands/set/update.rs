//! Changes to a set.

use super::RequestedPriceRule;
use super::resize::charge_tickets;
use super::resolve::set_for_write;
use super::rules::check_rules_of_event;
use super::seats::check_seats_on_map;
use crate::context::Context;
use crate::context::command::{COMMAND_ROWS_MAX, Command, HALL_MAP_WEIGHT, LIGHT_WEIGHT, rows_of_text};
use crate::model::change::ChangeType;
use crate::model::set::{SeatSelector, TicketSet};
use crate::model::ticket::{Ticket, TicketState};
use crate::refusal::{Refusal, SeatsRefusal};
use crate::values::id::ShardTag;
use crate::values::money::Money;
use crate::values::patch::Patch;
use crate::values::resource_ids::{EventId, SetId, TicketId};
use crate::values::seating::Seating;
use crate::values::time::Timestamp;
use crate::view::{ReadSet, View};

/// The most tickets of one set that the organizer holds back.
pub const BLOCKED_MAX: usize = 10_000;

/// Changes a set.
#[derive(Clone, Debug)]
pub struct UpdateSet {
    /// Of which event it must be.
    pub event: EventId,
    /// Which.
    pub set: SetId,
    /// Its name.
    pub name: Patch<String>,
    /// Its description.
    pub desc: Patch<String>,
    /// Where its tickets are in the hall.
    pub sector: Patch<String>,
    /// Where it stands among the event's sets.
    pub pos: Patch<i64>,
    /// How many tickets.
    pub amount: Option<u32>,
    /// Its amount when the request looked: says how many vacant tickets to load.
    pub observed_amount: i64,
    /// The seats: the full desired layout; `null` is none.
    pub seats: Patch<Seating>,
    /// The seats that it would give up, as they were when the request looked: these are loaded.
    pub observed_seats: Vec<SeatSelector>,
    /// Its [`UpdateSet::rows_on`] the set as it was when the request looked.
    pub observed_rows: u32,
    /// A plain price.
    pub price: Option<Money>,
    /// From when that holds; from now on, if that is not said or is over.
    pub price_from: Option<Timestamp>,
    /// All prices in time.
    pub rules: Option<Vec<RequestedPriceRule>>,
    /// All tickets that the organizer holds back.
    pub blocked: Option<Vec<TicketId>>,
}

impl UpdateSet {
    /// Everything stays as it is; other fields say what changes.
    #[cfg(feature = "test-support")]
    pub fn unchanged(event: EventId, set: SetId) -> Self {
        Self {
            event,
            set,
            name: Patch::Keep,
            desc: Patch::Keep,
            sector: Patch::Keep,
            pos: Patch::Keep,
            amount: None,
            observed_amount: 0,
            seats: Patch::Keep,
            observed_seats: Vec::new(),
            observed_rows: COMMAND_ROWS_MAX,
            price: None,
            price_from: None,
            rules: None,
            blocked: None,
        }
    }

    fn observed_surplus(&self) -> u32 {
        let surplus = self.amount.map_or(0, |amount| self.observed_amount - i64::from(amount));
        u32::try_from(surplus.clamp(0, i64::from(COMMAND_ROWS_MAX))).unwrap_or(0)
    }

    /// How long its texts are, in bytes.
    pub fn text_bytes(&self) -> usize {
        self.name.text_bytes() + self.desc.text_bytes() + self.sector.text_bytes()
    }

    /// Whether it says how many tickets there shall be.
    fn resizes(&self) -> bool {
        self.amount.is_some() || self.seats.is_given()
    }

    /// About how many tickets it writes when the set is like this.
    pub fn rows_on(&self, set: &TicketSet) -> u32 {
        let resized = self.amount.map_or(0, |amount| (i64::from(amount) - set.counts.amount).abs());
        let seated = match &self.seats {
            Patch::Set(seats) => seats.count() + set.counts.amount,
            Patch::Clear => set.counts.amount,
            Patch::Keep => 0,
        };
        let unfinished = if self.resizes() { set.counts.pending + set.pending_removal } else { 0 };
        let blocked = self
            .blocked
            .as_ref()
            .map_or(0, |wanted| i64::try_from(wanted.len()).unwrap_or(i64::MAX).saturating_add(set.counts.blocked));
        let rows = [seated, unfinished, blocked].into_iter().fold(resized, i64::saturating_add);
        u32::try_from(rows).unwrap_or(COMMAND_ROWS_MAX).min(COMMAND_ROWS_MAX)
    }

    /// Whether it says where tickets are in the hall.
    fn changes_location(&self) -> bool {
        self.sector.is_given() || self.seats.is_given()
    }

    fn move_to_sector(&self, set: &mut TicketSet) -> Result<(), Refusal> {
        let before = set.sector.clone();
        self.sector.clone().apply_or(&mut set.sector, String::new());
        let moves = set.seats.is_some() && set.counts.amount > 0 && set.sector != before;
        if moves { Err(SeatsRefusal::SectorFixed.into()) } else { Ok(()) }
    }

    /// Whether it says how many tickets, or which seats, the set shall have.
    fn resize(&self, set: &mut TicketSet, view: &View) -> Result<bool, Refusal> {
        let before = set.counts.amount;
        match &self.seats {
            Patch::Set(seats) => set.set_target_seats(seats, view)?,
            Patch::Clear if set.seats.is_some() => set.set_target_seats(&Seating::default(), view)?,
            Patch::Clear | Patch::Keep => {}
        }
        let Some(amount) = self.amount.map(i64::from) else { return Ok(self.seats.is_given()) };
        if set.seats.is_none() {
            set.set_target(amount)?;
        } else if amount != set.counts.amount - set.pending_removal && amount != before {
            // The number of its seats; or what it has been shown with, while a job takes some away.
            return Err(SeatsRefusal::AmountFollowsSeats.into());
        }
        Ok(true)
    }
}

impl Command for UpdateSet {
    type Outcome = TicketSet;

    fn shard(&self) -> ShardTag {
        self.event.tag()
    }

    fn read_set(&self, read_set: &mut ReadSet) {
        read_set.events.push(self.event);
        read_set.organizers_of.push(self.event);
        read_set.sets_of.push(self.event);
        if self.changes_location() {
            read_set.hall_map_of.push(self.event);
        }
        if self.resizes() {
            read_set.organizers_to_charge.push(self.event);
        }
        if self.seats.is_given() {
            read_set.seat_row_inventories_of.push(self.set);
        }
        if self.observed_surplus() > 0 {
            read_set.vacant.push((self.set, self.observed_surplus()));
        }
        read_set.seats.extend_from_slice(&self.observed_seats);
        if let Some(blocked) = &self.blocked {
            read_set.tickets.extend(blocked);
            read_set.blocked_tickets_of.push(self.set);
        }
    }

    fn weight(&self) -> u32 {
        let map = if self.changes_location() { HALL_MAP_WEIGHT } else { 0 };
        LIGHT_WEIGHT + map + rows_of_text(self.desc.text_bytes()) + self.observed_rows.min(COMMAND_ROWS_MAX)
    }

    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<TicketSet, Refusal> {
        let (mut event, mut set) = set_for_write(cx, view, self.event, self.set)?;
        if set.removed {
            return Err(Refusal::NotFound("set"));
        }
        // The lane made room for what it weighed.
        if self.rows_on(&set) > self.observed_rows {
            return Err(Refusal::Stale);
        }
        let was = set.clone();
        self.name.clone().apply_or(&mut set.name, String::new());
        self.desc.clone().apply(&mut set.desc);
        self.move_to_sector(&mut set)?;
        self.pos.clone().apply_or(&mut set.pos, 0);
        if let Some(rules) = &self.rules {
            set.set_rules(rules, &event, cx)?;
        }
        let from = self.price_from.filter(|from| *from > cx.now).unwrap_or(cx.now);
        if let Some(price) = self.price.filter(|price| set.current_rule(from).map(|rule| rule.price) != Some(*price)) {
            set.set_price(price, from, &event, cx)?;
        }
        check_rules_of_event(&set, was.rules.len(), view)?;
        let mut blocks = false;
        if let Some(blocked) = &self.blocked {
            blocks = set_blocked(&mut set, blocked, view)?;
        }
        let amount_before = set.target_amount();
        let resizes = self.resize(&mut set, view)?;
        if let Some(map) = view.hall_map_of(&event).filter(|_| self.changes_location()) {
            check_seats_on_map([&set], map)?;
        }
        if resizes {
            charge_tickets(amount_before, &set, &event, cx, view)?;
            let numbered = event.next_ticket_number;
            set.advance(&mut event, cx, view)?;
            if event.next_ticket_number != numbered {
                view.events.put(event);
            }
        }
        if set != was || blocks {
            let facts = set.edit_facts(&was, cx.now);
            cx.state(&mut set, ChangeType::SetChanged, facts, view);
            view.sets.put(set.clone());
        }
        Ok(set)
    }
}

/// Makes `wanted` the tickets that are held back: vacant ones are blocked, the others are freed. Returns whether any
/// ticket was.
fn set_blocked(set: &mut TicketSet, wanted: &[TicketId], view: &mut View) -> Result<bool, Refusal> {
    if wanted.len() > BLOCKED_MAX {
        return Err(Refusal::TooMany { what: "tickets blocked or unblocked in one request", max: COMMAND_ROWS_MAX });
    }
    let mut sorted = wanted.to_vec();
    sorted.sort_unstable();
    if let Some(pair) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
        return Err(Refusal::DuplicateTicket(pair[0]));
    }
    let was = view.tickets.rows().filter(|ticket| ticket.set == set.id && ticket.state == TicketState::Blocked);
    let was: Vec<Ticket> = was.cloned().collect();
    let mut changes = false;
    let freed = was.into_iter().filter(|ticket| sorted.binary_search(&ticket.id).is_err());
    for ticket in freed {
        set.transition(ticket, TicketState::Vacant, view)?;
        changes = true;
    }
    let stays = set.retained_filter();
    for id in &sorted {
        let ticket = view.tickets.get(*id).filter(|ticket| ticket.set == set.id);
        let ticket = ticket.ok_or(Refusal::TicketUnknown(*id))?.clone();
        match ticket.state {
            TicketState::Blocked => {}
            TicketState::Vacant if set.available() == 0 || !stays(&ticket) => return Err(Refusal::SetBusy),
            TicketState::Vacant => {
                set.transition(ticket, TicketState::Blocked, view)?;
                changes = true;
            }
            TicketState::Held { .. } | TicketState::Sold { .. } => return Err(Refusal::TicketNotVacant(*id)),
        }
    }
    Ok(changes)
}

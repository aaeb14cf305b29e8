//! A small house to give commands to: one organizer, one public event, and a clock that the test
//! moves. Every command is rehearsed, and the books are audited after it.

mod catalogue;
mod hall;
mod refunds;
mod sales;

pub(crate) use catalogue::{levels, new_promocode, new_promotion, remove_set};
pub(crate) use hall::seating;
pub(crate) use sales::{codes, customer, pays_by, random, steps, tickets};

use kassa_domain::context::RandomBits;
use kassa_domain::event::{CreateEvent, DEFAULT_TICKETS_LIMIT, Event, EventId, EventPatch, EventStatus};
use kassa_domain::node::Node;
use kassa_domain::partner::{Partner, PartnerId, PartnerProfile};
use kassa_domain::set::SetId;
use kassa_domain::ticket::TicketState;
use kassa_domain::{Actor, Command, Context, DecisionSettings, Patch, Refusal, Timestamp, View, Window};

use crate::audit::{audit, dump};

/// 2026-03-01T12:00:00Z.
pub(crate) const NOON: Timestamp = Timestamp::from_ms(1_772_366_400_000);
/// When the event of the house ends: ten days later.
pub(crate) const END: Timestamp = NOON.plus_minutes(10 * 24 * 60);
/// Views up to this size are rehearsed and compared as text.
const REHEARSED_TICKETS_MAX: usize = 500;

/// Bits that look random and are the same in every run.
#[derive(Clone, Default)]
struct Dice(u64);

impl RandomBits for Dice {
    fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

pub(crate) struct House {
    pub(crate) view: View,
    pub(crate) now: Timestamp,
    pub(crate) node: Node,
    dice: Dice,
    /// Whether commands meet in one batch: what is vacant was offered before the first of them.
    pub(crate) in_batch: bool,
    /// The organizer, whose key gives the commands unless a test says otherwise.
    pub(crate) org: PartnerId,
    /// A public event of the organizer.
    pub(crate) event: EventId,
}

impl House {
    pub(crate) fn new() -> Self {
        let node = Node { next_order_number: 1, order_numbers_end: 1_000_000, ..Node::new(1) };
        let (org, event) = (PartnerId::root(1), EventId::root(0));
        let mut house =
            Self { view: View::default(), now: NOON, node, dice: Dice::default(), in_batch: false, org, event };
        house.org = house.partner();
        house.event = house.event_of(house.org).id;
        house
    }

    /// Another partner.
    pub(crate) fn partner(&mut self) -> PartnerId {
        let id = PartnerId::root(self.node.next_key(self.now));
        let (name, about) = (String::new(), PartnerProfile::default());
        let partner = Partner {
            id,
            name,
            profile: about,
            removed: false,
            user: None,
            created_at: NOON,
            updated_at: NOON,
            revision: 1,
        };
        self.view.partners.load(partner, 1);
        id
    }

    /// A public event of a partner, from now to [`LAST_LINE_END`].
    pub(crate) fn event_of(&mut self, org: PartnerId) -> Event {
        let lifetime = Patch::Set(Window { start: NOON, finish: Some(END) });
        let patch = EventPatch { lifetime, status: Patch::Set(EventStatus::Public), ..EventPatch::default() };
        self.give(&Actor::Partner(org), &CreateEvent { organizer: org, patch }).expect("an event is made")
    }

    /// The organizer's key.
    pub(crate) fn organizer(&self) -> Actor {
        Actor::Partner(self.org)
    }

    /// Runs a command as an engine does: what it changed stays only if it succeeded. It is decided
    /// twice, for a retry must come to the same end.
    pub(crate) fn give<C: Command>(&mut self, actor: &Actor, command: &C) -> Result<C::Outcome, Refusal> {
        if !self.in_batch {
            self.offer_vacant();
        }
        if self.view.tickets.rows().count() > REHEARSED_TICKETS_MAX {
            let result = self.decide(actor, command);
            audit(&self.view);
            return result;
        }
        let before = dump(&self.view);
        let (node, dice) = (self.node.clone(), self.dice.clone());
        let first = self.decide_unsettled(actor, command).map(|_| dump(&self.view));
        self.view.roll_back();
        assert_eq!(dump(&self.view), before, "what is taken back leaves nothing behind");
        (self.node, self.dice) = (node, dice);
        let result = self.decide(actor, command);
        let after = dump(&self.view);
        assert_eq!(first.as_ref().unwrap_or(&before), &after, "a retry comes to the same end");
        audit(&self.view);
        result
    }

    /// What would come of a command.
    pub(crate) fn rehearse<C: Command>(&mut self, actor: &Actor, command: &C) -> Result<C::Outcome, Refusal> {
        let (node, dice) = (self.node.clone(), self.dice.clone());
        let result = self.decide_unsettled(actor, command);
        self.view.roll_back();
        (self.node, self.dice) = (node, dice);
        result
    }

    fn decide<C: Command>(&mut self, actor: &Actor, command: &C) -> Result<C::Outcome, Refusal> {
        let result = self.decide_unsettled(actor, command);
        if result.is_ok() {
            self.view.accept_changes();
        } else {
            self.view.roll_back();
        }
        result
    }

    fn decide_unsettled<C: Command>(&mut self, actor: &Actor, command: &C) -> Result<C::Outcome, Refusal> {
        let settings = DecisionSettings::default();
        let (now, node, random) = (self.now, &mut self.node, &mut self.dice);
        command.decide(&mut Context { actor, now, settings: &settings, node, random }, &mut self.view)
    }

    /// Offers what is vacant as a driver does: from each set's cursor on, then from the start.
    fn offer_vacant(&mut self) {
        let sets: Vec<(SetId, i64)> = self.view.sets.rows().map(|set| (set.id, set.pick_cursor)).collect();
        for (set, cursor) in sets {
            let vacant = self.tickets(set).into_iter().filter(|id| self.ticket(*id).state == TicketState::Vacant);
            let (ahead, behind): (Vec<_>, Vec<_>) = vacant.partition(|id| id.key() > cursor);
            self.view.offer_vacant(set, [ahead, behind].concat());
            // All row inventories are in the view: whatever is looked for, they are enough.
            (1..=DEFAULT_TICKETS_LIMIT).for_each(|count| self.view.offer_row_inventories(set, count));
        }
    }

    /// Changes a row behind the commands' back: a state that would take long to reach.
    pub(crate) fn arrange(&mut self, change: impl FnOnce(&mut View)) {
        change(&mut self.view);
        self.view.accept_changes();
        audit(&self.view);
    }

    /// The dice fall from now on as they fell from the start.
    pub(crate) fn repeat_dice(&mut self) {
        self.dice = Dice::default();
    }

    pub(crate) fn pass_minutes(&mut self, minutes: u32) {
        self.now = self.now.plus_minutes(minutes);
    }
}

//! Whatever is done to an event, and in whatever order: the books balance. The audit after each
//! command is the property; see `audit.rs`.

use std::collections::BTreeSet;

use kassa_domain::event::EventStatus;
use kassa_domain::order::{
    OrderEdit, OrderId, OrderStatusKind, OrderTransition, PaymentSystem, UnusablePromocodePolicy,
};
use kassa_domain::price::Share;
use kassa_domain::promocode::{LifetimePatch, PromocodeId, UpdatePromocode};
use kassa_domain::promotion::{
    CreatePromotion, DiscountKind, LevelMeasure, PromotionId, RemovePromotion, UpdatePromotion,
};
use kassa_domain::refund::{Culprit, RefundTransition};
use kassa_domain::seating::Seating;
use kassa_domain::set::SetId;
use kassa_domain::ticket::{TicketId, TicketState};
use kassa_domain::{Actor, Money, Patch, Refusal, Window};
use proptest::prelude::*;
use proptest::sample::Index;

use crate::fixture::{
    END, Fixture, NOON, codes, levels, new_promotion, pays_by, random, remove_set, seating, steps, tickets,
};

/// Something that happens to the event. Orders, sets and tickets are drawn from those there are.
#[derive(Clone, Debug)]
enum Act {
    Order(Wish),
    Change(Index, Wish),
    Take(Index, OrderTransition),
    Invite(Index),
    Discount(Discount),
    Expire(Index),
    GiveBack(Index, bool),
    Resize(Index, u32),
    Block(Index, Vec<Index>),
    Reprice(Index, i64),
    Leave(Index, i64),
    Reseat(Index, u16),
    LeaveSeats(Index, u16),
    Work(Index),
    Remove(Index),
    Switch(bool),
    EndLater(u32),
    Pass(u32),
}

/// Something that happens to what takes off prices.
#[derive(Clone, Debug)]
enum Discount {
    Amend(Index, Option<u32>, u32),
    Promote(Promotion),
    Change(Index, u32, i64),
    Remove(Index),
}

fn discount() -> impl Strategy<Value = Discount> {
    let one = any::<Index>;
    prop_oneof![
        1 => (one(), proptest::option::of(0..4_u32), 0..60_u32)
            .prop_map(|(promocode, amount, minutes)| Discount::Amend(promocode, amount, minutes)),
        2 => promotion().prop_map(Discount::Promote),
        1 => (one(), 0..60_u32, 0..60_i64)
            .prop_map(|(promotion, minutes, off)| Discount::Change(promotion, minutes, off)),
        1 => one().prop_map(Discount::Remove),
    ]
}

/// A promotion that begins so many minutes from the start and lasts so many: by what, with which values, for one of
/// the sets or for all, and with levels from these steps on.
#[derive(Clone, Debug)]
struct Promotion {
    minutes: (u32, u32),
    set: Option<Index>,
    by_sum: bool,
    is_fix: bool,
    levels: (i64, i64, i64),
}

fn promotion() -> impl Strategy<Value = Promotion> {
    let minutes = (0..40_u32, 0..40_u32);
    let levels = (1..4_i64, 1..4_i64, 0..60_i64);
    (minutes, proptest::option::of(any::<Index>()), any::<bool>(), any::<bool>(), levels)
        .prop_map(|(minutes, set, by_sum, is_fix, levels)| Promotion { minutes, set, by_sum, is_fix, levels })
}

/// Up to sixteen seats in two rows, one for each bit.
fn chairs(picked: u16) -> Seating {
    let hall = seating(r#"{"1": [[1, 8]], "2": [[1, 8]]}"#);
    let mut bits = (0..16).map(|bit| picked >> bit & 1 == 1);
    hall.take_first_matching(16, |_, _| bits.next().unwrap_or(false))
}

/// What an order shall hold.
#[derive(Clone, Debug)]
struct Wish {
    named: Option<Vec<Index>>,
    first: Index,
    counts: (u32, u32),
    all_or_nothing: bool,
    /// With these of [`CODES`], and whether those that cannot be used are left out.
    codes: Option<(Vec<Index>, bool)>,
}

/// The promocodes of the story, and one that is none.
const CODES: [&str; 4] = ["PERCENT", "SUM", "PAIR", "NONE"];

fn wish() -> impl Strategy<Value = Wish> {
    let named = proptest::option::of(proptest::collection::vec(any::<Index>(), 0..4));
    let codes = proptest::option::of((proptest::collection::vec(any::<Index>(), 0..4), any::<bool>()));
    (named, any::<Index>(), (0..4_u32, 0..4_u32), any::<bool>(), codes)
        .prop_map(|(named, first, counts, all_or_nothing, codes)| Wish { named, first, counts, all_or_nothing, codes })
}

fn step() -> impl Strategy<Value = OrderTransition> {
    prop_oneof![Just(OrderTransition::AwaitingPayment), Just(OrderTransition::Canceled), Just(OrderTransition::Paid)]
}

fn act() -> impl Strategy<Value = Act> {
    let one = any::<Index>;
    let some = proptest::collection::vec(any::<Index>(), 0..3);
    // A quarter of the bits, so that two sets do not always want the same chairs.
    let few = || any::<(u16, u16)>().prop_map(|(one, other)| one & other);
    prop_oneof![
        6 => wish().prop_map(Act::Order),
        4 => (one(), wish()).prop_map(|(order, wish)| Act::Change(order, wish)),
        6 => (one(), step()).prop_map(|(order, step)| Act::Take(order, step)),
        1 => one().prop_map(Act::Invite),
        5 => discount().prop_map(Act::Discount),
        4 => one().prop_map(Act::Expire),
        3 => (one(), any::<bool>()).prop_map(|(order, whole)| Act::GiveBack(order, whole)),
        2 => (one(), 0..10_u32).prop_map(|(set, amount)| Act::Resize(set, amount)),
        2 => (one(), some).prop_map(|(set, tickets)| Act::Block(set, tickets)),
        1 => (one(), 1..3_i64).prop_map(|(set, price)| Act::Reprice(set, price * 500)),
        2 => (one(), -3..4_i64).prop_map(|(set, more)| Act::Leave(set, more)),
        2 => one().prop_map(Act::Work),
        3 => (one(), few()).prop_map(|(set, chairs)| Act::Reseat(set, chairs)),
        2 => (one(), few()).prop_map(|(set, chairs)| Act::LeaveSeats(set, chairs)),
        1 => one().prop_map(Act::Remove),
        1 => any::<bool>().prop_map(Act::Switch),
        1 => (1..300_u32).prop_map(Act::EndLater),
        4 => (1..20_u32).prop_map(Act::Pass),
    ]
}

/// An event with four sets, two of them with seats in the same rows, and three promocodes, to which things happen.
struct Story {
    fixture: Fixture,
    sets: [SetId; 4],
    promocodes: [PromocodeId; 3],
}

impl Story {
    fn new() -> Self {
        let mut fixture = Fixture::new();
        let halls = [r#"{"1": [[1, 4]], "2": [[1, 2]]}"#, r#"{"2": [[3, 6]]}"#].map(|seats| fixture.hall(seats));
        let sets = [fixture.set(5, 1000), halls[0], fixture.set(3, 500), halls[1]];
        let percent = fixture.promocode(CODES[0], |new| new.uses_limit = Some(2));
        let sum = fixture.promocode(CODES[1], |new| {
            new.discount = Share::Amount(Money::from_minor(250));
            new.sets = vec![sets[2]];
        });
        let pair = fixture.promocode(CODES[2], |new| {
            new.discount = Share::Amount(Money::from_minor(9_999));
            (new.ticket_count_limits.min, new.ticket_count_limits.max, new.uses_limit) = (Some(2), Some(3), Some(1));
        });
        Self { fixture, sets, promocodes: [percent, sum, pair] }
    }

    fn set(&self, index: Index) -> SetId {
        self.sets[index.index(4)]
    }

    fn order(&self, index: Index) -> Option<OrderId> {
        let mut orders: Vec<OrderId> = self.fixture.view.orders.rows().map(|order| order.id).collect();
        orders.sort_unstable();
        (!orders.is_empty()).then(|| orders[index.index(orders.len())])
    }

    fn promote(&self, promotion: &Promotion) -> CreatePromotion {
        let Promotion { minutes: (start, lasts), set, by_sum, is_fix, levels: (first, more, off) } = *promotion;
        // Tickets cost five or ten: by sum the steps are as far apart.
        let unit = if by_sum { 5 } else { 1 };
        let steps = [(first * unit, off / 2), ((first + more) * unit, off)];
        let finish = NOON.plus_minutes(start + lasts);
        CreatePromotion {
            lifetime: LifetimePatch { start: Patch::Set(NOON.plus_minutes(start)), finish: Patch::Set(finish) },
            sets: set.map(|set| self.set(set)).into_iter().collect(),
            measure: if by_sum { LevelMeasure::Sum } else { LevelMeasure::Count },
            kind: if is_fix { DiscountKind::FixedAmount } else { DiscountKind::Percentage },
            ..new_promotion(self.fixture.event, &steps)
        }
    }

    fn promotion(&self, index: Index) -> Option<PromotionId> {
        let mut promotions: Vec<PromotionId> = self.fixture.view.promotions.rows().map(|row| row.id).collect();
        promotions.sort_unstable();
        (!promotions.is_empty()).then(|| promotions[index.index(promotions.len())])
    }

    fn pick(&self, indices: &[Index], from: &[SetId]) -> Vec<TicketId> {
        let all: Vec<TicketId> = from.iter().flat_map(|set| self.fixture.tickets(*set)).collect();
        let picked = indices.iter().filter(|_| !all.is_empty());
        picked.map(|index| all[index.index(all.len())]).collect()
    }

    fn wish(&self, wish: &Wish) -> OrderEdit {
        let first = wish.first.index(4);
        let edit = match &wish.named {
            Some(named) => tickets(&self.pick(named, &self.sets)),
            None => random(&[(self.sets[first], wish.counts.0), (self.sets[(first + 1) % 4], wish.counts.1)]),
        };
        let mut edit = OrderEdit { all_or_nothing: wish.all_or_nothing, ..edit };
        if let Some((named, leaves_out)) = &wish.codes {
            let named: Vec<&str> = named.iter().map(|index| CODES[index.index(CODES.len())]).collect();
            edit.promocodes = codes(&named).promocodes;
            edit.on_unusable_promocode =
                if *leaves_out { UnusablePromocodePolicy::LeaveOut } else { UnusablePromocodePolicy::Refuse };
        }
        edit
    }

    fn act(&mut self, act: &Act) -> Result<(), Refusal> {
        match *act {
            Act::Order(ref wish) => self.fixture.try_order(self.wish(wish)).map(drop),
            Act::Change(order, ref wish) => self.edit(order, self.wish(wish)),
            Act::Take(order, step) => self.edit(order, steps(step)),
            Act::Invite(order) => self.edit(order, pays_by(PaymentSystem::Invitation)),
            Act::Discount(ref discount) => self.discount(discount),
            Act::Resize(set, amount) => self.fixture.resize(self.set(set), amount).map(drop),
            Act::Block(set, ref picks) => {
                let set = self.set(set);
                self.fixture.block(set, &self.pick(picks, &[set])).map(drop)
            }
            Act::Reprice(set, price) => {
                let price = Some(Money::from_minor(price));
                self.fixture.change_set(self.set(set), |change| change.price = price).map(drop)
            }
            Act::Expire(order) => {
                self.order(order).map(|order| self.fixture.expire(order));
                Ok(())
            }
            Act::GiveBack(order, whole) => {
                self.give_back(order, whole);
                Ok(())
            }
            Act::Leave(set, more) => {
                self.leave_to_job(set, more);
                Ok(())
            }
            Act::Reseat(set, picked) => {
                let command = self.fixture.reseating(self.set(set), &chairs(picked));
                self.fixture.give(&self.fixture.organizer(), &command).map(drop)
            }
            Act::LeaveSeats(set, picked) => {
                self.fixture.reseat_later(self.set(set), &chairs(picked));
                Ok(())
            }
            Act::Pass(minutes) => {
                self.fixture.pass_minutes(minutes);
                Ok(())
            }
            Act::Work(set) => match self.fixture.next_step(self.set(set)) {
                Some(step) => self.fixture.give(&Actor::System, &step).map(drop),
                None => Ok(()),
            },
            Act::Remove(set) => {
                let command = remove_set(self.fixture.event, self.set(set));
                self.fixture.give(&self.fixture.organizer(), &command).map(drop)
            }
            Act::Switch(on) => {
                let status = if on { EventStatus::Public } else { EventStatus::StandBy };
                self.fixture.change_event(|event| event.status = Patch::Set(status)).map(drop)
            }
            Act::EndLater(minutes) => {
                let lifetime = Window { start: NOON, finish: Some(END.plus_minutes(minutes)) };
                let patch = Patch::Set(lifetime);
                self.fixture.change_event(|event| event.lifetime = patch).map(drop)
            }
        }
    }

    fn discount(&mut self, discount: &Discount) -> Result<(), Refusal> {
        match *discount {
            Discount::Amend(promocode, amount, minutes) => {
                let lifetime = LifetimePatch { start: Patch::Keep, finish: Patch::Set(NOON.plus_minutes(minutes)) };
                let command = UpdatePromocode {
                    uses_limit: amount.map_or(Patch::Clear, Patch::Set),
                    lifetime: Patch::Set(lifetime),
                    ..UpdatePromocode::unchanged(self.fixture.event, self.promocodes[promocode.index(3)])
                };
                self.fixture.give(&self.fixture.organizer(), &command).map(drop)
            }
            Discount::Promote(ref promotion) => {
                let command = self.promote(promotion);
                self.fixture.give(&self.fixture.organizer(), &command).map(drop)
            }
            Discount::Change(promotion, minutes, off) => {
                let Some(promotion) = self.promotion(promotion) else { return Ok(()) };
                let finish = Patch::Set(NOON.plus_minutes(minutes));
                let command = UpdatePromotion {
                    lifetime: LifetimePatch { start: Patch::Keep, finish },
                    levels: Some(levels(&[(1, off)])),
                    ..UpdatePromotion::unchanged(self.fixture.event, promotion)
                };
                self.fixture.give(&self.fixture.organizer(), &command).map(drop)
            }
            Discount::Remove(promotion) => {
                let Some(promotion) = self.promotion(promotion) else { return Ok(()) };
                let command = RemovePromotion { event: self.fixture.event, promotion };
                self.fixture.give(&self.fixture.organizer(), &command)
            }
        }
    }

    /// What a set of a few tickets never does by itself: some of its work waits for a job.
    fn leave_to_job(&mut self, set: Index, more: i64) {
        let set = self.set(set);
        let busy = self.fixture.next_step(set).is_some() || self.fixture.row(set).seats.is_some();
        if !busy && more > 0 {
            self.fixture.promise(set, more);
        } else if !busy && self.fixture.row(set).available() >= -more {
            self.fixture.doom(set, -more);
        }
    }

    /// Gives a ticket of a paid order back, or all of them.
    fn give_back(&mut self, order: Index, whole: bool) {
        let Some(order) = self.order(order).filter(|order| self.fixture.state(*order) == OrderStatusKind::Paid) else {
            return;
        };
        let mut tickets = self.fixture.lines(order);
        tickets.truncate(if whole { tickets.len() } else { 1 });
        let request = self.fixture.ask(order, Culprit::Organizer, &tickets).unwrap().id;
        self.fixture.decide_on(request, RefundTransition::Approved).unwrap();
    }

    fn edit(&mut self, order: Index, edit: OrderEdit) -> Result<(), Refusal> {
        self.order(order).map_or(Ok(()), |order| self.fixture.edit(order, edit).map(drop))
    }

    /// The tickets of live and of paid orders.
    fn in_orders(&self) -> Vec<TicketId> {
        let orders = self.fixture.view.orders.rows();
        let holding = orders.filter(|order| order.is_live() || order.state() == OrderStatusKind::Paid);
        holding.flat_map(|order| order.lines.iter().map(|line| line.ticket)).collect()
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn whatever_happens_no_ticket_is_in_two_orders_and_none_is_lost(
        acts in proptest::collection::vec(act(), 1..60),
        batch in 1..8_usize,
    ) {
        let mut story = Story::new();
        let mut sold = BTreeSet::new();
        for (at, act) in acts.iter().enumerate() {
            story.fixture.in_batch = at % batch > 0;
            if let Err(refusal) = story.act(act) {
                prop_assert_ne!(refusal, Refusal::Stale, "with all rows in view nothing is stale");
            }
            let held = story.in_orders();
            let distinct: BTreeSet<TicketId> = held.iter().copied().collect();
            prop_assert_eq!(distinct.len(), held.len(), "a ticket is in two orders after {:?}", act);
            let rows = story.fixture.view.tickets.rows();
            let now_sold: BTreeSet<TicketId> =
                rows.filter(|t| matches!(t.state, TicketState::Sold { .. })).map(|t| t.id).collect();
            let gives_back = matches!(act, Act::GiveBack(..));
            prop_assert!(gives_back || sold.is_subset(&now_sold), "what is sold stays sold: {:?}", act);
            sold = now_sold;
        }
    }

    #[test]
    fn whatever_happens_all_that_is_free_can_be_sold(
        acts in proptest::collection::vec(act(), 1..40),
        in_batch: bool,
    ) {
        let mut story = Story::new();
        for act in &acts {
            // Refusals are as good as successes here.
            let _ = story.act(act);
            story.fixture.in_batch = in_batch;
        }
        story.fixture.switch(EventStatus::Public);
        for set in story.sets {
            let row = story.fixture.row(set);
            let free = if row.removed { 0 } else { u32::try_from(row.available()).unwrap() };
            let order = story.fixture.try_order(random(&[(set, free)])).unwrap().order;
            prop_assert_eq!(order.lines.len(), free as usize);
            let row = story.fixture.row(set);
            prop_assert!(row.removed || row.available() == 0, "{:?}", row);
        }
    }
}

//! Orders that meet in one batch.

use std::sync::Arc;

use kassa_domain::actor::UserActor;
use kassa_domain::event::{CreateEvent, EventId, EventPatch, EventStatus};
use kassa_domain::order::{
    CreateOrder, ExpireOrder, Order, OrderEdit, OrderId, OrderStatusKind, OrderTransition, TicketSelection, UpdateOrder,
};
use kassa_domain::partner::{CreatePartner, PartnerId, PartnerPatch};
use kassa_domain::price::Share;
use kassa_domain::promocode::{CreatePromocode, LifetimePatch, PromocodeId, PromocodeText};
use kassa_domain::promotion::{
    CreatePromotion, DiscountKind, LevelMeasure, PromotionId, RequestedLevel, RequestedLevelValue,
};
use kassa_domain::seating::Seating;
use kassa_domain::set::{CreateSet, SetId, UpdateSet};
use kassa_domain::ticket::TicketId;
use kassa_domain::user::RegisterUser;
use kassa_domain::{Actor, Money, Patch, Percent, ReadSet, Refusal, Timestamp, Window};
use kassa_engine::{Engine, Failure};
use kassa_store::PageWindow;
use kassa_store::queries::TicketsFilter;
use tokio::task::JoinSet;

use crate::harness::{Database, Gate, start_call};

/// A public event with a set of tickets, and its organizer.
#[derive(Clone)]
pub(crate) struct Sale {
    pub(crate) engine: Engine,
    pub(crate) org: PartnerId,
    pub(crate) event: EventId,
    pub(crate) set: SetId,
    pub(crate) tickets: Vec<TicketId>,
}

impl Sale {
    pub(crate) async fn of(db: &Database, amount: u32) -> Self {
        Self::by_organizer(db.engine().await, "org@example.org", amount).await
    }

    pub(crate) async fn by_organizer(engine: Engine, email: &str, amount: u32) -> Self {
        let (email, password_hash) = (email.parse().unwrap(), String::new());
        let command = RegisterUser { email, password_hash, first_name: None, last_name: None, earlier: None };
        let user = engine.execute(&Actor::Anonymous, command, |_, user| user.id).await.unwrap();
        let actor = Actor::User(UserActor {
            user,
            confirmed_emails: Vec::new(),
            managed_partners: Vec::new(),
            inactive_partners: Vec::new(),
            acting_for: None,
            locked_partners: Vec::new(),
            has_second_factor: false,
            is_operator: false,
        });
        let command = CreatePartner { manager: user, patch: PartnerPatch::default() };
        let org = engine.execute(&actor, command, |_, partner| partner.id).await.unwrap();
        let actor = Actor::Partner(org);
        // Long after the tests.
        let lifetime = Patch::Set(Window { start: Timestamp::from_ms(4_102_444_800_000), finish: None });
        let patch = EventPatch { status: Patch::Set(EventStatus::Public), lifetime, ..EventPatch::default() };
        let event = engine.execute(&actor, CreateEvent { organizer: org, patch }, |_, event| event.id).await.unwrap();
        let command = CreateSet { amount, ..new_set(event) };
        let set = engine.execute(&actor, command, |_, set| set.id).await.unwrap();
        let filter = TicketsFilter { event, sets: vec![set], states: [true; 4], ids: None, after: 0, are_few: false };
        let tickets = engine.page(filter, PageWindow::first(amount)).await.unwrap().rows;
        Self { engine, org, event, set, tickets: tickets.iter().map(|ticket| ticket.id).collect() }
    }

    pub(crate) async fn order(&self, wanted: TicketSelection) -> Result<Order, Failure> {
        self.order_with(wanted, None).await
    }

    pub(crate) async fn order_with(
        &self,
        wanted: TicketSelection,
        promocodes: Option<Vec<PromocodeText>>,
    ) -> Result<Order, Failure> {
        let edit = OrderEdit { selection: Some(wanted), promocodes, ..OrderEdit::default() };
        let command = CreateOrder { event: self.event, vendor: self.org, deal: None, edit };
        self.engine.execute(&Actor::Partner(self.org), command, |_, outcome| outcome.order.clone()).await
    }
}

fn code() -> PromocodeText {
    "SPRING".parse().unwrap()
}

impl Sale {
    /// One ticket, with the code.
    async fn discounted(&self) -> Result<Order, Failure> {
        self.order_with(TicketSelection::AnyOfSets(vec![(self.set, 1)]), Some(vec![code()])).await
    }

    async fn promocode(&self, amount: u32) -> PromocodeId {
        let thirty = Share::Percent(Percent::from_percent(30));
        let unlimited = CreatePromocode::unlimited(self.event, code(), thirty);
        let command = CreatePromocode { uses_limit: Some(amount), ..unlimited };
        self.engine.execute(&Actor::Partner(self.org), command, |_, promocode| promocode.id).await.unwrap()
    }

    async fn promotion(&self) -> PromotionId {
        let command = half_price(self.event);
        self.engine.execute(&Actor::Partner(self.org), command, |_, promotion| promotion.id).await.unwrap()
    }

    async fn uses(&self, promocode: PromocodeId) -> [i64; 2] {
        let view = self.engine.view(&ReadSet { promocodes: vec![promocode], ..ReadSet::default() }).await.unwrap();
        let uses = view.promocodes.get(promocode).unwrap().uses;
        [uses.reserved, uses.used]
    }

    /// A change to an order, as a request that looks first sends it.
    pub(crate) async fn transition(&self, order: &Order, step: OrderTransition) -> Result<(), Failure> {
        let edit = OrderEdit { transition: Some(step), ..OrderEdit::default() };
        self.engine.update_order(&Actor::Partner(self.org), order.id, edit, |_, _| ()).await
    }
}

/// Sixty-four concurrent requests for orders with a promocode, and the orders that are created.
async fn concurrent_orders(sales: &[Sale]) -> Vec<Order> {
    let buyers = sales.iter().cycle().take(64).cloned().map(|sale| async move { sale.discounted().await });
    let mut running: JoinSet<Result<Order, Failure>> = buyers.collect();
    let mut made = Vec::new();
    while let Some(result) = running.join_next().await {
        match result.unwrap() {
            Ok(order) => made.push(order),
            Err(failure) => assert_eq!(failure, Failure::Refused(Refusal::PromocodeUsedUp(code()))),
        }
    }
    made
}

pub(crate) async fn a_promocode_is_used_as_often_as_it_can_be(db: Database) {
    let sale = Sale::of(&db, 100).await;
    let promocode = sale.promocode(10).await;
    let other = db.engine().await;
    let sales = [sale.clone(), Sale { engine: other, ..sale.clone() }];
    let made = concurrent_orders(&sales).await;
    assert_eq!((made.len(), sale.uses(promocode).await), (10, [10, 0]));
    for (at, order) in made.iter().enumerate() {
        match at {
            0..4 => sale.transition(order, OrderTransition::Paid).await.unwrap(),
            4..6 => sale.transition(order, OrderTransition::Canceled).await.unwrap(),
            _ => {}
        }
    }
    assert_eq!(sale.uses(promocode).await, [4, 4]);
    assert_eq!((concurrent_orders(&sales).await.len(), sale.uses(promocode).await), (2, [6, 4]));
    db.clock.advance_ms(15 * 60_000);
    assert_eq!(sale.engine.expire_due().await, Ok(6));
    assert_eq!(sale.uses(promocode).await, [0, 4]);
    assert_eq!((concurrent_orders(&sales).await.len(), sale.uses(promocode).await), (6, [6, 4]));
}

pub(crate) async fn after_a_promotion_starts_orders_take_no_codes_and_are_granted_it(db: Database) {
    let sale = Sale::of(&db, 100).await;
    let promocode = sale.promocode(100).await;
    let mut running: JoinSet<Result<Order, Failure>> = JoinSet::new();
    let buy = |running: &mut JoinSet<_>, named: bool| {
        let sale = sale.clone();
        let wanted = TicketSelection::AnyOfSets(vec![(sale.set, 1)]);
        running.spawn(async move { sale.order_with(wanted, named.then(|| vec![code()])).await });
    };
    (0..32).for_each(|at| buy(&mut running, at % 2 == 0));
    let promotion = sale.promotion().await;
    (0..32).for_each(|at| buy(&mut running, at % 2 == 0));
    let (mut refused, mut with_code) = (0, 0);
    while let Some(result) = running.join_next().await {
        let order = match result.unwrap() {
            Ok(order) => order,
            Err(failure) => {
                assert_eq!(failure, Failure::Refused(Refusal::PromotionRunning));
                refused += 1;
                continue;
            }
        };
        // Ids are made in the order of decisions.
        let promised = if order.id.key() > promotion.key() { vec![promotion] } else { Vec::new() };
        assert_eq!(order.applied_promotions(), promised, "{order:?}");
        assert!(promised.is_empty() || order.promocodes.is_empty(), "{order:?}");
        with_code += i64::from(!order.promocodes.is_empty());
    }
    assert!(refused >= 16, "those that came after it: {refused}");
    assert_eq!((with_code + refused, sale.uses(promocode).await), (32, [with_code, 0]));
}

pub(crate) async fn a_command_unaware_of_an_orders_promocode_is_stale(db: Database) {
    let sale = Sale::of(&db, 10).await;
    let promocode = sale.promocode(10).await;
    let Order { id: order, event, .. } = sale.discounted().await.unwrap();
    // Both were made before the order named a code.
    let edit = OrderEdit { transition: Some(OrderTransition::Canceled), ..OrderEdit::default() };
    let cancel = UpdateOrder {
        order,
        event,
        deal: None,
        expired_lines: None,
        promocodes: Vec::new(),
        has_payments: false,
        edit,
    };
    let canceled = sale.engine.execute(&Actor::Partner(sale.org), cancel, |_, _| ()).await;
    assert_eq!(canceled, Err(Failure::Refused(Refusal::Stale)));
    db.clock.advance_ms(15 * 60_000);
    let expire = ExpireOrder { order, event, promocodes: Vec::new(), lines: 1 };
    let expired = sale.engine.execute(&Actor::System, expire, |_, expired| *expired).await;
    assert_eq!(expired, Err(Failure::Refused(Refusal::Stale)));
    assert_eq!(sale.uses(promocode).await, [1, 0]);
    assert_eq!(sale.engine.expire_due().await, Ok(1));
    assert_eq!(sale.uses(promocode).await, [0, 0]);
}

pub(crate) async fn an_order_to_be_changed_is_as_it_was_last_written(db: Database) {
    let sale = Sale::of(&db, 100).await;
    let written = async |id| {
        let order = sale.engine.order(id).await.unwrap().unwrap();
        assert_eq!(*sale.engine.order_to_update(id).await.unwrap().unwrap(), order);
        order.state()
    };
    let mut orders = Vec::new();
    for count in [1, 2, 40, 1] {
        orders.push(sale.order(TicketSelection::AnyOfSets(vec![(sale.set, count)])).await.unwrap());
    }
    for order in &orders {
        assert_eq!(written(order.id).await, OrderStatusKind::Reserved);
    }
    let paid = (OrderTransition::Paid, OrderStatusKind::Paid);
    let canceled = (OrderTransition::Canceled, OrderStatusKind::Canceled);
    for (order, (step, state)) in orders.iter().zip([paid, canceled, paid]) {
        sale.transition(order, step).await.unwrap();
        assert_eq!(written(order.id).await, state);
    }
    db.clock.advance_ms(15 * 60_000);
    assert_eq!(sale.engine.expire_due().await, Ok(1));
    assert_eq!(written(orders[3].id).await, OrderStatusKind::Expired);
    let unknown = OrderId::with_tag(orders[0].id.tag(), orders[0].id.key() + 8_192);
    assert_eq!(sale.engine.order_to_update(unknown).await, Ok(None));
    let other_shard = OrderId::with_tag(sale.org.tag(), orders[0].id.key());
    assert_eq!(sale.engine.order_to_update(other_shard).await, Ok(None));
}

pub(crate) async fn an_order_that_another_program_has_changed_is_changed_as_it_is(db: Database) {
    let sale = Sale::of(&db, 100).await;
    let other = Sale { engine: db.engine().await, ..sale.clone() };
    let one = || sale.order(TicketSelection::AnyOfSets(vec![(sale.set, 1)]));
    let canceled = one().await.unwrap();
    other.transition(&canceled, OrderTransition::Canceled).await.unwrap();
    let (from, to) = (OrderStatusKind::Canceled, OrderStatusKind::Paid);
    let refused = sale.transition(&canceled, OrderTransition::Paid).await;
    assert_eq!(refused, Err(Failure::Refused(Refusal::OrderTransition { from, to })));
    // Late money wants tickets that are not read for an order in progress.
    let expired = one().await.unwrap();
    db.clock.advance_ms(15 * 60_000);
    assert_eq!(other.engine.expire_due().await, Ok(1));
    sale.transition(&expired, OrderTransition::Paid).await.unwrap();
    assert_eq!(sale.engine.order(expired.id).await.unwrap().unwrap().state(), OrderStatusKind::Paid);
}

pub(crate) async fn a_random_pick_finds_what_a_choice_by_id_in_its_batch_leaves(db: Database) {
    let sale = Sale::of(&db, 10).await;
    let (gate, held) = Gate::hold(&sale.engine);
    // Those that are offered first are gone before the random picks have their turn.
    let chosen = start_call(sale.order(TicketSelection::Tickets(sale.tickets[..4].to_vec())));
    let random: Vec<_> =
        (0..3).map(|_| start_call(sale.order(TicketSelection::AnyOfSets(vec![(sale.set, 2)])))).collect();
    gate.open();
    held.await.unwrap();
    assert_eq!(chosen.await.unwrap().lines.len(), 4);
    for order in random {
        assert_eq!(order.await.unwrap().lines.len(), 2, "six were left for three who want two each");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_lone_writer_alone_remembers_its_orders() {
    for (db, remembers) in [(Database::sqlite().await, true), (Database::postgres().await, false)] {
        let sale = Sale::of(&db, 100).await;
        for (count, is_short) in [(2, true), (40, false)] {
            let order = sale.order(TicketSelection::AnyOfSets(vec![(sale.set, count)])).await.unwrap();
            let look = async || sale.engine.order_to_update(order.id).await.unwrap().unwrap();
            assert_eq!(Arc::ptr_eq(&look().await, &look().await), remembers && is_short);
        }
    }
}

/// In memory nobody could look while the lane stands at the gate.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_seating_change_over_a_concurrent_one_is_retried() {
    concurrent_seating_changes(Database::sqlite().await).await;
    concurrent_seating_changes(Database::postgres().await).await;
}

async fn concurrent_seating_changes(db: Database) {
    let sale = Sale::of(&db, 1).await;
    let (actor, event) = (Actor::Partner(sale.org), sale.event);
    let hall = CreateSet { seats: Some(seating(&[("1", 4)])), ..new_set(event) };
    let set = sale.engine.execute(&actor, hall, |_, set| set.id).await.unwrap();
    sale.order(TicketSelection::AnyOfSets(vec![(set, 1)])).await.unwrap();
    let change = |seats| UpdateSet { seats: Patch::Set(seats), ..UpdateSet::unchanged(event, set) };
    let (gate, held) = Gate::hold(&sale.engine);
    let longer =
        start_call(sale.engine.update_set(&actor, change(seating(&[("1", 4), ("2", 3)])), |_, set| set.counts.amount));
    // When it looks there is no second row, so that it names none of its seats.
    let first_row =
        start_call(sale.engine.update_set(&actor, change(seating(&[("1", 3)])), |_, set| set.counts.amount));
    gate.open();
    held.await.unwrap();
    assert_eq!((longer.await.unwrap(), first_row.await.unwrap()), (7, 3));
    let read_set = ReadSet { sets_of: vec![event], ..ReadSet::default() };
    let view = sale.engine.view(&read_set).await.unwrap();
    assert_eq!(view.sets.get(set).unwrap().seats.as_ref().unwrap().created_seating(), seating(&[("1", 3)]));
}

/// A promotion that takes a half off any ticket.
pub(crate) fn half_price(event: EventId) -> CreatePromotion {
    let half = RequestedLevelValue { percent: Some(Percent::from_percent(50)), amount: None };
    CreatePromotion {
        event,
        lifetime: LifetimePatch::default(),
        sets: Vec::new(),
        measure: LevelMeasure::Count,
        kind: DiscountKind::Percentage,
        levels: vec![RequestedLevel { from: Money::from_minor(100), value: half }],
    }
}

/// A set without tickets, which cost one each.
pub(crate) fn new_set(event: EventId) -> CreateSet {
    CreateSet { price: Some(Money::from_minor(100)), ..CreateSet::empty(event) }
}

/// Rows of so many seats each.
pub(crate) fn seating(rows: &[(&str, u16)]) -> Seating {
    let mut seating = Seating::default();
    for (row, count) in rows {
        seating.add_row(row.parse().unwrap(), vec![(1, *count).into()]).unwrap();
    }
    seating
}

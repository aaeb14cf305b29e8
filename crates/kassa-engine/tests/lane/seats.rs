//! Seats that nobody named, in batches: each decision has what it needs, whatever its neighbours do.

use std::collections::BTreeSet;

use kassa_domain::order::{CreateOrder, Order, OrderEdit, OrderOutcome, OrderTransition, TicketSelection};
use kassa_domain::refusal::{Shortfall, ShortfallReason};
use kassa_domain::seating::Seating;
use kassa_domain::set::{CreateSet, SetId};
use kassa_domain::ticket::{Ticket, TicketId};
use kassa_domain::{Actor, ReadSet, Refusal, View};
use kassa_engine::Failure;
use kassa_store::PageWindow;
use kassa_store::queries::SeatsFilter;
use tokio::task::JoinSet;

use crate::harness::{Call, Database, Gate, start_call};
use crate::sales::{Sale, new_set, seating};

impl Sale {
    /// A sale of which the set has these seats.
    async fn of_seats(db: &Database, seats: Seating) -> Self {
        let sale = Self::of(db, 0).await;
        let command = CreateSet { seats: Some(seats), ..new_set(sale.event) };
        let set = sale.engine.execute(&Actor::Partner(sale.org), command, |_, set| set.id).await.unwrap();
        sale.engine.run_jobs().await.unwrap();
        Self { set, ..sale }
    }

    async fn order_any(&self, count: u32) -> Result<Order, Failure> {
        self.order(TicketSelection::AnyOfSets(vec![(self.set, count)])).await
    }

    fn order_any_call(&self, count: u32) -> Call<'_, Result<Order, Failure>> {
        start_call(self.order_any(count))
    }

    async fn change(&self, order: &Order, edit: OrderEdit) -> OrderOutcome {
        let actor = Actor::Partner(self.org);
        let changed = self.engine.update_order(&actor, order.id, edit, |_, done| done.clone());
        changed.await.unwrap()
    }

    /// The seats of an order by number, as text.
    async fn seats(&self, order: &Order) -> String {
        let tickets: Vec<TicketId> = order.lines.iter().map(|line| line.ticket).collect();
        let view = self.engine.view(&ReadSet { tickets: tickets.clone(), ..ReadSet::default() }).await.unwrap();
        let name = |id: &TicketId| {
            let seat = view.tickets.get(*id).unwrap().seat.as_deref().unwrap();
            format!("{}-{}", seat.row, seat.number)
        };
        tickets.iter().map(name).collect::<Vec<_>>().join(" ")
    }

    /// All tickets of the hall, from the front on.
    async fn tickets_of_hall(&self) -> Vec<Ticket> {
        let (sector, sets) = (String::new(), vec![self.set]);
        let filter =
            SeatsFilter { event: self.event, sector, sets, states: [true; 4], ids: None, after: None, are_few: false };
        self.engine.page(filter, PageWindow::first(u32::MAX)).await.unwrap().rows
    }
}

fn random_pick_edit(set: SetId, count: u32) -> OrderEdit {
    OrderEdit { selection: Some(TicketSelection::AnyOfSets(vec![(set, count)])), ..OrderEdit::default() }
}

pub(crate) async fn a_hall_sells_out_exactly_to_neighbours(db: Database) {
    let sale = Sale::of_seats(&db, seating(&[("1", 8), ("2", 12), ("3", 20)])).await;
    let buyers = (0..40).map(|_| sale.clone()).map(|sale| async move { (sale.order_any(2).await.unwrap(), sale) });
    let mut running: JoinSet<(Order, Sale)> = buyers.collect();
    let mut sold = BTreeSet::new();
    while let Some(result) = running.join_next().await {
        let (order, sale) = result.unwrap();
        if order.lines.is_empty() {
            continue;
        }
        let seats = sale.seats(&order).await;
        let (one, other) = seats.split_once(' ').unwrap();
        let (row, number) = one.split_once('-').unwrap();
        assert_eq!(other, format!("{row}-{}", number.parse::<u16>().unwrap() + 1), "side by side");
        assert!(sold.insert(one.to_owned()) && sold.insert(other.to_owned()), "{seats} are sold twice");
    }
    assert_eq!(sold.len(), 40);
}

pub(crate) async fn seats_of_a_refused_order_go_to_the_next(db: Database) {
    let sale = Sale::of_seats(&db, seating(&[("1", 3), ("2", 9), ("3", 9)])).await;
    let (gate, held) = Gate::hold(&sale.engine);
    let unknown = Some(vec!["NONE".parse().unwrap()]);
    let refused = start_call(sale.order_with(TicketSelection::AnyOfSets(vec![(sale.set, 2)]), unknown));
    let (three, eight, nine) = (sale.order_any_call(3), sale.order_any_call(8), sale.order_any_call(9));
    gate.open();
    held.await.unwrap();
    assert!(matches!(refused.await, Err(Failure::Refused(Refusal::PromocodeUnknown(_)))));
    assert_eq!(sale.seats(&three.await.unwrap()).await, "1-1 1-2 1-3");
    assert!(sale.seats(&eight.await.unwrap()).await.ends_with("2-8"));
    assert!(sale.seats(&nine.await.unwrap()).await.ends_with("3-9"));
}

pub(crate) async fn seats_that_come_back_in_a_batch_are_given_in_it(db: Database) {
    let sale = Sale::of_seats(&db, seating(&[("1", 3), ("2", 4)])).await;
    let front = sale.order_any(2).await.unwrap();
    let (gate, held) = Gate::hold(&sale.engine);
    let cancel = kassa_domain::order::UpdateOrder {
        order: front.id,
        event: front.event,
        deal: None,
        expired_lines: None,
        promocodes: Vec::new(),
        has_payments: false,
        edit: OrderEdit { transition: Some(OrderTransition::Canceled), ..OrderEdit::default() },
    };
    let actor = Actor::Partner(sale.org);
    let canceled = start_call(sale.engine.execute(&actor, cancel, |_, _| ()));
    let (three, four) = (sale.order_any_call(3), sale.order_any_call(4));
    gate.open();
    held.await.unwrap();
    canceled.await.unwrap();
    assert_eq!(sale.seats(&three.await.unwrap()).await, "1-1 1-2 1-3");
    assert_eq!(sale.seats(&four.await.unwrap()).await, "2-1 2-2 2-3 2-4");
}

pub(crate) async fn an_order_grows_next_to_its_own_seats(db: Database) {
    let sale = Sale::of_seats(&db, seating(&[("1", 4), ("2", 4)])).await;
    let (one, mut other) = (sale.order_any(2).await.unwrap(), sale.order_any(2).await.unwrap());
    assert_eq!(sale.seats(&other).await, "1-3 1-4");
    sale.transition(&one, OrderTransition::Canceled).await.unwrap();
    for (count, expected) in [(3, "1-3 1-4 1-2"), (4, "1-3 1-4 1-2 1-1")] {
        let changed = sale.change(&other, random_pick_edit(sale.set, count)).await;
        assert_eq!((sale.seats(&changed.order).await.as_str(), changed.shortfalls), (expected, Vec::new()));
        other = changed.order;
    }
    // Two more, of four that are free.
    let changed = sale.change(&other, random_pick_edit(sale.set, 6)).await;
    assert_eq!(sale.seats(&changed.order).await, "1-3 1-4 1-2 1-1 2-1 2-2");
    let scattered = Shortfall::AnyOfSet { set: sale.set, requested: 6, granted: 6, reason: ShortfallReason::Scattered };
    assert_eq!(changed.shortfalls, [scattered]);
}

pub(crate) async fn a_dry_run_of_an_order_names_seats(db: Database) {
    let sale = Sale::of_seats(&db, seating(&[("1", 4)])).await;
    let command = CreateOrder { event: sale.event, vendor: sale.org, deal: None, edit: random_pick_edit(sale.set, 6) };
    let order = |_: &View, outcome: &OrderOutcome| outcome.order.clone();
    let rehearsed = sale.engine.dry_run(&Actor::Partner(sale.org), &command, order).await.unwrap();
    assert_eq!(rehearsed.lines.len(), 4);
    let view = sale.engine.view(&ReadSet { orders: vec![rehearsed.id], ..ReadSet::default() }).await.unwrap();
    assert!(view.orders.get(rehearsed.id).is_none());
    assert_eq!(sale.order_any(4).await.unwrap().lines.len(), 4, "nothing was taken");
}

/// Processor time that this program has used, in microseconds: a clock on the wall would measure how busy the
/// machine is with other work.
fn processor_us() -> u64 {
    let threads = std::fs::read_dir("/proc/self/task").unwrap();
    let used = threads.map(|thread| std::fs::read_to_string(thread.unwrap().path().join("schedstat")).unwrap());
    used.map(|text| text.split(' ').next().unwrap().parse::<u64>().unwrap()).sum::<u64>() / 1_000
}

/// What a pick costs in a hall of 80,000, however full it is. It means something in an optimized build only:
/// `cargo nextest run --release -p kassa-engine --run-ignored only --no-capture large_hall`.
#[tokio::test]
#[ignore = "measures, and takes minutes"]
async fn a_pick_in_a_large_hall_takes_less_than_five_milliseconds() {
    type Taken = fn(usize) -> bool;
    let fills: [(&str, Taken); 4] = [
        ("empty", |_| false),
        ("half full", |at| at < 40_000),
        ("every other", |at| at % 2 == 0),
        ("99 % full", |at| at % 100 != 99),
    ];
    for (rows, seats) in [(2_000, 40), (16_000, 5)] {
        let names: Vec<String> = (1..=rows).map(|row| row.to_string()).collect();
        let layout: Vec<(&str, u16)> = names.iter().map(|name| (name.as_str(), seats)).collect();
        for (fill, is_taken) in fills {
            let db = Database::sqlite().await;
            let sale = Sale::of_seats(&db, seating(&layout)).await;
            let hall = sale.tickets_of_hall().await;
            let taken = hall.iter().enumerate().filter(|(at, _)| is_taken(*at));
            let taken: Vec<TicketId> = taken.map(|(_, ticket)| ticket.id).collect();
            for tickets in taken.chunks(100) {
                let order = sale.order(TicketSelection::Tickets(tickets.to_vec())).await.unwrap();
                assert_eq!(order.lines.len(), tickets.len());
            }
            for count in [1, 2, 4, 30, 100] {
                let mut used = Vec::new();
                for _ in 0..20 {
                    let before = processor_us();
                    let order = sale.order_any(count).await.unwrap();
                    used.push(processor_us() - before);
                    assert_eq!(order.lines.len(), count as usize);
                    sale.transition(&order, OrderTransition::Canceled).await.unwrap();
                }
                used.sort_unstable();
                println!("{rows} rows, {fill}, {count} wanted: {} us, at most {} us", used[10], used[19]);
                assert!(used[10] < 5_000, "most picks take less than five milliseconds");
            }
        }
    }
}

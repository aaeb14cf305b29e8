//! The pick of any vacant seats: which row inventories are loaded for it, and which tickets.

use kassa_domain::seat_row_inventory::SeatRowInventory;
use kassa_domain::set::{SeatSelector, TicketCounts, TicketSet};
use kassa_domain::ticket::{Ticket, TicketState};
use kassa_domain::{ReadSet, View};

use crate::database::{Database, keys};
use crate::samples::{self, at, id_in_event};

/// Rows by name, with their rank and the vacant ones of their ten seats.
type Rows<'a> = &'a [(&'a str, u32, &'a [u16])];

/// A set with seats in these rows.
async fn given_a_hall(db: &Database, rows: Rows<'_>) -> TicketSet {
    let set = samples::seated_set(samples::event(1).id, 1);
    let vacant: usize = rows.iter().map(|(.., vacant)| vacant.len()).sum();
    let (vacant, amount) = (i64::try_from(vacant).unwrap(), i64::try_from(rows.len()).unwrap() * 10);
    let set =
        TicketSet { counts: TicketCounts { amount, vacant, held: amount - vacant, ..TicketCounts::default() }, ..set };
    let mut tickets = Vec::new();
    let held = TicketState::Held { order: id_in_event(set.event, 5), till: at(0) };
    db.insert(|view| {
        view.sets.put(set.clone());
        for (key, (row, rank, vacant)) in (1..).zip(rows) {
            let inventory =
                SeatRowInventory { rank: *rank, seats: 10, ..samples::seat_row_inventory(&set, key, row, vacant) };
            for number in 1..=10 {
                let ticket = samples::seated_ticket(&set, key * 100 + i64::from(number), row, number);
                let mut place = ticket.seat.clone().unwrap();
                place.row_inventory = inventory.id;
                let state = if vacant.contains(&number) { TicketState::Vacant } else { held.clone() };
                tickets.push(Ticket { seat: Some(place), state, ..ticket });
            }
            view.seat_row_inventories.put(inventory);
        }
        samples::put_holders(&tickets, view);
        tickets.drain(..).for_each(|ticket| view.tickets.put(ticket));
    })
    .await;
    set
}

fn read_set_for(set: &TicketSet, counts: &[u32]) -> ReadSet {
    let vacant = counts.iter().map(|count| (set.id, *count)).collect();
    ReadSet { vacant, sets_of: vec![set.event], ..ReadSet::default() }
}

/// The seats that a decision would pick, as `row * 100 + number`.
fn pick(view: &mut View, set: &TicketSet, count: usize) -> Vec<i64> {
    let picked = view.pick_seats(set, count, &[]).unwrap();
    picked.tickets.iter().map(|ticket| ticket.key()).collect()
}

fn loaded(view: &View) -> (Vec<i64>, Vec<i64>) {
    let inventories = keys(view.seat_row_inventories.rows()).iter().map(|id| id.key()).collect();
    (inventories, keys(view.tickets.rows()).iter().map(|id| id.key()).collect())
}

pub(crate) async fn the_best_rows_with_enough_adjacent_seats_are_offered(db: Database) {
    let rows: Rows<'_> = &[
        ("1", 9, &[1, 2, 3]),
        ("10", 5, &[1, 2, 3]),
        ("2", 5, &[4, 5, 6, 8, 9]),
        ("3", 0, &[1, 2]),
        ("4", 1, &[]),
        ("5", 9, &[1, 2, 3, 4]),
    ];
    let set = given_a_hall(&db, rows).await;
    let cases: [(u32, &[i64]); 5] =
        [(1, &[401]), (2, &[401, 402]), (3, &[304, 305, 306]), (4, &[601, 602, 603, 604]), (0, &[])];
    for (count, expected) in cases {
        let mut view = db.view(read_set_for(&set, &[count])).await;
        assert_eq!(pick(&mut view, &set, count as usize), expected, "{count} wanted");
    }
}

pub(crate) async fn no_more_tickets_are_loaded_than_are_given(db: Database) {
    let rows: Rows<'_> = &[("1", 1, &[1, 2]), ("2", 1, &[1]), ("3", 1, &[2, 3]), ("4", 1, &[5, 6]), ("5", 1, &[5, 6])];
    let set = given_a_hall(&db, rows).await;
    let view = db.view(read_set_for(&set, &[2])).await;
    assert_eq!(loaded(&view), (vec![1, 3, 4], vec![101, 102]), "of two tickets each may spoil a bench");
}

pub(crate) async fn commands_are_given_one_after_the_other(db: Database) {
    let set = given_a_hall(&db, &[("1", 1, &[1, 2, 4]), ("2", 1, &[1, 2, 3, 4, 5])]).await;
    let view = db.view(read_set_for(&set, &[1, 2, 3])).await;
    let (_, tickets) = loaded(&view);
    assert_eq!(tickets, [101, 102, 104, 201, 202, 203], "the first takes the single one, and so on");
}

pub(crate) async fn where_none_has_so_many_the_longest_runs_are_offered(db: Database) {
    let rows: Rows<'_> = &[("1", 1, &[1, 3, 5]), ("2", 1, &[1, 2]), ("3", 1, &[7, 8, 9]), ("4", 1, &[1, 2])];
    let set = given_a_hall(&db, rows).await;
    let mut view = db.view(read_set_for(&set, &[6])).await;
    assert_eq!(pick(&mut view, &set, 6), [307, 308, 309, 201, 202, 101]);
    let mut view = db.view(read_set_for(&set, &[10])).await;
    assert_eq!(pick(&mut view, &set, 10).len(), 10, "all that there are");
    let mut view = db.view(read_set_for(&set, &[11])).await;
    assert_eq!(view.pick_seats(&set, 9, &[]), None, "one may be a row that was not offered");
    assert_eq!(view.take_missing().unwrap().vacant, [(set.id, 9)]);
}

pub(crate) async fn a_batch_is_offered_enough_for_all_that_it_may_take(db: Database) {
    let rows: Rows<'_> =
        &[("1", 1, &[1, 2]), ("2", 1, &[1, 2]), ("3", 1, &[1, 2]), ("4", 1, &[1, 2]), ("5", 1, &[1, 2])];
    let set = given_a_hall(&db, rows).await;
    // Somebody takes one seat in each of the first rows by its ticket.
    let named = [101, 202, 301].map(|key| id_in_event(set.event, key));
    let mut view = db.view(ReadSet { tickets: named.to_vec(), ..read_set_for(&set, &[1]) }).await;
    assert_eq!(loaded(&view).0, [1, 2, 3, 4, 5]);
    let wider = ReadSet { tickets: named[..1].to_vec(), ..read_set_for(&set, &[1]) };
    assert_eq!(loaded(&db.view(wider).await).0, [1, 2, 3]);
    for ticket in named {
        let ticket = view.tickets.get(ticket).unwrap().clone();
        let place = ticket.seat.as_deref().unwrap();
        let mut inventory = view.seat_row_inventories.get(place.row_inventory).unwrap().clone();
        inventory.vacant.remove(place.number);
        view.seat_row_inventories.put(inventory);
        view.tickets.put(Ticket { state: TicketState::Blocked, ..ticket });
    }
    view.offer_row_inventories(set.id, 2);
    assert_eq!(view.pick_seats(&set, 2, &[]), None);
    let chairs = view.take_missing().unwrap().seats;
    let span = SeatSelector {
        set: set.id,
        event: set.event,
        sector: set.sector.clone(),
        row: "4".parse().unwrap(),
        range: (1, 2).into(),
    };
    assert_eq!(chairs, [span], "the tickets of a bench that was not foreseen are asked for");
}

pub(crate) async fn what_was_given_another_way_is_not_given_again(db: Database) {
    let set = given_a_hall(&db, &[("1", 1, &[1, 2])]).await;
    let mut view = db.view(read_set_for(&set, &[2])).await;
    let ticket = view.tickets.get(id_in_event(set.event, 101)).unwrap().clone();
    view.tickets.put(Ticket { state: TicketState::Blocked, ..ticket });
    // The row inventory says that it is vacant, and it is not.
    assert_eq!(view.pick_seats(&set, 2, &[]), None);
}

pub(crate) async fn a_ticket_comes_with_its_row(db: Database) {
    let set = given_a_hall(&db, &[("1", 1, &[1, 2]), ("2", 1, &[1]), ("3", 1, &[2])]).await;
    let chairs = SeatSelector {
        set: set.id,
        event: set.event,
        sector: set.sector.clone(),
        row: "3".parse().unwrap(),
        range: (1, 2).into(),
    };
    let cases: [(ReadSet, &[i64]); 4] = [
        (
            ReadSet { tickets: vec![id_in_event(set.event, 203), id_in_event(set.event, 101)], ..ReadSet::default() },
            &[1, 2],
        ),
        (ReadSet { tickets_held_by: vec![id_in_event(set.event, 5)], ..ReadSet::default() }, &[1, 2, 3]),
        (ReadSet { seats: vec![chairs], ..ReadSet::default() }, &[3]),
        (ReadSet { sets: vec![set.id], ..ReadSet::default() }, &[]),
    ];
    for (read_set, expected) in cases {
        assert_eq!(loaded(&db.view(read_set.clone()).await).0, expected, "{read_set:?}");
    }
}

pub(crate) async fn every_row_inventory_of_a_set_is_loaded(db: Database) {
    let set = given_a_hall(&db, &[("1", 1, &[1, 2]), ("2", 1, &[])]).await;
    let other = samples::seated_set(set.event, 2);
    db.insert(|view| view.seat_row_inventories.put(samples::seat_row_inventory(&other, 77, "1", &[1]))).await;
    let view = db.view(ReadSet { seat_row_inventories_of: vec![set.id], ..ReadSet::default() }).await;
    assert_eq!(loaded(&view), (vec![1, 2], Vec::new()));
}

//! The pick of any vacant seats: which benches are loaded for it, and which tickets.

use kassa_domain::bench::Bench;
use kassa_domain::set::{Chairs, Counts, Set};
use kassa_domain::ticket::{Ticket, TicketState};
use kassa_domain::{Needs, View};

use crate::database::{Database, keys};
use crate::samples::{self, at, on};

/// Rows by name, with their rank and the vacant ones of their ten chairs.
type Rows<'a> = &'a [(&'a str, u32, &'a [u16])];

/// A set with seats in these rows.
async fn given_a_hall(db: &Database, rows: Rows<'_>) -> Set {
    let set = samples::seated_set(samples::event(1).id, 1);
    let vacant: usize = rows.iter().map(|(.., vacant)| vacant.len()).sum();
    let (vacant, amount) = (i64::try_from(vacant).unwrap(), i64::try_from(rows.len()).unwrap() * 10);
    let set = Set { counts: Counts { amount, vacant, held: amount - vacant, ..Counts::default() }, ..set };
    let held = TicketState::Held { order: on(set.event, 5), till: at(0) };
    db.given(|view| {
        view.sets.put(set.clone());
        for (key, (row, rank, vacant)) in (1..).zip(rows) {
            let bench = Bench { rank: *rank, chairs: 10, ..samples::bench(&set, key, row, vacant) };
            for number in 1..=10 {
                let ticket = samples::chair(&set, key * 100 + i64::from(number), row, number);
                let mut place = ticket.seat.clone().unwrap();
                place.bench = bench.id;
                let state = if vacant.contains(&number) { TicketState::Vacant } else { held.clone() };
                view.tickets.put(Ticket { seat: Some(place), state, ..ticket });
            }
            view.benches.put(bench);
        }
    })
    .await;
    set
}

fn wanting(set: &Set, counts: &[u32]) -> Needs {
    let vacant = counts.iter().map(|count| (set.id, *count)).collect();
    Needs { vacant, sets_of: vec![set.event], ..Needs::default() }
}

/// The seats that a decision would pick, as `row * 100 + number`.
fn pick(view: &mut View, set: &Set, count: usize) -> Vec<i64> {
    let picked = view.pick_seats(set, count, &[]).unwrap();
    picked.tickets.iter().map(|ticket| ticket.key()).collect()
}

fn loaded(view: &View) -> (Vec<i64>, Vec<i64>) {
    let benches = keys(view.benches.rows()).iter().map(|id| id.key()).collect();
    (benches, keys(view.tickets.rows()).iter().map(|id| id.key()).collect())
}

pub(crate) async fn the_best_benches_that_have_so_many_are_offered(db: Database) {
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
        let mut view = db.view(wanting(&set, &[count])).await;
        assert_eq!(pick(&mut view, &set, count as usize), expected, "{count} wanted");
    }
}

pub(crate) async fn no_more_tickets_are_loaded_than_are_given(db: Database) {
    let rows: Rows<'_> = &[("1", 1, &[1, 2]), ("2", 1, &[1]), ("3", 1, &[2, 3]), ("4", 1, &[5, 6]), ("5", 1, &[5, 6])];
    let set = given_a_hall(&db, rows).await;
    let view = db.view(wanting(&set, &[2])).await;
    assert_eq!(loaded(&view), (vec![1, 3, 4], vec![101, 102]), "of two tickets each may spoil a bench");
}

pub(crate) async fn commands_are_given_one_after_the_other(db: Database) {
    let set = given_a_hall(&db, &[("1", 1, &[1, 2, 4]), ("2", 1, &[1, 2, 3, 4, 5])]).await;
    let view = db.view(wanting(&set, &[1, 2, 3])).await;
    let (_, tickets) = loaded(&view);
    assert_eq!(tickets, [101, 102, 104, 201, 202, 203], "the first takes the single one, and so on");
}

pub(crate) async fn where_none_has_so_many_the_longest_runs_are_offered(db: Database) {
    let rows: Rows<'_> = &[("1", 1, &[1, 3, 5]), ("2", 1, &[1, 2]), ("3", 1, &[7, 8, 9]), ("4", 1, &[1, 2])];
    let set = given_a_hall(&db, rows).await;
    let mut view = db.view(wanting(&set, &[6])).await;
    assert_eq!(pick(&mut view, &set, 6), [307, 308, 309, 201, 202, 101]);
    let mut view = db.view(wanting(&set, &[10])).await;
    assert_eq!(pick(&mut view, &set, 10).len(), 10, "all that there are");
    let mut view = db.view(wanting(&set, &[11])).await;
    assert_eq!(view.pick_seats(&set, 9, &[]), None, "one may be a row that was not offered");
    assert_eq!(view.take_missing().unwrap().vacant, [(set.id, 9)]);
}

pub(crate) async fn a_batch_is_offered_enough_for_all_that_it_may_take(db: Database) {
    let rows: Rows<'_> =
        &[("1", 1, &[1, 2]), ("2", 1, &[1, 2]), ("3", 1, &[1, 2]), ("4", 1, &[1, 2]), ("5", 1, &[1, 2])];
    let set = given_a_hall(&db, rows).await;
    // Somebody takes one seat in each of the first rows by its ticket.
    let named = [101, 202, 301].map(|key| on(set.event, key));
    let mut view = db.view(Needs { tickets: named.to_vec(), ..wanting(&set, &[1]) }).await;
    assert_eq!(loaded(&view).0, [1, 2, 3, 4, 5]);
    let wider = Needs { tickets: named[..1].to_vec(), ..wanting(&set, &[1]) };
    assert_eq!(loaded(&db.view(wider).await).0, [1, 2, 3]);
    for ticket in named {
        let ticket = view.tickets.get(ticket).unwrap().clone();
        let place = ticket.seat.as_deref().unwrap();
        let mut bench = view.benches.get(place.bench).unwrap().clone();
        bench.vacant.remove(place.number);
        view.benches.put(bench);
        view.tickets.put(Ticket { state: TicketState::Blocked, ..ticket });
    }
    view.offer_benches(set.id, 2);
    assert_eq!(view.pick_seats(&set, 2, &[]), None);
    let chairs = view.take_missing().unwrap().chairs;
    let span = Chairs {
        set: set.id,
        event: set.event,
        sector: set.sector.clone(),
        row: "4".parse().unwrap(),
        span: (1, 2).into(),
    };
    assert_eq!(chairs, [span], "the tickets of a bench that was not foreseen are asked for");
}

pub(crate) async fn what_was_given_another_way_is_not_given_again(db: Database) {
    let set = given_a_hall(&db, &[("1", 1, &[1, 2])]).await;
    let mut view = db.view(wanting(&set, &[2])).await;
    let ticket = view.tickets.get(on(set.event, 101)).unwrap().clone();
    view.tickets.put(Ticket { state: TicketState::Blocked, ..ticket });
    // The bench says that it is vacant, and it is not.
    assert_eq!(view.pick_seats(&set, 2, &[]), None);
}

pub(crate) async fn a_ticket_comes_with_its_bench(db: Database) {
    let set = given_a_hall(&db, &[("1", 1, &[1, 2]), ("2", 1, &[1]), ("3", 1, &[2])]).await;
    let chairs = Chairs {
        set: set.id,
        event: set.event,
        sector: set.sector.clone(),
        row: "3".parse().unwrap(),
        span: (1, 2).into(),
    };
    let cases: [(Needs, &[i64]); 4] = [
        (Needs { tickets: vec![on(set.event, 203), on(set.event, 101)], ..Needs::default() }, &[1, 2]),
        (Needs { held_by: vec![on(set.event, 5)], ..Needs::default() }, &[1, 2, 3]),
        (Needs { chairs: vec![chairs], ..Needs::default() }, &[3]),
        (Needs { sets: vec![set.id], ..Needs::default() }, &[]),
    ];
    for (needs, expected) in cases {
        assert_eq!(loaded(&db.view(needs.clone()).await).0, expected, "{needs:?}");
    }
}

pub(crate) async fn the_benches_of_a_set_are_all_of_them(db: Database) {
    let set = given_a_hall(&db, &[("1", 1, &[1, 2]), ("2", 1, &[])]).await;
    let other = samples::seated_set(set.event, 2);
    db.given(|view| view.benches.put(samples::bench(&other, 77, "1", &[1]))).await;
    let view = db.view(Needs { benches_of: vec![set.id], ..Needs::default() }).await;
    assert_eq!(loaded(&view), (vec![1, 2], Vec::new()));
}

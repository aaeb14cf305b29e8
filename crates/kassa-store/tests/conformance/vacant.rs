//! The pick of any vacant tickets: from the set's cursor on, and round once.

use kassa_domain::set::TicketSet;
use kassa_domain::ticket::{Ticket, TicketState};
use kassa_domain::{Id, ReadSet, View};

use crate::database::{Database, keys};
use crate::samples::{self, at, id_in_event};

fn hall(cursor: i64) -> TicketSet {
    TicketSet { pick_cursor: cursor, ..samples::set(samples::event(1).id, 1) }
}

/// A set with its cursor, tickets 10..=19 of which the odd ones are held, and another set.
async fn given_a_hall(db: &Database, cursor: i64) -> TicketSet {
    let set = hall(cursor);
    let other = samples::set(set.event, 2);
    let held = TicketState::Held { order: id_in_event(set.event, 5), till: at(0) };
    db.insert(|view| {
        view.sets.put(set.clone());
        view.sets.put(other.clone());
        for key in 10..=19 {
            let state = if key % 2 == 1 { held.clone() } else { TicketState::Vacant };
            view.tickets.put(Ticket { state, ..samples::ticket(&set, key) });
            view.tickets.put(samples::ticket(&other, key + 100));
        }
    })
    .await;
    set
}

fn wanting(set: &TicketSet, counts: &[u32]) -> ReadSet {
    let vacant = counts.iter().map(|count| (set.id, *count)).collect();
    ReadSet { vacant, sets_of: vec![set.event], ..ReadSet::default() }
}

/// The keys of the tickets that a decision would pick, in their order.
fn pick(view: &View, set: &TicketSet, count: usize) -> Vec<i64> {
    view.pick_vacant(set, count).into_iter().map(Id::key).collect()
}

fn loaded(view: &View) -> Vec<i64> {
    keys(view.tickets.rows()).into_iter().map(Id::key).collect()
}

pub(crate) async fn vacant_tickets_come_from_the_cursor_on(db: Database) {
    let set = given_a_hall(&db, 12).await;
    let view = db.view(wanting(&set, &[2])).await;
    assert_eq!(pick(&view, &set, 2), [14, 16]);
    assert_eq!(loaded(&view), [14, 16], "no more than was wanted");
}

pub(crate) async fn vacant_tickets_wrap_round_before_the_set_is_sold_out(db: Database) {
    let set = given_a_hall(&db, 15).await;
    let cases: [(u32, &[i64]); 4] =
        [(1, &[16]), (3, &[16, 18, 10]), (5, &[16, 18, 10, 12, 14]), (9, &[16, 18, 10, 12, 14])];
    for (count, expected) in cases {
        let view = db.view(wanting(&set, &[count])).await;
        assert_eq!(pick(&view, &set, count as usize), expected, "{count} wanted");
        assert_eq!(view.tickets.rows().count(), expected.len());
    }
}

pub(crate) async fn commands_that_want_the_same_set_are_offered_enough_for_both(db: Database) {
    let set = given_a_hall(&db, 0).await;
    let view = db.view(wanting(&set, &[2, 2])).await;
    assert_eq!(pick(&view, &set, 4), [10, 12, 14, 16]);
}

pub(crate) async fn vacant_tickets_need_no_set_in_the_view(db: Database) {
    let set = given_a_hall(&db, 16).await;
    let view = db.view(ReadSet { vacant: vec![(set.id, 2)], ..ReadSet::default() }).await;
    assert_eq!(view.sets.rows().count(), 0);
    assert_eq!(pick(&view, &set, 2), [18, 10]);
}

pub(crate) async fn an_unknown_set_offers_nothing(db: Database) {
    given_a_hall(&db, 0).await;
    let unknown = samples::set(samples::event(1).id, 99);
    let view = db.view(wanting(&unknown, &[5])).await;
    assert_eq!(loaded(&view), [0; 0]);
}

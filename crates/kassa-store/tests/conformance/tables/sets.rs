//! Sets, their tickets and row inventories.

use std::cmp::Ordering;

use kassa_domain::change::Revision;
use kassa_domain::event::{Event, EventId};
use kassa_domain::order::Order;
use kassa_domain::seat_row_inventory::{SeatRowInventory, UNRANKED_ROW};
use kassa_domain::seating::{RowName, Seat, SeatRange, SeatingJson};
use kassa_domain::set::{PriceRule, SeatSelector, SetSeats, TicketCounts, TicketSet};
use kassa_domain::ticket::{Ticket, TicketState};
use kassa_domain::{Id, Money, ReadSet, View, Window};
use kassa_store::StoreError;
use kassa_store::queries::{SeatsFilter, TicketsFilter};

use crate::database::{Database, keys};
use crate::dice::Dice;
use crate::guards::write_error;
use crate::kinds::{UniquePair, kind};
use crate::lists::{ListModel, assert_lists_agree};
use crate::plans::{AccessPath, PlanCases};
use crate::samples::{self, ELSEWHERE, HERE, at, event_id, id_in_event, party};

/// An empty set.
pub(crate) fn set(event: EventId, key: i64) -> TicketSet {
    TicketSet {
        id: id_in_event(event, key),
        event,
        name: format!("Set {key}"),
        desc: None,
        sector: String::new(),
        pos: 0,
        serial: "ABC".to_owned(),
        rules: Vec::new(),
        counts: TicketCounts::default(),
        pending_removal: 0,
        seats: None,
        pick_cursor: 0,
        job: None,
        removed: false,
        created_at: at(key),
        updated_at: at(key),
        revision: Revision::stored(1, None),
        inventory: Revision::default(),
    }
}

pub(crate) fn full_set(event: EventId, key: i64) -> TicketSet {
    let rule = |key, start, finish| PriceRule {
        id: id_in_event(event, key),
        window: Window { start: at(start), finish },
        ends_with_event: finish.is_none(),
        price: Money::from_minor(Money::PRICE_MAX.minor() - key),
        has_sold: key % 2 == 0,
    };
    TicketSet {
        desc: Some("near the stage".to_owned()),
        sector: "Партер".to_owned(),
        pos: -3,
        rules: vec![rule(51, 0, Some(at(5_000))), rule(52, 5_000, None)],
        counts: TicketCounts { amount: 15, vacant: 1, held: 2, sold: 3, blocked: 4, pending: 5 },
        pending_removal: 5,
        pick_cursor: i64::MAX,
        job: Some(id_in_event(event, 77)),
        removed: true,
        ..set(event, key)
    }
}

/// A vacant ticket whose number is its key.
pub(crate) fn ticket(set: &TicketSet, key: i64) -> Ticket {
    Ticket {
        id: id_in_event(set.event, key),
        event: set.event,
        set: set.id,
        number: key,
        seat: None,
        state: TicketState::Vacant,
    }
}

/// A set of seats that a job is working on.
pub(crate) fn seated_set(event: EventId, key: i64) -> TicketSet {
    let layout = SeatingJson::from_json(r#"{"1":[[1,9]],"Ж \"2\"":[[1,1],[3,9999]]}"#);
    let seats = Some(SetSeats { layout, created: Some(SeatingJson::from_json("{}")) });
    TicketSet { sector: "L".to_owned(), seats, ..set(event, key) }
}

/// A vacant ticket for a seat.
pub(crate) fn seated_ticket(set: &TicketSet, key: i64, row: &str, number: u16) -> Ticket {
    let row_inventory = id_in_event(set.event, set.id.key() + 9_000);
    let place = Seat { sector: set.sector.clone(), row: row.parse().unwrap(), number, row_inventory };
    Ticket { seat: Some(Box::new(place)), ..ticket(set, key) }
}

/// The row inventory of a set in a row, with these vacant seats and no others.
pub(crate) fn seat_row_inventory(set: &TicketSet, key: i64, row: &str, vacant: &[u16]) -> SeatRowInventory {
    let (row, chairs, vacant) = (row.parse().unwrap(), u32::try_from(vacant.len()).unwrap(), vacant.iter().copied());
    SeatRowInventory {
        id: id_in_event(set.event, key),
        set: set.id,
        row,
        rank: UNRANKED_ROW,
        seats: chairs,
        vacant: vacant.collect(),
    }
}

/// Four tickets from `key` on: vacant, held and sold by `order`, and blocked.
pub(crate) fn one_of_each_state(set: &TicketSet, key: i64, order: i64) -> [Ticket; 4] {
    let order = id_in_event(set.event, order);
    let states = [
        TicketState::Vacant,
        TicketState::Held { order, till: at(60_000) },
        TicketState::Sold { order, barcode: format!("{key:016}"), refund: None },
        TicketState::Blocked,
    ];
    let mut next = key..;
    states.map(|state| Ticket { state, ..ticket(set, next.next().unwrap()) })
}

kind!(
    TicketSet,
    sets,
    |row, read_set| read_set.sets_of.push(row.event),
    [samples::set(party().id, 1), samples::full_set(party().id, 2), samples::seated_set(party().id, 3)],
    |row| TicketSet {
        name: String::new(),
        rules: samples::full_set(row.event, 1).rules,
        counts: TicketCounts { amount: 3, vacant: 3, ..TicketCounts::default() },
        pending_removal: 3,
        seats: Some(SetSeats { layout: SeatingJson::from_json(r#"{"1":[[2,3]]}"#), created: None }),
        pick_cursor: 12,
        job: Some(id_in_event(row.event, 5)),
        removed: !row.removed,
        updated_at: at(99),
        revision: samples::revision(2),
        inventory: samples::revision(3),
        ..row
    }
);

kind!(
    Ticket,
    tickets,
    |row, needs| needs.tickets.push(row.id),
    tickets(),
    |row| Ticket {
        state: match row.state {
            TicketState::Vacant => TicketState::Blocked,
            TicketState::Blocked => TicketState::Held { order: id_in_event(row.event, 6), till: at(1) },
            TicketState::Held { order, .. } => {
                TicketState::Sold { order, barcode: "new".to_owned(), refund: Some(id_in_event(row.event, 7)) }
            }
            TicketState::Sold { .. } => TicketState::Vacant,
        },
        ..row
    },
    {
        fn plan_cases(cases: &mut PlanCases) {
            ticket_lists(cases);
        }

        fn unique_pairs() -> Vec<UniquePair> {
            vec![
                UniquePair::new(
                    "ticket number of an event",
                    |view| view.tickets.put(sold_ticket(11, 1, "one")),
                    |view| view.tickets.put(sold_ticket(12, 1, "other")),
                ),
                UniquePair::new(
                    "barcode of an event",
                    |view| view.tickets.put(sold_ticket(11, 1, "same")),
                    |view| view.tickets.put(sold_ticket(12, 2, "same")),
                ),
                UniquePair::new(
                    "seat of an event",
                    |view| view.tickets.put(seat_of_event(13, 1, "7", 5)),
                    |view| view.tickets.put(seat_of_event(14, 2, "7", 5)),
                ),
            ]
        }
    }
);

kind!(
    SeatRowInventory,
    seat_row_inventories,
    |row, needs| needs.seat_row_inventories.push(row.id),
    [
        samples::seat_row_inventory(&samples::set(party().id, 1), 11, "Ж \"2\"", &[1, 9_999]),
        SeatRowInventory {
            rank: 0,
            ..samples::seat_row_inventory(&samples::set(party().id, 1), 12, "2", &[63, 64, 127, 128])
        },
    ],
    |row| SeatRowInventory { rank: 3, seats: row.seats + 1, vacant: [2].into_iter().collect(), ..row },
    {
        fn unique_pairs() -> Vec<UniquePair> {
            let row = |key, number| seat_row_inventory(&set(samples::event(1).id, 1), key, "7", &[number]);
            vec![UniquePair::new(
                "row of a set",
                move |view| view.seat_row_inventories.put(row(15, 5)),
                move |view| view.seat_row_inventories.put(row(16, 6)),
            )]
        }
    }
);

/// One in each state, and a seat.
fn tickets() -> Vec<Ticket> {
    let set = samples::set(party().id, 1);
    let chair = samples::seated_ticket(&samples::seated_set(party().id, 2), 15, "Ж \"2\"", 9_999);
    samples::one_of_each_state(&set, 11, 5).into_iter().chain([chair]).collect()
}

impl ListModel for TicketsFilter {
    fn includes(&self, ticket: &Ticket, _: &View) -> bool {
        ticket.event == self.event
            && ticket.number > self.after
            && self.sets.contains(&ticket.set)
            && has_state(ticket, self.states)
            && self.ids.as_ref().is_none_or(|ids| ids.contains(&ticket.id))
    }

    fn compare(&self, one: &Ticket, other: &Ticket) -> Ordering {
        one.number.cmp(&other.number)
    }
}

/// Whether a ticket has one of these states: vacant, held, sold, blocked.
fn has_state(ticket: &Ticket, [vacant, held, sold, blocked]: [bool; 4]) -> bool {
    match ticket.state {
        TicketState::Vacant => vacant,
        TicketState::Held { .. } => held,
        TicketState::Sold { .. } => sold,
        TicketState::Blocked => blocked,
    }
}

pub(crate) async fn tickets_are_listed_as_the_model_lists_them(db: Database) {
    let filter = |dice: &mut Dice| TicketsFilter {
        event: dice.event(),
        sets: (0..12).map(|_| dice.set()).collect(),
        states: dice.ticket_states(),
        ids: None,
        after: dice.rarely(Dice::number).unwrap_or(0),
        are_few: dice.flip(),
    };
    assert_lists_agree::<TicketsFilter>(db, filter).await;
}

impl ListModel for SeatsFilter {
    fn includes(&self, ticket: &Ticket, _: &View) -> bool {
        let is_behind = |(row, number): &(RowName, u16)| row_and_number(ticket) > Some((row, *number));
        ticket.event == self.event
            && ticket.seat.as_ref().is_some_and(|seat| seat.sector == self.sector)
            && self.after.as_ref().is_none_or(is_behind)
            && self.sets.contains(&ticket.set)
            && has_state(ticket, self.states)
            && self.ids.as_ref().is_none_or(|ids| ids.contains(&ticket.id))
    }

    fn compare(&self, one: &Ticket, other: &Ticket) -> Ordering {
        row_and_number(one).cmp(&row_and_number(other))
    }
}

fn row_and_number(ticket: &Ticket) -> Option<(&RowName, u16)> {
    ticket.seat.as_ref().map(|seat| (&seat.row, seat.number))
}

pub(crate) async fn seats_are_listed_as_the_model_lists_them(db: Database) {
    let filter = |dice: &mut Dice| SeatsFilter {
        event: dice.event(),
        sector: dice.sector(),
        sets: (0..40).map(|_| dice.set()).collect(),
        states: dice.ticket_states(),
        ids: None,
        after: dice.rarely(|dice| (dice.row().parse().unwrap(), dice.seat())),
        are_few: dice.flip(),
    };
    assert_lists_agree::<SeatsFilter>(db, filter).await;
}

/// Two events of two sets each, with tickets in every state: orders 5 and 6 have some of the first
/// event, 7 of the other.
pub(crate) async fn given_a_catalogue(db: &Database) {
    let sets = [set_of(HERE, 11), set_of(HERE, 12), set_of(ELSEWHERE, 13), set_of(ELSEWHERE, 14)];
    let tickets: Vec<Ticket> = [(0, 100, 5), (0, 110, 6), (1, 120, 5), (2, 130, 7), (3, 140, 7)]
        .into_iter()
        .flat_map(|(at, key, order)| samples::one_of_each_state(&sets[at], key, order))
        .collect();
    db.insert(|view| {
        for event in [HERE, ELSEWHERE] {
            view.events.put(samples::event(event));
        }
        for set in &sets {
            view.sets.put(set.clone());
        }
        for ticket in &tickets {
            view.tickets.put(ticket.clone());
        }
        samples::put_holders(&tickets, view);
    })
    .await;
}

pub(crate) fn ticket_keys(view: &View) -> Vec<i64> {
    keys(view.tickets.rows()).into_iter().map(Id::key).collect()
}

pub(crate) async fn the_sets_of_an_event_are_all_of_them(db: Database) {
    given_a_catalogue(&db).await;
    let read_set = ReadSet { sets_of: vec![event_id(HERE)], events: vec![event_id(ELSEWHERE)], ..ReadSet::default() };
    let view = db.view(read_set).await;
    assert_eq!(keys(view.sets.rows()), [set_of(HERE, 11).id, set_of(HERE, 12).id]);
    assert_eq!(view.events.rows().cloned().collect::<Vec<Event>>(), [samples::event(ELSEWHERE)]);
    assert_eq!(ticket_keys(&view), [0; 0], "tickets only where they are named");
}

pub(crate) async fn sets_are_found_by_id(db: Database) {
    given_a_catalogue(&db).await;
    let foreign = Id::with_tag(event_id(ELSEWHERE).tag(), 12);
    let sets = vec![set_of(HERE, 11).id, set_of(ELSEWHERE, 14).id, set_of(HERE, 99).id, foreign];
    let view = db.view(ReadSet { sets, ..ReadSet::default() }).await;
    assert_eq!(keys(view.sets.rows()), [set_of(HERE, 11).id, set_of(ELSEWHERE, 14).id]);
}

pub(crate) async fn an_order_finds_what_it_holds_and_what_it_bought(db: Database) {
    given_a_catalogue(&db).await;
    let order = samples::order(event_id(HERE), 8);
    let lines = vec![samples::line_of(&samples::ticket(&set_of(HERE, 11), 101))];
    // It has let go of a ticket, which another has now.
    db.insert(|view| view.orders.put(Order { lines: lines.clone(), ..order.clone() })).await;
    let cases: [(Vec<i64>, &[i64]); 4] = [
        (vec![5], &[101, 102, 121, 122]),
        (vec![6], &[111, 112]),
        (vec![5, 6], &[101, 102, 111, 112, 121, 122]),
        (vec![8], &[]),
    ];
    for (orders, expected) in cases {
        let held_by = orders.iter().map(|order| id_in_event(event_id(HERE), *order)).collect();
        let view = db.view(ReadSet { tickets_held_by: held_by, ..ReadSet::default() }).await;
        assert_eq!(ticket_keys(&view), expected, "orders {orders:?}");
    }
}

pub(crate) async fn blocked_tickets_are_found_by_their_set(db: Database) {
    given_a_catalogue(&db).await;
    let blocked_in = vec![set_of(HERE, 11).id, set_of(ELSEWHERE, 14).id, set_of(HERE, 99).id];
    let view = db.view(ReadSet { blocked_tickets_of: blocked_in, ..ReadSet::default() }).await;
    assert_eq!(ticket_keys(&view), [103, 113, 143]);
}

pub(crate) async fn tickets_are_found_by_their_chairs(db: Database) {
    let hall = |event_key, key| TicketSet { sector: "L".to_owned(), ..set_of(event_key, key) };
    let (one, other, elsewhere) = (hall(HERE, 11), hall(HERE, 12), hall(ELSEWHERE, 13));
    let tickets = [
        samples::seated_ticket(&one, 1, "1", 1),
        samples::seated_ticket(&one, 2, "1", 2),
        samples::seated_ticket(&one, 3, "1", 4),
        samples::seated_ticket(&one, 4, "10", 1),
        samples::seated_ticket(&one, 5, "01", 1),
        samples::seated_ticket(&other, 6, "1", 3),
        samples::seated_ticket(&elsewhere, 7, "1", 1),
        samples::ticket(&one, 8),
    ];
    db.insert(|view| tickets.iter().for_each(|ticket| view.tickets.put(ticket.clone()))).await;
    let chairs = |set: &TicketSet, row: &str, from, to| SeatSelector {
        set: set.id,
        event: set.event,
        sector: set.sector.clone(),
        row: row.parse().unwrap(),
        range: SeatRange { from, to },
    };
    let cases: [(Vec<SeatSelector>, &[i64]); 6] = [
        (vec![chairs(&one, "1", 1, 9_999)], &[1, 2, 3]),
        (vec![chairs(&one, "1", 2, 3), chairs(&one, "10", 1, 1)], &[2, 4]),
        (vec![chairs(&one, "1", 1, 1), chairs(&one, "1", 1, 1)], &[1]),
        (vec![chairs(&elsewhere, "1", 1, 9_999)], &[7]),
        (vec![chairs(&one, "2", 1, 9_999)], &[]),
        (vec![SeatSelector { sector: String::new(), ..chairs(&one, "1", 1, 9_999) }], &[]),
    ];
    for (chairs, expected) in cases {
        let view = db.view(ReadSet { seats: chairs.clone(), ..ReadSet::default() }).await;
        assert_eq!(ticket_keys(&view), expected, "{chairs:?}");
    }
}

pub(crate) async fn books_that_do_not_balance_are_refused(db: Database) {
    let event = samples::event(1).id;
    let good = samples::full_set(event, 1);
    db.insert(|view| view.sets.put(good.clone())).await;
    let counts = good.counts;
    let wrong = [
        TicketCounts { amount: counts.amount + 1, ..counts },
        TicketCounts { vacant: counts.vacant + 1, ..counts },
        TicketCounts { sold: counts.sold - 1, ..counts },
        TicketCounts { vacant: -1, held: counts.held + 2, ..counts },
        TicketCounts { held: -1, vacant: counts.vacant + 3, ..counts },
        TicketCounts { sold: -1, vacant: counts.vacant + 4, ..counts },
        TicketCounts { blocked: -1, vacant: counts.vacant + 5, ..counts },
        TicketCounts { pending: -1, vacant: counts.vacant + 6, ..counts },
    ];
    for counts in wrong {
        let changed = write_error(&db, |view| {
            view.sets.load(good.clone(), 1);
            view.sets.put(TicketSet { counts, ..good.clone() });
        });
        assert!(matches!(changed.await, StoreError::Constraint(_)), "changed to {counts:?}");
        let new = write_error(&db, |view| view.sets.put(TicketSet { counts, ..samples::set(event, 2) }));
        assert!(matches!(new.await, StoreError::Constraint(_)), "new with {counts:?}");
    }
}

pub(crate) async fn no_more_is_taken_away_than_nobody_has(db: Database) {
    let event = samples::event(1).id;
    for (pending_removal, fits) in [(-1, false), (0, true), (5, true), (6, false)] {
        let counts = TicketCounts { amount: 15, vacant: 3, held: 4, sold: 5, blocked: 2, pending: 1 };
        let set = TicketSet { counts, pending_removal, ..samples::set(event, 10 + pending_removal) };
        let written = db.write(ReadSet::default(), |view| view.sets.put(set.clone())).await;
        assert_eq!(written.is_ok(), fits, "{pending_removal}: {written:?}");
    }
}

pub(crate) async fn a_row_has_seats_and_no_more_of_them_are_vacant(db: Database) {
    let set = samples::seated_set(samples::event(1).id, 1);
    let cases = [(0, &[][..], false), (1, &[], true), (2, &[1, 2], true), (1, &[1, 2], false)];
    for (key, (chairs, vacant, fits)) in (1..).zip(cases) {
        let row = format!("{chairs} {vacant:?}");
        let inventory = SeatRowInventory { seats: chairs, ..samples::seat_row_inventory(&set, key, &row, vacant) };
        let written = db.write(ReadSet::default(), |view| view.seat_row_inventories.put(inventory.clone())).await;
        assert_eq!(written.is_ok(), fits, "{row}: {written:?}");
    }
}

pub(crate) fn sold_ticket(key: i64, number: i64, barcode: &str) -> Ticket {
    let state = TicketState::Sold { order: id_in_event(party().id, 5), barcode: barcode.to_owned(), refund: None };
    Ticket { number, state, ..samples::ticket(&samples::set(party().id, 1), key) }
}

/// A seat of one of the sets of the event, all of which are in one sector.
pub(crate) fn seat_of_event(key: i64, set: i64, row: &str, number: u16) -> Ticket {
    samples::seated_ticket(&samples::seated_set(party().id, set), key, row, number)
}

/// Each page starts where the last one ended.
fn ticket_lists(cases: &mut PlanCases) {
    let (event, set) = (Id::root(1), Id::root(2));
    for states in [[true; 4], [true, false, false, false], [false, true, true, true]] {
        for sets in [vec![set], vec![set; 3]] {
            let tickets = TicketsFilter { event, sets, states, ids: None, after: 0, are_few: false };
            cases.add(&tickets, AccessPath::OrderedIndex, &["tickets_number"]);
        }
        for after in [None, Some(("9".parse().unwrap(), 5))] {
            let filter = SeatsFilter {
                event,
                sector: "L".to_owned(),
                sets: vec![set; 3],
                states,
                ids: None,
                after,
                are_few: false,
            };
            cases.add(&filter, AccessPath::OrderedIndex, &["tickets_seat (event=? AND sector=? AND"]);
        }
    }
    // A few in one state are not looked for among all others.
    for (states, index) in [
        ([true, false, false, false], "tickets_vacant (set_id=?"),
        ([false, false, true, false], "tickets_barcode (event=? AND barcode>?"),
        ([false, false, false, true], "tickets_blocked (set_id=?"),
    ] {
        let sets = vec![set; 3];
        let tickets = TicketsFilter { event, sets: sets.clone(), states, ids: None, after: 7, are_few: true };
        cases.add(&tickets, AccessPath::SortedIndex, &[index]);
        let (sector, after) = ("L".to_owned(), Some(("9".parse().unwrap(), 5)));
        let by_seat = SeatsFilter { event, sector, sets, states, ids: None, after, are_few: true };
        cases.add(&by_seat, AccessPath::SortedIndex, &[index]);
    }
}

/// A set of an event.
pub(crate) fn set_of(event_key: i64, key: i64) -> TicketSet {
    set(event_id(event_key), key)
}

//! Seats that nobody named: neighbours in the best row, else the fewest pieces.

use std::collections::BTreeMap;

use kassa_domain::change::Revision;
use kassa_domain::event::Event;
use kassa_domain::hall_map::{DrawingLength, HallMap, SeatRow, Sector};
use kassa_domain::order::{CreateOrder, OrderEdit, OrderId, OrderTransition};
use kassa_domain::refusal::{Shortfall, ShortfallReason};
use kassa_domain::seating::Seating;
use kassa_domain::set::SetId;
use kassa_domain::ticket::{TicketId, TicketState};
use kassa_domain::{Command, Id, ReadSet, Refusal, View};
use proptest::prelude::*;

use crate::fixture::{Fixture, NOON, random, seating, tickets};

impl Fixture {
    /// A hall of which only these seats are vacant: `"1-1 1-2"`.
    fn hall_with(&mut self, seats: &str, vacant: &str) -> SetId {
        let set = self.hall(seats);
        let vacant: Vec<&str> = vacant.split_whitespace().collect();
        let rest = self.tickets(set).into_iter().filter(|ticket| !vacant.contains(&self.seat(*ticket).as_str()));
        let rest: Vec<TicketId> = rest.collect();
        self.block(set, &rest).expect("the others are blocked");
        set
    }

    fn seat(&self, ticket: TicketId) -> String {
        let seat = self.ticket(ticket).seat.as_deref().expect("it has a seat");
        format!("{}-{}", seat.row, seat.number)
    }

    /// The seats of an order in the order of its lines.
    fn seats(&self, order: OrderId) -> String {
        self.lines(order).iter().map(|ticket| self.seat(*ticket)).collect::<Vec<_>>().join(" ")
    }

    /// Gives these rows of the hall these ranks, by a map that the event sells by.
    fn rank(&mut self, ranks: &[(&str, (u16, u16), Option<u32>)]) {
        let row = |(row, seats, rank): &(&str, (u16, u16), Option<u32>)| SeatRow {
            row: row.parse().expect("a row"),
            seats: (*seats).into(),
            x: DrawingLength::default(),
            y: DrawingLength::default(),
            dx: DrawingLength::default(),
            dy: DrawingLength::default(),
            rank: *rank,
        };
        let rows = ranks.iter().map(row).collect();
        let map = HallMap {
            id: Id::root(77),
            venue: Id::root(7),
            name: String::new(),
            desc: None,
            sectors: vec![Sector { id: "L".to_owned(), name: String::new(), desc: None, rows }],
            created_at: NOON,
            updated_at: NOON,
            revision: Revision::stored(1, None),
        };
        let event = self.view.events.get(self.event).expect("the event is there").clone();
        self.arrange(|view| {
            view.events.put(Event { hall_map: Some(map.id), ..event });
            view.hall_maps.put(map);
        });
    }
}

fn scattered(set: SetId, wanted: u32) -> Shortfall {
    Shortfall::AnyOfSet { set, requested: wanted, granted: wanted, reason: ShortfallReason::Scattered }
}

#[test]
fn a_pick_is_neighbours_in_the_first_row_that_has_them() {
    let two_rows = r#"{"1": [[1, 6]], "2": [[1, 6]], "10": [[1, 6]]}"#;
    let cases = [
        ("all are free", two_rows, "1-1 1-2 1-3 2-1 2-2 2-3", 3, "1-1 1-2 1-3"),
        ("the front has too few", two_rows, "1-1 1-2 2-4 2-5 2-6 10-1 10-2 10-3", 3, "2-4 2-5 2-6"),
        ("the front has them apart", two_rows, "1-1 1-3 1-5 10-5 10-6", 2, "10-5 10-6"),
        ("where the least is left over", two_rows, "1-1 1-2 1-3 1-5 1-6", 2, "1-5 1-6"),
        ("one is its own neighbour", two_rows, "1-1 1-2 1-4", 1, "1-4"),
        (
            "a number that is not there parts",
            r#"{"1": [[1, 2], [4, 5]], "2": [[7, 9]]}"#,
            "1-1 1-2 1-4 1-5 2-7 2-8 2-9",
            3,
            "2-7 2-8 2-9",
        ),
        ("pieces of a layout do not part", r#"{"1": [[1, 2], [3, 5]]}"#, "1-2 1-3 1-4", 3, "1-2 1-3 1-4"),
        (
            "a long row",
            r#"{"1": [[60, 70], [9990, 9999]]}"#,
            "1-62 1-63 1-64 1-65 1-9998 1-9999",
            4,
            "1-62 1-63 1-64 1-65",
        ),
    ];
    for (case, layout, vacant, count, expected) in cases {
        let mut fixture = Fixture::new();
        let set = fixture.hall_with(layout, vacant);
        let outcome = fixture.try_order(random(&[(set, count)])).unwrap();
        assert_eq!((fixture.seats(outcome.order.id).as_str(), outcome.shortfalls), (expected, Vec::new()), "{case}");
    }
}

#[test]
fn without_neighbours_seats_come_in_the_fewest_pieces_and_that_is_told() {
    let hall = r#"{"1": [[1, 9]], "2": [[1, 9]], "3": [[1, 9]]}"#;
    let cases = [
        ("the longest first", "1-1 2-1 2-2 2-4 3-5 3-6 3-7", 5, "3-5 3-6 3-7 2-1 2-2"),
        ("then in the same row", "1-1 1-2 2-1 2-2 3-1 3-2 3-3 3-8 3-9", 5, "3-1 3-2 3-3 3-8 3-9"),
        ("no more than is wanted", "1-1 1-2 1-3 1-5 1-6 1-7", 4, "1-1 1-2 1-3 1-5"),
        ("what fits best", "1-1 1-2 2-1 3-1 3-2 3-4", 3, "1-1 1-2 2-1"),
        ("one by one", "1-1 2-2 2-4 3-3", 3, "1-1 2-2 2-4"),
    ];
    for (case, vacant, count, expected) in cases {
        let mut fixture = Fixture::new();
        let set = fixture.hall_with(hall, vacant);
        for all_or_nothing in [false, true] {
            let wish = OrderEdit { all_or_nothing, ..random(&[(set, count)]) };
            let outcome = fixture.try_order(wish).unwrap();
            let order = outcome.order.id;
            assert_eq!(
                (fixture.seats(order).as_str(), outcome.shortfalls),
                (expected, vec![scattered(set, count)]),
                "{case}"
            );
            fixture.step(order, OrderTransition::Canceled).unwrap();
        }
    }
}

#[test]
fn what_is_left_out_is_told_before_what_is_scattered() {
    let mut fixture = Fixture::new();
    let (set, other) = (fixture.hall_with(r#"{"1": [[1, 9]]}"#, "1-1 1-3"), fixture.hall(r#"{"2": [[1, 1], [3, 3]]}"#));
    let short = |got| Shortfall::AnyOfSet { set, requested: 3, granted: got, reason: ShortfallReason::Blocked };
    let all = OrderEdit { all_or_nothing: true, ..random(&[(set, 3), (other, 2)]) };
    let nothing = fixture.try_order(all).unwrap();
    assert_eq!((nothing.order.lines.len(), nothing.shortfalls), (0, vec![short(0)]), "nobody sits apart");
    let outcome = fixture.try_order(random(&[(set, 3), (other, 2)])).unwrap();
    assert_eq!(fixture.seats(outcome.order.id), "1-1 1-3 2-1 2-3");
    assert_eq!(outcome.shortfalls, [short(2), scattered(other, 2)]);
}

#[test]
fn a_map_says_which_rows_are_best() {
    let mut fixture = Fixture::new();
    let rank = [
        ("1", (1, 9), None),
        ("2", (1, 9), Some(5)),
        ("3", (1, 4), Some(9)),
        ("3", (5, 9), Some(1)),
        ("4", (1, 9), Some(5)),
    ];
    fixture.rank(&rank);
    let layout = r#"{"1": [[1, 3]], "2": [[1, 2]], "3": [[1, 2]], "4": [[1, 3]]}"#;
    let set = fixture.try_hall("L", layout).unwrap().id;
    let sold: Vec<String> = [2, 3, 2, 3]
        .map(|count| {
            let order = fixture.order(set, count);
            fixture.seats(order)
        })
        .into();
    assert_eq!(sold, ["3-1 3-2", "4-1 4-2 4-3", "2-1 2-2", "1-1 1-2 1-3"], "a row has the best rank of its pieces");
}

#[test]
fn ranks_are_those_of_the_map_when_the_seats_are_written() {
    let mut fixture = Fixture::new();
    let layout = r#"{"1": [[1, 2]], "2": [[1, 2]]}"#;
    let set = fixture.try_hall("L", layout).unwrap().id;
    fixture.rank(&[("1", (1, 2), None), ("2", (1, 2), Some(0))]);
    fixture.order(set, 1);
    assert_eq!(fixture.chairs(set, |state| *state == TicketState::Vacant), "1-2 2-1 2-2");
    fixture.reseat(set, layout).unwrap();
    let order = fixture.order(set, 1);
    assert_eq!(fixture.seats(order), "2-1");
    fixture.rank(&[("1", (1, 2), None), ("2", (1, 2), None)]);
    fixture.reseat(set, layout).unwrap();
    let order = fixture.order(set, 1);
    assert_eq!(fixture.seats(order), "1-2");
}

#[test]
fn more_of_a_set_are_beside_those_that_are_held() {
    let hall = r#"{"1": [[1, 9]], "2": [[1, 9]]}"#;
    let cases = [
        ("behind", "2-3 2-4", "1-1 1-2 1-3 2-5 2-6", 4, "2-3 2-4 2-5 2-6", true),
        ("before, too", "2-3 2-4", "1-1 1-2 2-1 2-2 2-5", 4, "2-3 2-4 2-2 2-5", true),
        ("between", "2-3 2-5", "1-1 2-4 2-6", 3, "2-3 2-5 2-4", true),
        ("not enough beside", "2-3 2-4", "1-1 1-2 2-5", 4, "2-3 2-4 1-1 1-2", false),
        ("apart already", "2-1 2-9", "1-1 1-2 2-2 2-3", 4, "2-1 2-9 1-1 1-2", false),
        ("in two rows", "1-9 2-9", "1-8 2-8", 3, "1-9 2-9 1-8", false),
    ];
    for (case, held, vacant, wanted, expected, together) in cases {
        let mut fixture = Fixture::new();
        let set = fixture.hall_with(hall, &format!("{held} {vacant}"));
        let named: Vec<TicketId> = held
            .split(' ')
            .map(|seat| seat.split_once('-').unwrap())
            .map(|(row, number)| fixture.at(set, row, number.parse().unwrap()))
            .collect();
        let order = fixture.try_order(tickets(&named)).unwrap().order.id;
        let details = fixture.shortfall(order, random(&[(set, wanted)]));
        let told = if together { Vec::new() } else { vec![scattered(set, wanted)] };
        assert_eq!((fixture.seats(order).as_str(), details), (expected, told), "{case}");
        let again = fixture.shortfall(order, random(&[(set, wanted)]));
        assert_eq!(again, [], "{case}: nobody was seated");
    }
}

#[test]
fn seats_that_a_job_takes_away_part_those_that_stay() {
    let mut fixture = Fixture::new();
    let set = fixture.hall(r#"{"1": [[1, 5]], "2": [[1, 3]]}"#);
    fixture.reseat_later(set, &seating(r#"{"1": [[1, 2], [4, 5]], "2": [[1, 3]]}"#));
    let order = fixture.order(set, 3);
    assert_eq!(fixture.seats(order), "2-1 2-2 2-3");
}

/// Only the event, its sets and their benches: no ticket.
fn without_tickets(fixture: &Fixture) -> View {
    let mut view = View::default();
    fixture.view.partners.rows().for_each(|row| view.partners.load(row.clone(), 1));
    fixture.view.events.rows().for_each(|row| view.events.load(row.clone(), 1));
    fixture.view.sets.rows().for_each(|row| view.sets.load(row.clone(), 1));
    fixture.view.seat_row_inventories.rows().for_each(|row| view.seat_row_inventories.load(row.clone(), 1));
    view
}

#[test]
fn what_a_decision_needs_and_does_not_find_is_named() {
    let mut fixture = Fixture::new();
    let set = fixture.hall(r#"{"1": [[1, 3]], "2": [[1, 5]]}"#);
    let sizes = fixture.hall(r#"{"3": [[1, 2]]}"#);
    fixture.view = without_tickets(&fixture);
    fixture.view.offer_row_inventories(set, 2);
    let wish = |wish: &[(SetId, u32)]| CreateOrder {
        event: fixture.event,
        vendor: fixture.org,
        deal: None,
        edit: random(wish),
    };
    let (both, one) = (wish(&[(set, 2), (sizes, 1)]), wish(&[(set, 2)]));
    for command in [&both, &one] {
        assert_eq!(fixture.rehearse(&fixture.organizer(), command).unwrap_err(), Refusal::Stale);
    }
    let missing = fixture.view.take_missing().unwrap();
    let seats: Vec<String> =
        missing.seats.iter().map(|chairs| format!("{}: {:?}", chairs.row, <(u16, u16)>::from(chairs.range))).collect();
    assert_eq!(seats, ["1: (1, 2)", "2: (1, 2)"], "what is promised to one is not promised to the next");
    assert_eq!(missing.vacant, [(sizes, 1)]);
    assert_eq!(fixture.view.take_missing(), None);
    let mut needs = ReadSet::default();
    one.read_set(&mut needs);
    needs.add_missing(missing);
    assert_eq!((needs.seats.len(), needs.vacant), (2, vec![(set, 2), (sizes, 1)]));
}

/// Chairs in four rows of twelve, by row.
type Hall = BTreeMap<u16, Vec<u16>>;

fn runs(numbers: &[u16]) -> Vec<usize> {
    numbers.chunk_by(|one, next| *next == one + 1).map(<[u16]>::len).collect()
}

fn hall(bits: &[u16]) -> Hall {
    let row = |bits: &u16| (1..=12).filter(|number| bits >> number & 1 == 1).collect();
    (1..).zip(bits.iter().map(row)).filter(|(_, numbers): &(u16, Vec<u16>)| !numbers.is_empty()).collect()
}

fn layout(hall: &Hall) -> Seating {
    let pieces = hall.iter().flat_map(|(row, numbers)| numbers.iter().map(move |number| (row, *number)));
    Seating::from_ranges(pieces.map(|(row, number)| (row.to_string().parse().unwrap(), (number, number).into())))
        .unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_pick_is_what_a_plain_search_finds(
        chairs in proptest::collection::vec(any::<(u16, u16)>().prop_map(|(one, other)| one | other), 4),
        vacant in proptest::collection::vec(any::<u16>(), 4),
        count in 1..9_u32,
    ) {
        let free = hall(&chairs.iter().zip(&vacant).map(|(chairs, vacant)| chairs & vacant).collect::<Vec<_>>());
        let mut fixture = Fixture::new();
        let set = fixture.hall("{}");
        fixture.reseat(set, &serde_json::to_string(&layout(&hall(&chairs))).unwrap()).unwrap();
        let is_free = |ticket: &TicketId| {
            let seat = fixture.ticket(*ticket).seat.as_deref().unwrap();
            free.get(&seat.row.as_str().parse().unwrap()).is_some_and(|numbers| numbers.contains(&seat.number))
        };
        let taken: Vec<TicketId> = fixture.tickets(set).into_iter().filter(|ticket| !is_free(ticket)).collect();
        fixture.block(set, &taken).unwrap();
        let outcome = fixture.try_order(random(&[(set, count)])).unwrap();

        let mut given: Hall = BTreeMap::new();
        for line in &outcome.order.lines {
            let seat = fixture.ticket(line.ticket).seat.as_deref().unwrap();
            given.entry(seat.row.as_str().parse().unwrap()).or_default().push(seat.number);
        }
        for numbers in given.values_mut() {
            numbers.sort_unstable();
        }
        let count = count as usize;
        let mut all: Vec<usize> = free.values().flat_map(|numbers| runs(numbers)).collect();
        all.sort_unstable_by(|one, other| other.cmp(one));
        prop_assert_eq!(outcome.order.lines.len(), count.min(all.iter().sum()), "none is refused while one is free");
        let best = free.iter().find(|(_, numbers)| runs(numbers).iter().any(|run| *run >= count)).map(|(row, _)| *row);
        if let Some(row) = best {
            prop_assert_eq!(given.keys().copied().collect::<Vec<_>>(), [row]);
            prop_assert_eq!(runs(&given[&row]), [count]);
            prop_assert_eq!(outcome.shortfalls, []);
        } else {
            let mut filled = 0;
            let enough = |run: &&usize| { let wants = filled < count; filled += **run; wants };
            let fewest = all.iter().take_while(enough).count();
            // Pieces that touch are one.
            prop_assert!(given.values().map(|numbers| runs(numbers).len()).sum::<usize>() <= fewest);
            prop_assert_eq!(outcome.shortfalls.len(), 1);
        }
    }
}

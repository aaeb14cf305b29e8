//! Sets with seats: which seats they have, and whose they are.

use kassa_domain::order::{OrderStatusKind, OrderTransition};
use kassa_domain::refusal::{SeatsRefusal, Shortfall, ShortfallReason};
use kassa_domain::seating::Seating;
use kassa_domain::set::{CreateSet, SetId, UpdateSet};
use kassa_domain::ticket::TicketState;
use kassa_domain::{Actor, Patch, Refusal, View};

use crate::house::{House, random, remove_set, seating, tickets};

/// Twenty thousand seats in a hundred rows.
fn arena() -> String {
    rows(1, 100)
}

/// Rows of 200 seats each.
fn rows(first: u32, last: u32) -> String {
    let rows: Vec<String> = (first..=last).map(|row| format!("\"{row}\": [[1, 200]]")).collect();
    format!("{{{}}}", rows.join(", "))
}

fn taken(row: &str, number: u16) -> Refusal {
    SeatsRefusal::SeatTaken { row: row.parse().unwrap(), number }.into()
}

fn work(house: &mut House, set: SetId) -> Vec<String> {
    let mut seen = Vec::new();
    while let Some(step) = house.next_step(set) {
        house.give(&Actor::System, &step).unwrap();
        seen.push(house.books(set));
        assert!(seen.len() < 10, "a job comes to its end: {seen:?}");
    }
    seen
}

#[test]
fn a_set_has_a_ticket_for_each_chair_numbered_from_the_front() {
    let mut house = House::new();
    let hall = house.try_hall("Parterre", r#"{"10": [[1, 1]], "2": [[1, 2], [5, 5]], "A": [[3, 3]]}"#).unwrap();
    assert_eq!((house.books(hall.id).as_str(), hall.job), ("5 vacant", None));
    let numbered = house.tickets(hall.id).into_iter().map(|id| {
        let ticket = house.ticket(id);
        let seat = ticket.seat.as_deref().unwrap();
        format!("{}: {} {}-{}", ticket.number, seat.sector, seat.row, seat.number)
    });
    let expected = ["1: Parterre 2-1", "2: Parterre 2-2", "3: Parterre 2-5", "4: Parterre 10-1", "5: Parterre A-3"];
    assert_eq!(numbered.collect::<Vec<String>>(), expected);
}

#[test]
fn a_layout_is_the_full_desired_state() {
    let cases = [
        (r#"{"1": [[1, 3]]}"#, "1-1 1-2 1-3"),
        (r#"{"1": [[1, 2], [3, 3]]}"#, "1-1 1-2 1-3"),
        (r#"{"1": [[1, 4]], "2": [[1, 1]]}"#, "1-1 1-2 1-3 1-4 2-1"),
        (r#"{"1": [[2, 2]], "3": [[7, 8]]}"#, "1-2 3-7 3-8"),
        ("{}", ""),
    ];
    for (layout, chairs) in cases {
        let mut house = House::new();
        let set = house.hall(r#"{"1": [[1, 3]]}"#);
        let middle = house.at(set, "1", 2);
        let row = house.reseat(set, layout).unwrap();
        assert_eq!(house.chairs(set, |_| true), chairs);
        assert_eq!(row.seats.unwrap().layout.as_str(), layout.replace(' ', ""), "as it was written");
        assert_eq!(
            chairs.contains("1-2"),
            house.view.tickets.get(middle).is_some(),
            "a chair that stays keeps its ticket"
        );
    }
}

#[test]
fn chairs_that_somebody_has_are_not_taken_away() {
    let mut house = House::new();
    let set = house.hall(r#"{"1": [[1, 4]]}"#);
    let at = |house: &House, number| house.at(set, "1", number);
    let paid = house.try_order(tickets(&[at(&house, 1)])).unwrap().order.id;
    house.step(paid, OrderTransition::Paid).unwrap();
    let held = house.try_order(tickets(&[at(&house, 2)])).unwrap().order.id;
    house.block(set, &[at(&house, 3)]).unwrap();
    for layout in
        [r#"{"1": [[2, 4]]}"#, r#"{"1": [[1, 1], [3, 3]], "2": [[1, 9]]}"#, r#"{"1": [[1, 2], [4, 4]]}"#, "{}"]
    {
        assert_eq!(house.reseat(set, layout).unwrap_err(), Refusal::AmountBelowSold, "{layout}");
    }
    house.reseat(set, r#"{"1": [[1, 3]]}"#).unwrap();
    assert_eq!(house.books(set), "1 held, 1 sold, 1 blocked");
    house.step(held, OrderTransition::Canceled).unwrap();
    house.reseat(set, r#"{"1": [[1, 1], [3, 3]]}"#).unwrap();
    assert_eq!(house.books(set), "1 sold, 1 blocked");
}

#[test]
fn a_chair_that_comes_again_is_a_new_ticket() {
    let mut house = House::new();
    let set = house.hall(r#"{"1": [[1, 2]]}"#);
    let before = house.at(set, "1", 2);
    house.reseat(set, r#"{"1": [[1, 1]]}"#).unwrap();
    house.reseat(set, r#"{"1": [[1, 2]]}"#).unwrap();
    let after = house.at(set, "1", 2);
    assert_ne!(before, after);
    assert_eq!(house.ticket(after).number, 3, "numbers are not used twice");
}

#[test]
fn a_chair_is_in_one_set_of_its_event_and_sector() {
    let mut house = House::new();
    house.try_hall("L", r#"{"1": [[1, 9]], "2": [[5, 5]]}"#).unwrap();
    let cases = [
        ("L", r#"{"1": [[10, 12]], "02": [[5, 5]], "3": [[1, 9]]}"#, None),
        ("", r#"{"1": [[1, 9]]}"#, None),
        ("l", r#"{"1": [[1, 9]]}"#, None),
        ("L", r#"{"1": [[9, 9]]}"#, Some(taken("1", 9))),
        ("L", r#"{"0": [[1, 1]], "2": [[1, 4], [5, 9]]}"#, Some(taken("2", 5))),
    ];
    for (sector, layout, refusal) in cases {
        let command =
            CreateSet { sector: sector.to_owned(), seats: Some(seating(layout)), ..CreateSet::empty(house.event) };
        assert_eq!(house.rehearse(&house.organizer(), &command).err(), refusal, "{sector} {layout}");
    }
    let other = house.try_hall("L", r#"{"3": [[1, 1]]}"#).unwrap().id;
    assert_eq!(house.reseat(other, r#"{"1": [[3, 3]], "3": [[1, 1]]}"#).unwrap_err(), taken("1", 3));
    assert_eq!(house.chairs(other, |_| true), "3-1");
    let (org, layout) = (house.org, r#"{"1": [[1, 9]]}"#);
    let elsewhere = house.event_of(org).id;
    let command = CreateSet { sector: "L".to_owned(), seats: Some(seating(layout)), ..CreateSet::empty(elsewhere) };
    assert!(house.give(&house.organizer(), &command).is_ok(), "another event has other chairs");
}

#[test]
fn a_chair_that_one_set_gives_up_is_free_for_another() {
    let mut house = House::new();
    let (one, other) = (house.hall(r#"{"1": [[1, 3]]}"#), house.hall(r#"{"2": [[1, 1]]}"#));
    house.reseat(one, r#"{"1": [[1, 2]]}"#).unwrap();
    house.reseat(other, r#"{"1": [[3, 3]], "2": [[1, 1]]}"#).unwrap();
    assert_eq!(house.chairs(other, |_| true), "1-3 2-1");
}

#[test]
fn the_amount_of_a_set_with_seats_is_their_number() {
    let mut house = House::new();
    let set = house.hall(r#"{"1": [[1, 4]]}"#);
    assert_eq!(house.resize(set, 5).unwrap_err(), SeatsRefusal::AmountFollowsSeats.into());
    house.resize(set, 4).unwrap();
    let both = |amount, layout: &str| {
        let seats = Patch::Set(seating(layout));
        move |change: &mut UpdateSet| (change.amount, change.seats) = (Some(amount), seats)
    };
    assert_eq!(
        house.change_set(set, both(2, r#"{"1": [[1, 3]]}"#)).unwrap_err(),
        SeatsRefusal::AmountFollowsSeats.into()
    );
    house.change_set(set, both(3, r#"{"1": [[1, 3]]}"#)).unwrap();
    assert_eq!(house.books(set), "3 vacant");
}

#[test]
fn tickets_of_a_set_have_seats_or_not() {
    let mut house = House::new();
    let set = house.set(2, 1000);
    assert_eq!(house.reseat(set, r#"{"1": [[1, 2]]}"#).unwrap_err(), SeatsRefusal::SetWithoutSeats.into());
    let no_seats = |change: &mut UpdateSet| change.seats = Patch::Clear;
    assert_eq!(house.change_set(set, no_seats).unwrap().seats, None, "as a set without seats is shown");
    assert_eq!(house.books(set), "2 vacant");
    house.resize(set, 0).unwrap();
    house.reseat(set, r#"{"1": [[1, 2]]}"#).unwrap();
    assert_eq!(house.chairs(set, |_| true), "1-1 1-2");
    house.change_set(set, no_seats).unwrap();
    assert_eq!((house.chairs(set, |_| true).as_str(), house.books(set).as_str()), ("", ""));
}

#[test]
fn the_sector_of_chairs_is_fixed() {
    let mut house = House::new();
    let set = house.hall(r#"{"1": [[1, 2]]}"#);
    let into = |sector: &str| {
        let sector = Patch::Set(sector.to_owned());
        move |change: &mut UpdateSet| change.sector = sector
    };
    assert_eq!(house.change_set(set, into("B")).unwrap_err(), SeatsRefusal::SectorFixed.into());
    house.change_set(set, into("")).unwrap();
    house.reseat(set, "{}").unwrap();
    house.change_set(set, into("B")).unwrap();
    house.reseat(set, r#"{"1": [[1, 2]]}"#).unwrap();
    let ticket = house.at(set, "1", 1);
    assert_eq!(house.ticket(ticket).seat.as_deref().unwrap().sector, "B");
    let seatless = house.set(1, 1000);
    house.change_set(seatless, into("B")).unwrap();
}

#[test]
fn sales_of_an_event_carry_a_limited_number_of_spans() {
    let mut house = House::new();
    house.hall(r#"{"front": [[1, 1]]}"#);
    let spans = |count: u32| {
        let mut seats = Seating::default();
        for row in 1..=count {
            seats.add_row(row.to_string().parse().unwrap(), vec![(1, 1).into()]).unwrap();
        }
        let sector = "elsewhere in the hall".to_owned();
        CreateSet { sector, seats: Some(seats), ..CreateSet::empty(house.event) }
    };
    let (fits, exceeds) = (spans(19_999), spans(20_000));
    assert!(house.rehearse(&house.organizer(), &fits).is_ok());
    assert_eq!(
        house.rehearse(&house.organizer(), &exceeds).unwrap_err(),
        Refusal::TooMany { what: "ranges of seats in one set", max: 20_000 }
    );
}

#[test]
fn more_than_ten_thousand_chairs_are_made_from_the_front_step_by_step() {
    let mut house = House::new();
    let set = house.hall(&arena());
    assert_eq!(house.books(set), "10000 vacant, 10000 pending");
    assert_eq!(house.ticket(house.at(set, "50", 200)).number, 10_000);
    assert_eq!(work(&mut house, set), ["20000 vacant"]);
    assert_eq!(house.ticket(house.at(set, "100", 200)).number, 20_000);
    assert_eq!((house.row(set).job, house.view.jobs.rows().count()), (None, 0));
}

#[test]
fn more_than_ten_thousand_chairs_are_taken_away_step_by_step_and_are_nobodys_meanwhile() {
    let mut house = House::new();
    let set = house.hall(&arena());
    work(&mut house, set);
    house.reseat(set, r#"{"100": [[1, 3]]}"#).unwrap();
    assert_eq!((house.books(set).as_str(), house.row(set).available()), ("10000 vacant", 3));
    let doomed = house.at(set, "99", 1);
    let details = house.try_order(tickets(&[doomed])).unwrap().shortfalls;
    assert_eq!(
        details,
        [Shortfall::Ticket { ticket: doomed, reason: ShortfallReason::NotOnSale, reserved_till: None }]
    );
    assert_eq!(house.block(set, &[doomed]).unwrap_err(), Refusal::SetBusy);
    let outcome = house.try_order(random(&[(set, 4)])).unwrap();
    assert_eq!(
        outcome.shortfalls,
        [Shortfall::AnyOfSet { set, requested: 4, granted: 3, reason: ShortfallReason::NotOnSale }]
    );
    let elsewhere = CreateSet { seats: Some(seating(r#"{"99": [[1, 1]]}"#)), ..CreateSet::empty(house.event) };
    assert_eq!(house.rehearse(&house.organizer(), &elsewhere).unwrap_err(), Refusal::SetBusy);
    assert_eq!(work(&mut house, set), ["3 held"]);
    assert!(house.rehearse(&house.organizer(), &elsewhere).is_ok());
}

#[test]
fn two_layouts_that_overlap_in_time_end_in_the_last_one() {
    let mut house = House::new();
    let set = house.hall(&arena());
    house.reseat(set, &rows(40, 130)).unwrap();
    let first_job = house.row(set).job;
    house.reseat(set, &rows(20, 120)).unwrap();
    assert_eq!(house.row(set).job, first_job, "the job goes on");
    work(&mut house, set);
    let made = house.row(set).seats.as_ref().unwrap().created_seating();
    assert_eq!(made, seating(&rows(20, 120)));
    assert_eq!(house.books(set), "20200 vacant");
}

#[test]
fn a_chair_that_was_about_to_go_and_stays_keeps_its_ticket() {
    let mut house = House::new();
    let set = house.hall(&arena());
    work(&mut house, set);
    let (gone, spared) = (house.at(set, "1", 1), house.at(set, "80", 1));
    house.reseat(set, "{}").unwrap();
    house.reseat(set, &arena()).unwrap();
    let order = house.try_order(tickets(&[spared])).unwrap();
    assert_eq!((order.shortfalls, order.order.lines.len()), (Vec::new(), 1));
    work(&mut house, set);
    assert_eq!(house.books(set), "19999 vacant, 1 held");
    assert!(house.view.tickets.get(gone).is_none());
}

#[test]
fn many_chairs_leave_at_a_time_only_where_nobody_has_any() {
    let mut house = House::new();
    let set = house.hall(&arena());
    work(&mut house, set);
    house.order(set, 1);
    assert_eq!(house.reseat(set, &rows(1, 49)).unwrap_err(), SeatsRefusal::SeatRemovalLimit(10_000).into());
    house.reseat(set, &rows(1, 50)).unwrap();
    assert_eq!(house.books(set), "9999 vacant, 1 held");
}

#[test]
fn what_leaves_and_was_not_looked_at_is_looked_at_again() {
    let mut house = House::new();
    let set = house.hall(r#"{"1": [[1, 4]]}"#);
    house.order(set, 1);
    let wanted = seating(r#"{"1": [[1, 2]]}"#);
    let named = house.row(set).seats_leaving(&wanted).into_iter().map(|chairs| (chairs.row, chairs.range.into()));
    assert_eq!(named.collect::<Vec<_>>(), [("1".parse().unwrap(), (3, 4))]);
    let command = house.reseating(set, &wanted);
    let mut seen = View::default();
    seen.events.load(house.view.events.get(house.event).unwrap().clone(), 1);
    seen.sets.load(house.row(set).clone(), 1);
    house.view = seen;
    assert_eq!(house.rehearse(&house.organizer(), &command).unwrap_err(), Refusal::Stale);
}

#[test]
fn a_removed_set_gives_its_chairs_up() {
    let mut house = House::new();
    let set = house.hall(r#"{"1": [[1, 3]]}"#);
    let blocked = house.at(set, "1", 2);
    house.block(set, &[blocked]).unwrap();
    let order = house.order(set, 1);
    let remove = remove_set(house.event, set);
    assert_eq!(house.give(&house.organizer(), &remove).unwrap_err(), Refusal::HasOrders);
    house.step(order, OrderTransition::Canceled).unwrap();
    let removed = house.give(&house.organizer(), &remove).unwrap();
    assert_eq!((removed.removed, removed.counts.amount, removed.job), (true, 0, None));
    let again = house.hall(r#"{"1": [[1, 3]]}"#);
    assert_eq!(house.chairs(again, |_| true), "1-1 1-2 1-3");
}

#[test]
fn a_removed_set_gives_many_chairs_up_step_by_step() {
    let mut house = House::new();
    let set = house.hall(&arena());
    work(&mut house, set);
    let last = house.at(set, "100", 200);
    house.block(set, &[last]).unwrap();
    let remove = remove_set(house.event, set);
    house.give(&house.organizer(), &remove).unwrap();
    assert_eq!(house.books(set), "9999 vacant, 1 blocked");
    assert_eq!(house.try_hall("", r#"{"100": [[200, 200]]}"#).unwrap_err(), Refusal::SetBusy);
    assert_eq!(work(&mut house, set), [""]);
    house.hall(r#"{"100": [[200, 200]]}"#);
}

#[test]
fn a_random_pick_starts_at_the_front() {
    let mut house = House::new();
    let set = house.hall(r#"{"1": [[1, 3]], "2": [[1, 3]]}"#);
    let held = |state: &TicketState| matches!(state, TicketState::Held { .. });
    let first = house.order(set, 2);
    house.order(set, 1);
    assert_eq!(house.chairs(set, held), "1-1 1-2 1-3");
    house.step(first, OrderTransition::Canceled).unwrap();
    house.order(set, 1);
    assert_eq!(house.chairs(set, held), "1-1 1-3", "what came back is at the front again");
}

#[test]
fn late_money_takes_the_same_chair_or_none() {
    let mut house = House::new();
    let set = house.hall(r#"{"1": [[1, 3]]}"#);
    let lapsed = house.order_in(OrderStatusKind::Expired, set);
    let mine = house.lines(lapsed)[0];
    let rival = house.try_order(tickets(&[mine])).unwrap().order.id;
    assert_eq!(house.step(lapsed, OrderTransition::Paid).unwrap_err(), Refusal::TicketsGone, "no other chair will do");
    house.step(rival, OrderTransition::Canceled).unwrap();
    house.step(lapsed, OrderTransition::Paid).unwrap();
    assert_eq!((house.lines(lapsed), house.state(lapsed)), (vec![mine], OrderStatusKind::Paid));
}

#[test]
fn late_money_takes_no_chair_that_is_about_to_go() {
    let mut house = House::new();
    let set = house.hall(r#"{"1": [[1, 3]]}"#);
    let lapsed = house.order_in(OrderStatusKind::Expired, set);
    house.reseat_later(set, &seating(r#"{"1": [[2, 3]]}"#));
    assert_eq!(house.step(lapsed, OrderTransition::Paid).unwrap_err(), Refusal::TicketsGone);
    work(&mut house, set);
    assert_eq!(
        house.step(lapsed, OrderTransition::Paid).unwrap_err(),
        Refusal::TicketsGone,
        "its ticket is not there any more"
    );
}

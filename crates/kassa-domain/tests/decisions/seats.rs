//! Sets with seats: which seats they have, and whose they are.

use kassa_domain::actor::ShopVisit;
use kassa_domain::order::{CreateOrder, OrderStatusKind, OrderTransition};
use kassa_domain::refusal::{SeatsRefusal, Shortfall, ShortfallReason, SingleSeat};
use kassa_domain::seating::Seating;
use kassa_domain::set::{CreateSet, SetId, UpdateSet};
use kassa_domain::single_seats::SingleSeatRule;
use kassa_domain::ticket::TicketState;
use kassa_domain::{Actor, Patch, Refusal, View};

use crate::fixture::{Fixture, random, remove_set, seating, tickets};

/// Twenty thousand seats in a hundred rows.
fn arena() -> String {
    rows(1, 100)
}

/// Rows of 200 seats each.
fn rows(first: u32, last: u32) -> String {
    let rows: Vec<String> = (first..=last).map(|row| format!("\"{row}\": [[1, 200]]")).collect();
    format!("{{{}}}", rows.join(", "))
}

/// Seats of the first row, as a shop orders them.
fn order_row(fixture: &mut Fixture, set: SetId, numbers: &[u16]) -> Result<String, Refusal> {
    let seats: Vec<_> = numbers.iter().map(|number| fixture.at(set, "1", *number)).collect();
    let command = CreateOrder { event: fixture.event, vendor: fixture.org, deal: None, edit: tickets(&seats) };
    let visitor = Actor::Visitor(ShopVisit::of(fixture.org));
    fixture.give(&visitor, &command).map(|made| made.order.lines.len().to_string())
}

#[test]
fn a_choice_that_leaves_a_single_seat_is_refused_while_there_are_other_places() {
    let mut fixture = Fixture::new();
    let set = fixture.hall(r#"{"1": [[1, 6]], "2": [[1, 3]]}"#);
    assert_eq!(
        order_row(&mut fixture, set, &[2, 3]),
        Ok("2".to_owned()),
        "unless the event says so, it is nobody's concern"
    );
    let mut fixture = Fixture::new();
    let set = fixture.hall(r#"{"1": [[1, 6]], "2": [[1, 3]]}"#);
    fixture.change_event(|event| event.details.single_seats = Patch::Set(SingleSeatRule::Forbid)).unwrap();
    let single = SingleSeat { set, row: "1".parse().unwrap(), number: 1 };
    assert_eq!(order_row(&mut fixture, set, &[2, 3]), Err(SeatsRefusal::SinglesLeft(vec![single]).into()));
    assert_eq!(order_row(&mut fixture, set, &[1, 2, 3]), Ok("3".to_owned()));
    assert_eq!(
        order_row(&mut fixture, set, &[4, 5]),
        Ok("2".to_owned()),
        "both rows have three, and one is left wherever it is"
    );
}

fn taken(row: &str, number: u16) -> Refusal {
    SeatsRefusal::SeatTaken { row: row.parse().unwrap(), number }.into()
}

fn work(fixture: &mut Fixture, set: SetId) -> Vec<String> {
    let mut seen = Vec::new();
    while let Some(step) = fixture.next_step(set) {
        fixture.give(&Actor::System, &step).unwrap();
        seen.push(fixture.books(set));
        assert!(seen.len() < 10, "a job comes to its end: {seen:?}");
    }
    seen
}

#[test]
fn a_set_has_a_ticket_for_each_chair_numbered_from_the_front() {
    let mut fixture = Fixture::new();
    let hall = fixture.try_hall("Parterre", r#"{"10": [[1, 1]], "2": [[1, 2], [5, 5]], "A": [[3, 3]]}"#).unwrap();
    assert_eq!((fixture.books(hall.id).as_str(), hall.job), ("5 vacant", None));
    let numbered = fixture.tickets(hall.id).into_iter().map(|id| {
        let ticket = fixture.ticket(id);
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
        let mut fixture = Fixture::new();
        let set = fixture.hall(r#"{"1": [[1, 3]]}"#);
        let middle = fixture.at(set, "1", 2);
        let row = fixture.reseat(set, layout).unwrap();
        assert_eq!(fixture.chairs(set, |_| true), chairs);
        assert_eq!(row.seats.unwrap().layout.as_str(), layout.replace(' ', ""), "as it was written");
        assert_eq!(
            chairs.contains("1-2"),
            fixture.view.tickets.get(middle).is_some(),
            "a chair that stays keeps its ticket"
        );
    }
}

#[test]
fn chairs_that_somebody_has_are_not_taken_away() {
    let mut fixture = Fixture::new();
    let set = fixture.hall(r#"{"1": [[1, 4]]}"#);
    let at = |fixture: &Fixture, number| fixture.at(set, "1", number);
    let paid = fixture.try_order(tickets(&[at(&fixture, 1)])).unwrap().order.id;
    fixture.step(paid, OrderTransition::Paid).unwrap();
    let held = fixture.try_order(tickets(&[at(&fixture, 2)])).unwrap().order.id;
    fixture.block(set, &[at(&fixture, 3)]).unwrap();
    for layout in
        [r#"{"1": [[2, 4]]}"#, r#"{"1": [[1, 1], [3, 3]], "2": [[1, 9]]}"#, r#"{"1": [[1, 2], [4, 4]]}"#, "{}"]
    {
        assert_eq!(fixture.reseat(set, layout).unwrap_err(), Refusal::AmountBelowSold, "{layout}");
    }
    fixture.reseat(set, r#"{"1": [[1, 3]]}"#).unwrap();
    assert_eq!(fixture.books(set), "1 held, 1 sold, 1 blocked");
    fixture.step(held, OrderTransition::Canceled).unwrap();
    fixture.reseat(set, r#"{"1": [[1, 1], [3, 3]]}"#).unwrap();
    assert_eq!(fixture.books(set), "1 sold, 1 blocked");
}

#[test]
fn a_chair_that_comes_again_is_a_new_ticket() {
    let mut fixture = Fixture::new();
    let set = fixture.hall(r#"{"1": [[1, 2]]}"#);
    let before = fixture.at(set, "1", 2);
    fixture.reseat(set, r#"{"1": [[1, 1]]}"#).unwrap();
    fixture.reseat(set, r#"{"1": [[1, 2]]}"#).unwrap();
    let after = fixture.at(set, "1", 2);
    assert_ne!(before, after);
    assert_eq!(fixture.ticket(after).number, 3, "numbers are not used twice");
}

#[test]
fn a_chair_is_in_one_set_of_its_event_and_sector() {
    let mut fixture = Fixture::new();
    fixture.try_hall("L", r#"{"1": [[1, 9]], "2": [[5, 5]]}"#).unwrap();
    let cases = [
        ("L", r#"{"1": [[10, 12]], "02": [[5, 5]], "3": [[1, 9]]}"#, None),
        ("", r#"{"1": [[1, 9]]}"#, None),
        ("l", r#"{"1": [[1, 9]]}"#, None),
        ("L", r#"{"1": [[9, 9]]}"#, Some(taken("1", 9))),
        ("L", r#"{"0": [[1, 1]], "2": [[1, 4], [5, 9]]}"#, Some(taken("2", 5))),
    ];
    for (sector, layout, refusal) in cases {
        let command =
            CreateSet { sector: sector.to_owned(), seats: Some(seating(layout)), ..CreateSet::empty(fixture.event) };
        assert_eq!(fixture.rehearse(&fixture.organizer(), &command).err(), refusal, "{sector} {layout}");
    }
    let other = fixture.try_hall("L", r#"{"3": [[1, 1]]}"#).unwrap().id;
    assert_eq!(fixture.reseat(other, r#"{"1": [[3, 3]], "3": [[1, 1]]}"#).unwrap_err(), taken("1", 3));
    assert_eq!(fixture.chairs(other, |_| true), "3-1");
    let (org, layout) = (fixture.org, r#"{"1": [[1, 9]]}"#);
    let elsewhere = fixture.event_of(org).id;
    let command = CreateSet { sector: "L".to_owned(), seats: Some(seating(layout)), ..CreateSet::empty(elsewhere) };
    assert!(fixture.give(&fixture.organizer(), &command).is_ok(), "another event has other chairs");
}

#[test]
fn a_chair_that_one_set_gives_up_is_free_for_another() {
    let mut fixture = Fixture::new();
    let (one, other) = (fixture.hall(r#"{"1": [[1, 3]]}"#), fixture.hall(r#"{"2": [[1, 1]]}"#));
    fixture.reseat(one, r#"{"1": [[1, 2]]}"#).unwrap();
    fixture.reseat(other, r#"{"1": [[3, 3]], "2": [[1, 1]]}"#).unwrap();
    assert_eq!(fixture.chairs(other, |_| true), "1-3 2-1");
}

#[test]
fn the_amount_of_a_set_with_seats_is_their_number() {
    let mut fixture = Fixture::new();
    let set = fixture.hall(r#"{"1": [[1, 4]]}"#);
    assert_eq!(fixture.resize(set, 5).unwrap_err(), SeatsRefusal::AmountFollowsSeats.into());
    fixture.resize(set, 4).unwrap();
    let both = |amount, layout: &str| {
        let seats = Patch::Set(seating(layout));
        move |change: &mut UpdateSet| (change.amount, change.seats) = (Some(amount), seats)
    };
    assert_eq!(
        fixture.change_set(set, both(2, r#"{"1": [[1, 3]]}"#)).unwrap_err(),
        SeatsRefusal::AmountFollowsSeats.into()
    );
    fixture.change_set(set, both(3, r#"{"1": [[1, 3]]}"#)).unwrap();
    assert_eq!(fixture.books(set), "3 vacant");
}

#[test]
fn tickets_of_a_set_have_seats_or_not() {
    let mut fixture = Fixture::new();
    let set = fixture.set(2, 1000);
    assert_eq!(fixture.reseat(set, r#"{"1": [[1, 2]]}"#).unwrap_err(), SeatsRefusal::SetWithoutSeats.into());
    let no_seats = |change: &mut UpdateSet| change.seats = Patch::Clear;
    assert_eq!(fixture.change_set(set, no_seats).unwrap().seats, None, "as a set without seats is shown");
    assert_eq!(fixture.books(set), "2 vacant");
    fixture.resize(set, 0).unwrap();
    fixture.reseat(set, r#"{"1": [[1, 2]]}"#).unwrap();
    assert_eq!(fixture.chairs(set, |_| true), "1-1 1-2");
    fixture.change_set(set, no_seats).unwrap();
    assert_eq!((fixture.chairs(set, |_| true).as_str(), fixture.books(set).as_str()), ("", ""));
}

#[test]
fn the_sector_of_chairs_is_fixed() {
    let mut fixture = Fixture::new();
    let set = fixture.hall(r#"{"1": [[1, 2]]}"#);
    let into = |sector: &str| {
        let sector = Patch::Set(sector.to_owned());
        move |change: &mut UpdateSet| change.sector = sector
    };
    assert_eq!(fixture.change_set(set, into("B")).unwrap_err(), SeatsRefusal::SectorFixed.into());
    fixture.change_set(set, into("")).unwrap();
    fixture.reseat(set, "{}").unwrap();
    fixture.change_set(set, into("B")).unwrap();
    fixture.reseat(set, r#"{"1": [[1, 2]]}"#).unwrap();
    let ticket = fixture.at(set, "1", 1);
    assert_eq!(fixture.ticket(ticket).seat.as_deref().unwrap().sector, "B");
    let seatless = fixture.set(1, 1000);
    fixture.change_set(seatless, into("B")).unwrap();
}

#[test]
fn sales_of_an_event_carry_a_limited_number_of_spans() {
    let mut fixture = Fixture::new();
    fixture.hall(r#"{"front": [[1, 1]]}"#);
    let spans = |count: u32| {
        let mut seats = Seating::default();
        for row in 1..=count {
            seats.add_row(row.to_string().parse().unwrap(), vec![(1, 1).into()]).unwrap();
        }
        let sector = "elsewhere in the hall".to_owned();
        CreateSet { sector, seats: Some(seats), ..CreateSet::empty(fixture.event) }
    };
    let (fits, exceeds) = (spans(19_999), spans(20_000));
    assert!(fixture.rehearse(&fixture.organizer(), &fits).is_ok());
    assert_eq!(
        fixture.rehearse(&fixture.organizer(), &exceeds).unwrap_err(),
        Refusal::TooMany { what: "ranges of seats in one set", max: 20_000 }
    );
}

#[test]
fn more_than_ten_thousand_chairs_are_made_from_the_front_step_by_step() {
    let mut fixture = Fixture::new();
    let set = fixture.hall(&arena());
    assert_eq!(fixture.books(set), "10000 vacant, 10000 pending");
    assert_eq!(fixture.ticket(fixture.at(set, "50", 200)).number, 10_000);
    assert_eq!(work(&mut fixture, set), ["20000 vacant"]);
    assert_eq!(fixture.ticket(fixture.at(set, "100", 200)).number, 20_000);
    assert_eq!((fixture.row(set).job, fixture.view.jobs.rows().count()), (None, 0));
}

#[test]
fn more_than_ten_thousand_chairs_are_taken_away_step_by_step_and_are_nobodys_meanwhile() {
    let mut fixture = Fixture::new();
    let set = fixture.hall(&arena());
    work(&mut fixture, set);
    fixture.reseat(set, r#"{"100": [[1, 3]]}"#).unwrap();
    assert_eq!((fixture.books(set).as_str(), fixture.row(set).available()), ("10000 vacant", 3));
    let doomed = fixture.at(set, "99", 1);
    let details = fixture.try_order(tickets(&[doomed])).unwrap().shortfalls;
    assert_eq!(
        details,
        [Shortfall::Ticket { ticket: doomed, reason: ShortfallReason::NotOnSale, reserved_till: None }]
    );
    assert_eq!(fixture.block(set, &[doomed]).unwrap_err(), Refusal::SetBusy);
    let outcome = fixture.try_order(random(&[(set, 4)])).unwrap();
    assert_eq!(
        outcome.shortfalls,
        [Shortfall::AnyOfSet { set, requested: 4, granted: 3, reason: ShortfallReason::NotOnSale }]
    );
    let elsewhere = CreateSet { seats: Some(seating(r#"{"99": [[1, 1]]}"#)), ..CreateSet::empty(fixture.event) };
    assert_eq!(fixture.rehearse(&fixture.organizer(), &elsewhere).unwrap_err(), Refusal::SetBusy);
    assert_eq!(work(&mut fixture, set), ["3 held"]);
    assert!(fixture.rehearse(&fixture.organizer(), &elsewhere).is_ok());
}

#[test]
fn two_layouts_that_overlap_in_time_end_in_the_last_one() {
    let mut fixture = Fixture::new();
    let set = fixture.hall(&arena());
    fixture.reseat(set, &rows(40, 130)).unwrap();
    let first_job = fixture.row(set).job;
    fixture.reseat(set, &rows(20, 120)).unwrap();
    assert_eq!(fixture.row(set).job, first_job, "the job goes on");
    work(&mut fixture, set);
    let made = fixture.row(set).seats.as_ref().unwrap().created_seating();
    assert_eq!(made, seating(&rows(20, 120)));
    assert_eq!(fixture.books(set), "20200 vacant");
}

#[test]
fn a_chair_that_was_about_to_go_and_stays_keeps_its_ticket() {
    let mut fixture = Fixture::new();
    let set = fixture.hall(&arena());
    work(&mut fixture, set);
    let (gone, spared) = (fixture.at(set, "1", 1), fixture.at(set, "80", 1));
    fixture.reseat(set, "{}").unwrap();
    fixture.reseat(set, &arena()).unwrap();
    let order = fixture.try_order(tickets(&[spared])).unwrap();
    assert_eq!((order.shortfalls, order.order.lines.len()), (Vec::new(), 1));
    work(&mut fixture, set);
    assert_eq!(fixture.books(set), "19999 vacant, 1 held");
    assert!(fixture.view.tickets.get(gone).is_none());
}

#[test]
fn many_chairs_leave_at_a_time_only_where_nobody_has_any() {
    let mut fixture = Fixture::new();
    let set = fixture.hall(&arena());
    work(&mut fixture, set);
    fixture.order(set, 1);
    assert_eq!(fixture.reseat(set, &rows(1, 49)).unwrap_err(), SeatsRefusal::SeatRemovalLimit(10_000).into());
    fixture.reseat(set, &rows(1, 50)).unwrap();
    assert_eq!(fixture.books(set), "9999 vacant, 1 held");
}

#[test]
fn what_leaves_and_was_not_looked_at_is_looked_at_again() {
    let mut fixture = Fixture::new();
    let set = fixture.hall(r#"{"1": [[1, 4]]}"#);
    fixture.order(set, 1);
    let wanted = seating(r#"{"1": [[1, 2]]}"#);
    let named = fixture.row(set).seats_leaving(&wanted).into_iter().map(|chairs| (chairs.row, chairs.range.into()));
    assert_eq!(named.collect::<Vec<_>>(), [("1".parse().unwrap(), (3, 4))]);
    let command = fixture.reseating(set, &wanted);
    let mut seen = View::default();
    seen.events.load(fixture.view.events.get(fixture.event).unwrap().clone(), 1);
    seen.sets.load(fixture.row(set).clone(), 1);
    fixture.view = seen;
    assert_eq!(fixture.rehearse(&fixture.organizer(), &command).unwrap_err(), Refusal::Stale);
}

#[test]
fn a_removed_set_gives_its_chairs_up() {
    let mut fixture = Fixture::new();
    let set = fixture.hall(r#"{"1": [[1, 3]]}"#);
    let blocked = fixture.at(set, "1", 2);
    fixture.block(set, &[blocked]).unwrap();
    let order = fixture.order(set, 1);
    let remove = remove_set(fixture.event, set);
    assert_eq!(fixture.give(&fixture.organizer(), &remove).unwrap_err(), Refusal::HasOrders);
    fixture.step(order, OrderTransition::Canceled).unwrap();
    let removed = fixture.give(&fixture.organizer(), &remove).unwrap();
    assert_eq!((removed.removed, removed.counts.amount, removed.job), (true, 0, None));
    let again = fixture.hall(r#"{"1": [[1, 3]]}"#);
    assert_eq!(fixture.chairs(again, |_| true), "1-1 1-2 1-3");
}

#[test]
fn a_removed_set_gives_many_chairs_up_step_by_step() {
    let mut fixture = Fixture::new();
    let set = fixture.hall(&arena());
    work(&mut fixture, set);
    let last = fixture.at(set, "100", 200);
    fixture.block(set, &[last]).unwrap();
    let remove = remove_set(fixture.event, set);
    fixture.give(&fixture.organizer(), &remove).unwrap();
    assert_eq!(fixture.books(set), "9999 vacant, 1 blocked");
    assert_eq!(fixture.try_hall("", r#"{"100": [[200, 200]]}"#).unwrap_err(), Refusal::SetBusy);
    assert_eq!(work(&mut fixture, set), [""]);
    fixture.hall(r#"{"100": [[200, 200]]}"#);
}

#[test]
fn a_random_pick_starts_at_the_front() {
    let mut fixture = Fixture::new();
    let set = fixture.hall(r#"{"1": [[1, 3]], "2": [[1, 3]]}"#);
    let held = |state: &TicketState| matches!(state, TicketState::Held { .. });
    let first = fixture.order(set, 2);
    fixture.order(set, 1);
    assert_eq!(fixture.chairs(set, held), "1-1 1-2 1-3");
    fixture.step(first, OrderTransition::Canceled).unwrap();
    fixture.order(set, 1);
    assert_eq!(fixture.chairs(set, held), "1-1 1-3", "what came back is at the front again");
}

#[test]
fn late_money_takes_the_same_chair_or_none() {
    let mut fixture = Fixture::new();
    let set = fixture.hall(r#"{"1": [[1, 3]]}"#);
    let lapsed = fixture.order_in(OrderStatusKind::Expired, set);
    let mine = fixture.lines(lapsed)[0];
    let rival = fixture.try_order(tickets(&[mine])).unwrap().order.id;
    assert_eq!(
        fixture.step(lapsed, OrderTransition::Paid).unwrap_err(),
        Refusal::TicketsGone,
        "no other chair will do"
    );
    fixture.step(rival, OrderTransition::Canceled).unwrap();
    fixture.step(lapsed, OrderTransition::Paid).unwrap();
    assert_eq!((fixture.lines(lapsed), fixture.state(lapsed)), (vec![mine], OrderStatusKind::Paid));
}

#[test]
fn late_money_takes_no_chair_that_is_about_to_go() {
    let mut fixture = Fixture::new();
    let set = fixture.hall(r#"{"1": [[1, 3]]}"#);
    let lapsed = fixture.order_in(OrderStatusKind::Expired, set);
    fixture.reseat_later(set, &seating(r#"{"1": [[2, 3]]}"#));
    assert_eq!(fixture.step(lapsed, OrderTransition::Paid).unwrap_err(), Refusal::TicketsGone);
    work(&mut fixture, set);
    assert_eq!(
        fixture.step(lapsed, OrderTransition::Paid).unwrap_err(),
        Refusal::TicketsGone,
        "its ticket is not there any more"
    );
}

//! What an order shall hold: the full desired state, and what becomes of it.

use kassa_domain::event::EventStatus;
use kassa_domain::id::Id;
use kassa_domain::order::{OrderEdit, OrderStatusKind, OrderTransition, PAYMENT_MINUTES};
use kassa_domain::refusal::{Shortfall, ShortfallReason};
use kassa_domain::set::SetId;
use kassa_domain::ticket::TicketId;
use kassa_domain::{Patch, Refusal};

use crate::fixture::{END, Fixture, NOON, random, tickets};

#[test]
fn named_tickets_are_all_that_the_order_shall_hold() {
    let mut fixture = Fixture::new();
    let set = fixture.set(4, 1000);
    let all = fixture.tickets(set);
    let order = fixture.try_order(tickets(&all[..2])).unwrap().order.id;
    fixture.edit(order, tickets(&all[1..3])).unwrap();
    assert_eq!(fixture.lines(order), &all[1..3]);
    assert_eq!(fixture.books(set), "2 vacant, 2 held");
    fixture.edit(order, tickets(&[])).unwrap();
    assert_eq!((fixture.lines(order).len(), fixture.books(set).as_str()), (0, "4 vacant"));
}

#[test]
fn random_numbers_count_what_is_held_and_give_back_the_rest() {
    let mut fixture = Fixture::new();
    let (stalls, balcony) = (fixture.set(5, 1000), fixture.set(5, 500));
    let order = fixture.try_order(random(&[(stalls, 2), (balcony, 1)])).unwrap().order.id;
    let first = fixture.lines(order);
    fixture.edit(order, random(&[(stalls, 3), (balcony, 1)])).unwrap();
    let grown = fixture.lines(order);
    assert!(first.iter().all(|ticket| grown.contains(ticket)), "kept tickets stay");
    assert_eq!((grown.len(), fixture.books(stalls).as_str()), (4, "2 vacant, 3 held"));
    fixture.edit(order, random(&[(stalls, 1), (balcony, 0)])).unwrap();
    assert_eq!(fixture.lines(order), &first[..1]);
    assert_eq!((fixture.books(stalls), fixture.books(balcony)), ("4 vacant, 1 held".into(), "5 vacant".into()));
    fixture.edit(order, random(&[(balcony, 2)])).unwrap();
    assert_eq!((fixture.books(stalls), fixture.books(balcony)), ("5 vacant".into(), "3 vacant, 2 held".into()));
}

#[test]
fn kept_tickets_keep_the_price_at_which_they_were_reserved() {
    let mut fixture = Fixture::new();
    let set = fixture.set(3, 1000);
    let order = fixture.order(set, 1);
    fixture.pass_minutes(1);
    fixture.reprice(set, 1500);
    fixture.edit(order, random(&[(set, 2)])).unwrap();
    let prices: Vec<i64> = fixture.found(order).lines.iter().map(|line| line.price.price.minor()).collect();
    assert_eq!(prices, [1000, 1500]);
    assert_eq!(fixture.found(order).totals().full.minor(), 2500);
}

/// A set with one ticket in each state: vacant, held by another, sold, blocked.
fn mixed(fixture: &mut Fixture) -> (SetId, Vec<TicketId>) {
    let set = fixture.set(4, 1000);
    let all = fixture.tickets(set);
    fixture.try_order(tickets(&all[1..2])).unwrap();
    let paid = OrderEdit { transition: Some(OrderTransition::Paid), ..tickets(&all[2..3]) };
    fixture.try_order(paid).unwrap();
    fixture.block(set, &all[3..]).unwrap();
    (set, all)
}

#[test]
fn what_is_not_to_be_had_is_left_out_and_named() {
    let mut fixture = Fixture::new();
    let (_, all) = mixed(&mut fixture);
    let outcome = fixture.try_order(tickets(&all)).unwrap();
    assert_eq!(fixture.lines(outcome.order.id), &all[..1]);
    let short = |at: usize, reason, reserved_till| Shortfall::Ticket { ticket: all[at], reason, reserved_till };
    let expected = [
        short(1, ShortfallReason::Reserved, Some(NOON.plus_minutes(15))),
        short(2, ShortfallReason::Sold, None),
        short(3, ShortfallReason::Blocked, None),
    ];
    assert_eq!(outcome.shortfalls, expected);
}

#[test]
fn a_set_outside_its_prices_or_removed_is_not_on_sale() {
    for removed in [false, true] {
        let mut fixture = Fixture::new();
        let set = fixture.set(2, 1000);
        let ticket = fixture.tickets(set)[0];
        let mut row = fixture.row(set).clone();
        if removed {
            row.removed = true;
        } else {
            row.rules.clear();
        }
        fixture.arrange(|view| view.sets.put(row));
        let order = fixture.try_order(OrderEdit::default()).unwrap().order.id;
        let reason = if removed { ShortfallReason::NotOnSale } else { ShortfallReason::NoPrice };
        let named = fixture.shortfall(order, tickets(&[ticket]));
        assert_eq!(named, [Shortfall::Ticket { ticket, reason, reserved_till: None }]);
        let any = fixture.shortfall(order, random(&[(set, 1)]));
        assert_eq!(any, [Shortfall::AnyOfSet { set, requested: 1, granted: 0, reason }]);
    }
}

#[test]
fn a_set_that_gives_less_says_why_and_names_first_what_may_come_back() {
    let cases = [
        ((1, 1, 1), ShortfallReason::Reserved),
        ((0, 1, 1), ShortfallReason::Sold),
        ((0, 0, 1), ShortfallReason::Blocked),
        ((0, 0, 0), ShortfallReason::Sold),
    ];
    for ((held, sold, blocked), reason) in cases {
        let mut fixture = Fixture::new();
        let set = fixture.set(held + sold + blocked + 1, 1000);
        let last = fixture.tickets(set).split_off((held + sold + 1) as usize);
        fixture.block(set, &last).unwrap();
        fixture.order(set, held);
        for _ in 0..sold {
            fixture.order_in(OrderStatusKind::Paid, set);
        }
        let details = fixture.try_order(random(&[(set, 4)])).unwrap().shortfalls;
        let expected = Shortfall::AnyOfSet { set, requested: 4, granted: 1, reason };
        assert_eq!(details, [expected]);
    }
}

#[test]
fn an_order_is_not_told_to_wait_for_its_own_tickets() {
    let mut fixture = Fixture::new();
    let set = fixture.set(2, 1000);
    fixture.order_in(OrderStatusKind::Paid, set);
    let order = fixture.order(set, 1);
    let details = fixture.shortfall(order, random(&[(set, 2)]));
    assert_eq!(details, [Shortfall::AnyOfSet { set, requested: 2, granted: 1, reason: ShortfallReason::Sold }]);
}

#[test]
fn all_or_nothing_takes_nothing_and_gives_nothing_back() {
    let mut fixture = Fixture::new();
    let set = fixture.set(3, 1000);
    let all = fixture.tickets(set);
    fixture.try_order(tickets(&all[2..])).unwrap();
    let order = fixture.try_order(tickets(&all[..1])).unwrap().order.id;
    let strict = |edit| OrderEdit { all_or_nothing: true, ..edit };
    for edit in [tickets(&all[1..]), random(&[(set, 3)])] {
        let details = fixture.shortfall(order, strict(edit));
        assert_eq!(details.len(), 1);
        assert_eq!((fixture.lines(order), fixture.books(set).as_str()), (all[..1].to_vec(), "1 vacant, 2 held"));
    }
    fixture.edit(order, strict(tickets(&all[1..2]))).unwrap();
    assert_eq!(fixture.lines(order), &all[1..2], "without a shortfall it is an ordinary wish");
}

#[test]
fn a_new_order_with_all_or_nothing_is_made_empty() {
    let mut fixture = Fixture::new();
    let set = fixture.set(1, 1000);
    let edit = OrderEdit { all_or_nothing: true, ..random(&[(set, 2)]) };
    let outcome = fixture.try_order(edit).unwrap();
    assert_eq!((fixture.lines(outcome.order.id).len(), outcome.shortfalls.len()), (0, 1));
    assert_eq!((outcome.order.state(), fixture.books(set).as_str()), (OrderStatusKind::Reserved, "1 vacant"));
}

#[test]
fn a_wrong_wish_is_refused_in_order_of_precedence() {
    let mut fixture = Fixture::new();
    fixture.change_event(|event| event.tickets_limit = Patch::Set(3)).unwrap();
    let (set, org) = (fixture.set(9, 1000), fixture.org);
    let elsewhere = fixture.event_of(org).id;
    let foreign_set = fixture.set_of(elsewhere, 1, 1000);
    let (own, foreign) = (fixture.tickets(set), fixture.tickets(foreign_set)[0]);
    let (nothing, no_set) = (TicketId::root(77), Id::root(78));
    let cases = [
        (tickets(&[nothing, own[0], own[0], foreign]), Refusal::TicketsLimit(3)),
        (random(&[(no_set, 4)]), Refusal::TicketsLimit(3)),
        (tickets(&[own[0], nothing, own[0]]), Refusal::TicketUnknown(nothing)),
        (tickets(&[own[0], foreign]), Refusal::TicketUnknown(foreign)),
        (tickets(&[own[0], own[0]]), Refusal::DuplicateTicket(own[0])),
        (random(&[(set, 1), (no_set, 1)]), Refusal::SetUnknown(no_set)),
        (random(&[(foreign_set, 1)]), Refusal::SetUnknown(foreign_set)),
    ];
    let order = fixture.order(set, 1);
    for (edit, refusal) in cases {
        assert_eq!(fixture.edit(order, edit.clone()).unwrap_err(), refusal, "{edit:?}");
        assert_eq!(fixture.try_order(edit).unwrap_err(), refusal, "as a new order");
    }
    fixture.edit(order, random(&[(set, 3)])).expect("the limit itself is allowed");
}

#[test]
fn a_set_that_is_named_twice_gives_no_ticket_twice() {
    let mut fixture = Fixture::new();
    let set = fixture.set(5, 1000);
    let order = fixture.try_order(OrderEdit::default()).unwrap().order.id;
    if fixture.edit(order, random(&[(set, 1), (set, 2)])).is_ok() {
        let mut lines = fixture.lines(order);
        lines.dedup();
        assert_eq!(lines.len(), 3);
    }
}

#[test]
fn an_order_in_payment_may_only_drop_tickets() {
    let mut fixture = Fixture::new();
    let set = fixture.set(5, 1000);
    let all = fixture.tickets(set);
    let order = fixture.try_order(tickets(&all[..3])).unwrap().order.id;
    fixture.step(order, OrderTransition::AwaitingPayment).unwrap();
    for edit in [tickets(&all[..4]), tickets(&all[2..4]), random(&[(set, 4)])] {
        assert_eq!(fixture.edit(order, edit).unwrap_err(), Refusal::TicketsFixed);
    }
    fixture.edit(order, tickets(&all[1..3])).unwrap();
    fixture.edit(order, random(&[(set, 1)])).unwrap();
    assert_eq!((fixture.lines(order), fixture.books(set).as_str()), (all[1..2].to_vec(), "4 vacant, 1 held"));
    assert_eq!(fixture.found(order).reserved_till, NOON.plus_minutes(PAYMENT_MINUTES));
}

#[test]
fn an_event_that_does_not_sell_gives_no_ticket_but_takes_them_back() {
    let changes: [fn(&mut Fixture); 3] = [
        |fixture| fixture.switch(EventStatus::StandBy),
        |fixture| fixture.switch(EventStatus::Canceled),
        |fixture| fixture.now = END,
    ];
    for change in changes {
        let mut fixture = Fixture::new();
        let set = fixture.set(4, 1000);
        let order = fixture.order(set, 2);
        change(&mut fixture);
        assert_eq!(fixture.edit(order, random(&[(set, 3)])).unwrap_err(), Refusal::EventNotOnSale);
        assert_eq!(fixture.try_order(random(&[(set, 1)])).unwrap_err(), Refusal::EventNotOnSale);
        fixture.edit(order, random(&[(set, 1)])).unwrap();
        assert_eq!(fixture.books(set), "3 vacant, 1 held");
    }
}

#[test]
fn a_set_sells_out_exactly_though_tickets_come_back() {
    let mut fixture = Fixture::new();
    let set = fixture.set(7, 1000);
    let first = fixture.order(set, 3);
    fixture.order(set, 3);
    fixture.step(first, OrderTransition::Canceled).unwrap();
    for _ in 0..4 {
        fixture.order(set, 1);
    }
    assert_eq!(fixture.books(set), "7 held");
    let outcome = fixture.try_order(random(&[(set, 1)])).unwrap();
    assert_eq!(
        outcome.shortfalls,
        [Shortfall::AnyOfSet { set, requested: 1, granted: 0, reason: ShortfallReason::Reserved }]
    );
}

#[test]
fn a_pick_starts_behind_the_last_one_and_wraps_round() {
    let mut fixture = Fixture::new();
    let set = fixture.set(3, 1000);
    let all = fixture.tickets(set);
    for at in [0, 1, 2, 0] {
        let order = fixture.order(set, 1);
        assert_eq!(fixture.lines(order), [all[at]]);
        fixture.step(order, OrderTransition::Canceled).unwrap();
    }
}

#[test]
fn orders_of_one_batch_see_what_those_before_them_took_and_gave_back() {
    let mut fixture = Fixture::new();
    let set = fixture.set(3, 1000);
    let early = fixture.order(set, 2);
    fixture.edit(early, random(&[(set, 1)])).unwrap();
    fixture.in_batch = true;
    let first = fixture.order(set, 1);
    let second = fixture.order(set, 1);
    fixture.step(early, OrderTransition::Canceled).unwrap();
    let third = fixture.order(set, 1);
    let mut taken: Vec<TicketId> = [first, second, third].iter().flat_map(|order| fixture.lines(*order)).collect();
    taken.sort_unstable();
    assert_eq!(taken, fixture.tickets(set));
}

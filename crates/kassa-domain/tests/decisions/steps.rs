//! The life of an order, step by step.

use kassa_domain::order::{
    CustomerPatch, OrderEdit, OrderNotesPatch, OrderStatus, OrderStatusKind, OrderTransition, PaymentPatch,
};
use kassa_domain::ticket::{TicketId, with_check_digit};
use kassa_domain::{Patch, Refusal};

use crate::fixture::{Fixture, NOON, customer, pays_by, random, steps, tickets};
use kassa_domain::order::PaymentSystem;

/// From each state, where each step leads; `-` where it is refused.
const TRANSITIONS: &str = "
    from         in_progress  done  canceled
    executed     in_progress  done  canceled
    in_progress  in_progress  done  canceled
    done         -            done  -
    canceled     -            -     canceled
    expired      -            done  -
    refunded     -            -     -
";

const STEPS: [(OrderTransition, OrderStatusKind); 3] = [
    (OrderTransition::AwaitingPayment, OrderStatusKind::AwaitingPayment),
    (OrderTransition::Paid, OrderStatusKind::Paid),
    (OrderTransition::Canceled, OrderStatusKind::Canceled),
];

#[test]
fn every_state_takes_the_steps_of_the_table_and_refuses_the_others() {
    let rows = TRANSITIONS.trim().lines().skip(1);
    let rows: Vec<Vec<&str>> = rows.map(|row| row.split_whitespace().collect()).collect();
    for (from, row) in OrderStatusKind::ALL.into_iter().zip(rows) {
        assert_eq!(row[0], from.name());
        for ((step, to), expected) in STEPS.into_iter().zip(&row[1..]) {
            let mut fixture = Fixture::new();
            let set = fixture.set(2, 1000);
            let order = fixture.order_in(from, set);
            let revision = fixture.found(order).revision;
            match fixture.step(order, step) {
                Ok(outcome) => {
                    assert_eq!(outcome.order.state().name(), *expected, "{from} {to}");
                    assert_eq!(outcome.order.revision != revision, to != from, "{from} {to}");
                }
                Err(refusal) => {
                    assert_eq!(*expected, "-", "{from} {to}");
                    assert_eq!(refusal, Refusal::OrderTransition { from, to });
                    assert_eq!(fixture.state(order), from);
                }
            }
        }
    }
}

#[test]
fn each_state_has_its_tickets_where_they_belong() {
    let books = [
        (OrderStatusKind::Reserved, "1 vacant, 1 held"),
        (OrderStatusKind::AwaitingPayment, "1 vacant, 1 held"),
        (OrderStatusKind::Paid, "1 vacant, 1 sold"),
        (OrderStatusKind::Canceled, "2 vacant"),
        (OrderStatusKind::Expired, "2 vacant"),
        (OrderStatusKind::Refunded, "2 vacant"),
    ];
    for (state, expected) in books {
        let mut fixture = Fixture::new();
        let set = fixture.set(2, 1000);
        fixture.order_in(state, set);
        assert_eq!(fixture.books(set), expected, "{state}");
    }
}

#[test]
fn a_canceled_order_keeps_showing_what_it_held() {
    let mut fixture = Fixture::new();
    let set = fixture.set(3, 1000);
    let order = fixture.order(set, 2);
    let before = fixture.found(order).clone();
    fixture.pass_minutes(1);
    let after = fixture.step(order, OrderTransition::Canceled).unwrap().order;
    assert_eq!((after.lines.len(), &after.lines), (2, &before.lines));
    assert_eq!(after.totals().full.minor(), 2000);
    assert_eq!(after.reserved_till, before.reserved_till);
    assert_eq!(after.revision.number(), before.revision.number() + 1);
    assert_eq!(after.updated_at, fixture.now);
}

#[test]
fn an_order_holds_its_tickets_as_long_as_the_event_says() {
    let mut fixture = Fixture::new();
    let set = fixture.set(1, 1000);
    let usual = fixture.order(set, 1);
    assert_eq!(fixture.found(usual).reserved_till, NOON.plus_minutes(15));
    fixture.step(usual, OrderTransition::Canceled).unwrap();
    fixture.change_event(|event| event.hold_minutes = Patch::Set(40)).unwrap();
    let longer = fixture.order(set, 1);
    assert_eq!(fixture.found(longer).reserved_till, NOON.plus_minutes(40));
}

#[test]
fn a_payment_that_begins_prolongs_the_hold_to_thirty_minutes_from_now() {
    let mut fixture = Fixture::new();
    let set = fixture.set(1, 1000);
    let order = fixture.order(set, 1);
    fixture.pass_minutes(10);
    fixture.step(order, OrderTransition::AwaitingPayment).unwrap();
    let till = NOON.plus_minutes(10 + 30);
    assert_eq!(fixture.found(order).reserved_till, till);
    let ticket = fixture.lines(order)[0];
    assert_eq!(fixture.ticket(ticket).reserved_till(), Some(till));
}

#[test]
fn a_change_of_tickets_does_not_prolong_the_hold() {
    let mut fixture = Fixture::new();
    let set = fixture.set(3, 1000);
    let order = fixture.order(set, 1);
    fixture.pass_minutes(10);
    fixture.edit(order, random(&[(set, 2)])).unwrap();
    assert_eq!(fixture.found(order).reserved_till, NOON.plus_minutes(15));
    for ticket in fixture.lines(order) {
        assert_eq!(fixture.ticket(ticket).reserved_till(), Some(NOON.plus_minutes(15)));
    }
}

#[test]
fn a_paid_order_has_a_code_and_its_tickets_have_barcodes() {
    let mut fixture = Fixture::new();
    let set = fixture.set(2, 1000);
    let order = fixture.order(set, 2);
    fixture.pass_minutes(3);
    fixture.step(order, OrderTransition::Paid).unwrap();
    let OrderStatus::Paid { at, code } = fixture.found(order).status.clone() else { panic!("it is done") };
    assert_eq!(at, fixture.now);
    assert!(code.len() == 8 && code.bytes().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit()), "{code}");
    let barcodes: Vec<&str> = fixture.lines(order).into_iter().filter_map(|id| fixture.ticket(id).barcode()).collect();
    assert_eq!(barcodes.len(), 2);
    assert_ne!(barcodes[0], barcodes[1]);
    for barcode in barcodes {
        assert_eq!((barcode.len(), with_check_digit(&barcode[..15]).as_str()), (16, barcode));
    }
}

#[test]
fn an_order_without_a_ticket_is_never_done() {
    let mut fixture = Fixture::new();
    let set = fixture.set(1, 1000);
    let order = fixture.order(set, 1);
    let empty = OrderEdit { transition: Some(OrderTransition::Paid), ..tickets(&[]) };
    assert_eq!(fixture.edit(order, empty).unwrap_err(), Refusal::OrderEmpty);
    assert_eq!(fixture.lines(order).len(), 1, "the part that would have gone is undone, too");
}

#[test]
fn tickets_are_sent_only_where_there_is_an_address() {
    let mut fixture = Fixture::new();
    let set = fixture.set(1, 1000);
    let order = fixture.order(set, 1);
    let payment = PaymentPatch { send_tickets: Patch::Set(true), ..PaymentPatch::default() };
    fixture.edit(order, OrderEdit { payment: Some(payment), ..OrderEdit::default() }).unwrap();
    assert_eq!(fixture.step(order, OrderTransition::Paid).unwrap_err(), Refusal::CustomerEmailRequired);
    let customer = customer("ann@example.org");
    fixture.edit(order, OrderEdit { transition: Some(OrderTransition::Paid), ..customer }).unwrap();
    assert_eq!(fixture.state(order), OrderStatusKind::Paid);
}

#[test]
fn an_order_that_is_over_takes_no_change() {
    for state in [OrderStatusKind::Paid, OrderStatusKind::Canceled, OrderStatusKind::Expired, OrderStatusKind::Refunded]
    {
        let mut fixture = Fixture::new();
        let set = fixture.set(3, 1000);
        let order = fixture.order_in(state, set);
        let customer = customer("ann@example.org");
        let other_tickets = if fixture.found(order).lines.is_empty() { random(&[(set, 1)]) } else { tickets(&[]) };
        for edit in [random(&[(set, 2)]), other_tickets, customer, pays_by(PaymentSystem::CollectedByVendor)] {
            assert_eq!(fixture.edit(order, edit).unwrap_err(), Refusal::OrderFinal(state));
        }
    }
}

#[test]
fn what_an_order_is_already_changes_nothing_in_any_state() {
    for state in OrderStatusKind::ALL {
        let mut fixture = Fixture::new();
        let set = fixture.set(3, 1000);
        let order = fixture.order_in(state, set);
        let (row, books) = (fixture.found(order).clone(), fixture.books(set));
        let mails = fixture.view.mails.rows().count();
        fixture.pass_minutes(1);
        let held: Vec<TicketId> = row.lines.iter().map(|line| line.ticket).collect();
        let count = u32::try_from(held.len()).unwrap();
        let payment = PaymentPatch { system: row.payment.system.into(), ..PaymentPatch::default() };
        let remain = OrderTransition::Remain(state);
        let edits = [
            tickets(&held),
            random(&[(set, count)]),
            OrderEdit { customer: Some(CustomerPatch::clear()), ..OrderEdit::default() },
            OrderEdit { payment: Some(payment), ..OrderEdit::default() },
            OrderEdit { notes: Some(OrderNotesPatch::default()), ..OrderEdit::default() },
            OrderEdit { promocodes: Some(Vec::new()), hold_till: Some(row.reserved_till), ..OrderEdit::default() },
            OrderEdit { transition: Some(remain), ..tickets(&held) },
        ];
        for edit in edits {
            let same =
                fixture.edit(order, edit.clone()).unwrap_or_else(|refusal| panic!("{state}, {edit:?}: {refusal}"));
            assert_eq!((same.order, fixture.found(order)), (row.clone(), &row), "{state}, {edit:?}");
        }
        for other in OrderStatusKind::ALL.into_iter().filter(|other| *other != state) {
            let refusal = Refusal::OrderTransition { from: state, to: other };
            assert_eq!(fixture.edit(order, steps(OrderTransition::Remain(other))).unwrap_err(), refusal);
        }
        assert_eq!((fixture.books(set), fixture.view.mails.rows().count()), (books, mails), "{state}");
    }
}

#[test]
fn a_payment_that_has_begun_becomes_no_invitation() {
    let mut fixture = Fixture::new();
    let set = fixture.set(1, 1000);
    let order = fixture.order_in(OrderStatusKind::AwaitingPayment, set);
    let refusal = Refusal::OrderFinal(OrderStatusKind::AwaitingPayment);
    assert_eq!(fixture.edit(order, pays_by(PaymentSystem::Invitation)).unwrap_err(), refusal);
    fixture.edit(order, pays_by(PaymentSystem::CollectedByVendor)).expect("who takes the money may be named");
}

#[test]
fn no_order_is_paid_after_its_event_was_canceled() {
    use kassa_domain::event::EventStatus;
    for state in [OrderStatusKind::Reserved, OrderStatusKind::AwaitingPayment] {
        let mut fixture = Fixture::new();
        let set = fixture.set(1, 1000);
        let order = fixture.order_in(state, set);
        fixture.switch(EventStatus::Canceled);
        assert!(fixture.edit(order, steps(OrderTransition::Paid)).is_err(), "{state}");
        fixture.step(order, OrderTransition::Canceled).expect("it can be given up");
    }
}

#[test]
fn order_numbers_follow_each_other_and_a_used_up_block_is_leased_anew() {
    let mut fixture = Fixture::new();
    let set = fixture.set(3, 1000);
    let (first, second) = (fixture.order(set, 1), fixture.order(set, 1));
    assert_eq!(fixture.found(second).number, fixture.found(first).number + 1);
    fixture.node.order_numbers_end = fixture.node.next_order_number;
    assert_eq!(fixture.try_order(random(&[(set, 1)])).unwrap_err(), Refusal::Stale);
}

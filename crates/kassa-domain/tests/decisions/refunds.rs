//! Refund requests: who asks for what, what the organizer decides, and what becomes of order and tickets.

use kassa_domain::event::EventStatus;
use kassa_domain::order::{OrderId, OrderStatus, OrderStatusKind, OrderTransition};
use kassa_domain::refund::{
    Culprit, RefundId, RefundRefusal, RefundRequest, RefundStatus, RefundStatusKind, RefundTickets, RefundTransition,
    UpdateRefundRequest,
};
use kassa_domain::refusal::ForbiddenReason;
use kassa_domain::set::SetId;
use kassa_domain::ticket::TicketState;
use kassa_domain::{Actor, Money, Patch, Refusal};

use crate::fixture::{Fixture, codes, random, steps};

/// A fixture whose event starts in ten days, with a paid order of three tickets at 10.00 of a set of five.
pub(crate) fn sold() -> (Fixture, SetId, OrderId) {
    let mut fixture = Fixture::new();
    fixture.start_in_days(10);
    let set = fixture.set(5, 1000);
    let order = paid(&mut fixture, set, 3);
    (fixture, set, order)
}

pub(crate) fn paid(fixture: &mut Fixture, set: SetId, count: u32) -> OrderId {
    let order = fixture.order(set, count);
    fixture.step(order, OrderTransition::Paid).unwrap();
    order
}

pub(crate) fn refused(result: Result<RefundRequest, Refusal>) -> RefundRefusal {
    let refusal = result.unwrap_err();
    let Refusal::Refund(refusal) = refusal else { panic!("{refusal:?}") };
    refusal
}

#[test]
fn a_request_says_what_is_given_back_and_changes_nothing_yet() {
    let (mut fixture, set, order) = sold();
    let tickets = fixture.lines(order);
    let before = fixture.found(order).clone();
    let request = fixture.ask(order, Culprit::Customer, &tickets[..2]).unwrap();
    assert_eq!((request.state(), request.amounts().total().minor()), (RefundStatusKind::New, 2000));
    assert_eq!((request.organizer, request.vendor, request.event), (fixture.org, fixture.org, fixture.event));
    assert_eq!(request.other_tickets, tickets[2..]);
    assert_eq!((request.requested_at, request.finished_at()), (fixture.now, None));
    assert_eq!(*fixture.found(order), before);
    assert_eq!(fixture.books(set), "2 vacant, 3 sold");
    let back = request.amounts();
    assert_eq!(
        [back.organizer, back.agent(), back.platform].map(Money::minor),
        [1940, 0, 60],
        "each gives what it got"
    );
}

#[test]
fn what_is_approved_leaves_the_order_and_goes_on_sale_again() {
    let (mut fixture, set, order) = sold();
    let tickets = fixture.lines(order);
    let request = fixture.ask(order, Culprit::Customer, &tickets[..2]).unwrap().id;
    fixture.pass_minutes(5);
    let request = fixture.decide_on(request, RefundTransition::Approved).unwrap();
    assert_eq!(request.status, RefundStatus::Approved { at: fixture.now });
    let after = fixture.found(order);
    assert_eq!((after.state(), after.totals().full.minor()), (OrderStatusKind::Paid, 1000));
    assert_eq!((after.refunded.paid.minor(), after.refunded.returned.minor()), (2000, 2000));
    assert_eq!((fixture.lines(order), fixture.books(set).as_str()), (vec![tickets[2]], "4 vacant, 1 sold"));
    assert_eq!(fixture.found(order).updated_at, fixture.now);
    let all = paid(&mut fixture, set, 4);
    assert!(fixture.lines(all).contains(&tickets[0]), "it is sold again");
}

#[test]
fn an_order_is_refunded_when_its_last_ticket_goes() {
    let (mut fixture, _, order) = sold();
    let tickets = fixture.lines(order);
    let OrderStatus::Paid { at: paid_at, code } = fixture.found(order).status.clone() else { panic!("it is paid") };
    let first = fixture.ask(order, Culprit::Customer, &tickets[..1]).unwrap().id;
    let rest = fixture.ask(order, Culprit::Organizer, &tickets[1..]).unwrap().id;
    fixture.decide_on(rest, RefundTransition::Approved).unwrap();
    assert_eq!(fixture.state(order), OrderStatusKind::Paid);
    fixture.pass_minutes(1);
    fixture.decide_on(first, RefundTransition::Approved).unwrap();
    assert_eq!(fixture.found(order).status, OrderStatus::Refunded { at: fixture.now, paid_at, code });
    assert_eq!(fixture.found(order).lines, []);
    assert_eq!(fixture.found(order).totals().full, Money::ZERO);
    let (from, to) = (OrderStatusKind::Refunded, OrderStatusKind::Canceled);
    assert_eq!(fixture.step(order, OrderTransition::Canceled).unwrap_err(), Refusal::OrderTransition { from, to });
}

/// From each state, where each step leads, or why it leads nowhere.
const TRANSITIONS: &str = "
    from         in_progress  approved  rejected
    new          in_progress  approved  rejected
    in_progress  in_progress  approved  rejected
    approved     begin        approved  reject
    rejected     begin        approve   rejected
";

const STEPS: [RefundTransition; 3] =
    [RefundTransition::InProgress, RefundTransition::Approved, RefundTransition::Rejected];

/// A request led to a state.
fn request_in(fixture: &mut Fixture, order: OrderId, state: RefundStatusKind) -> RefundId {
    let ticket = fixture.lines(order)[0];
    let request = fixture.ask(order, Culprit::Customer, &[ticket]).unwrap().id;
    let step = match state {
        RefundStatusKind::New => return request,
        RefundStatusKind::InProgress => RefundTransition::InProgress,
        RefundStatusKind::Approved => RefundTransition::Approved,
        RefundStatusKind::Rejected => RefundTransition::Rejected,
    };
    fixture.decide_on(request, step).unwrap();
    request
}

#[test]
fn every_state_takes_the_steps_of_the_table_and_refuses_the_others() {
    let rows = TRANSITIONS.trim().lines().skip(1);
    let rows: Vec<Vec<&str>> = rows.map(|row| row.split_whitespace().collect()).collect();
    for (from, row) in RefundStatusKind::ALL.into_iter().zip(rows) {
        assert_eq!(row[0], from.name());
        for (step, expected) in STEPS.into_iter().zip(&row[1..]) {
            let (mut fixture, _, order) = sold();
            let request = request_in(&mut fixture, order, from);
            let before = fixture.request(request).clone();
            let result = fixture.decide_on(request, step);
            let found = match &result {
                Ok(request) => request.state().name(),
                Err(Refusal::Refund(RefundRefusal::CannotBeginPayment(state))) if *state == from => "begin",
                Err(Refusal::Refund(RefundRefusal::CannotApprove(state))) if *state == from => "approve",
                Err(Refusal::Refund(RefundRefusal::CannotReject(id))) if *id == request => "reject",
                Err(other) => panic!("{other:?}"),
            };
            assert_eq!(found, *expected, "{from}, {step:?}");
            let changes = result.is_ok() && before.state().name() != *expected;
            assert_eq!(
                *fixture.request(request) != before,
                changes,
                "neither a refusal nor what is so already changes"
            );
        }
        let (mut fixture, _, order) = sold();
        let request = request_in(&mut fixture, order, from);
        let again = fixture.decide_on(request, RefundTransition::RemainNew).map(|request| request.state());
        let refusal = Refusal::Refund(RefundRefusal::CannotReopen(from));
        assert_eq!(again, if from == RefundStatusKind::New { Ok(from) } else { Err(refusal) });
    }
}

#[test]
fn what_is_rejected_can_be_asked_for_again() {
    let (mut fixture, set, order) = sold();
    let before = fixture.found(order).clone();
    let request = fixture.ask_for_all(order, Culprit::Customer);
    fixture.decide_on(request, RefundTransition::Rejected).unwrap();
    assert_eq!((fixture.found(order), fixture.books(set).as_str()), (&before, "2 vacant, 3 sold"));
    fixture.ask_for_all(order, Culprit::Organizer);
}

#[test]
fn no_ticket_is_in_two_open_requests() {
    for state in [RefundStatusKind::New, RefundStatusKind::InProgress] {
        let (mut fixture, _, order) = sold();
        let tickets = fixture.lines(order);
        request_in(&mut fixture, order, state);
        for culprit in [Culprit::Customer, Culprit::Organizer] {
            assert_eq!(refused(fixture.ask(order, culprit, &tickets[..2])), RefundRefusal::TicketsTaken);
        }
        fixture.ask(order, Culprit::Customer, &tickets[1..]).expect("the others are free");
    }
}

#[test]
fn only_tickets_of_the_order_are_given_back() {
    let (mut fixture, set, order) = sold();
    let other = paid(&mut fixture, set, 1);
    let (own, foreign) = (fixture.lines(order), fixture.lines(other)[0]);
    let organizer = fixture.organizer();
    let cases = [
        (RefundTickets::Tickets(vec![]), RefundRefusal::NoTickets),
        (RefundTickets::AllExcept(own.clone()), RefundRefusal::AllTicketsKept),
        (RefundTickets::Tickets(vec![foreign]), RefundRefusal::InvalidTickets),
        (RefundTickets::AllExcept(vec![own[0], foreign]), RefundRefusal::InvalidTickets),
        (RefundTickets::Tickets(vec![own[0], own[0]]), RefundRefusal::InvalidTickets),
        (RefundTickets::Tickets([own.clone(), own.clone()].concat()), RefundRefusal::InvalidTickets),
    ];
    for (tickets, refusal) in cases {
        assert_eq!(refused(fixture.ask_as(&organizer, order, (Culprit::Organizer, tickets))), refusal);
    }
    let rest = RefundTickets::AllExcept(own[..1].to_vec());
    let request = fixture.ask_as(&organizer, order, (Culprit::Organizer, rest)).unwrap();
    assert_eq!(request.lines.iter().map(|line| line.line.ticket).collect::<Vec<_>>(), own[1..]);
    assert_eq!(request.other_tickets, own[..1]);
}

#[test]
fn only_what_is_paid_is_given_back() {
    for state in OrderStatusKind::ALL.into_iter().filter(|state| *state != OrderStatusKind::Paid) {
        let mut fixture = Fixture::new();
        fixture.start_in_days(10);
        let set = fixture.set(2, 1000);
        let order = fixture.order_in(state, set);
        let all = (Culprit::Organizer, RefundTickets::AllExcept(Vec::new()));
        let refusal = refused(fixture.ask_as(&fixture.organizer(), order, all));
        assert_eq!(refusal, RefundRefusal::OrderNotPaid { order, status: state });
    }
}

#[test]
fn who_asks_and_who_decides() {
    let (mut fixture, set, _) = sold();
    let agent = fixture.agent_at(90, 10);
    let order = fixture.sell_as(agent, random(&[(set, 1)]));
    let (organizer, vendor, stranger) = (fixture.organizer(), Actor::Partner(agent), Actor::Partner(fixture.partner()));
    let ask = |fixture: &mut Fixture, actor: &Actor| {
        fixture.ask_as(actor, order, (Culprit::Customer, RefundTickets::AllExcept(Vec::new())))
    };
    assert_eq!(refused(ask(&mut fixture, &stranger)), RefundRefusal::OrderUnknown(order));
    assert_eq!(ask(&mut fixture, &Actor::Anonymous).unwrap_err(), Refusal::CredentialRequired);
    for asks in [&organizer, &vendor] {
        let request = ask(&mut fixture, asks).unwrap().id;
        for step in STEPS {
            assert_eq!(
                fixture.decide_as(&vendor, request, step).unwrap_err(),
                Refusal::Forbidden(ForbiddenReason::RefundOrganizerOnly)
            );
            let unknown = Refusal::NotFound("refund request");
            assert_eq!(fixture.decide_as(&stranger, request, step).unwrap_err(), unknown);
            assert_eq!(fixture.decide_as(&Actor::Anonymous, request, step).unwrap_err(), Refusal::CredentialRequired);
        }
        fixture.decide_on(request, RefundTransition::Rejected).unwrap();
    }
}

#[test]
fn an_agents_sale_is_given_back_by_all_who_shared_it() {
    let (mut fixture, set, _) = sold();
    let agent = fixture.agent_at(90, 10);
    let parts = |fixture: &Fixture, refund: RefundId| {
        let back = fixture.request(refund).amounts();
        [back.total(), back.surcharge, back.organizer, back.agent(), back.platform].map(Money::minor)
    };
    fixture.keep_percent(50);
    let order = fixture.sell_as(agent, random(&[(set, 1)]));
    let by_user = fixture.ask_for_all(order, Culprit::Customer);
    assert_eq!(parts(&fixture, by_user), [500, 0, 450, 35, 15], "the extra stays");
    fixture.decide_on(by_user, RefundTransition::Rejected).unwrap();
    let by_org = fixture.ask_for_all(order, Culprit::Organizer);
    assert_eq!(parts(&fixture, by_org), [1100, 100, 900, 170, 30], "all that was paid");
}

#[test]
fn a_discount_is_not_given_back() {
    let (mut fixture, set, _) = sold();
    let promocode = fixture.promocode("SPRING", |_| ());
    let order = fixture.try_order(random(&[(set, 2)])).unwrap().order.id;
    fixture.edit(order, codes(&["SPRING"])).unwrap();
    fixture.step(order, OrderTransition::Paid).unwrap();
    let request = fixture.ask_for_all(order, Culprit::Organizer);
    assert_eq!(fixture.request(request).amounts().total().minor(), 1400);
    fixture.decide_on(request, RefundTransition::Approved).unwrap();
    assert_eq!(fixture.uses(promocode), "0 reserved, 1 used", "its use stays used up");
    assert_eq!(fixture.found(order).promocodes, [promocode]);
}

#[test]
fn a_refunded_seat_that_is_sold_again_has_one_valid_barcode() {
    let mut fixture = Fixture::new();
    fixture.start_in_days(10);
    let hall = fixture.hall(r#"{"1": [[1, 1]]}"#);
    let seat = fixture.at(hall, "1", 1);
    let mut seen: Vec<String> = Vec::new();
    for _ in 0..3 {
        let order = paid(&mut fixture, hall, 1);
        let barcode = fixture.ticket(seat).barcode().expect("it is sold").to_owned();
        assert!(!seen.contains(&barcode), "a dead barcode stays dead");
        seen.push(barcode);
        let request = fixture.ask_for_all(order, Culprit::Customer);
        fixture.decide_on(request, RefundTransition::Approved).unwrap();
        assert_eq!(fixture.ticket(seat).state, TicketState::Vacant);
    }
    paid(&mut fixture, hall, 1);
    let valid = fixture.view.tickets.rows().filter(|ticket| ticket.barcode().is_some());
    assert_eq!(valid.count(), 1);
    assert!(!seen.contains(&fixture.ticket(seat).barcode().unwrap().to_owned()));
}

#[test]
fn only_the_organizer_is_to_blame_for_a_canceled_event() {
    let (mut fixture, _, order) = sold();
    let ticket = fixture.lines(order)[0];
    fixture.switch(EventStatus::Canceled);
    assert_eq!(refused(fixture.ask(order, Culprit::Customer, &[ticket])), RefundRefusal::OrganizerCulpritOnly);
    fixture.ask(order, Culprit::Organizer, &[ticket]).unwrap();
}

#[test]
fn a_request_that_began_before_the_cancellation_is_not_approved_in_its_terms() {
    let (mut fixture, _, order) = sold();
    let request = fixture.ask_for_all(order, Culprit::Customer);
    fixture.switch(EventStatus::Canceled);
    assert_eq!(refused(fixture.decide_on(request, RefundTransition::Approved)), RefundRefusal::OrganizerCulpritOnly);
}

#[test]
fn a_word_about_a_request_is_kept() {
    let (mut fixture, _, order) = sold();
    let refund = fixture.ask_for_all(order, Culprit::Customer);
    let RefundRequest { order, event, revision, .. } = *fixture.request(refund);
    let nothing = UpdateRefundRequest { refund, order, event, transition: None, reason: Patch::Keep };
    let organizer = fixture.organizer();
    assert_eq!(fixture.give(&organizer, &nothing).unwrap().revision, revision, "nothing is asked for");
    let (step, reason) = (Some(RefundTransition::Rejected), Patch::Set("Sold out".to_owned()));
    let rejected = fixture.give(&organizer, &UpdateRefundRequest { transition: step, reason, ..nothing }).unwrap();
    assert_eq!((rejected.reason.as_deref(), rejected.revision.number()), (Some("Sold out"), revision.number() + 1));
}

#[test]
fn what_was_given_back_leaves_nothing_in_the_way_of_a_removal() {
    let (mut fixture, set, order) = sold();
    let request = fixture.ask_for_all(order, Culprit::Organizer);
    fixture.decide_on(request, RefundTransition::Approved).unwrap();
    assert_eq!(fixture.books(set), "5 vacant");
    fixture.resize(set, 0).expect("nobody has a ticket");
    assert!(fixture.edit(order, steps(OrderTransition::Paid)).is_err());
}

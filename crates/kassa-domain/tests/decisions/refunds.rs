//! Refund requests: who asks for what and when, what the organizer decides, and what becomes of order
//! and tickets.

use kassa_domain::event::EventStatus;
use kassa_domain::order::{OrderId, OrderStatus, OrderStatusKind, OrderTransition};
use kassa_domain::partner::{PartnerPatch, PartnerProfilePatch, UpdatePartner};
use kassa_domain::refund::{
    CreateRefundRequest, Culprit, RefundId, RefundPolicy, RefundPolicyPatch, RefundRefusal, RefundRequest,
    RefundStatus, RefundStatusKind, RefundTickets, RefundTransition, UpdateRefundRequest,
};
use kassa_domain::refusal::ForbiddenReason;
use kassa_domain::set::SetId;
use kassa_domain::ticket::TicketState;
use kassa_domain::{Actor, Money, Patch, Percent, Refusal, Timestamp};

use crate::house::{House, codes, random, steps};

/// A house whose event starts in ten days, with a paid order of three tickets at 10.00 of a set of five.
fn sold() -> (House, SetId, OrderId) {
    let mut house = House::new();
    house.start_in_days(10);
    let set = house.set(5, 1000);
    let order = paid(&mut house, set, 3);
    (house, set, order)
}

fn paid(house: &mut House, set: SetId, count: u32) -> OrderId {
    let order = house.order(set, count);
    house.step(order, OrderTransition::Paid).unwrap();
    order
}

fn refused(result: Result<RefundRequest, Refusal>) -> RefundRefusal {
    let refusal = result.unwrap_err();
    let Refusal::Refund(refusal) = refusal else { panic!("{refusal:?}") };
    refusal
}

#[test]
fn a_request_says_what_is_given_back_and_changes_nothing_yet() {
    let (mut house, set, order) = sold();
    let tickets = house.lines(order);
    let before = house.found(order).clone();
    let request = house.ask(order, Culprit::Customer, &tickets[..2]).unwrap();
    assert_eq!((request.state(), request.amounts().total().minor()), (RefundStatusKind::New, 2000));
    assert_eq!((request.organizer, request.vendor, request.event), (house.org, house.org, house.event));
    assert_eq!(request.other_tickets, tickets[2..]);
    assert_eq!((request.requested_at, request.finished_at()), (house.now, None));
    assert_eq!(*house.found(order), before);
    assert_eq!(house.books(set), "2 vacant, 3 sold");
    let back = request.amounts();
    assert_eq!(
        [back.organizer, back.agent(), back.platform].map(Money::minor),
        [1940, 0, 60],
        "each gives what it got"
    );
}

#[test]
fn what_is_approved_leaves_the_order_and_goes_on_sale_again() {
    let (mut house, set, order) = sold();
    let tickets = house.lines(order);
    let request = house.ask(order, Culprit::Customer, &tickets[..2]).unwrap().id;
    house.pass_minutes(5);
    let request = house.decide_on(request, RefundTransition::Approved).unwrap();
    assert_eq!(request.status, RefundStatus::Approved { at: house.now });
    let after = house.found(order);
    assert_eq!((after.state(), after.totals().full.minor()), (OrderStatusKind::Paid, 1000));
    assert_eq!((after.refunded.paid.minor(), after.refunded.returned.minor()), (2000, 2000));
    assert_eq!((house.lines(order), house.books(set).as_str()), (vec![tickets[2]], "4 vacant, 1 sold"));
    assert_eq!(house.found(order).updated_at, house.now);
    let all = paid(&mut house, set, 4);
    assert!(house.lines(all).contains(&tickets[0]), "it is sold again");
}

#[test]
fn an_order_is_refunded_when_its_last_ticket_goes() {
    let (mut house, _, order) = sold();
    let tickets = house.lines(order);
    let OrderStatus::Paid { at: paid_at, code } = house.found(order).status.clone() else { panic!("it is paid") };
    let first = house.ask(order, Culprit::Customer, &tickets[..1]).unwrap().id;
    let rest = house.ask(order, Culprit::Organizer, &tickets[1..]).unwrap().id;
    house.decide_on(rest, RefundTransition::Approved).unwrap();
    assert_eq!(house.state(order), OrderStatusKind::Paid);
    house.pass_minutes(1);
    house.decide_on(first, RefundTransition::Approved).unwrap();
    assert_eq!(house.found(order).status, OrderStatus::Refunded { at: house.now, paid_at, code });
    assert_eq!(house.found(order).lines, []);
    assert_eq!(house.found(order).totals().full, Money::ZERO);
    let (from, to) = (OrderStatusKind::Refunded, OrderStatusKind::Canceled);
    assert_eq!(house.step(order, OrderTransition::Canceled).unwrap_err(), Refusal::OrderTransition { from, to });
}

/// From each state, where each step leads, or why it leads nowhere.
const TRANSITIONS: &str = "
    from         in_progress  approved  rejected
    new          in_progress  approved  rejected
    in_progress  begin        approved  rejected
    approved     begin        approve   reject
    rejected     begin        approve   reject
";

const STEPS: [RefundTransition; 3] =
    [RefundTransition::InProgress, RefundTransition::Approved, RefundTransition::Rejected];

/// A request led to a state.
fn request_in(house: &mut House, order: OrderId, state: RefundStatusKind) -> RefundId {
    let ticket = house.lines(order)[0];
    let request = house.ask(order, Culprit::Customer, &[ticket]).unwrap().id;
    let step = match state {
        RefundStatusKind::New => return request,
        RefundStatusKind::InProgress => RefundTransition::InProgress,
        RefundStatusKind::Approved => RefundTransition::Approved,
        RefundStatusKind::Rejected => RefundTransition::Rejected,
    };
    house.decide_on(request, step).unwrap();
    request
}

#[test]
fn every_state_takes_the_steps_of_the_table_and_refuses_the_others() {
    let rows = TRANSITIONS.trim().lines().skip(1);
    let rows: Vec<Vec<&str>> = rows.map(|row| row.split_whitespace().collect()).collect();
    for (from, row) in RefundStatusKind::ALL.into_iter().zip(rows) {
        assert_eq!(row[0], from.name());
        for (step, expected) in STEPS.into_iter().zip(&row[1..]) {
            let (mut house, _, order) = sold();
            let request = request_in(&mut house, order, from);
            let before = house.request(request).clone();
            let result = house.decide_on(request, step);
            let found = match &result {
                Ok(request) => request.state().name(),
                Err(Refusal::Refund(RefundRefusal::CannotBeginPayment(state))) if *state == from => "begin",
                Err(Refusal::Refund(RefundRefusal::CannotApprove(state))) if *state == from => "approve",
                Err(Refusal::Refund(RefundRefusal::CannotReject(id))) if *id == request => "reject",
                Err(other) => panic!("{other:?}"),
            };
            assert_eq!(found, *expected, "{from}, {step:?}");
            assert!(result.is_ok() || *house.request(request) == before, "a refusal changes nothing");
        }
    }
}

#[test]
fn what_is_rejected_can_be_asked_for_again() {
    let (mut house, set, order) = sold();
    let before = house.found(order).clone();
    let request = house.ask_for_all(order, Culprit::Customer);
    house.decide_on(request, RefundTransition::Rejected).unwrap();
    assert_eq!((house.found(order), house.books(set).as_str()), (&before, "2 vacant, 3 sold"));
    house.ask_for_all(order, Culprit::Organizer);
}

#[test]
fn no_ticket_is_in_two_open_requests() {
    for state in [RefundStatusKind::New, RefundStatusKind::InProgress] {
        let (mut house, _, order) = sold();
        let tickets = house.lines(order);
        request_in(&mut house, order, state);
        for culprit in Culprit::ALL {
            assert_eq!(refused(house.ask(order, culprit, &tickets[..2])), RefundRefusal::TicketsTaken);
        }
        house.ask(order, Culprit::Customer, &tickets[1..]).expect("the others are free");
    }
}

#[test]
fn only_tickets_of_the_order_are_given_back() {
    let (mut house, set, order) = sold();
    let other = paid(&mut house, set, 1);
    let (own, foreign) = (house.lines(order), house.lines(other)[0]);
    let organizer = house.organizer();
    let cases = [
        (RefundTickets::Tickets(vec![]), RefundRefusal::NoTickets),
        (RefundTickets::AllExcept(own.clone()), RefundRefusal::AllTicketsKept),
        (RefundTickets::Tickets(vec![foreign]), RefundRefusal::InvalidTickets),
        (RefundTickets::AllExcept(vec![own[0], foreign]), RefundRefusal::InvalidTickets),
        (RefundTickets::Tickets(vec![own[0], own[0]]), RefundRefusal::InvalidTickets),
        (RefundTickets::Tickets([own.clone(), own.clone()].concat()), RefundRefusal::InvalidTickets),
    ];
    for (tickets, refusal) in cases {
        assert_eq!(refused(house.ask_as(&organizer, order, (Culprit::Organizer, tickets))), refusal);
    }
    let rest = RefundTickets::AllExcept(own[..1].to_vec());
    let request = house.ask_as(&organizer, order, (Culprit::Organizer, rest)).unwrap();
    assert_eq!(request.lines.iter().map(|line| line.line.ticket).collect::<Vec<_>>(), own[1..]);
    assert_eq!(request.other_tickets, own[..1]);
}

#[test]
fn only_what_is_paid_is_given_back() {
    for state in OrderStatusKind::ALL.into_iter().filter(|state| *state != OrderStatusKind::Paid) {
        let mut house = House::new();
        house.start_in_days(10);
        let set = house.set(2, 1000);
        let order = house.order_in(state, set);
        let all = (Culprit::Organizer, RefundTickets::AllExcept(Vec::new()));
        let refusal = refused(house.ask_as(&house.organizer(), order, all));
        assert_eq!(refusal, RefundRefusal::OrderNotPaid { order, status: state });
    }
}

#[test]
fn who_asks_and_who_decides() {
    let (mut house, set, _) = sold();
    let agent = house.agent_at(90, 10);
    let order = house.sell_as(agent, random(&[(set, 1)]));
    let (organizer, vendor, stranger) = (house.organizer(), Actor::Partner(agent), Actor::Partner(house.partner()));
    let ask = |house: &mut House, actor: &Actor| {
        house.ask_as(actor, order, (Culprit::Customer, RefundTickets::AllExcept(Vec::new())))
    };
    assert_eq!(refused(ask(&mut house, &stranger)), RefundRefusal::OrderUnknown(order));
    assert_eq!(ask(&mut house, &Actor::Anonymous).unwrap_err(), Refusal::CredentialRequired);
    for asks in [&organizer, &vendor] {
        let request = ask(&mut house, asks).unwrap().id;
        for step in STEPS {
            assert_eq!(
                house.decide_as(&vendor, request, step).unwrap_err(),
                Refusal::Forbidden(ForbiddenReason::RefundOrganizerOnly)
            );
            let unknown = Refusal::NotFound("refund request");
            assert_eq!(house.decide_as(&stranger, request, step).unwrap_err(), unknown);
            assert_eq!(house.decide_as(&Actor::Anonymous, request, step).unwrap_err(), Refusal::CredentialRequired);
        }
        house.decide_on(request, RefundTransition::Rejected).unwrap();
    }
}

#[test]
fn customers_ask_as_early_as_the_policy_says() {
    let policy = |days_before, after_start| RefundPolicy { days_before, after_start, ..RefundPolicy::default() };
    let (started, ended, too_late) = (RefundRefusal::EventStarted, RefundRefusal::EventEnded, RefundRefusal::TooLate);
    // The event starts after ten days and ends after twelve.
    let cases = [
        (policy(0, false), 9, None),
        (policy(0, false), 10, Some(started.clone())),
        (policy(3, false), 7, None),
        (policy(3, false), 8, Some(too_late(3))),
        (policy(3, false), 10, Some(started)),
        (policy(3, true), 8, None),
        (policy(0, true), 11, None),
        (policy(0, true), 12, Some(ended)),
    ];
    for (policy, days, expected) in cases {
        let mut house = House::new();
        house.start_in_days(10);
        let (days_before, after_start) = (Patch::Set(policy.days_before), Patch::Set(policy.after_start));
        house.set_policy(RefundPolicyPatch { retained: Patch::Keep, days_before, after_start });
        let set = house.set(1, 1000);
        let order = paid(&mut house, set, 1);
        house.pass_days(days);
        let ticket = house.lines(order);
        let by_customer = house.ask(order, Culprit::Customer, &ticket);
        match &expected {
            None => assert_eq!(by_customer.unwrap().state(), RefundStatusKind::New, "{policy:?}, day {days}"),
            Some(refusal) => assert_eq!(refused(by_customer), *refusal, "{policy:?}, day {days}"),
        }
        if expected.is_some() {
            house.ask(order, Culprit::Organizer, &ticket).expect("the organizer makes good at any time");
        }
    }
}

#[test]
fn an_event_without_a_date_takes_tickets_back_at_any_time() {
    let mut house = House::new();
    house.change_event(|event| event.lifetime = Patch::Clear).unwrap();
    let set = house.set(1, 1000);
    let order = paid(&mut house, set, 1);
    house.pass_days(1000);
    house.ask_for_all(order, Culprit::Customer);
}

#[test]
fn it_counts_when_the_customer_asked() {
    let (mut house, _, order) = sold();
    let paid_at = house.now;
    let event = house.event;
    let ask = |house: &mut House, at: Timestamp| {
        let ticket = house.lines(order)[0];
        let (culprit, tickets) = (Culprit::Customer, RefundTickets::Tickets(vec![ticket]));
        let command = CreateRefundRequest { order, event, culprit, tickets, requested_at: Some(at), reason: None };
        house.give(&house.organizer(), &command)
    };
    house.pass_days(11);
    let now = house.now;
    assert_eq!(refused(ask(&mut house, now)), RefundRefusal::EventStarted);
    assert_eq!(refused(ask(&mut house, now.plus_ms(1))), RefundRefusal::InvalidRequestTime);
    assert_eq!(refused(ask(&mut house, paid_at.plus_ms(-1000))), RefundRefusal::InvalidRequestTime);
    let request = ask(&mut house, paid_at).unwrap();
    assert_eq!((request.requested_at, request.created_at), (paid_at, house.now));
    house.decide_on(request.id, RefundTransition::Rejected).unwrap();
    house.pass_days(2);
    assert_eq!(refused(ask(&mut house, paid_at)), RefundRefusal::EventEnded, "the event is over by now");
}

#[test]
fn the_policy_at_sale_counts() {
    let (mut house, set, before) = sold();
    let percent = Percent::from_percent;
    let usual = RefundPolicyPatch { retained: Patch::Set(percent(20)), ..RefundPolicyPatch::default() };
    let profile = PartnerProfilePatch { refund_policy: Patch::Set(usual), ..PartnerProfilePatch::default() };
    let patch = PartnerPatch { profile, ..PartnerPatch::default() };
    let (organizer, org) = (house.organizer(), house.org);
    house.give(&organizer, &UpdatePartner { partner: org, patch, users: None }).unwrap();
    let by_partner = house.order(set, 1);
    house.keep_percent(30);
    let by_event = paid(&mut house, set, 1);
    house.step(by_partner, OrderTransition::Paid).unwrap();
    house.change_event(|event| event.details.refund_policy = Patch::Clear).unwrap();
    let back = [(before, 0, 3000), (by_partner, 20, 800), (by_event, 30, 700)];
    for (order, kept, minor) in back {
        let request = house.ask_for_all(order, Culprit::Customer);
        let request = house.request(request);
        assert_eq!((request.policy.retained, request.amounts().total().minor()), (percent(kept), minor));
    }
}

#[test]
fn a_policy_changes_key_by_key() {
    let mut house = House::new();
    let policy = |house: &House| house.view.events.get(house.event).unwrap().details.refund_policy;
    assert_eq!(policy(&house), None);
    house.keep_percent(10);
    house.set_policy(RefundPolicyPatch { days_before: Patch::Set(3), ..RefundPolicyPatch::default() });
    house.set_policy(RefundPolicyPatch { after_start: Patch::Set(true), ..RefundPolicyPatch::default() });
    let kept = Percent::from_units(100_000);
    assert_eq!(policy(&house), Some(RefundPolicy { retained: kept, days_before: 3, after_start: true }));
    house.set_policy(RefundPolicyPatch {
        retained: Patch::Clear,
        after_start: Patch::Clear,
        ..RefundPolicyPatch::default()
    });
    assert_eq!(policy(&house), Some(RefundPolicy { days_before: 3, ..RefundPolicy::default() }));
    house.change_event(|event| event.details.refund_policy = Patch::Clear).unwrap();
    assert_eq!(policy(&house), None);
}

#[test]
fn an_agents_sale_is_given_back_by_all_who_shared_it() {
    let (mut house, set, _) = sold();
    let agent = house.agent_at(90, 10);
    let parts = |house: &House, refund: RefundId| {
        let back = house.request(refund).amounts();
        [back.total(), back.surcharge, back.organizer, back.agent(), back.platform].map(Money::minor)
    };
    house.keep_percent(50);
    let order = house.sell_as(agent, random(&[(set, 1)]));
    let by_user = house.ask_for_all(order, Culprit::Customer);
    assert_eq!(parts(&house, by_user), [500, 0, 450, 35, 15], "the extra stays");
    house.decide_on(by_user, RefundTransition::Rejected).unwrap();
    let by_org = house.ask_for_all(order, Culprit::Organizer);
    assert_eq!(parts(&house, by_org), [1100, 100, 900, 170, 30], "all that was paid");
}

#[test]
fn a_discount_is_not_given_back() {
    let (mut house, set, _) = sold();
    let promocode = house.promocode("SPRING", |_| ());
    let order = house.try_order(random(&[(set, 2)])).unwrap().order.id;
    house.edit(order, codes(&["SPRING"])).unwrap();
    house.step(order, OrderTransition::Paid).unwrap();
    let request = house.ask_for_all(order, Culprit::Organizer);
    assert_eq!(house.request(request).amounts().total().minor(), 1400);
    house.decide_on(request, RefundTransition::Approved).unwrap();
    assert_eq!(house.uses(promocode), "0 reserved, 1 used", "its use stays used up");
    assert_eq!(house.found(order).promocodes, [promocode]);
}

#[test]
fn a_refunded_seat_that_is_sold_again_has_one_valid_barcode() {
    let mut house = House::new();
    house.start_in_days(10);
    let hall = house.hall(r#"{"1": [[1, 1]]}"#);
    let seat = house.at(hall, "1", 1);
    let mut seen: Vec<String> = Vec::new();
    for _ in 0..3 {
        let order = paid(&mut house, hall, 1);
        let barcode = house.ticket(seat).barcode().expect("it is sold").to_owned();
        assert!(!seen.contains(&barcode), "a dead barcode stays dead");
        seen.push(barcode);
        let request = house.ask_for_all(order, Culprit::Customer);
        house.decide_on(request, RefundTransition::Approved).unwrap();
        assert_eq!(house.ticket(seat).state, TicketState::Vacant);
    }
    paid(&mut house, hall, 1);
    let valid = house.view.tickets.rows().filter(|ticket| ticket.barcode().is_some());
    assert_eq!(valid.count(), 1);
    assert!(!seen.contains(&house.ticket(seat).barcode().unwrap().to_owned()));
}

#[test]
fn what_a_customer_wants_is_not_granted_once_the_event_is_over() {
    let cases = [(Culprit::Customer, Some(RefundRefusal::EventFinished)), (Culprit::Organizer, None)];
    for (culprit, expected) in cases {
        for step in [RefundTransition::InProgress, RefundTransition::Approved] {
            let (mut house, _, order) = sold();
            let request = house.ask_for_all(order, culprit);
            house.pass_days(12);
            match (&expected, house.decide_on(request, step)) {
                (Some(refusal), result) => assert_eq!(refused(result), *refusal),
                (None, result) => drop(result.unwrap()),
            }
        }
        let (mut house, _, order) = sold();
        let request = house.ask_for_all(order, culprit);
        house.decide_on(request, RefundTransition::InProgress).unwrap();
        house.pass_days(12);
        house.decide_on(request, RefundTransition::Approved).expect("the money is on its way");
    }
}

#[test]
fn only_the_organizer_is_to_blame_for_a_canceled_event() {
    let (mut house, _, order) = sold();
    let ticket = house.lines(order)[0];
    house.switch(EventStatus::Canceled);
    assert_eq!(refused(house.ask(order, Culprit::Customer, &[ticket])), RefundRefusal::OrganizerCulpritOnly);
    house.ask(order, Culprit::Organizer, &[ticket]).unwrap();
}

#[test]
fn a_request_that_began_before_the_cancellation_is_not_approved_in_its_terms() {
    let (mut house, _, order) = sold();
    let request = house.ask_for_all(order, Culprit::Customer);
    house.switch(EventStatus::Canceled);
    assert_eq!(refused(house.decide_on(request, RefundTransition::Approved)), RefundRefusal::OrganizerCulpritOnly);
}

#[test]
fn a_word_about_a_request_is_kept() {
    let (mut house, _, order) = sold();
    let refund = house.ask_for_all(order, Culprit::Customer);
    let RefundRequest { order, event, revision, .. } = *house.request(refund);
    let nothing = UpdateRefundRequest { refund, order, event, transition: None, reason: Patch::Keep };
    let organizer = house.organizer();
    assert_eq!(house.give(&organizer, &nothing).unwrap().revision, revision, "nothing is asked for");
    let (step, reason) = (Some(RefundTransition::Rejected), Patch::Set("Sold out".to_owned()));
    let rejected = house.give(&organizer, &UpdateRefundRequest { transition: step, reason, ..nothing }).unwrap();
    assert_eq!((rejected.reason.as_deref(), rejected.revision), (Some("Sold out"), revision + 1));
}

#[test]
fn what_was_given_back_leaves_nothing_in_the_way_of_a_removal() {
    let (mut house, set, order) = sold();
    let request = house.ask_for_all(order, Culprit::Organizer);
    house.decide_on(request, RefundTransition::Approved).unwrap();
    assert_eq!(house.books(set), "5 vacant");
    house.resize(set, 0).expect("nobody has a ticket");
    assert!(house.edit(order, steps(OrderTransition::Paid)).is_err());
}

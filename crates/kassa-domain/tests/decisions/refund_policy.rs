//! Refund policies: until when customers may ask for a refund, and how much is retained.

use kassa_domain::order::OrderTransition;
use kassa_domain::partner::{PartnerPatch, PartnerProfilePatch, UpdatePartner};
use kassa_domain::refund::{
    CreateRefundRequest, Culprit, RefundPolicy, RefundPolicyPatch, RefundRefusal, RefundStatusKind, RefundTickets,
    RefundTransition,
};
use kassa_domain::{Patch, Percent, Timestamp};

use crate::fixture::Fixture;
use crate::refunds::{paid, refused, sold};

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
        let mut fixture = Fixture::new();
        fixture.start_in_days(10);
        let (days_before, after_start) = (Patch::Set(policy.days_before), Patch::Set(policy.after_start));
        fixture.set_policy(RefundPolicyPatch { retained: Patch::Keep, days_before, after_start });
        let set = fixture.set(1, 1000);
        let order = paid(&mut fixture, set, 1);
        fixture.pass_days(days);
        let ticket = fixture.lines(order);
        let by_customer = fixture.ask(order, Culprit::Customer, &ticket);
        match &expected {
            None => assert_eq!(by_customer.unwrap().state(), RefundStatusKind::New, "{policy:?}, day {days}"),
            Some(refusal) => assert_eq!(refused(by_customer), *refusal, "{policy:?}, day {days}"),
        }
        if expected.is_some() {
            fixture.ask(order, Culprit::Organizer, &ticket).expect("the organizer makes good at any time");
        }
    }
}

#[test]
fn an_event_without_a_date_takes_tickets_back_at_any_time() {
    let mut fixture = Fixture::new();
    fixture.forget_lifetime();
    let set = fixture.set(1, 1000);
    let order = paid(&mut fixture, set, 1);
    fixture.pass_days(1000);
    fixture.ask_for_all(order, Culprit::Customer);
}

#[test]
fn the_time_of_the_request_counts() {
    let (mut fixture, _, order) = sold();
    let paid_at = fixture.now;
    let event = fixture.event;
    let ask = |fixture: &mut Fixture, at: Timestamp| {
        let ticket = fixture.lines(order)[0];
        let (culprit, tickets) = (Culprit::Customer, RefundTickets::Tickets(vec![ticket]));
        let command = CreateRefundRequest { order, event, culprit, tickets, requested_at: Some(at), reason: None };
        fixture.give(&fixture.organizer(), &command)
    };
    fixture.pass_days(11);
    let now = fixture.now;
    assert_eq!(refused(ask(&mut fixture, now)), RefundRefusal::EventStarted);
    assert_eq!(refused(ask(&mut fixture, now.plus_ms(1))), RefundRefusal::InvalidRequestTime);
    assert_eq!(refused(ask(&mut fixture, paid_at.plus_ms(-1000))), RefundRefusal::InvalidRequestTime);
    let request = ask(&mut fixture, paid_at).unwrap();
    assert_eq!((request.requested_at, request.created_at), (paid_at, fixture.now));
    fixture.decide_on(request.id, RefundTransition::Rejected).unwrap();
    fixture.pass_days(2);
    assert_eq!(refused(ask(&mut fixture, paid_at)), RefundRefusal::EventEnded, "the event is over by now");
}

#[test]
fn the_policy_at_sale_counts() {
    let (mut fixture, set, before) = sold();
    let percent = Percent::from_percent;
    let usual = RefundPolicyPatch { retained: Patch::Set(percent(20)), ..RefundPolicyPatch::default() };
    let profile = PartnerProfilePatch { refund_policy: Patch::Set(usual), ..PartnerProfilePatch::default() };
    let patch = PartnerPatch { profile, ..PartnerPatch::default() };
    let (organizer, org) = (fixture.organizer(), fixture.org);
    fixture.give(&organizer, &UpdatePartner { partner: org, patch, users: None }).unwrap();
    let by_partner = fixture.order(set, 1);
    fixture.keep_percent(30);
    let by_event = paid(&mut fixture, set, 1);
    fixture.step(by_partner, OrderTransition::Paid).unwrap();
    fixture.change_event(|event| event.details.refund_policy = Patch::Clear).unwrap();
    let back = [(before, 0, 3000), (by_partner, 20, 800), (by_event, 30, 700)];
    for (order, kept, minor) in back {
        let request = fixture.ask_for_all(order, Culprit::Customer);
        let request = fixture.request(request);
        assert_eq!((request.policy.retained, request.amounts().total().minor()), (percent(kept), minor));
    }
}

#[test]
fn a_policy_changes_key_by_key() {
    let mut fixture = Fixture::new();
    let policy = |fixture: &Fixture| fixture.view.events.get(fixture.event).unwrap().details.refund_policy;
    assert_eq!(policy(&fixture), None);
    fixture.keep_percent(10);
    fixture.set_policy(RefundPolicyPatch { days_before: Patch::Set(3), ..RefundPolicyPatch::default() });
    fixture.set_policy(RefundPolicyPatch { after_start: Patch::Set(true), ..RefundPolicyPatch::default() });
    let kept = Percent::from_units(100_000);
    assert_eq!(policy(&fixture), Some(RefundPolicy { retained: kept, days_before: 3, after_start: true }));
    fixture.set_policy(RefundPolicyPatch {
        retained: Patch::Clear,
        after_start: Patch::Clear,
        ..RefundPolicyPatch::default()
    });
    assert_eq!(policy(&fixture), Some(RefundPolicy { days_before: 3, ..RefundPolicy::default() }));
    fixture.change_event(|event| event.details.refund_policy = Patch::Clear).unwrap();
    assert_eq!(policy(&fixture), None);
}

#[test]
fn a_request_of_the_customer_is_not_granted_after_the_event() {
    let cases = [(Culprit::Customer, Some(RefundRefusal::EventFinished)), (Culprit::Organizer, None)];
    for (culprit, expected) in cases {
        for step in [RefundTransition::InProgress, RefundTransition::Approved] {
            let (mut fixture, _, order) = sold();
            let request = fixture.ask_for_all(order, culprit);
            fixture.pass_days(12);
            match (&expected, fixture.decide_on(request, step)) {
                (Some(refusal), result) => assert_eq!(refused(result), *refusal),
                (None, result) => drop(result.unwrap()),
            }
        }
        let (mut fixture, _, order) = sold();
        let request = fixture.ask_for_all(order, culprit);
        fixture.decide_on(request, RefundTransition::InProgress).unwrap();
        fixture.pass_days(12);
        fixture.decide_on(request, RefundTransition::Approved).expect("the money is on its way");
    }
}

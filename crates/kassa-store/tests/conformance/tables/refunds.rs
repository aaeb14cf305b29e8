//! Refund requests.

use crate::database::{Database, keys};
use crate::dice::{Dice, REFUNDS};
use crate::guards::write_error;
use crate::kinds::kind;
use crate::lists::{ListModel, assert_lists_agree};
use crate::plans::{AccessPath, PlanCases};
use crate::samples::{self, ELSEWHERE, HERE, at, event_id, id_in_event, party, policy};
use kassa_domain::change::Revision;
use kassa_domain::event::EventId;
use kassa_domain::order::{OrderStatus, PaymentSystem};
use kassa_domain::refund::{
    Culprit, RefundAmounts, RefundLine, RefundPolicy, RefundRequest, RefundStatus, RefundStatusKind,
};
use kassa_domain::{Id, Money, ReadSet, Timestamp, View};
use kassa_store::StoreError;
use kassa_store::queries::{RefundsFilter, RefundsOrder};
use std::cmp::Ordering;

/// A status of an order that was paid, and has given its tickets back.
pub(crate) fn refunded_status() -> OrderStatus {
    OrderStatus::Refunded { at: at(456), paid_at: at(123), code: "a1b2c3d4".to_owned() }
}

/// A request for nothing of order 5, of partner 1 for itself.
pub(crate) fn refund(event: EventId, key: i64) -> RefundRequest {
    RefundRequest {
        id: id_in_event(event, key),
        order: id_in_event(event, 5),
        event,
        organizer: Id::root(1),
        vendor: Id::root(1),
        culprit: Culprit::Customer,
        status: RefundStatus::New,
        lines: Vec::new(),
        other_tickets: Vec::new(),
        policy: RefundPolicy::default(),
        payment_system: None,
        requested_at: at(key),
        reason: None,
        created_at: at(key),
        updated_at: at(key),
        revision: Revision::stored(1, None),
    }
}

/// A ticket of a request, for which so many cents are given back.
pub(crate) fn refund_line(event: EventId, key: i64, minor: i64) -> RefundLine {
    let [nominal, extra, org, core] = [minor - minor / 5, minor / 5, minor / 2, minor / 3].map(Money::from_minor);
    RefundLine {
        line: samples::line(event, key, 1_000),
        amounts: RefundAmounts { nominal, surcharge: extra, organizer: org, platform: core },
    }
}

pub(crate) fn full_refund(event: EventId, key: i64) -> RefundRequest {
    RefundRequest {
        vendor: Id::root(2),
        culprit: Culprit::Organizer,
        status: RefundStatus::Approved { at: at(500) },
        lines: vec![refund_line(event, 101, 999), refund_line(event, 102, Money::PRICE_MAX.minor())],
        other_tickets: vec![id_in_event(event, 103), id_in_event(event, 104)],
        policy: policy(),
        payment_system: Some(PaymentSystem::CollectedByVendor),
        requested_at: at(-1),
        reason: Some("дождь\n\"'".to_owned()),
        ..refund(event, key)
    }
}

kind!(
    RefundRequest,
    refunds,
    |row, read_set| read_set.refunds.push(row.id),
    [samples::refund(party().id, 1), samples::full_refund(party().id, 2)],
    |row| RefundRequest {
        culprit: Culprit::Organizer,
        status: match row.status {
            RefundStatus::New => RefundStatus::InProgress,
            RefundStatus::InProgress | RefundStatus::Approved { .. } => RefundStatus::Rejected { at: at(7) },
            RefundStatus::Rejected { .. } => RefundStatus::New,
        },
        lines: vec![samples::refund_line(row.event, 3, 1)],
        reason: Some("changed".to_owned()),
        updated_at: at(99),
        revision: samples::revision(2),
        ..row
    },
    {
        fn fill(_: &mut Dice, view: &mut View) {
            (1..=REFUNDS).for_each(|key| put_refund(&mut Dice::new(key.unsigned_abs()), key, view));
        }

        fn plan_cases(cases: &mut PlanCases) {
            refunds(cases);
        }
    }
);

fn put_refund(dice: &mut Dice, key: i64, view: &mut View) {
    let event = Dice::event_of(key);
    // Few values, so that some are equal.
    let lines = (0..dice.below(4)).map(|place| samples::refund_line(event, i64::try_from(place).unwrap(), 500));
    view.refunds.put(RefundRequest {
        order: samples::id_in_event(event, dice.order().key()),
        organizer: dice.partner(),
        vendor: dice.partner(),
        status: dice.refund_status(),
        lines: lines.collect(),
        created_at: dice.moment(),
        ..samples::refund(event, key)
    });
}

impl ListModel for RefundsFilter {
    fn includes(&self, request: &RefundRequest, _: &View) -> bool {
        let is_within = |range: Option<(Timestamp, Timestamp)>, at: Option<Timestamp>| {
            range.is_none_or(|(first, last)| at.is_some_and(|at| (first..=last).contains(&at)))
        };
        (self.partners.contains(&request.organizer) || self.partners.contains(&request.vendor))
            && self.ids.as_ref().is_none_or(|ids| ids.contains(&request.id))
            && self.orders.as_ref().is_none_or(|orders| orders.contains(&request.order))
            && self.events.as_ref().is_none_or(|events| events.contains(&request.event))
            && self.status.as_ref().is_none_or(|states| states.contains(&request.state()))
            && self.vendor.is_none_or(|vendor| vendor == request.vendor)
            && self.org.is_none_or(|org| org == request.organizer)
            && is_within(self.created_at, Some(request.created_at))
            && is_within(self.finished_at, request.finished_at())
    }

    fn compare(&self, one: &RefundRequest, other: &RefundRequest) -> Ordering {
        let newest_first = other.id.cmp(&one.id);
        let by_value = one.amounts().total().cmp(&other.amounts().total());
        match self.order {
            RefundsOrder::Newest => newest_first,
            RefundsOrder::Oldest => newest_first.reverse(),
            RefundsOrder::Value { descending: false } => by_value.then(newest_first),
            RefundsOrder::Value { descending: true } => by_value.reverse().then(newest_first),
        }
    }
}

pub(crate) async fn refund_requests_are_listed_as_the_model_lists_them(db: Database) {
    let filter = |dice: &mut Dice| RefundsFilter {
        partners: (0..3 + dice.below(3)).map(|_| dice.partner()).collect(),
        ids: dice.rarely(|dice| (0..40).map(|_| dice.refund()).collect()),
        orders: dice.rarely(|dice| (0..60).map(|_| dice.order()).collect()),
        events: dice.rarely(|dice| dice.some(Dice::event)),
        status: dice.maybe(|dice| dice.some(Dice::refund_state)),
        vendor: dice.rarely(Dice::partner),
        org: dice.rarely(Dice::partner),
        created_at: dice.rarely(|dice| (dice.moment(), dice.moment())),
        finished_at: dice.rarely(|dice| (dice.moment(), dice.moment())),
        order: dice.refunds_order(),
    };
    assert_lists_agree::<RefundsFilter>(db, filter).await;
}

pub(crate) async fn refund_requests_of_an_order_are_found_all_or_while_they_are_open(db: Database) {
    let (at, here) = (samples::at(1), event_id(HERE));
    let request =
        |key, order, status| RefundRequest { order: id_in_event(here, order), status, ..samples::refund(here, key) };
    let requests = [
        request(1, 5, RefundStatus::New),
        request(2, 5, RefundStatus::InProgress),
        request(3, 5, RefundStatus::Approved { at }),
        request(4, 5, RefundStatus::Rejected { at }),
        request(5, 6, RefundStatus::New),
        request(6, 7, RefundStatus::New),
    ];
    db.insert(|view| requests.iter().for_each(|request| view.refunds.put(request.clone()))).await;
    let found = async |open_refunds_of| {
        let view = db.view(ReadSet { open_refunds_of, ..ReadSet::default() }).await;
        keys(view.refunds.rows()).into_iter().map(Id::key).collect::<Vec<i64>>()
    };
    assert_eq!(found(vec![id_in_event(here, 5)]).await, [1, 2]);
    assert_eq!(found(vec![id_in_event(here, 6), id_in_event(here, 5), id_in_event(here, 8)]).await, [1, 2, 5]);
    assert_eq!(found(vec![id_in_event(event_id(ELSEWHERE), 5)]).await, [0; 0]);
    let all = async |refunds_of| {
        let view = db.view(ReadSet { refunds_of, ..ReadSet::default() }).await;
        keys(view.refunds.rows()).into_iter().map(Id::key).collect::<Vec<i64>>()
    };
    assert_eq!(all(vec![id_in_event(here, 5), id_in_event(here, 7)]).await, [1, 2, 3, 4, 6]);
    assert_eq!(all(vec![id_in_event(event_id(ELSEWHERE), 5)]).await, [0; 0]);
}

pub(crate) async fn a_refund_request_takes_no_money_from_the_customer(db: Database) {
    let event = samples::event(1).id;
    let lines = vec![samples::refund_line(event, 1, -1_000)];
    let error = write_error(&db, |view| {
        view.refunds.put(RefundRequest { lines: lines.clone(), ..samples::refund(event, 1) });
    });
    assert!(matches!(error.await, StoreError::Constraint(_)));
}

fn refunds(cases: &mut PlanCases) {
    let partner = Id::root(1);
    let between = Some((Timestamp::from_ms(0), Timestamp::from_ms(1)));
    for partners in [vec![partner], vec![partner, Id::root(5), Id::root(6)]] {
        let seen = RefundsFilter { partners, ..RefundsFilter::default() };
        cases.add(&seen, AccessPath::OrderedIndex, &["refund_requests_organizer", "refund_requests_agent"]);
        cases.add_ordered(&RefundsFilter { order: RefundsOrder::Oldest, ..seen.clone() });
        cases.add_ordered(&RefundsFilter { status: Some(RefundStatusKind::ALL.to_vec()), ..seen.clone() });
        for filter in [
            RefundsFilter { ids: Some(vec![Id::root(3); 2]), ..seen.clone() },
            RefundsFilter { orders: Some(vec![Id::root(3); 2]), ..seen.clone() },
            RefundsFilter { events: Some(vec![Id::root(4); 2]), ..seen.clone() },
            RefundsFilter { vendor: Some(partner), org: Some(partner), ..seen.clone() },
            RefundsFilter { created_at: between, finished_at: between, ..seen.clone() },
            RefundsFilter { order: RefundsOrder::Value { descending: true }, ..seen },
        ] {
            cases.add_sorted(&filter);
        }
    }
}

//! Payments of orders: when they begin, and what becomes of their money.

use kassa_domain::event::EventStatus;
use kassa_domain::mail::MailContent;
use kassa_domain::order::{OrderStatusKind, OrderTransition, PaymentSystem};
use kassa_domain::payment::{
    OrderPayment, PaymentProvider, PaymentReason, PaymentReport, PaymentReturn, PaymentStatus, RecordPaymentReturn,
};
use kassa_domain::refund::{Culprit, RefundTransition};
use kassa_domain::refusal::ForbiddenReason;
use kassa_domain::set::SetId;
use kassa_domain::{Actor, Money, Refusal};

use crate::fixture::Fixture;

const TEST: PaymentProvider = PaymentProvider::Test;
const TRANSFER: PaymentProvider = PaymentProvider::Transfer;
const DOOR: PaymentProvider = PaymentProvider::Door;

/// Five tickets of 10.00, ten days before the event, in an open shop.
fn shop() -> (Fixture, SetId) {
    let mut fixture = Fixture::new();
    let set = fixture.set(5, 1000);
    fixture.open_shop();
    fixture.start_in_days(10);
    (fixture, set)
}

fn received(cents: i64) -> PaymentReport {
    PaymentReport::Received(Money::from_minor(cents))
}

/// Its status and why, and how many cents came, were used and went back.
fn told(payment: &OrderPayment) -> (PaymentStatus, Option<PaymentReason>, [i64; 3]) {
    (payment.status, payment.reason, [payment.received, payment.used, payment.returned].map(Money::minor))
}

#[test]
fn whoever_pays_by_transfer_or_at_the_door_is_mailed_how_once_for_each_payment() {
    let (mut fixture, set) = shop();
    let order = fixture.order_with_email(set, 1);
    fixture.begin_payment(order, TEST);
    assert_eq!(fixture.mails(), [], "a page asks for this money");
    let mut letters = Vec::new();
    for provider in [TRANSFER, DOOR] {
        let payment = fixture.begin_payment(order, provider);
        fixture.begin_payment(order, provider);
        letters.push(MailContent::PaymentInstructions { event: fixture.event, order, payment });
        let mut mailed: Vec<MailContent> = fixture.mails().into_iter().map(|(_, letter)| letter).collect();
        mailed.sort_by_key(|letter| letters.iter().position(|other| other == letter));
        assert_eq!(mailed, letters, "{provider:?}");
    }
}

#[test]
fn a_payment_begins_once_and_holds_the_tickets_as_long_as_its_money_takes() {
    let (mut fixture, set) = shop();
    let start = fixture.now.plus_minutes(10 * 24 * 60);
    for (provider, minutes) in [(TEST, Some(30)), (TRANSFER, Some(7 * 24 * 60)), (DOOR, None)] {
        let order = fixture.order_with_email(set, 1);
        let payment = fixture.begin_payment(order, provider);
        let due_at = minutes.map_or(start, |minutes| fixture.now.plus_minutes(minutes));
        assert_eq!((fixture.found(order).reserved_till, fixture.payment(payment).due_at), (due_at, due_at));
        assert_eq!(fixture.state(order), OrderStatusKind::AwaitingPayment);
        assert_eq!(fixture.found(order).payment.system, Some(provider.system()));
        fixture.pass_minutes(1);
        assert_eq!(fixture.begin_payment(order, provider), payment, "a double click begins nothing");
        assert_eq!(fixture.found(order).reserved_till, due_at);
    }
}

#[test]
fn a_payment_that_cannot_begin_changes_nothing() {
    let (mut fixture, set) = shop();
    let nameless = fixture.order(set, 1);
    assert_eq!(fixture.try_payment(nameless, Some(DOOR)).unwrap_err(), Refusal::CustomerEmailRequired);
    let order = fixture.order_with_email(set, 1);
    assert_eq!(fixture.try_payment(order, None).unwrap_err(), Refusal::PaymentNotOffered);
    let stranger = fixture.partner();
    let command = fixture.beginning(order, Some(DOOR));
    for other in [Actor::Partner(stranger), Actor::Buyer(nameless)] {
        assert_eq!(fixture.give(&other, &command).unwrap_err(), Refusal::NotFound("order"));
    }
    fixture.start_in_days(1);
    assert_eq!(fixture.try_payment(order, Some(TRANSFER)).unwrap_err(), Refusal::PaymentTooLate);
    fixture.switch(EventStatus::Canceled);
    assert_eq!(fixture.try_payment(order, Some(DOOR)).unwrap_err(), Refusal::EventOver);
    let org = fixture.org;
    fixture.arrange(|view| {
        let mut partner = view.partners.get(org).unwrap().clone();
        partner.profile.shop.is_open = false;
        view.partners.put(partner);
    });
    assert_eq!(fixture.try_payment(order, Some(DOOR)).unwrap_err(), ForbiddenReason::ShopClosed.into());
    assert_eq!(fixture.state(order), OrderStatusKind::Reserved);
    fixture.step(order, OrderTransition::Canceled).unwrap();
}

#[test]
fn the_same_report_twice_and_an_older_one_later_change_nothing() {
    let (mut fixture, set) = shop();
    let order = fixture.order_with_email(set, 2);
    let payment = fixture.begin_payment(order, TEST);
    let half = fixture.settle_payment(payment, received(500));
    assert_eq!(told(&half), (PaymentStatus::Pending, None, [500, 0, 0]));
    assert_eq!(fixture.settle_payment(payment, received(500)), half);
    let paid = fixture.settle_payment(payment, received(2000));
    assert_eq!(told(&paid), (PaymentStatus::Paid, None, [2000, 2000, 0]));
    assert_eq!(fixture.state(order), OrderStatusKind::Paid);
    for report in [received(2000), received(500), PaymentReport::Declined, PaymentReport::Nothing] {
        assert_eq!(fixture.settle_payment(payment, report), paid);
    }
}

#[test]
fn money_that_buys_nothing_is_to_go_back() {
    let (mut fixture, set) = shop();
    // The tickets are gone.
    let late = fixture.order_with_email(set, 3);
    let payment = fixture.begin_payment(late, TEST);
    fixture.pass_minutes(31);
    fixture.lapse(late);
    let failed = fixture.settle_payment(payment, PaymentReport::Nothing);
    assert_eq!(told(&failed), (PaymentStatus::Failed, Some(PaymentReason::Expired), [0, 0, 0]));
    let others = fixture.order(set, 3);
    let gone = (PaymentStatus::Returning, Some(PaymentReason::TicketsGone), [3000, 0, 0]);
    assert_eq!(told(&fixture.settle_payment(payment, received(3000))), gone);
    assert_eq!(fixture.state(late), OrderStatusKind::Expired);
    // They are there again, but the money is on its way.
    fixture.step(others, OrderTransition::Canceled).unwrap();
    assert_eq!(told(&fixture.settle_payment(payment, received(3000))), gone);

    // The order was given up.
    let canceled = fixture.order_with_email(set, 1);
    let payment = fixture.begin_payment(canceled, DOOR);
    fixture.step(canceled, OrderTransition::Canceled).unwrap();
    let none = (PaymentStatus::Canceled, Some(PaymentReason::OrderCanceled), [0, 0, 0]);
    assert_eq!(told(fixture.payment(payment)), none);
    let back = (PaymentStatus::Returning, Some(PaymentReason::OrderCanceled), [1000, 0, 0]);
    assert_eq!(told(&fixture.receive(payment, 1000)), back);

    // Too much came.
    let order = fixture.order_with_email(set, 1);
    let payment = fixture.begin_payment(order, TRANSFER);
    let surplus = (PaymentStatus::Returning, Some(PaymentReason::Surplus), [1250, 1000, 0]);
    assert_eq!(told(&fixture.receive(payment, 1250)), surplus);
    assert_eq!(fixture.state(order), OrderStatusKind::Paid);

    // The event is called off before the money comes.
    let order = fixture.order_with_email(set, 1);
    let payment = fixture.begin_payment(order, TRANSFER);
    fixture.switch(EventStatus::Canceled);
    let over = (PaymentStatus::Returning, Some(PaymentReason::EventOver), [1000, 0, 0]);
    assert_eq!(told(&fixture.receive(payment, 1000)), over);
}

#[test]
fn late_money_buys_what_is_left() {
    let (mut fixture, set) = shop();
    let order = fixture.order_with_email(set, 2);
    let payment = fixture.begin_payment(order, TEST);
    fixture.pass_minutes(31);
    fixture.lapse(order);
    fixture.settle_payment(payment, PaymentReport::Nothing);
    assert_eq!(told(&fixture.settle_payment(payment, received(2000))), (PaymentStatus::Paid, None, [2000, 2000, 0]));
    assert_eq!(fixture.state(order), OrderStatusKind::Paid);
}

#[test]
fn what_has_gone_back_is_noted_once() {
    let (mut fixture, set) = shop();
    let order = fixture.order_with_email(set, 1);
    let payment = fixture.begin_payment(order, TEST);
    fixture.settle_payment(payment, received(2500));
    let event = fixture.event;
    let total = |cents| PaymentReturn::Total(Money::from_minor(cents));
    let back = |returned| RecordPaymentReturn { payment, order, event, returned };
    let noted = fixture.give(&Actor::System, &back(total(1500))).unwrap();
    assert_eq!(told(&noted), (PaymentStatus::Paid, Some(PaymentReason::Surplus), [2500, 1000, 1500]));
    assert_eq!(fixture.give(&Actor::System, &back(total(1500))).unwrap(), noted);
    assert_eq!(fixture.give(&Actor::System, &back(total(1501))).unwrap_err(), Refusal::PaymentAmount);
    let by_hand = back(PaymentReturn::More(None));
    assert_eq!(fixture.give(&fixture.organizer(), &by_hand).unwrap_err(), Refusal::PaymentByProvider);
    let request = fixture.ask_for_all(order, Culprit::Organizer);
    fixture.decide_on(request, RefundTransition::Approved).unwrap();
    let refund = (PaymentStatus::Returning, Some(PaymentReason::Refund), [2500, 0, 1500]);
    assert_eq!(told(fixture.payment(payment)), refund);
    let all = fixture.give(&Actor::System, &back(total(2500))).unwrap();
    assert_eq!(told(&all), (PaymentStatus::Returned, Some(PaymentReason::Refund), [2500, 0, 2500]));
}

#[test]
fn a_vendor_that_has_the_money_says_so_itself() {
    let (mut fixture, set) = shop();
    let order = fixture.order_with_email(set, 1);
    let payment = fixture.begin_payment(order, DOOR);
    let mut stale = fixture.update_of(order, crate::fixture::steps(OrderTransition::Paid));
    stale.has_payments = false;
    assert_eq!(fixture.give(&fixture.organizer(), &stale).unwrap_err(), Refusal::Stale);
    fixture.step(order, OrderTransition::Paid).unwrap();
    let closed = (PaymentStatus::Canceled, Some(PaymentReason::OrderPaid), [0, 0, 0]);
    assert_eq!(told(fixture.payment(payment)), closed);
    assert_eq!(fixture.found(order).payment.system, Some(PaymentSystem::CollectedByVendor));
    let buyer = fixture.receipt(payment, None);
    assert_eq!(fixture.give(&Actor::Buyer(order), &buyer).unwrap_err(), ForbiddenReason::VendorOnly.into());
}

//! Orders and refund requests.

use kassa_domain::event::EventId;
use kassa_domain::order::{
    Customer, Order, OrderLine, OrderNotes, OrderOrigin, OrderStatus, Payment, PaymentSystem, PromotionGrant,
    RefundTotals, VendorData, VendorDataValue, Visitor,
};
use kassa_domain::price::{Share, Terms, TicketPrice};
use kassa_domain::promotion::Promotion;
use kassa_domain::refund::{Culprit, RefundAmounts, RefundLine, RefundPolicy, RefundRequest, RefundStatus};
use kassa_domain::{Id, Money, Percent};

use super::{at, full_promotion, id_in_event, policy, promotion};

/// An order without tickets, of partner 1 for itself.
pub(crate) fn order(event: EventId, key: i64) -> Order {
    Order {
        id: id_in_event(event, key),
        event,
        organizer: Id::root(1),
        vendor: Id::root(1),
        number: 100_000 + key,
        status: OrderStatus::Reserved,
        reserved_till: at(60_000),
        lines: Vec::new(),
        promocodes: Vec::new(),
        promotion_grants: Vec::new(),
        deal: None,
        terms: Terms::own_sale(Percent::from_units(30_000)),
        refund_policy: RefundPolicy::default(),
        refunded: RefundTotals::default(),
        customer: Customer::default(),
        payment: Payment::default(),
        origin: OrderOrigin::Api,
        notes: OrderNotes::default(),
        created_at: at(key),
        updated_at: at(key),
        revision: 1,
    }
}

/// The line of a ticket that costs so many cents.
pub(crate) fn line(event: EventId, key: i64, minor: i64) -> OrderLine {
    let terms = Terms {
        organizer_share: None,
        markup: Share::Amount(Money::from_minor(5)),
        platform_share: Share::Percent(Percent::from_units(1)),
        platform_fee_on_top: true,
    };
    let price = TicketPrice::new(Money::from_minor(minor), Money::from_minor(minor / 10), &terms);
    let promocode = (key % 2 == 0).then(|| id_in_event(event, 8));
    let promotion = (key % 2 == 1).then(|| id_in_event(event, 10));
    OrderLine {
        ticket: id_in_event(event, key),
        number: key,
        set: id_in_event(event, 9),
        rule: id_in_event(event, 51),
        promocode,
        promotion,
        price,
    }
}

pub(crate) fn paid_status() -> OrderStatus {
    OrderStatus::Paid { at: at(123), code: "a1b2c3d4".to_owned() }
}

/// Something of everything that can be kept with an order.
fn notes(event: EventId) -> OrderNotes {
    let raw = [
        ("flag", VendorDataValue::Flag(true)),
        ("number", VendorDataValue::Number(i64::MIN)),
        ("text", VendorDataValue::Text("true \"3\"".to_owned())),
    ];
    let vendor_data = VendorData {
        order_id: Some("A-17".to_owned()),
        raw: raw.into_iter().map(|(key, value)| (key.to_owned(), value)).collect(),
    };
    let visitor = Visitor {
        ticket: id_in_event(event, 101),
        user_id: "u1".to_owned(),
        name: "Ann".to_owned(),
        surname: "O'Hara".to_owned(),
        middle_name: Some("Ж".to_owned()),
    };
    OrderNotes { subscribe_agree: true, vendor_data, visitors: vec![visitor] }
}

pub(crate) fn full_order(event: EventId, key: i64) -> Order {
    let text = |text: &str| Some(text.to_owned());
    let customer = Customer {
        email: Some("ann@example.org".parse().unwrap()),
        first_name: text("Ann"),
        last_name: text("O'Hara"),
        mobile: text("+1"),
        lang: text("ru"),
        user: Some(Id::root(2)),
    };
    let payment = Payment {
        system: Some(PaymentSystem::CollectedByVendor),
        success_url: text("https://example.org/ok?a=1&b=\"2\""),
        failure_url: text("https://example.org/no"),
        send_tickets: true,
    };
    let terms = Terms { organizer_share: Some(Share::Percent(Percent::HUNDRED)), ..Terms::own_sale(Percent::HUNDRED) };
    let lines = vec![line(event, 101, 1_000), line(event, 102, Money::PRICE_MAX.minor())];
    let (deal, promocodes) = (Some(id_in_event(event, 7)), vec![id_in_event(event, 8), id_in_event(event, 6)]);
    let promise = |promotion: Promotion| PromotionGrant { promotion: promotion.id, discount: promotion.discount };
    let promises = vec![promise(promotion(event, 10)), promise(full_promotion(event, 11))];
    let refunded = RefundTotals { paid: Money::from_minor(1_000), returned: Money::from_minor(999) };
    Order {
        vendor: Id::root(2),
        status: paid_status(),
        deal,
        lines,
        promocodes,
        promotion_grants: promises,
        terms,
        refund_policy: policy(),
        refunded,
        customer,
        payment,
        origin: OrderOrigin::ControlPanel,
        notes: notes(event),
        ..order(event, key)
    }
}

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
        revision: 1,
    }
}

/// A ticket of a request, for which so many cents are given back.
pub(crate) fn refund_line(event: EventId, key: i64, minor: i64) -> RefundLine {
    let [nominal, extra, org, core] = [minor - minor / 5, minor / 5, minor / 2, minor / 3].map(Money::from_minor);
    RefundLine {
        line: line(event, key, 1_000),
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

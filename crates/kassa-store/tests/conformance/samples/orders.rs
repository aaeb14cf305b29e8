//! Orders and refund requests.

use kassa_domain::event::EventId;
use kassa_domain::order::{
    Customer, Line, Notes, Order, OrderStatus, Origin, Payment, PaymentSystem, Promise, Refunded, Scalar, VendorData,
    Visitor,
};
use kassa_domain::price::{Price, Share, Terms};
use kassa_domain::promotion::Promotion;
use kassa_domain::refund::{Back, Culprit, RefundLine, RefundPolicy, RefundRequest, RefundStatus};
use kassa_domain::{Id, Money, Percent};

use super::{at, full_promotion, on, policy, promotion};

/// An order without tickets, of partner 1 for itself.
pub(crate) fn order(event: EventId, key: i64) -> Order {
    Order {
        id: on(event, key),
        event,
        org: Id::root(1),
        vendor: Id::root(1),
        number: 100_000 + key,
        status: OrderStatus::Executed,
        reserved_till: at(60_000),
        lines: Vec::new(),
        promocodes: Vec::new(),
        promises: Vec::new(),
        deal: None,
        terms: Terms::own_sale(Percent::from_units(30_000)),
        refund_policy: RefundPolicy::default(),
        refunded: Refunded::default(),
        customer: Customer::default(),
        payment: Payment::default(),
        origin: Origin::Api,
        notes: Notes::default(),
        created_at: at(key),
        updated_at: at(key),
        revision: 1,
    }
}

/// The line of a ticket that costs so many cents.
pub(crate) fn line(event: EventId, key: i64, minor: i64) -> Line {
    let terms = Terms {
        org: None,
        extra: Share::Amount(Money::from_minor(5)),
        core: Share::Percent(Percent::from_units(1)),
        pfc: true,
    };
    let price = Price::new(Money::from_minor(minor), Money::from_minor(minor / 10), &terms);
    let promocode = (key % 2 == 0).then(|| on(event, 8));
    let promotion = (key % 2 == 1).then(|| on(event, 10));
    Line { ticket: on(event, key), number: key, set: on(event, 9), rule: on(event, 51), promocode, promotion, price }
}

pub(crate) fn done() -> OrderStatus {
    OrderStatus::Done { at: at(123), code: "a1b2c3d4".to_owned() }
}

/// Something of everything that can be kept with an order.
fn notes(event: EventId) -> Notes {
    let raw = [
        ("flag", Scalar::Flag(true)),
        ("number", Scalar::Number(i64::MIN)),
        ("text", Scalar::Text("true \"3\"".to_owned())),
    ];
    let vendor_data = VendorData {
        order_id: Some("A-17".to_owned()),
        raw: raw.into_iter().map(|(key, value)| (key.to_owned(), value)).collect(),
    };
    let visitor = Visitor {
        ticket: on(event, 101),
        user_id: "u1".to_owned(),
        name: "Ann".to_owned(),
        surname: "O'Hara".to_owned(),
        middle_name: Some("Ж".to_owned()),
    };
    Notes { subscribe_agree: true, vendor_data, visitors: vec![visitor] }
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
        system: Some(PaymentSystem::ApiBase),
        success_url: text("https://example.org/ok?a=1&b=\"2\""),
        failure_url: text("https://example.org/no"),
        send_tickets: true,
    };
    let terms = Terms { org: Some(Share::Percent(Percent::HUNDRED)), ..Terms::own_sale(Percent::HUNDRED) };
    let lines = vec![line(event, 101, 1_000), line(event, 102, Money::PRICE_MAX.minor())];
    let (deal, promocodes) = (Some(on(event, 7)), vec![on(event, 8), on(event, 6)]);
    let promise = |promotion: Promotion| Promise { promotion: promotion.id, discount: promotion.discount };
    let promises = vec![promise(promotion(event, 10)), promise(full_promotion(event, 11))];
    let refunded = Refunded { paid: Money::from_minor(1_000), back: Money::from_minor(999) };
    Order {
        vendor: Id::root(2),
        status: done(),
        deal,
        lines,
        promocodes,
        promises,
        terms,
        refund_policy: policy(),
        refunded,
        customer,
        payment,
        origin: Origin::ControlPanel,
        notes: notes(event),
        ..order(event, key)
    }
}

/// A status of an order that was paid, and has given its tickets back.
pub(crate) fn refunded() -> OrderStatus {
    OrderStatus::Refunded { at: at(456), paid_at: at(123), code: "a1b2c3d4".to_owned() }
}

/// A request for nothing of order 5, of partner 1 for itself.
pub(crate) fn refund(event: EventId, key: i64) -> RefundRequest {
    RefundRequest {
        id: on(event, key),
        order: on(event, 5),
        event,
        org: Id::root(1),
        vendor: Id::root(1),
        culprit: Culprit::User,
        status: RefundStatus::New,
        lines: Vec::new(),
        rest: Vec::new(),
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
    RefundLine { line: line(event, key, 1_000), back: Back { nominal, extra, org, core } }
}

pub(crate) fn full_refund(event: EventId, key: i64) -> RefundRequest {
    RefundRequest {
        vendor: Id::root(2),
        culprit: Culprit::Org,
        status: RefundStatus::Approved { at: at(500) },
        lines: vec![refund_line(event, 101, 999), refund_line(event, 102, Money::PRICE_MAX.minor())],
        rest: vec![on(event, 103), on(event, 104)],
        policy: policy(),
        payment_system: Some(PaymentSystem::ApiBase),
        requested_at: at(-1),
        reason: Some("дождь\n\"'".to_owned()),
        ..refund(event, key)
    }
}

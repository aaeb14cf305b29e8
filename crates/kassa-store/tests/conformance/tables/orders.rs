//! Orders.

use crate::database::{Database, keys};
use crate::dice::{Dice, ORDERS};
use crate::kinds::{UniquePair, kind};
use crate::lists::{ListModel, assert_lists_agree};
use crate::plans::{AccessPath, PlanCases};
use crate::samples::{
    self, ELSEWHERE, HERE, at, confirmed_emails, event_id, full_promotion, id_in_event, party, policy, promotion,
};
use kassa_domain::change::Revision;
use kassa_domain::checkout::AnswerValue;
use kassa_domain::event::EventId;
use kassa_domain::order::{
    Answer, Customer, Holder, NetworkMark, Order, OrderId, OrderLine, OrderNotes, OrderOrigin, OrderStatus,
    OrderStatusKind, Payment, PaymentSystem, PromotionGrant, RefundTotals, TermsAcceptance, VendorData,
    VendorDataValue, Visitor,
};
use kassa_domain::price::{Share, Terms, TicketPrice};
use kassa_domain::promotion::Promotion;
use kassa_domain::refund::RefundPolicy;
use kassa_domain::ticket::Ticket;
use kassa_domain::user::Email;
use kassa_domain::view::UNPAID_ORDERS_MAX;
use kassa_domain::{Id, Money, Percent, ReadSet, Timestamp, View};
use kassa_store::queries::{ExpiredHolds, ExportScope, OrderExportFilter, OrdersFilter, OrdersSort, PaidOrdersFilter};
use std::cmp::Ordering;
use std::collections::BTreeMap;

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
        network: None,
        notes: OrderNotes::default(),
        created_at: at(key),
        updated_at: at(key),
        revision: Revision::stored(1, None),
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

/// Puts the orders that hold some of these tickets, each with a line for each of its own.
pub(crate) fn put_holders<'a>(tickets: impl IntoIterator<Item = &'a Ticket>, view: &mut View) {
    let mut held: BTreeMap<OrderId, Vec<&Ticket>> = BTreeMap::new();
    for ticket in tickets {
        if let Some(order) = ticket.holder() {
            held.entry(order).or_default().push(ticket);
        }
    }
    for (id, tickets) in held {
        let lines = tickets.iter().map(|ticket| line_of(ticket)).collect();
        view.orders.put(Order { id, lines, ..order(tickets[0].event, id.key()) });
    }
}

/// The line of a ticket.
pub(crate) fn line_of(ticket: &Ticket) -> OrderLine {
    OrderLine { ticket: ticket.id, number: ticket.number, set: ticket.set, ..line(ticket.event, 1, 1_000) }
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
    let (ticket, at) = (visitor.ticket, Timestamp::from_ms(1_000));
    let answer = |ticket, question: &str, value| Answer { ticket, question: question.to_owned(), value };
    OrderNotes {
        subscribe_agree: true,
        vendor_data,
        visitors: vec![visitor],
        answers: vec![
            answer(None, "diet", AnswerValue::Text("Vegan".to_owned())),
            answer(Some(ticket), "member", AnswerValue::Flag(true)),
        ],
        holders: vec![Holder { ticket, name: "Ann Fox".to_owned() }],
        accepted_terms: Some(TermsAcceptance { terms: at, at }),
    }
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
        network: Some(NetworkMark::new(-7)),
        notes: notes(event),
        ..order(event, key)
    }
}

kind!(
    Order,
    orders,
    |row, read_set| read_set.orders.push(row.id),
    [samples::order(party().id, 1), samples::full_order(party().id, 2)],
    |row| Order {
        status: OrderStatus::Canceled,
        reserved_till: at(1),
        lines: vec![samples::line(row.event, 3, 0)],
        promocodes: vec![id_in_event(row.event, 8)],
        promotion_grants: samples::full_order(row.event, 1).promotion_grants.split_off(1),
        terms: samples::full_order(row.event, 1).terms,
        refund_policy: samples::policy(),
        refunded: samples::full_order(row.event, 1).refunded,
        customer: Customer { user: Some(Id::root(3)), ..Customer::default() },
        network: row.network.is_none().then(|| NetworkMark::new(i64::MAX)),
        updated_at: at(99),
        revision: samples::revision(2),
        ..row
    },
    {
        fn fill(dice: &mut Dice, view: &mut View) {
            (1..=ORDERS).for_each(|key| put_order(dice, key, view));
        }

        fn plan_cases(cases: &mut PlanCases) {
            orders(cases);
            exports(cases);
        }

        fn unique_pairs() -> Vec<UniquePair> {
            // Of two events, and so under two tags.
            let order = |event: i64, key| Order { number: 100_001, ..order(samples::event(event).id, key) };
            vec![UniquePair::new(
                "order number",
                move |view| view.orders.put(order(1, 11)),
                move |view| view.orders.put(order(2, 12)),
            )]
        }
    }
);

fn put_order(dice: &mut Dice, key: i64, view: &mut View) {
    let event = Dice::event_of(key);
    let lines =
        (0..dice.below(4)).map(|_| samples::line(event, 1, i64::try_from(dice.below(100_000)).unwrap_or(0))).collect();
    view.orders.put(Order {
        organizer: dice.partner(),
        vendor: dice.partner(),
        status: dice.order_status(),
        reserved_till: dice.moment(),
        customer: some_customer(dice),
        lines,
        refunded: dice.rarely(|_| samples::full_order(event, key).refunded).unwrap_or_default(),
        ..samples::order(event, key)
    });
}

/// Nobody, a user with its own address, or one with another.
fn some_customer(dice: &mut Dice) -> Customer {
    let user = dice.maybe(Dice::user);
    let own = user.map(|user| samples::user(user.key()).email);
    let email = if dice.flip() { own } else { dice.maybe(Dice::email) };
    Customer { user, email, ..Customer::default() }
}

impl ListModel for OrdersFilter {
    fn includes(&self, order: &Order, _: &View) -> bool {
        let is_customers_own = self.customer.as_ref().is_some_and(|(user, proved)| {
            let email = order.customer.email.as_ref();
            order.customer.user == Some(*user) && email.is_some_and(|email| proved.contains(email))
        });
        let is_side = self.partners.contains(&order.vendor) || self.partners.contains(&order.organizer);
        (is_side || is_customers_own) && is_wanted(self, order)
    }

    fn compare(&self, one: &Order, other: &Order) -> Ordering {
        let newest_first = other.id.cmp(&one.id);
        let by_value = one.totals().full.cmp(&other.totals().full);
        let email = |order: &Order| order.customer.email.as_ref().map(|email| email.as_str().to_owned());
        let by_email = email(one).cmp(&email(other));
        match self.sort {
            OrdersSort::Newest => newest_first,
            OrdersSort::Oldest => newest_first.reverse(),
            OrdersSort::Value { descending: false } => by_value.then(newest_first),
            OrdersSort::Value { descending: true } => by_value.reverse().then(newest_first),
            OrdersSort::Email { descending: false } => by_email.then(newest_first),
            OrdersSort::Email { descending: true } => by_email.reverse().then(newest_first),
        }
    }
}

/// What a list asks of an order, whoever sees it.
fn is_wanted(filter: &OrdersFilter, order: &Order) -> bool {
    filter.ids.as_ref().is_none_or(|ids| ids.contains(&order.id))
        && filter.events.as_ref().is_none_or(|ids| ids.contains(&order.event))
        && filter.status.as_ref().is_none_or(|states| states.contains(&order.state()))
        && filter.vendor.is_none_or(|id| id == order.vendor)
        && filter.org.is_none_or(|id| id == order.organizer)
        && filter.user.is_none_or(|id| Some(id) == order.customer.user)
        && filter.created.is_none_or(|(first, last)| (first..=last).contains(&order.created_at))
        && filter.number.is_none_or(|number| number == order.number)
        && (!filter.with_customer || order.customer.email.is_some())
}

pub(crate) async fn orders_are_listed_as_the_model_lists_them(db: Database) {
    let filter = |dice: &mut Dice| {
        let customer = dice.maybe(|dice| (dice.user(), (0..dice.below(9)).map(|_| dice.email()).collect()));
        let (partners, sort) = (dice.some(Dice::partner), dice.orders_sort());
        OrdersFilter { partners, customer, sort, ..random_order_criteria(dice) }
    };
    assert_lists_agree::<OrdersFilter>(db, filter).await;
}

pub(crate) async fn orders_of_many_partners_are_listed_as_the_model_lists_them(db: Database) {
    let filter = |dice: &mut Dice| {
        let customer = dice.maybe(|dice| (dice.user(), (0..=dice.below(9)).map(|_| dice.email()).collect()));
        let status = dice.maybe(|dice| dice.some(Dice::order_state));
        OrdersFilter { partners: dice.many_partners(), customer, status, ..OrdersFilter::default() }
    };
    assert_lists_agree::<OrdersFilter>(db, filter).await;
}

impl ListModel for OrderExportFilter {
    fn includes(&self, order: &Order, _: &View) -> bool {
        let is_theirs = match self.scope {
            ExportScope::All => true,
            ExportScope::OfOrganizer(org) => order.organizer == org,
            ExportScope::OfAgent(vendor) => order.vendor == vendor && order.organizer != vendor,
        };
        is_theirs
            && self.older_than.is_none_or(|below| order.id.key() < below.key())
            && is_wanted(&self.criteria, order)
    }
}

pub(crate) async fn exported_orders_are_listed_as_the_model_lists_them(db: Database) {
    let filter = |dice: &mut Dice| {
        let partner = dice.partner();
        let all = [ExportScope::All, ExportScope::OfOrganizer(partner), ExportScope::OfAgent(partner)];
        let whose = all[usize::try_from(dice.below(3)).unwrap()];
        OrderExportFilter { scope: whose, older_than: dice.maybe(Dice::order), criteria: random_order_criteria(dice) }
    };
    assert_lists_agree::<OrderExportFilter>(db, filter).await;
}

impl ListModel for ExpiredHolds {
    fn includes(&self, order: &Order, _: &View) -> bool {
        let is_held = matches!(order.state(), OrderStatusKind::Reserved | OrderStatusKind::AwaitingPayment);
        is_held && order.reserved_till <= self.now && !self.except.contains(&order.organizer)
    }

    fn compare(&self, one: &Order, other: &Order) -> Ordering {
        (one.reserved_till, one.id).cmp(&(other.reserved_till, other.id))
    }
}

pub(crate) async fn due_orders_are_listed_as_the_model_lists_them(db: Database) {
    assert_lists_agree::<ExpiredHolds>(db, |dice| ExpiredHolds {
        now: dice.moment(),
        except: dice.rarely(|dice| dice.some(Dice::partner)).unwrap_or_default(),
    })
    .await;
}

impl ListModel for PaidOrdersFilter {
    fn includes(&self, order: &Order, _: &View) -> bool {
        order.event == self.event
            && self.after.is_none_or(|last| order.id.key() > last.key())
            && order.state() == OrderStatusKind::Paid
    }

    fn compare(&self, one: &Order, other: &Order) -> Ordering {
        one.id.cmp(&other.id)
    }
}

pub(crate) async fn paid_orders_are_listed_as_the_model_lists_them(db: Database) {
    assert_lists_agree::<PaidOrdersFilter>(db, |dice| PaidOrdersFilter {
        event: dice.event(),
        after: dice.rarely(Dice::order),
    })
    .await;
}

/// What may be wanted of orders, whoever sees them.
fn random_order_criteria(dice: &mut Dice) -> OrdersFilter {
    OrdersFilter {
        ids: dice.rarely(|dice| (0..20).map(|_| dice.order()).collect()),
        events: dice.maybe(|dice| dice.some(Dice::event)),
        status: dice.maybe(|dice| dice.some(Dice::order_state)),
        vendor: dice.rarely(Dice::partner),
        org: dice.rarely(Dice::partner),
        user: dice.rarely(Dice::user),
        created: dice.rarely(|dice| (dice.moment(), dice.moment())),
        number: dice.rarely(|dice| 100_000 + dice.order().key()),
        with_customer: dice.flip(),
        ..OrdersFilter::default()
    }
}

fn orders(cases: &mut PlanCases) {
    let (partner, user) = (Id::root(1), Id::root(2));
    let several = vec![partner, Id::root(5), Id::root(6)];
    let customer = Some((user, confirmed_emails()));
    let seen = [
        (
            OrdersFilter { partners: vec![partner], ..OrdersFilter::default() },
            &["orders_organizer", "orders_agent"][..],
        ),
        (OrdersFilter { partners: several.clone(), ..OrdersFilter::default() }, &["orders_organizer", "orders_agent"]),
        (OrdersFilter { customer: customer.clone(), ..OrdersFilter::default() }, &["orders_user"]),
        (
            OrdersFilter { partners: several, customer, ..OrdersFilter::default() },
            &["orders_organizer", "orders_agent", "orders_user"],
        ),
    ];
    for (seen, through) in seen {
        cases.add(&seen, AccessPath::OrderedIndex, through);
        let status = Some(vec![OrderStatusKind::Reserved, OrderStatusKind::Paid]);
        cases.add_ordered(&OrdersFilter { status, ..seen.clone() });
        cases.add_ordered(&OrdersFilter { with_customer: true, ..seen.clone() });
        cases.add_ordered(&OrdersFilter { sort: OrdersSort::Oldest, ..seen.clone() });
        for filter in [
            OrdersFilter { ids: Some(vec![Id::root(3); 2]), ..seen.clone() },
            OrdersFilter {
                ids: Some(vec![Id::root(3); 2]),
                sort: OrdersSort::Value { descending: true },
                ..seen.clone()
            },
            OrdersFilter {
                ids: Some(vec![Id::root(3); 2]),
                sort: OrdersSort::Email { descending: false },
                ..seen.clone()
            },
            OrdersFilter { events: Some(vec![Id::root(4); 2]), ..seen.clone() },
            OrdersFilter { vendor: Some(partner), ..seen.clone() },
            OrdersFilter { org: Some(partner), ..seen.clone() },
            OrdersFilter { user: Some(user), ..seen.clone() },
            OrdersFilter { created: Some((Timestamp::from_ms(0), Timestamp::from_ms(1))), ..seen.clone() },
            OrdersFilter { number: Some(1), ..seen },
        ] {
            cases.add_sorted(&filter);
        }
    }
    let paid = PaidOrdersFilter { event: Id::root(1), after: Some(Id::root(2)) };
    cases.add(&paid, AccessPath::OrderedIndex, &["orders_event (event=? AND rowid>?)"]);
    let now = Timestamp::from_ms(0);
    for except in [Vec::new(), vec![Id::root(1), Id::root(2)]] {
        cases.add(&ExpiredHolds { now, except }, AccessPath::OrderedIndex, &["orders_due"]);
    }
}

/// A page begins where the last one ended.
fn exports(cases: &mut PlanCases) {
    for (whose, index) in [
        (ExportScope::OfOrganizer(Id::root(1)), "orders_organizer (organizer=? AND rowid<?)"),
        (ExportScope::OfAgent(Id::root(1)), "orders_agent (vendor=? AND id<?)"),
    ] {
        let narrowed = OrdersFilter { with_customer: true, ..OrdersFilter::default() };
        cases.add(
            &OrderExportFilter { scope: whose, criteria: narrowed, older_than: Some(Id::root(7)) },
            AccessPath::OrderedIndex,
            &[index],
        );
    }
    let all = OrderExportFilter { scope: ExportScope::All, criteria: OrdersFilter::default(), older_than: None };
    cases.add_filtered(&all);
}

pub(crate) async fn unpaid_orders_of_visitors_are_found_by_event_and_e_mail_or_network(db: Database) {
    let (event, other) = (event_id(HERE), event_id(ELSEWHERE));
    let (email, network): (Email, _) = ("ann@example.org".parse().unwrap(), NetworkMark::new(-7));
    let held = |event, key| {
        let customer = Customer { email: Some(email.clone()), ..Customer::default() };
        Order { customer, network: Some(network), ..samples::order(event, key) }
    };
    let orders = [
        held(event, 1),
        Order { status: OrderStatus::AwaitingPayment, ..held(event, 2) },
        Order { status: OrderStatus::Canceled, ..held(event, 3) },
        Order { network: None, ..held(event, 4) },
        Order { network: Some(NetworkMark::new(7)), ..held(event, 5) },
        Order { customer: Customer::default(), ..held(event, 6) },
        held(other, 7),
    ];
    db.insert(|view| orders.iter().for_each(|order| view.orders.put(order.clone()))).await;
    let found = async |read_set| {
        let view = db.view(read_set).await;
        keys(view.orders.rows()).into_iter().map(Id::key).collect::<Vec<i64>>()
    };
    let of_email = ReadSet { unpaid_orders_of_email: vec![(event, email.clone())], ..ReadSet::default() };
    assert_eq!(found(of_email).await, [1, 2, 5]);
    let of_network = ReadSet { unpaid_orders_of_network: vec![(event, network)], ..ReadSet::default() };
    assert_eq!(found(of_network).await, [1, 2, 6]);
}

pub(crate) async fn the_newest_of_many_unpaid_orders_are_found(db: Database) {
    let event = event_id(HERE);
    let (many, network) = (i64::from(UNPAID_ORDERS_MAX) + 5, NetworkMark::new(1));
    let held = |key| Order { network: Some(network), ..samples::order(event, key) };
    db.insert(|view| (1..=many).for_each(|key| view.orders.put(held(key)))).await;
    let view = db.view(ReadSet { unpaid_orders_of_network: vec![(event, network)], ..ReadSet::default() }).await;
    let found: Vec<i64> = keys(view.orders.rows()).into_iter().map(Id::key).collect();
    assert_eq!(found, (6..=many).collect::<Vec<_>>());
}

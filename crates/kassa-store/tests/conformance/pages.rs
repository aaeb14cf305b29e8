//! Lists, case by case: what they show, in which order, and how they are cut.

use kassa_domain::event::{EffectiveEventStatus, Event, EventStatus};
use kassa_domain::mail::{Mail, MailQueue, MailState};
use kassa_domain::order::{Customer, Order, OrderStatus, OrderStatusKind};
use kassa_domain::partner::Partner;
use kassa_domain::set::TicketSet;
use kassa_domain::ticket::{Ticket, TicketState};
use kassa_domain::view::Row;
use kassa_domain::{Id, Window};
use kassa_store::queries::{
    CustomersFilter, CustomersOrder, DueMails, EventsFilter, ExpiredHolds, OrderCriteria, OrdersFilter, PartnersFilter,
    SeatsFilter, TicketsFilter,
};
use kassa_store::{PageWindow, RowCount};

use crate::database::Database;
use crate::samples::{self, at, id_in_event};

fn of_partner(key: i64) -> OrdersFilter {
    OrdersFilter { partners: vec![Id::root(key)], ..OrdersFilter::default() }
}

fn order(key: i64) -> Order {
    samples::order(samples::event(1).id, key)
}

fn numbers<K, R: Row<Key = Id<K>>>(rows: &[R]) -> Vec<i64> {
    rows.iter().map(|row| row.key().key()).collect()
}

pub(crate) async fn a_page_is_a_slice_of_the_whole_list(db: Database) {
    db.insert(|view| (1..=7).for_each(|key| view.orders.put(order(key)))).await;
    let cases: [(u32, u64, &[i64]); 6] =
        [(3, 0, &[7, 6, 5]), (3, 3, &[4, 3, 2]), (3, 6, &[1]), (3, 7, &[]), (0, 0, &[]), (9, u64::MAX, &[])];
    for (limit, offset, expected) in cases {
        let page = db.page(of_partner(1), PageWindow { limit, offset, count: RowCount::None }).await;
        assert_eq!(numbers(&page.rows), expected, "limit {limit}, offset {offset}");
    }
}

pub(crate) async fn the_total_counts_all_that_pass(db: Database) {
    let other = Order { organizer: Id::root(2), vendor: Id::root(2), ..order(9) };
    db.insert(|view| (1..=7).map(order).chain([other.clone()]).for_each(|order| view.orders.put(order))).await;
    for (limit, offset) in [(3, 0), (3, 6), (3, 99), (0, 0)] {
        let page = db.page(of_partner(1), PageWindow { limit, offset, count: RowCount::All }).await;
        assert_eq!(page.total, 7, "limit {limit}, offset {offset}");
    }
    assert_eq!(db.page(of_partner(3), PageWindow { limit: 9, offset: 0, count: RowCount::All }).await.total, 0);
}

pub(crate) async fn due_orders_come_in_the_order_of_their_holds(db: Database) {
    let due = |key, ms, status| Order { reserved_till: at(ms), status, ..order(key) };
    let orders = [
        due(1, 300, OrderStatus::Reserved),
        due(2, 100, OrderStatus::AwaitingPayment),
        due(3, 100, OrderStatus::Reserved),
        due(4, 301, OrderStatus::Reserved),
        due(5, 100, OrderStatus::Expired),
        due(6, 100, OrderStatus::Canceled),
        due(7, 100, samples::paid_status()),
    ];
    db.insert(|view| orders.iter().for_each(|order| view.orders.put(order.clone()))).await;
    assert_eq!(numbers(&db.list(ExpiredHolds { now: at(300), except: Vec::new() }).await), [2, 3, 1]);
    assert_eq!(numbers(&db.list(ExpiredHolds { now: at(99), except: Vec::new() }).await), [0; 0]);
}

pub(crate) async fn mails_come_by_turns_and_retries_as_they_are_due(db: Database) {
    let mail = |key, ms, partner: Option<i64>, attempts| Mail {
        due_at: at(ms),
        partner: partner.map(Id::root),
        attempts,
        ..samples::mail(key)
    };
    let mails = [
        mail(1, 100, Some(2), 0),
        mail(2, 300, Some(1), 0),
        mail(3, 200, Some(1), 0),
        mail(4, 400, None, 0),
        mail(5, 300, Some(1), 1),
        mail(6, 100, Some(2), 9),
        Mail { state: MailState::Failed, ..mail(7, 100, None, 0) },
        mail(8, 401, None, 1),
    ];
    db.insert(|view| mails.iter().for_each(|mail| view.mails.put(mail.clone()))).await;
    let now = at(400);
    let first = |after_turn| DueMails { now, queue: MailQueue::Awaited, after_turn };
    assert_eq!(numbers(&db.list(first(-1)).await), [4, 3, 2, 1]);
    assert_eq!(numbers(&db.list(first(1)).await), [1]);
    let retries = DueMails { now, queue: MailQueue::AwaitedRetries, after_turn: -1 };
    assert_eq!(numbers(&db.list(retries).await), [7, 5, 6]);
    assert_eq!(numbers(&db.list(DueMails { after_turn: 1, ..retries }).await), [6]);
    assert_eq!(numbers(&db.list(DueMails { queue: MailQueue::BulkRetries, ..retries }).await), [0; 0]);
}

pub(crate) async fn tickets_come_by_number_behind_the_last_page(db: Database) {
    let set = samples::set(samples::event(1).id, 1);
    let other = samples::set(set.event, 2);
    let numbered = |key, number, state| Ticket { number, state, ..samples::ticket(&set, key) };
    let held = TicketState::Held { order: id_in_event(set.event, 5), till: at(0) };
    let tickets = [
        numbered(14, 1, TicketState::Vacant),
        numbered(13, 2, held),
        numbered(12, 3, TicketState::Blocked),
        numbered(11, 4, TicketState::Vacant),
        Ticket { number: 5, ..samples::ticket(&other, 15) },
    ];
    db.insert(|view| tickets.iter().for_each(|ticket| view.tickets.put(ticket.clone()))).await;
    let all = TicketsFilter {
        event: set.event,
        sets: vec![set.id, other.id],
        states: [true; 4],
        ids: None,
        after: 0,
        are_few: false,
    };
    let cases: [(TicketsFilter, &[i64]); 6] = [
        (all.clone(), &[14, 13, 12, 11, 15]),
        (TicketsFilter { ids: None, after: 2, ..all.clone() }, &[12, 11, 15]),
        (TicketsFilter { sets: vec![other.id], ..all.clone() }, &[15]),
        (TicketsFilter { sets: Vec::new(), ..all.clone() }, &[]),
        (TicketsFilter { states: [false, true, false, true], ..all.clone() }, &[13, 12]),
        (TicketsFilter { states: [false; 4], ..all.clone() }, &[]),
    ];
    for (filter, expected) in cases {
        assert_eq!(numbers(&db.list(filter.clone()).await), expected, "{filter:?}");
    }
}

pub(crate) async fn seats_come_from_the_front_behind_the_last_page(db: Database) {
    let set = samples::seated_set(samples::event(1).id, 1);
    let other = samples::seated_set(set.event, 2);
    let elsewhere = TicketSet { sector: "R".to_owned(), ..samples::seated_set(set.event, 3) };
    let held = TicketState::Held { order: id_in_event(set.event, 5), till: at(0) };
    let tickets = [
        samples::seated_ticket(&set, 11, "10", 1),
        samples::seated_ticket(&set, 12, "9", 2),
        Ticket { state: held, ..samples::seated_ticket(&set, 13, "9", 1) },
        samples::seated_ticket(&other, 14, "9", 3),
        samples::seated_ticket(&other, 15, "9", 10),
        Ticket { state: TicketState::Blocked, ..samples::seated_ticket(&other, 16, "09", 1) },
        samples::seated_ticket(&other, 17, "A2", 1),
        samples::seated_ticket(&set, 18, "A10", 1),
        samples::seated_ticket(&elsewhere, 19, "1", 1),
        samples::ticket(&set, 20),
    ];
    db.insert(|view| tickets.iter().for_each(|ticket| view.tickets.put(ticket.clone()))).await;
    let sets = vec![set.id, other.id, elsewhere.id];
    let all = SeatsFilter {
        event: set.event,
        sector: "L".to_owned(),
        sets,
        states: [true; 4],
        ids: None,
        after: None,
        are_few: false,
    };
    let behind = |row: &str, number| Some((row.parse().unwrap(), number));
    let cases: [(SeatsFilter, &[i64]); 8] = [
        (all.clone(), &[13, 12, 14, 15, 16, 11, 17, 18]),
        (SeatsFilter { after: behind("9", 3), ..all.clone() }, &[15, 16, 11, 17, 18]),
        (SeatsFilter { after: behind("9", 9_999), ..all.clone() }, &[16, 11, 17, 18]),
        (SeatsFilter { after: behind("A10", 1), ..all.clone() }, &[]),
        (SeatsFilter { sector: "R".to_owned(), ..all.clone() }, &[19]),
        (SeatsFilter { sets: vec![other.id], ..all.clone() }, &[14, 15, 16, 17]),
        (SeatsFilter { states: [false, true, false, true], ..all.clone() }, &[13, 16]),
        (SeatsFilter { ids: Some(vec![id_in_event(set.event, 11), id_in_event(set.event, 20)]), ..all.clone() }, &[11]),
    ];
    for (filter, expected) in cases {
        assert_eq!(numbers(&db.list(filter.clone()).await), expected, "{filter:?}");
    }
}

pub(crate) async fn an_event_is_public_until_it_is_over(db: Database) {
    let until = |key, status, finish: Option<i64>| Event {
        status,
        lifetime: Some(Window { start: at(0), finish: finish.map(at) }),
        ..samples::event(key)
    };
    let events = [
        until(1, EventStatus::Public, Some(100)),
        until(2, EventStatus::Public, Some(101)),
        until(3, EventStatus::Public, None),
        Event { lifetime: None, ..samples::event(4) },
        until(5, EventStatus::StandBy, Some(100)),
        until(6, EventStatus::StandBy, None),
        until(7, EventStatus::Canceled, Some(100)),
        Event { removed: true, ..samples::event(8) },
        Event { organizer: Id::root(2), ..until(9, EventStatus::Public, None) },
        Event { organizer: Id::root(3), ..until(10, EventStatus::Public, None) },
    ];
    db.insert(|view| {
        view.partners.put(samples::partner(1));
        // What these have made public is not.
        view.partners.put(Partner { suspension: Some(samples::suspension()), ..samples::partner(2) });
        view.partners.put(Partner { removed: true, ..samples::partner(3) });
        for event in &events {
            view.events.put(event.clone());
        }
    })
    .await;
    let stranger = EventsFilter {
        caller_partners: Vec::new(),
        org: None,
        ids: None,
        status: None,
        include_removed: true,
        now: at(100),
    };
    let owner = EventsFilter { caller_partners: vec![Id::root(1)], ..stranger.clone() };
    let only = |who: &EventsFilter, status| EventsFilter { status: Some(vec![status]), ..who.clone() };
    let cases: [(EventsFilter, &[i64]); 9] = [
        (stranger.clone(), &[4, 3, 2, 1]),
        (only(&stranger, EffectiveEventStatus::Public), &[4, 3, 2]),
        (only(&stranger, EffectiveEventStatus::Finished), &[1]),
        (owner.clone(), &[8, 7, 6, 5, 4, 3, 2, 1]),
        (EventsFilter { include_removed: false, ..owner.clone() }, &[7, 6, 5, 4, 3, 2, 1]),
        (only(&owner, EffectiveEventStatus::StandBy), &[6]),
        (only(&owner, EffectiveEventStatus::Finished), &[5, 1]),
        (only(&owner, EffectiveEventStatus::Canceled), &[7]),
        (EventsFilter { status: Some(Vec::new()), ..owner.clone() }, &[]),
    ];
    for (filter, expected) in cases {
        assert_eq!(numbers(&db.list(filter.clone()).await), expected, "{filter:?}");
    }
}

pub(crate) async fn nobody_without_a_role_sees_an_order(db: Database) {
    let customer = Customer { user: Some(Id::root(5)), email: Some(samples::user(5).email), ..Customer::default() };
    let sold = Order { organizer: Id::root(1), vendor: Id::root(2), customer, ..order(1) };
    let own = Order { status: OrderStatus::Canceled, ..order(2) };
    db.insert(|view| [&sold, &own].into_iter().for_each(|order| view.orders.put(order.clone()))).await;
    let nobody = OrdersFilter::default();
    let known_by = |proved: &[i64]| {
        let proved = proved.iter().map(|key| samples::user(*key).email).collect();
        OrdersFilter { customer: Some((Id::root(5), proved)), ..OrdersFilter::default() }
    };
    let customer = known_by(&[4, 5]);
    let both = OrdersFilter { partners: vec![Id::root(2)], ..customer.clone() };
    let cases: [(OrdersFilter, &[i64]); 11] = [
        (nobody.clone(), &[]),
        (known_by(&[]), &[]),
        (known_by(&[4]), &[]),
        (OrdersFilter { org: Some(Id::root(1)), ..nobody }, &[]),
        (of_partner(1), &[2, 1]),
        (of_partner(2), &[1]),
        (of_partner(3), &[]),
        (customer, &[1]),
        (both, &[1]),
        (OrdersFilter { status: Some(vec![OrderStatusKind::Canceled]), ..of_partner(1) }, &[2]),
        (OrdersFilter { user: Some(Id::root(5)), ..of_partner(1) }, &[1]),
    ];
    for (filter, expected) in cases {
        assert_eq!(numbers(&db.list(filter.clone()).await), expected, "{filter:?}");
    }
}

pub(crate) async fn a_removed_partner_is_seen_by_its_own(db: Database) {
    let partner = |key, removed| Partner { removed, ..samples::partner(key) };
    let partners = [partner(1, false), partner(2, true), partner(3, true)];
    db.insert(|view| partners.iter().for_each(|partner| view.partners.put(partner.clone()))).await;
    let own = vec![Id::root(2), Id::root(1)];
    let seen =
        |ids, removed_of| db.list(PartnersFilter { ids, counterparties_of: None, include_removed_of: removed_of });
    assert_eq!(numbers(&seen(None, Vec::new()).await), [1]);
    assert_eq!(numbers(&seen(None, own.clone()).await), [2, 1]);
    assert_eq!(numbers(&seen(Some(vec![Id::root(3), Id::root(2)]), own).await), [2]);
    assert_eq!(numbers(&seen(Some(Vec::new()), Vec::new()).await), [0; 0]);
}

pub(crate) async fn customers_are_found_by_their_orders_and_sorted(db: Database) {
    let under = |key, user, email, status| {
        let customer =
            Customer { user: Some(Id::root(user)), email: Some(samples::user(email).email), ..Customer::default() };
        Order { customer, status, ..order(key) }
    };
    let bought = |key, user, status| under(key, user, user, status);
    let nameless = |user| Customer { user: Some(Id::root(user)), ..Customer::default() };
    let orders = [
        bought(1, 1, OrderStatus::Reserved),
        bought(2, 2, samples::paid_status()),
        // Under the address that the user had then.
        under(3, 2, 9, OrderStatus::Canceled),
        bought(4, 3, OrderStatus::Expired),
        Order { organizer: Id::root(2), vendor: Id::root(3), ..bought(5, 4, samples::paid_status()) },
        Order { organizer: Id::root(2), vendor: Id::root(3), ..bought(6, 2, samples::paid_status()) },
        Order { organizer: Id::root(5), vendor: Id::root(5), customer: nameless(6), ..order(7) },
        Order { organizer: Id::root(5), vendor: Id::root(5), ..bought(8, 7, OrderStatus::Reserved) },
    ];
    db.insert(|view| orders.iter().for_each(|order| view.orders.put(order.clone()))).await;
    let of = |partner| CustomersFilter { partners: vec![Id::root(partner)], ..CustomersFilter::default() };
    let suggest = |text: &str| CustomersFilter { email_contains: Some(text.to_owned()), ..of(1) };
    let sorted = |order| CustomersFilter { order, ..of(1) };
    let ordered = |status| Some(OrderCriteria { events: vec![samples::event(1).id], status });
    let asked = |status, filter| CustomersFilter { order_criteria: ordered(status), ..filter };
    let cases: [(CustomersFilter, &[i64]); 18] = [
        (CustomersFilter::default(), &[]),
        (of(1), &[4, 3, 1]),
        (of(2), &[5, 6]),
        (of(3), &[5, 6]),
        (of(4), &[]),
        (CustomersFilter { except: Some(Id::root(2)), ..of(1) }, &[4, 1]),
        (asked(Some(vec![OrderStatusKind::Canceled]), of(1)), &[3]),
        (asked(Some(vec![OrderStatusKind::Paid]), of(1)), &[3]),
        (asked(Some(Vec::new()), of(1)), &[]),
        (CustomersFilter { order_criteria: Some(OrderCriteria { events: Vec::new(), status: None }), ..of(1) }, &[]),
        (CustomersFilter { ids: Some(vec![Id::root(4), Id::root(2)]), ..of(1) }, &[3]),
        (suggest("N1@EXAMPLE"), &[1]),
        (suggest("n9@"), &[3]),
        (suggest("n2@"), &[]),
        (suggest("%@"), &[]),
        (sorted(CustomersOrder::Email { descending: false }), &[1, 4, 3]),
        // Who left no address stands before all that did.
        (CustomersFilter { order: CustomersOrder::Email { descending: false }, ..of(5) }, &[7, 8]),
        (CustomersFilter { order: CustomersOrder::Email { descending: true }, ..of(5) }, &[8, 7]),
    ];
    for (filter, expected) in cases {
        assert_eq!(numbers(&db.list(filter.clone()).await), expected, "{filter:?}");
    }
}

//! An id is its key and its tag: one with the tag of another shard is of nothing that is there.

use kassa_domain::order::{Customer, Order};
use kassa_domain::set::{SeatSelector, SetId, TicketCounts};
use kassa_domain::{Id, ReadSet, ShardTag, Timestamp, View};
use kassa_store::queries::{
    ApiKeysFilter, CustomersFilter, EventsFilter, ExpiredHolds, OrdersFilter, PartnersFilter, PromocodesFilter,
    PromotionsFilter, RefundsFilter, SeatsFilter, TicketsFilter,
};

use crate::database::Database;
use crate::samples::{self, manager};

/// The id with the tag of another shard.
fn foreign<K>(id: Id<K>) -> Id<K> {
    let tag = ShardTag::from_i64(id.tag().to_i64() ^ 1).unwrap();
    Id::with_tag(tag, id.key())
}

/// One row of each kind that has an id.
async fn given_one_of_each(db: &Database) {
    let event = samples::event(1);
    let set = kassa_domain::set::TicketSet {
        counts: TicketCounts { amount: 4, vacant: 1, held: 1, sold: 1, blocked: 1, pending: 0 },
        ..samples::set(event.id, 1)
    };
    db.insert(|view| {
        view.users.put(samples::user(1));
        view.partners.put(samples::partner(1));
        view.managers.put(manager(1, 1));
        view.keys.put(samples::api_key(1, 1));
        view.events.put(event.clone());
        view.sets.put(set.clone());
        let tickets = samples::one_of_each_state(&set, 10, 1);
        samples::put_holders(&tickets, view);
        for ticket in tickets {
            view.tickets.put(ticket);
        }
        view.tickets.put(samples::seated_ticket(&samples::seated_set(event.id, 1), 20, "1", 1));
        view.refunds.put(samples::refund(event.id, 1));
        view.seat_row_inventories.put(samples::seat_row_inventory(&set, 30, "1", &[1]));
        view.promocodes.put(samples::promocode(event.id, 1));
        view.promotions.put(samples::promotion(event.id, 1));
        view.jobs.put(samples::job(event.id, 1));
        view.mails.put(samples::full_mail(event.id, 1));
        view.idempotency_records.put(samples::idempotency_record(event.id.tag(), 1));
    })
    .await;
}

/// The seat of a set.
fn chairs(set: SetId) -> SeatSelector {
    let event = samples::event(1).id;
    let sector = samples::seated_set(event, 1).sector;
    SeatSelector { set, event, sector, row: "1".parse().unwrap(), range: (1, 1).into() }
}

async fn finds_nothing(db: &Database, read_set: ReadSet) {
    let view: View = db.view(read_set.clone()).await;
    let found = [
        view.users.rows().count(),
        view.partners.rows().count(),
        view.managers.rows().count(),
        view.keys.rows().count(),
        view.orders.rows().count(),
        view.refunds.rows().count(),
        view.promocodes.rows().count(),
        view.sets.rows().count(),
        view.tickets.rows().count(),
        view.seat_row_inventories.rows().count(),
        view.events.rows().count(),
        view.promotions.rows().count(),
        view.jobs.rows().count(),
        view.mails.rows().count(),
        view.idempotency_records.rows().count(),
    ];
    assert_eq!(found, [0; 15], "{read_set:?}");
}

pub(crate) async fn a_key_with_a_foreign_tag_is_unknown(db: Database) {
    given_one_of_each(&db).await;
    let event = samples::event(1).id;
    let read_set = ReadSet {
        users: vec![foreign(samples::user(1).id)],
        partners: vec![foreign(samples::partner(1).id)],
        managers: vec![
            (foreign(samples::partner(1).id), samples::user(1).id),
            (samples::partner(1).id, foreign(samples::user(1).id)),
        ],
        keys: vec![foreign(samples::api_key(1, 1).id)],
        orders: vec![foreign(samples::order(event, 1).id)],
        refunds: vec![foreign(samples::refund(event, 1).id)],
        promocodes: vec![foreign(samples::promocode(event, 1).id)],
        promotions: vec![foreign(samples::promotion(event, 1).id)],
        tickets: vec![foreign(samples::id_in_event(event, 10))],
        seat_row_inventories: vec![foreign(samples::id_in_event(event, 30))],
        events: vec![foreign(event)],
        jobs: vec![foreign(samples::job(event, 1).id)],
        mails: vec![foreign(samples::full_mail(event, 1).id)],
        idempotency_records: vec![samples::idempotency_record(foreign(event).tag(), 1).key],
        ..ReadSet::default()
    };
    finds_nothing(&db, read_set).await;
}

pub(crate) async fn an_event_with_a_foreign_tag_has_no_sets(db: Database) {
    given_one_of_each(&db).await;
    let of_event = || ReadSet { sets_of: vec![foreign(samples::event(1).id)], ..ReadSet::default() };
    finds_nothing(&db, of_event()).await;
    let mut found = None;
    db.write(of_event(), |view| found = Some(view.sets.rows().count())).await.unwrap();
    assert_eq!(found, Some(0), "nor in a batch");
}

pub(crate) async fn a_selector_with_a_foreign_tag_finds_nothing(db: Database) {
    given_one_of_each(&db).await;
    let event = samples::event(1).id;
    let set = foreign(samples::set(event, 1).id);
    let selectors = vec![
        ReadSet { managers_of: vec![foreign(samples::partner(1).id)], ..ReadSet::default() },
        ReadSet { partners_of: vec![foreign(samples::user(1).id)], ..ReadSet::default() },
        ReadSet { tickets_held_by: vec![foreign(samples::order(event, 1).id)], ..ReadSet::default() },
        ReadSet { organizers_of: vec![foreign(event)], ..ReadSet::default() },
        ReadSet { refunds_of: vec![foreign(samples::refund(event, 1).order)], ..ReadSet::default() },
        ReadSet { open_refunds_of: vec![foreign(samples::refund(event, 1).order)], ..ReadSet::default() },
        ReadSet { promocodes_by_text: vec![(foreign(event), samples::promocode(event, 1).code)], ..ReadSet::default() },
        ReadSet { promotions_of: vec![foreign(event)], ..ReadSet::default() },
        ReadSet { blocked_tickets_of: vec![set], ..ReadSet::default() },
        ReadSet { seats: vec![chairs(set)], ..ReadSet::default() },
        ReadSet { vacant: vec![(set, 5)], ..ReadSet::default() },
        ReadSet { seat_row_inventories_of: vec![set], ..ReadSet::default() },
    ];
    for read_set in selectors {
        finds_nothing(&db, read_set).await;
    }
}

pub(crate) async fn a_list_by_ids_with_foreign_tags_is_empty(db: Database) {
    given_one_of_each(&db).await;
    let (event, partner, user) = (samples::event(1).id, samples::partner(1).id, samples::user(1).id);
    let now = Timestamp::from_ms(i64::MAX);
    let all = OrdersFilter { partners: vec![partner], customer: Some((user, Vec::new())), ..OrdersFilter::default() };
    assert_eq!(db.list(all.clone()).await.len(), 1);
    assert_eq!(db.list(ExpiredHolds { now, except: Vec::new() }).await.len(), 1);
    let lists = [
        OrdersFilter { ids: Some(vec![foreign(samples::order(event, 1).id)]), ..all.clone() },
        OrdersFilter { events: Some(vec![foreign(event)]), ..all.clone() },
        OrdersFilter { vendor: Some(foreign(partner)), ..all.clone() },
        OrdersFilter { org: Some(foreign(partner)), ..all },
    ];
    for filter in lists {
        assert_eq!(db.list(filter.clone()).await, [], "{filter:?}");
    }
    let events = EventsFilter {
        caller_partners: Vec::new(),
        org: None,
        ids: None,
        status: None,
        include_removed: false,
        now: samples::at(0),
    };
    assert_eq!(db.list(EventsFilter { ids: Some(vec![foreign(event)]), ..events.clone() }).await, []);
    assert_eq!(db.list(EventsFilter { org: Some(foreign(partner)), ..events }).await, []);
    assert_eq!(db.list(PartnersFilter { ids: Some(vec![foreign(partner)]), ..PartnersFilter::default() }).await, []);
    let around = PartnersFilter { counterparties_of: Some(vec![foreign(partner)]), ..PartnersFilter::default() };
    assert_eq!(db.list(around).await, []);
    assert_eq!(db.list(ApiKeysFilter { partner: foreign(partner), ids: None, include_removed: true }).await, []);
    let keys = ApiKeysFilter { partner, ids: Some(vec![foreign(samples::api_key(1, 1).id)]), include_removed: true };
    assert_eq!(db.list(keys).await, []);
    let customer = Customer { user: Some(user), email: Some(samples::user(1).email), ..Customer::default() };
    let order = Order { customer, ..samples::order(event, 2) };
    db.insert(|view| view.orders.put(order.clone())).await;
    let customers = CustomersFilter { partners: vec![partner], ..CustomersFilter::default() };
    assert_eq!(db.list(customers.clone()).await.len(), 1);
    assert_eq!(db.list(CustomersFilter { ids: Some(vec![foreign(user)]), ..customers.clone() }).await, []);
    assert_eq!(db.list(CustomersFilter { partners: vec![foreign(partner)], ..customers }).await, []);
    assert_eq!(db.list(PromocodesFilter { event: foreign(event), ids: None }).await, []);
    let promocodes = PromocodesFilter { event, ids: Some(vec![foreign(samples::promocode(event, 1).id)]) };
    assert_eq!(db.list(promocodes).await, []);
    let promotions = PromotionsFilter { event, ids: None, include_removed: true };
    assert_eq!(db.list(promotions.clone()).await.len(), 1);
    assert_eq!(db.list(PromotionsFilter { event: foreign(event), ..promotions.clone() }).await, []);
    let ids = Some(vec![foreign(samples::promotion(event, 1).id)]);
    assert_eq!(db.list(PromotionsFilter { ids, ..promotions }).await, []);
    let tickets = TicketsFilter {
        event: foreign(event),
        sets: vec![samples::set(event, 1).id],
        states: [true; 4],
        ids: None,
        after: 0,
        are_few: false,
    };
    assert_eq!(db.list(tickets).await, []);
    let seats = SeatsFilter {
        event,
        sector: samples::seated_set(event, 1).sector,
        sets: vec![samples::set(event, 1).id],
        states: [true; 4],
        ids: None,
        after: None,
        are_few: false,
    };
    assert_eq!(db.list(seats.clone()).await.len(), 1);
    let ids = Some(vec![foreign(samples::id_in_event(event, 20))]);
    assert_eq!(db.list(SeatsFilter { ids, ..seats.clone() }).await, []);
    assert_eq!(db.list(SeatsFilter { event: foreign(event), ..seats }).await, []);
}

pub(crate) async fn a_list_of_refund_requests_with_foreign_ids_is_empty(db: Database) {
    given_one_of_each(&db).await;
    let (event, partner) = (samples::event(1).id, samples::partner(1).id);
    let refunds = RefundsFilter { partners: vec![partner], ..RefundsFilter::default() };
    assert_eq!(db.list(refunds.clone()).await.len(), 1);
    let request = samples::refund(event, 1);
    let lists = [
        RefundsFilter { partners: vec![foreign(partner)], ..refunds.clone() },
        RefundsFilter { ids: Some(vec![foreign(request.id)]), ..refunds.clone() },
        RefundsFilter { orders: Some(vec![foreign(request.order)]), ..refunds.clone() },
        RefundsFilter { events: Some(vec![foreign(event)]), ..refunds.clone() },
        RefundsFilter { org: Some(foreign(partner)), ..refunds },
    ];
    for filter in lists {
        assert_eq!(db.list(filter.clone()).await, [], "{filter:?}");
    }
}

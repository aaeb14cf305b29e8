//! Lists, at random: each driver shows what the model in memory shows of the same rows.

use std::fmt::Debug;

use kassa_store::queries::{
    ApiKeysFilter, AttachmentsFilter, CustomersFilter, DealsFilter, DueMails, EventsFilter, ExpiredHolds,
    ExpiredIdempotencyRecords, ExportScope, HallMapsFilter, JobsFilter, OrderCriteria, OrderExportFilter, OrdersFilter,
    PaidOrdersFilter, PartnersFilter, PromocodesFilter, PromotionsFilter, RefundsFilter, SeatsFilter,
    SellableEventsFilter, TicketsFilter, UnsentMailsFilter, VenuesFilter,
};
use kassa_store::{Filter, PageWindow};

use crate::crowd::write_sample_rows;
use crate::database::Database;
use crate::dice::Dice;

/// Pages that are compared in each test.
const PAGES: usize = 300;

/// Fills both with the same rows and compares pages of random filters.
async fn assert_lists_agree<F: Filter + Clone + Debug>(db: Database, mut filter: impl FnMut(&mut Dice) -> F)
where
    F::Row: PartialEq,
{
    let model = Database::memory().await;
    for db in [&db, &model] {
        write_sample_rows(db).await;
    }
    let (mut dice, mut shown) = (Dice::new(7), 0);
    for _ in 0..PAGES {
        let filter = filter(&mut dice);
        let slice = PageWindow {
            limit: u32::try_from(dice.below(30)).unwrap(),
            offset: dice.below(4) * dice.below(9),
            with_total: dice.flip(),
        };
        let (page, expected) = (db.page(filter.clone(), slice).await, model.page(filter.clone(), slice).await);
        assert_eq!(page.rows, expected.rows, "{filter:?} {slice:?}");
        if slice.with_total {
            assert_eq!(page.total, expected.total, "{filter:?}");
        }
        shown += page.rows.len();
    }
    assert!(shown > PAGES, "the filters let too little pass to say anything: {shown}");
}

pub(crate) async fn orders_are_listed_as_the_model_lists_them(db: Database) {
    let filter = |dice: &mut Dice| {
        let customer = dice.maybe(|dice| (dice.user(), (0..dice.below(9)).map(|_| dice.email()).collect()));
        OrdersFilter { partners: dice.some(Dice::partner), customer, ..random_order_criteria(dice) }
    };
    assert_lists_agree(db, filter).await;
}

pub(crate) async fn orders_of_many_partners_are_listed_as_the_model_lists_them(db: Database) {
    let filter = |dice: &mut Dice| {
        let customer = dice.maybe(|dice| (dice.user(), (0..=dice.below(9)).map(|_| dice.email()).collect()));
        let status = dice.maybe(|dice| dice.some(Dice::order_state));
        OrdersFilter { partners: dice.many_partners(), customer, status, ..OrdersFilter::default() }
    };
    assert_lists_agree(db, filter).await;
}

pub(crate) async fn deals_of_many_partners_are_listed_as_the_model_lists_them(db: Database) {
    let filter = |dice: &mut Dice| DealsFilter {
        caller_partners: dice.many_partners(),
        partner: dice.rarely(Dice::partner),
        event: None,
        ids: None,
        status: None,
        now: dice.moment(),
    };
    assert_lists_agree(db, filter).await;
}

pub(crate) async fn exported_orders_are_listed_as_the_model_lists_them(db: Database) {
    let filter = |dice: &mut Dice| {
        let partner = dice.partner();
        let all = [ExportScope::All, ExportScope::OfOrganizer(partner), ExportScope::OfAgent(partner)];
        let whose = all[usize::try_from(dice.below(3)).unwrap()];
        OrderExportFilter { scope: whose, older_than: dice.maybe(Dice::order), criteria: random_order_criteria(dice) }
    };
    assert_lists_agree(db, filter).await;
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

pub(crate) async fn due_orders_are_listed_as_the_model_lists_them(db: Database) {
    assert_lists_agree(db, |dice| ExpiredHolds { now: dice.moment() }).await;
}

pub(crate) async fn paid_orders_are_listed_as_the_model_lists_them(db: Database) {
    assert_lists_agree(db, |dice| PaidOrdersFilter { event: dice.event(), after: dice.rarely(Dice::order) }).await;
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
    assert_lists_agree(db, filter).await;
}

pub(crate) async fn events_are_listed_as_the_model_lists_them(db: Database) {
    let filter = |dice: &mut Dice| EventsFilter {
        caller_partners: dice.some(Dice::partner),
        org: dice.rarely(Dice::partner),
        ids: dice.rarely(|dice| dice.some(Dice::event)),
        status: dice.maybe(|dice| dice.some(Dice::shown_status)),
        include_removed: dice.flip(),
        now: dice.moment(),
    };
    assert_lists_agree(db, filter).await;
}

pub(crate) async fn sellable_events_are_listed_as_the_model_lists_them(db: Database) {
    let filter = |dice: &mut Dice| {
        let mut filter =
            SellableEventsFilter::on_sale((0..4 + dice.below(15)).map(|_| dice.partner()).collect(), dice.moment());
        filter.status = (0..6).map(|_| dice.shown_status()).collect();
        for _ in 0..dice.below(3) {
            narrow(&mut filter, dice);
        }
        filter
    };
    assert_lists_agree(db, filter).await;
}

fn narrow(filter: &mut SellableEventsFilter, dice: &mut Dice) {
    match dice.below(11) {
        0 => filter.ids = Some((0..9).map(|_| dice.event()).collect()),
        1 => filter.orgs = Some(dice.some(Dice::partner)),
        2 => filter.tags = Some(dice.some(Dice::tag)),
        3 => filter.venues = Some((0..30).map(|_| dice.venue()).collect()),
        4 => filter.cities = Some(dice.some(Dice::city)),
        5 => filter.countries = Some(dice.some(Dice::country)),
        6 => filter.lifetime = Some((dice.moment(), dice.moment())),
        7 => filter.created_since = Some(dice.moment()),
        8 => filter.updated_since = Some(dice.moment()),
        9 => filter.updated_after = Some(dice.moment()),
        _ => filter.before = Some(dice.event()),
    }
}

pub(crate) async fn tickets_are_listed_as_the_model_lists_them(db: Database) {
    let filter = |dice: &mut Dice| TicketsFilter {
        event: dice.event(),
        sets: (0..12).map(|_| dice.set()).collect(),
        states: [dice.flip(), dice.flip(), dice.flip(), dice.flip()],
        ids: None,
        after: dice.rarely(Dice::number).unwrap_or(0),
    };
    assert_lists_agree(db, filter).await;
}

pub(crate) async fn seats_are_listed_as_the_model_lists_them(db: Database) {
    let filter = |dice: &mut Dice| SeatsFilter {
        event: dice.event(),
        sector: dice.sector(),
        sets: (0..40).map(|_| dice.set()).collect(),
        states: [dice.flip(), dice.flip(), dice.flip(), true],
        ids: None,
        after: dice.rarely(|dice| (dice.row().parse().unwrap(), dice.seat())),
    };
    assert_lists_agree(db, filter).await;
}

pub(crate) async fn partners_are_listed_as_the_model_lists_them(db: Database) {
    let filter = |dice: &mut Dice| PartnersFilter {
        ids: dice.rarely(|dice| dice.some(Dice::partner)),
        counterparties_of: dice.maybe(|dice| dice.some(Dice::partner)),
        include_removed_of: dice.some(Dice::partner),
    };
    assert_lists_agree(db, filter).await;
}

pub(crate) async fn customers_are_listed_as_the_model_lists_them(db: Database) {
    let ordered = |dice: &mut Dice| OrderCriteria {
        events: dice.some(Dice::event),
        status: dice.maybe(|dice| dice.some(Dice::order_state)),
    };
    let filter = |dice: &mut Dice| CustomersFilter {
        partners: dice.some(Dice::partner),
        caller: dice.maybe(|dice| (dice.user(), (0..dice.below(9)).map(|_| dice.email()).collect())),
        ids: dice.rarely(|dice| dice.some(Dice::user)),
        name_contains: dice.rarely(Dice::part_of_name),
        order_criteria: dice.maybe(ordered),
        order: dice.customers_order(),
    };
    assert_lists_agree(db, filter).await;
}

pub(crate) async fn venues_are_listed_as_the_model_lists_them(db: Database) {
    let filter = |dice: &mut Dice| VenuesFilter {
        ids: dice.rarely(|dice| dice.some(Dice::venue)),
        org: dice.rarely(Dice::partner),
        city: dice.rarely(Dice::city),
        country: dice.rarely(Dice::country),
        name_contains: dice.rarely(Dice::part_of_name),
        include_removed_of: dice.some(Dice::partner),
    };
    assert_lists_agree(db, filter).await;
}

pub(crate) async fn maps_are_listed_as_the_model_lists_them(db: Database) {
    let filter = |dice: &mut Dice| HallMapsFilter {
        venue: dice.hall(),
        ids: dice.rarely(|dice| (0..40).map(|_| dice.map()).collect()),
    };
    assert_lists_agree(db, filter).await;
}

pub(crate) async fn keys_are_listed_as_the_model_lists_them(db: Database) {
    let filter = |dice: &mut Dice| ApiKeysFilter {
        partner: dice.partner(),
        ids: dice.rarely(|dice| (0..20).map(|_| dice.key()).collect()),
        include_removed: dice.flip(),
    };
    assert_lists_agree(db, filter).await;
}

pub(crate) async fn attachments_are_listed_as_the_model_lists_them(db: Database) {
    let filter = |dice: &mut Dice| AttachmentsFilter {
        authors: dice.some(Dice::partner),
        ids: dice.rarely(|dice| (0..20).map(|_| dice.attachment()).collect()),
        include_removed: dice.flip(),
    };
    assert_lists_agree(db, filter).await;
}

pub(crate) async fn deals_are_listed_as_the_model_lists_them(db: Database) {
    let filter = |dice: &mut Dice| DealsFilter {
        caller_partners: dice.some(Dice::partner),
        partner: dice.rarely(Dice::partner),
        event: dice.rarely(Dice::event),
        ids: dice.rarely(|dice| (0..20).map(|_| dice.deal()).collect()),
        status: dice.maybe(|dice| dice.some(Dice::shown_deal_status)),
        now: dice.moment(),
    };
    assert_lists_agree(db, filter).await;
}

pub(crate) async fn promocodes_are_listed_as_the_model_lists_them(db: Database) {
    let filter = |dice: &mut Dice| PromocodesFilter {
        event: dice.event(),
        ids: dice.rarely(|dice| (0..30).map(|_| dice.promocode()).collect()),
    };
    assert_lists_agree(db, filter).await;
}

pub(crate) async fn promotions_are_listed_as_the_model_lists_them(db: Database) {
    let filter = |dice: &mut Dice| PromotionsFilter {
        event: dice.event(),
        ids: dice.rarely(|dice| (0..30).map(|_| dice.promotion()).collect()),
        include_removed: dice.flip(),
    };
    assert_lists_agree(db, filter).await;
}

pub(crate) async fn jobs_are_listed_as_the_model_lists_them(db: Database) {
    assert_lists_agree(db, |_| JobsFilter).await;
}

pub(crate) async fn mails_are_listed_as_the_model_lists_them(db: Database) {
    assert_lists_agree(db, |_| UnsentMailsFilter).await;
}

pub(crate) async fn old_answers_are_listed_as_the_model_lists_them(db: Database) {
    assert_lists_agree(db, |dice| ExpiredIdempotencyRecords { stored_until: dice.moment() }).await;
}

pub(crate) async fn due_mails_are_listed_as_the_model_lists_them(db: Database) {
    assert_lists_agree(db, |dice| DueMails { now: dice.moment() }).await;
}

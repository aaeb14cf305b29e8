//! Lists, at random: each driver shows what the model in memory shows of the same rows.

use std::fmt::Debug;

use kassa_store::queries::{
    AttachmentsFilter, CustomersFilter, DealsFilter, DueMails, DueOrders, EventsFilter, ExportedOrders, JobsFilter,
    KeysFilter, MailsFilter, MapsFilter, OldAnswers, OrderedFor, OrdersFilter, PaidOrders, PartnersFilter,
    PromocodesFilter, PromotionsFilter, RefundsFilter, SeatsFilter, SellableFilter, TicketsFilter, VenuesFilter, Whose,
};
use kassa_store::{Filter, Slice};

use crate::crowd::crowd;
use crate::database::Database;
use crate::dice::Dice;

/// Pages that are compared in each test.
const PAGES: usize = 300;

/// Fills both with the same rows and compares pages of random filters.
async fn agree<F: Filter + Clone + Debug>(db: Database, mut filter: impl FnMut(&mut Dice) -> F)
where
    F::Row: PartialEq,
{
    let model = Database::memory().await;
    for db in [&db, &model] {
        crowd(db).await;
    }
    let (mut dice, mut shown) = (Dice::new(7), 0);
    for _ in 0..PAGES {
        let filter = filter(&mut dice);
        let slice = Slice {
            limit: u32::try_from(dice.below(30)).unwrap(),
            offset: dice.below(4) * dice.below(9),
            count: dice.flip(),
        };
        let (page, expected) = (db.page(filter.clone(), slice).await, model.page(filter.clone(), slice).await);
        assert_eq!(page.rows, expected.rows, "{filter:?} {slice:?}");
        if slice.count {
            assert_eq!(page.total, expected.total, "{filter:?}");
        }
        shown += page.rows.len();
    }
    assert!(shown > PAGES, "the filters let too little pass to say anything: {shown}");
}

pub(crate) async fn orders_are_listed_as_the_model_lists_them(db: Database) {
    let filter = |dice: &mut Dice| {
        let customer = dice.maybe(|dice| (dice.user(), (0..dice.below(9)).map(|_| dice.email()).collect()));
        OrdersFilter { partners: dice.some(Dice::partner), customer, ..narrowed(dice) }
    };
    agree(db, filter).await;
}

pub(crate) async fn orders_of_many_partners_are_listed_as_the_model_lists_them(db: Database) {
    let filter = |dice: &mut Dice| {
        let customer = dice.maybe(|dice| (dice.user(), (0..=dice.below(9)).map(|_| dice.email()).collect()));
        let status = dice.maybe(|dice| dice.some(Dice::order_state));
        OrdersFilter { partners: dice.many_partners(), customer, status, ..OrdersFilter::default() }
    };
    agree(db, filter).await;
}

pub(crate) async fn deals_of_many_partners_are_listed_as_the_model_lists_them(db: Database) {
    let filter = |dice: &mut Dice| DealsFilter {
        own: dice.many_partners(),
        partner: dice.rarely(Dice::partner),
        event: None,
        ids: None,
        status: None,
        now: dice.moment(),
    };
    agree(db, filter).await;
}

pub(crate) async fn exported_orders_are_listed_as_the_model_lists_them(db: Database) {
    let filter = |dice: &mut Dice| {
        let partner = dice.partner();
        let all = [Whose::Everybodys, Whose::OrganizedBy(partner), Whose::SoldForOthersBy(partner)];
        let whose = all[usize::try_from(dice.below(3)).unwrap()];
        ExportedOrders { whose, below: dice.maybe(Dice::order), narrowed: narrowed(dice) }
    };
    agree(db, filter).await;
}

/// What may be wanted of orders, whoever sees them.
fn narrowed(dice: &mut Dice) -> OrdersFilter {
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
    agree(db, |dice| DueOrders { now: dice.moment() }).await;
}

pub(crate) async fn paid_orders_are_listed_as_the_model_lists_them(db: Database) {
    agree(db, |dice| PaidOrders { event: dice.event(), after: dice.rarely(Dice::order) }).await;
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
    agree(db, filter).await;
}

pub(crate) async fn events_are_listed_as_the_model_lists_them(db: Database) {
    let filter = |dice: &mut Dice| EventsFilter {
        own: dice.some(Dice::partner),
        org: dice.rarely(Dice::partner),
        ids: dice.rarely(|dice| dice.some(Dice::event)),
        status: dice.maybe(|dice| dice.some(Dice::shown_status)),
        removed: dice.flip(),
        now: dice.moment(),
    };
    agree(db, filter).await;
}

pub(crate) async fn sellable_events_are_listed_as_the_model_lists_them(db: Database) {
    let filter = |dice: &mut Dice| {
        let mut filter =
            SellableFilter::on_sale((0..4 + dice.below(15)).map(|_| dice.partner()).collect(), dice.moment());
        filter.status = (0..6).map(|_| dice.shown_status()).collect();
        for _ in 0..dice.below(3) {
            narrow(&mut filter, dice);
        }
        filter
    };
    agree(db, filter).await;
}

fn narrow(filter: &mut SellableFilter, dice: &mut Dice) {
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
    agree(db, filter).await;
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
    agree(db, filter).await;
}

pub(crate) async fn partners_are_listed_as_the_model_lists_them(db: Database) {
    let filter = |dice: &mut Dice| PartnersFilter {
        ids: dice.rarely(|dice| dice.some(Dice::partner)),
        around: dice.maybe(|dice| dice.some(Dice::partner)),
        removed_of: dice.some(Dice::partner),
    };
    agree(db, filter).await;
}

pub(crate) async fn customers_are_listed_as_the_model_lists_them(db: Database) {
    let ordered = |dice: &mut Dice| OrderedFor {
        events: dice.some(Dice::event),
        status: dice.maybe(|dice| dice.some(Dice::order_state)),
    };
    let filter = |dice: &mut Dice| CustomersFilter {
        partners: dice.some(Dice::partner),
        own: dice.maybe(|dice| (dice.user(), (0..dice.below(9)).map(|_| dice.email()).collect())),
        ids: dice.rarely(|dice| dice.some(Dice::user)),
        suggest: dice.rarely(Dice::part_of_name),
        ordered: dice.maybe(ordered),
        order: dice.customers_order(),
    };
    agree(db, filter).await;
}

pub(crate) async fn venues_are_listed_as_the_model_lists_them(db: Database) {
    let filter = |dice: &mut Dice| VenuesFilter {
        ids: dice.rarely(|dice| dice.some(Dice::venue)),
        org: dice.rarely(Dice::partner),
        city: dice.rarely(Dice::city),
        country: dice.rarely(Dice::country),
        suggest: dice.rarely(Dice::part_of_name),
        removed_of: dice.some(Dice::partner),
    };
    agree(db, filter).await;
}

pub(crate) async fn maps_are_listed_as_the_model_lists_them(db: Database) {
    let filter = |dice: &mut Dice| MapsFilter {
        venue: dice.hall(),
        ids: dice.rarely(|dice| (0..40).map(|_| dice.map()).collect()),
    };
    agree(db, filter).await;
}

pub(crate) async fn keys_are_listed_as_the_model_lists_them(db: Database) {
    let filter = |dice: &mut Dice| KeysFilter {
        partner: dice.partner(),
        ids: dice.rarely(|dice| (0..20).map(|_| dice.key()).collect()),
        removed: dice.flip(),
    };
    agree(db, filter).await;
}

pub(crate) async fn attachments_are_listed_as_the_model_lists_them(db: Database) {
    let filter = |dice: &mut Dice| AttachmentsFilter {
        authors: dice.some(Dice::partner),
        ids: dice.rarely(|dice| (0..20).map(|_| dice.attachment()).collect()),
        removed: dice.flip(),
    };
    agree(db, filter).await;
}

pub(crate) async fn deals_are_listed_as_the_model_lists_them(db: Database) {
    let filter = |dice: &mut Dice| DealsFilter {
        own: dice.some(Dice::partner),
        partner: dice.rarely(Dice::partner),
        event: dice.rarely(Dice::event),
        ids: dice.rarely(|dice| (0..20).map(|_| dice.deal()).collect()),
        status: dice.maybe(|dice| dice.some(Dice::shown_deal_status)),
        now: dice.moment(),
    };
    agree(db, filter).await;
}

pub(crate) async fn promocodes_are_listed_as_the_model_lists_them(db: Database) {
    let filter = |dice: &mut Dice| PromocodesFilter {
        event: dice.event(),
        ids: dice.rarely(|dice| (0..30).map(|_| dice.promocode()).collect()),
    };
    agree(db, filter).await;
}

pub(crate) async fn promotions_are_listed_as_the_model_lists_them(db: Database) {
    let filter = |dice: &mut Dice| PromotionsFilter {
        event: dice.event(),
        ids: dice.rarely(|dice| (0..30).map(|_| dice.promotion()).collect()),
        removed: dice.flip(),
    };
    agree(db, filter).await;
}

pub(crate) async fn jobs_are_listed_as_the_model_lists_them(db: Database) {
    agree(db, |_| JobsFilter).await;
}

pub(crate) async fn mails_are_listed_as_the_model_lists_them(db: Database) {
    agree(db, |_| MailsFilter).await;
}

pub(crate) async fn old_answers_are_listed_as_the_model_lists_them(db: Database) {
    agree(db, |dice| OldAnswers { till: dice.moment() }).await;
}

pub(crate) async fn due_mails_are_listed_as_the_model_lists_them(db: Database) {
    agree(db, |dice| DueMails { now: dice.moment() }).await;
}

//! What is kept behind orders: what they are found by, and sums of what was sold.

use std::collections::BTreeMap;

use kassa_domain::event::EventId;
use kassa_domain::order::Order;
use kassa_domain::partner::PartnerId;
use kassa_domain::sales::{
    DailySales, DailySalesKey, IndexedOrder, OrderSales, SalesDate, SalesSums, SearchTerms, fold, phone_digits,
};
use kassa_domain::ticket::Ticket;
use kassa_domain::{Id, Money, View};
use kassa_store::queries::{
    FoundOrders, GroupedSales, SalesGroup, SalesQuery, SalesSide, SearchedOrders, TicketsByBarcode,
};
use kassa_store::rows::MappedRow;

use crate::crowd::write_sample_rows;
use crate::database::Database;
use crate::dice::{Dice, ORDERS};
use crate::kinds::kind;
use crate::lists::{ListModel, assert_lists_agree};
use crate::plans::{AccessPath, PlanCases};
use crate::samples::{self, id_in_event, party};

const NAMES: [&str; 6] = ["ann", "anna", "o'hara", "жанна", "van der berg", "an%_"];

fn sums(number: i64) -> SalesSums {
    let money = Money::from_minor;
    SalesSums {
        orders: number,
        tickets: number + 1,
        full: money(number + 2),
        organizer: money(number + 3),
        agent: money(number + 4),
        platform: money(number + 5),
        retained: money(number + 6),
    }
}

pub(crate) fn indexed_order(event: EventId, key: i64) -> IndexedOrder {
    IndexedOrder::of(&samples::order(event, key))
}

pub(crate) fn daily_sales(event: EventId, set: Option<i64>, day: i64) -> DailySales {
    let set = set.map(|set| id_in_event(event, set));
    let key = DailySalesKey { event, vendor: Id::root(2), set, day: SalesDate::from_number(day) };
    DailySales { key, organizer: Id::root(1), sums: SalesSums::default() }
}

kind!(
    IndexedOrder,
    indexed_orders,
    |row, read_set| read_set.indexed_orders.push(row.order),
    [samples::indexed_order(party().id, 1), IndexedOrder::of(&samples::full_order(party().id, 2))],
    |row| IndexedOrder {
        revision: i64::MAX,
        terms: SearchTerms {
            email: Some("анна".to_owned()), mobile: Some("1".to_owned()), ..SearchTerms::default()
        },
        sales: Some(OrderSales {
            day: SalesDate::from_number(20_260_101),
            by_set: vec![(None, sums(1)), (Some(id_in_event(row.event, 9)), sums(2))],
        }),
        ..row
    },
    {
        fn fill(_: &mut Dice, view: &mut View) {
            let mut dice = Dice::new(11);
            (1..=ORDERS).for_each(|key| view.indexed_orders.put(random_order(&mut dice, key)));
        }

        fn plan_cases(cases: &mut PlanCases) {
            let indexes = ["indexed_orders_organizer_email", "indexed_orders_agent_last_name"];
            let found = |words: &[&str], among| FoundOrders {
                partners: vec![Id::root(1)],
                words: words.iter().map(|word| (*word).to_owned()).collect(),
                among,
            };
            let by_words = SearchedOrders::OfFirstWord(1_000);
            cases.add(&found(&["ann"], by_words), AccessPath::SortedIndex, &indexes);
            cases.add_sorted(&found(&["+49 1"], by_words));
            cases.add_sorted(&found(&["ann", "berg"], by_words));
            let newest = found(&["ann", "+49 1"], SearchedOrders::Newest(1_000));
            cases.add(&newest, AccessPath::SortedIndex, &["orders_organizer", "orders_agent"]);
            let barcode =
                TicketsByBarcode { partners: vec![Id::root(1)], barcodes: vec!["1234567890123456".to_owned()] };
            cases.add(&barcode, AccessPath::SortedIndex, &["tickets_barcode"]);
        }
    }
);

kind!(
    DailySales,
    daily_sales,
    |row, read_set| read_set.daily_sales.push(row.key),
    [
        samples::daily_sales(party().id, None, 20_261_124),
        samples::daily_sales(party().id, Some(7), 20_261_123),
        samples::daily_sales(party().id, Some(7), 20_261_124)
    ],
    |row| DailySales { sums: sums(9), ..row },
    {
        fn fill(_: &mut Dice, view: &mut View) {
            let mut dice = Dice::new(12);
            (1..=ORDERS).for_each(|number| view.daily_sales.put(random_sales(&mut dice, number)));
        }

        fn plan_cases(cases: &mut PlanCases) {
            let query = |side| SalesQuery {
                partners: vec![Id::root(1)],
                side,
                event: None,
                days: Some((SalesDate::from_number(20_260_101), SalesDate::from_number(20_261_231))),
                groups: vec![SalesGroup::Event, SalesGroup::Month],
                limit: 100,
            };
            cases.add_statement(query(SalesSide::Organizer).statement(), &["daily_sales_organizer"]);
            cases.add_statement(query(SalesSide::Agent).statement(), &["daily_sales_agent"]);
        }
    }
);

fn random_order(dice: &mut Dice, key: i64) -> IndexedOrder {
    let name = |dice: &mut Dice| NAMES[usize::try_from(dice.below(6)).unwrap()].to_owned();
    let terms = SearchTerms {
        email: dice.maybe(Dice::email).map(|email| fold(email.as_str())),
        first_name: dice.maybe(name),
        last_name: dice.maybe(name),
        mobile: dice.maybe(|dice| format!("49{}", dice.below(30))),
    };
    let (organizer, vendor) = (dice.partner(), dice.partner());
    IndexedOrder { organizer, vendor, terms, ..indexed_order(Dice::event_of(key), key) }
}

fn random_sales(dice: &mut Dice, number: i64) -> DailySales {
    let event = Dice::event_of(number);
    let set = dice.maybe(|dice| i64::try_from(1 + dice.below(3)).unwrap());
    let day = 20_260_700 + i64::try_from(dice.below(3) * 100 + 1 + dice.below(4)).unwrap();
    let mut row = daily_sales(event, set, day);
    row.key.vendor = dice.partner();
    // An event has one organizer.
    DailySales { organizer: Id::root(1 + event.key() % 6), sums: sums(number), ..row }
}

/// Whether a word begins something of what a customer is found by: what that is, if so.
fn begun_by<'o>(order: &'o IndexedOrder, word: &str) -> Vec<(usize, &'o str)> {
    let (terms, digits) = (&order.terms, phone_digits(word));
    let is_phone = !digits.is_empty() && !word.chars().any(char::is_alphabetic);
    let texts = [&terms.email, &terms.first_name, &terms.last_name, &terms.mobile].into_iter().enumerate();
    let begun = texts.filter_map(|(at, text)| Some((at, text.as_deref()?)));
    let is_begun = |at: usize, text: &str| {
        if at == 3 { is_phone && text.starts_with(&digits) } else { text.starts_with(&fold(word)) }
    };
    begun.filter(|(at, text)| is_begun(*at, text)).collect()
}

/// Of which of these partners an order is on either side: of an order of its own a partner is the organizer alone.
fn sides(partners: &[PartnerId], organizer: PartnerId, vendor: PartnerId) -> Vec<(PartnerId, bool)> {
    let agent = (vendor != organizer).then_some((vendor, true));
    [(organizer, false)].into_iter().chain(agent).filter(|(partner, _)| partners.contains(partner)).collect()
}

impl ListModel for FoundOrders {
    fn includes(&self, order: &IndexedOrder, view: &View) -> bool {
        let Some(first) = self.words.first() else { return false };
        let own_sides = sides(&self.partners, order.organizer, order.vendor);
        let is_searched = match self.among {
            SearchedOrders::OfFirstWord(most) => begun_by(order, first).into_iter().any(|(at, text)| {
                let is_before = |other: &IndexedOrder| {
                    let texts = begun_by(other, first);
                    texts
                        .iter()
                        .any(|(way, found)| *way == at && (*found, other.order.key()) < (text, order.order.key()))
                };
                own_sides.iter().any(|side| {
                    let has_side =
                        |other: &&IndexedOrder| sides(&self.partners, other.organizer, other.vendor).contains(side);
                    view.indexed_orders.rows().filter(has_side).filter(|other| is_before(other)).count() < most as usize
                })
            }),
            SearchedOrders::Newest(most) => view.orders.get(order.order).is_some_and(|row| {
                sides(&self.partners, row.organizer, row.vendor).iter().any(|side| {
                    let is_newer = |other: &&Order| {
                        other.id.key() > row.id.key()
                            && sides(&self.partners, other.organizer, other.vendor).contains(side)
                    };
                    view.orders.rows().filter(is_newer).count() < most as usize
                })
            }),
        };
        is_searched && !own_sides.is_empty() && self.words.iter().all(|word| !begun_by(order, word).is_empty())
    }

    fn compare(&self, one: &IndexedOrder, other: &IndexedOrder) -> std::cmp::Ordering {
        other.order.key().cmp(&one.order.key())
    }
}

pub(crate) async fn orders_are_found_as_the_model_finds_them(db: Database) {
    let words = ["A", "Ann", "anna", "ЖАН", "o'h", "van", "an%", "+49 2", "4", "user", "x"];
    assert_lists_agree::<FoundOrders>(db, |dice| FoundOrders {
        partners: dice.some(Dice::partner),
        words: dice.some(|dice| words[usize::try_from(dice.below(11)).unwrap()].to_owned()),
        among: {
            let most = [1, 5, 1_000][usize::try_from(dice.below(3)).unwrap()];
            if dice.flip() { SearchedOrders::OfFirstWord(most) } else { SearchedOrders::Newest(most * 20) }
        },
    })
    .await;
}

impl ListModel for TicketsByBarcode {
    fn includes(&self, ticket: &Ticket, view: &View) -> bool {
        let is_side =
            |row: &DailySales| self.partners.contains(&row.organizer) || self.partners.contains(&row.key.vendor);
        ticket.barcode().is_some_and(|barcode| self.barcodes.iter().any(|wanted| wanted == barcode))
            && view.daily_sales.rows().any(|row| row.key.set.is_none() && row.key.event == ticket.event && is_side(row))
    }
}

pub(crate) async fn tickets_are_found_by_barcode_as_the_model_finds_them(db: Database) {
    let tickets = sample_rows::<Ticket>().await;
    let barcodes: Vec<String> = tickets.iter().filter_map(|ticket| ticket.barcode().map(str::to_owned)).collect();
    assert_lists_agree::<TicketsByBarcode>(db, |dice| TicketsByBarcode {
        partners: dice.many_partners(),
        barcodes: (0..9)
            .map(|_| barcodes[usize::try_from(dice.below(barcodes.len() as u64)).unwrap()].clone())
            .collect(),
    })
    .await;
}

/// The rows that every database of a test has.
async fn sample_rows<R: MappedRow>() -> Vec<R> {
    let memory = Database::memory().await;
    write_sample_rows(&memory).await;
    let scanned = memory.store.scan::<R>(None, 10_000).await.unwrap();
    scanned.into_iter().map(|row| row.row.unwrap()).collect()
}

/// What the rows come to, group by group, in plain words.
fn model(rows: &[DailySales], query: &SalesQuery) -> BTreeMap<Vec<String>, SalesSums> {
    let mut found = BTreeMap::<Vec<String>, SalesSums>::new();
    for row in rows {
        let key = row.key;
        let is_of = match query.side {
            SalesSide::Organizer => query.partners.contains(&row.organizer),
            SalesSide::Agent => query.partners.contains(&key.vendor) && key.vendor != row.organizer,
        };
        let is_whole = key.set.is_none() != query.groups.contains(&SalesGroup::Set);
        let is_asked_day = query.days.is_none_or(|(first, last)| (first..=last).contains(&key.day));
        if !is_of || !is_asked_day || !is_whole || query.event.is_some_and(|event| event != key.event) {
            continue;
        }
        let group = |group: &SalesGroup| match group {
            SalesGroup::Event => key.event.to_string(),
            SalesGroup::Set => format!("{} {:?}", key.event, key.set),
            SalesGroup::Vendor => key.vendor.to_string(),
            SalesGroup::Day => key.day.to_string(),
            SalesGroup::Month => key.day.to_string()[..7].to_owned(),
        };
        found.entry(query.groups.iter().map(group).collect()).or_default().add(&row.sums, 1);
    }
    if query.groups.is_empty() {
        found.entry(Vec::new()).or_default();
    }
    found
}

fn group_of(found: &GroupedSales, query: &SalesQuery) -> Vec<String> {
    let group = |group: &SalesGroup| match group {
        SalesGroup::Event => found.event.unwrap().to_string(),
        SalesGroup::Set => format!("{} {:?}", found.event.unwrap(), found.set),
        SalesGroup::Vendor => found.vendor.unwrap().to_string(),
        SalesGroup::Day => found.day.unwrap().to_string(),
        SalesGroup::Month => found.day.unwrap().to_string()[..7].to_owned(),
    };
    query.groups.iter().map(group).collect()
}

pub(crate) async fn sums_of_sales_are_those_of_the_model(db: Database) {
    write_sample_rows(&db).await;
    let rows = sample_rows::<DailySales>().await;
    assert!(rows.len() > 100);
    let times = [SalesGroup::Day, SalesGroup::Month];
    let mut dice = Dice::new(7);
    for _ in 0..150 {
        let time = times[usize::try_from(dice.below(2)).unwrap()];
        let all = [SalesGroup::Event, SalesGroup::Set, SalesGroup::Vendor, time];
        let (first, last) = (dice.below(4), dice.below(4));
        let day = |at: u64| SalesDate::from_number(20_260_702 + i64::try_from(at * 60).unwrap());
        let query = SalesQuery {
            partners: dice.some(Dice::partner),
            side: if dice.flip() { SalesSide::Organizer } else { SalesSide::Agent },
            event: dice.rarely(Dice::event),
            days: dice.maybe(|_| (day(first), day(last))),
            groups: all.into_iter().filter(|_| dice.below(3) == 0).collect(),
            limit: 10_000,
        };
        let found = db.store.sales(query.clone()).await.unwrap();
        let expected = model(&rows, &query);
        let by_group: BTreeMap<_, _> = found.iter().map(|found| (group_of(found, &query), found.sums)).collect();
        assert_eq!((found.len(), &by_group), (expected.len(), &expected), "{query:?}");
        let cut = db.store.sales(SalesQuery { limit: 2, ..query }).await.unwrap();
        assert_eq!(cut, found.into_iter().take(2).collect::<Vec<_>>());
    }
}

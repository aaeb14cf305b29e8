//! Every statement that looks rows up uses an index. SQLite itself is asked how it would run each.
#![expect(clippy::unwrap_used, reason = "a test stops where something is missing")]

use kassa_domain::bench::Bench;
use kassa_domain::deal::{DealStatus, ShownDealStatus};
use kassa_domain::event::ShownStatus;
use kassa_domain::geo::CityId;
use kassa_domain::order::OrderState;
use kassa_domain::refund::RefundState;
use kassa_domain::{Id, Timestamp, every_table};
use kassa_store::Filter;
use kassa_store::queries::{
    AttachmentsFilter, Conditions, CustomersFilter, CustomersOrder, DealsFilter, DueMails, DueOrders, EventsFilter,
    ExportedOrders, JobsFilter, KeysFilter, MailsFilter, MapsFilter, OrderedFor, OrdersFilter, PaidOrders,
    PartnersFilter, PromocodesFilter, PromotionsFilter, RefundsFilter, RefundsOrder, SeatsFilter, SellableFilter,
    TicketsFilter, VenuesFilter, Whose,
};
use kassa_store::rows::{Mapped, Part};
use kassa_store::sqlite::Sqlite;
use rusqlite::Connection;

/// A new database, opened beside the driver.
struct Plans {
    connection: Connection,
    _folder: tempfile::TempDir,
}

impl Plans {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("kassa.db");
        Sqlite::open(&path, false).unwrap();
        Self { connection: Connection::open(&path).unwrap(), _folder: folder }
    }

    /// How a statement is run, step by step.
    fn of(&self, text: &str) -> Vec<String> {
        let text = format!("EXPLAIN QUERY PLAN {}", text.replace('$', "?"));
        let mut statement = self.connection.prepare(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let mut rows = statement.raw_query();
        let mut steps = Vec::new();
        while let Some(row) = rows.next().unwrap() {
            steps.push(row.get("detail").unwrap());
        }
        steps
    }

    fn uses_an_index(&self, text: &str) {
        let steps = self.of(text);
        assert!(steps.iter().any(|step| step.starts_with("SEARCH")), "{text}\n{steps:#?}");
        // The rows of a VALUES list are scanned, but they are the statement's own.
        let scans = |step: &String| step.starts_with("SCAN") && !step.ends_with("VALUES CLAUSE");
        assert!(!steps.iter().any(scans), "{text}\n{steps:#?}");
    }

    /// As [`Plans::uses_an_index`]; the rows also come out of it in order.
    fn needs_no_sorting(&self, text: &str) {
        self.uses_an_index(text);
        let steps = self.of(text);
        assert!(!steps.iter().any(|step| step.contains("TEMP B-TREE")), "{text}\n{steps:#?}");
    }
}

fn columns<R: Mapped>() -> String {
    R::COLUMNS.iter().map(|column| column.name).chain(["version"]).collect::<Vec<_>>().join(", ")
}

/// The WHERE clause of a filter, as the driver sends it.
fn conditions<F: Filter>(filter: &F) -> String {
    let mut conditions = Conditions::default();
    filter.conditions(&mut conditions);
    // Conditions show their text in their debug form only.
    let shown = format!("{conditions:?}");
    let (_, text) = shown.split_once("text: \"").unwrap();
    let (text, _) = text.split_once("\", args: ").unwrap();
    text.to_owned()
}

/// The statement that gives a page, as the driver sends it.
fn page<F: Filter>(filter: &F) -> String {
    let (table, columns, order) = (F::Row::TABLE, columns::<F::Row>(), filter.order());
    format!("SELECT {columns} FROM {table}{} ORDER BY {order} LIMIT ? OFFSET ?", conditions(filter))
}

/// The statement that counts, as the driver sends it.
fn count<F: Filter>(filter: &F) -> String {
    format!("SELECT count(*) FROM {}{}", F::Row::TABLE, conditions(filter))
}

#[test]
fn a_row_is_read_and_written_by_its_key() {
    let plans = Plans::new();
    macro_rules! check {
        ($($field:ident: $row:ty,)*) => { $(by_key::<$row>(&plans);)* };
    }
    every_table!(check);
}

fn by_key<R: Mapped>(plans: &Plans) {
    let keys = R::COLUMNS.iter().filter(|column| column.part == Part::Key);
    let keys: Vec<String> = keys.map(|column| format!("{} = ?", column.name)).collect();
    let (table, key, columns) = (R::TABLE, keys.join(" AND "), columns::<R>());
    plans.uses_an_index(&format!("SELECT {columns} FROM {table} WHERE {key}"));
    plans.uses_an_index(&format!("UPDATE {table} SET version = version + 1 WHERE {key} AND version = ?"));
    plans.uses_an_index(&format!("DELETE FROM {table} WHERE {key} AND version = ?"));
}

/// The conditions of the look-ups that are not by key, read where they are written.
fn lookups() -> Vec<(&'static str, &'static str)> {
    let source = include_str!("../src/sqlite/load.rs");
    let parts = source.split("by::<").skip(1);
    parts.filter_map(|part| part.split_once(">(\"")).map(|(row, rest)| (row, rest.split('"').next().unwrap())).collect()
}

#[test]
fn a_selector_is_served_by_an_index() {
    let plans = Plans::new();
    let lookups = lookups();
    assert!(lookups.len() >= 9, "the look-ups of sqlite/load.rs have moved: {lookups:?}");
    for (row, condition) in lookups {
        let mut checked = false;
        macro_rules! check {
            ($($field:ident: $type:ty,)*) => {
                $(if std::any::type_name::<$type>().ends_with(&format!("::{row}")) {
                    let (table, columns) = (<$type>::TABLE, columns::<$type>());
                    plans.needs_no_sorting(&format!("SELECT {columns} FROM {table} WHERE {condition}"));
                    checked = true;
                })*
            };
        }
        every_table!(check);
        assert!(checked, "no table of {row}");
    }
    plans.uses_an_index("SELECT pick_cursor FROM sets WHERE id = ?1");
}

#[test]
fn benches_are_found_by_what_a_pick_looks_for() {
    let plans = Plans::new();
    let lookups = lookups();
    for (order, index) in [("ORDER BY rank", "benches_best"), ("ORDER BY longest", "benches_longest")] {
        let (_, condition) = lookups.iter().find(|(_, condition)| condition.contains(order)).unwrap();
        let steps = plans.of(&format!("SELECT {} FROM benches WHERE {condition}", columns::<Bench>()));
        assert!(steps[0].contains(index), "{condition}\n{steps:#?}");
    }
}

#[test]
fn the_search_for_due_orders_reads_those_and_no_others() {
    let plans = Plans::new();
    let due = DueOrders { now: Timestamp::from_ms(0) };
    plans.needs_no_sorting(&page(&due));
    assert!(plans.of(&page(&due))[0].contains("orders_due"));
}

#[test]
fn the_search_for_due_mails_reads_those_and_no_others() {
    let plans = Plans::new();
    let due = DueMails { now: Timestamp::from_ms(0) };
    plans.needs_no_sorting(&page(&due));
    assert!(plans.of(&page(&due))[0].contains("mails_due"));
}

#[test]
fn a_page_of_tickets_starts_where_the_last_one_ended() {
    let plans = Plans::new();
    let (event, set) = (Id::root(1), Id::root(2));
    for states in [[true; 4], [true, false, false, false], [false, true, true, true]] {
        for sets in [vec![set], vec![set; 3]] {
            let tickets = TicketsFilter { event, sets, states, ids: None, after: 0 };
            plans.needs_no_sorting(&page(&tickets));
            assert!(plans.of(&page(&tickets))[0].contains("tickets_number"), "{tickets:?}");
        }
    }
}

#[test]
fn a_page_of_seats_starts_where_the_last_one_ended() {
    let plans = Plans::new();
    let (event, sector) = (Id::root(1), "L".to_owned());
    for states in [[true; 4], [true, false, false, false]] {
        for after in [None, Some(("9".parse().unwrap(), 5))] {
            let sets = vec![Id::root(2); 3];
            let filter = SeatsFilter { event, sector: sector.clone(), sets, states, ids: None, after };
            plans.needs_no_sorting(&page(&filter));
            let step = &plans.of(&page(&filter))[0];
            assert!(step.contains("tickets_seat (event=? AND sector=? AND"), "{step}");
        }
    }
}

#[test]
fn chairs_are_found_by_their_place() {
    let condition = "event = ?1 AND sector = ?2 AND row_order = ?3 AND seat_number BETWEEN ?4 AND ?5";
    let steps = Plans::new().of(&format!("SELECT id FROM tickets WHERE {condition}"));
    assert!(steps[0].contains("tickets_seat (event=? AND sector=? AND row_order=? AND seat_number>? AND"), "{steps:?}");
}

fn orders() -> Vec<OrdersFilter> {
    let (partner, user) = (Id::root(1), Id::root(2));
    let proved = vec!["ann@example.org".parse().unwrap(); 2];
    let seen = [
        OrdersFilter { partners: vec![partner], ..OrdersFilter::default() },
        OrdersFilter { partners: vec![partner; 3], ..OrdersFilter::default() },
        OrdersFilter { customer: Some((user, proved.clone())), ..OrdersFilter::default() },
        OrdersFilter { partners: vec![partner; 2], customer: Some((user, proved)), ..OrdersFilter::default() },
    ];
    let narrowed = |seen: &OrdersFilter| {
        [
            seen.clone(),
            OrdersFilter { ids: Some(vec![Id::root(3); 2]), ..seen.clone() },
            OrdersFilter { events: Some(vec![Id::root(4); 2]), ..seen.clone() },
            OrdersFilter { status: Some(vec![OrderState::Executed, OrderState::Done]), ..seen.clone() },
            OrdersFilter { vendor: Some(partner), ..seen.clone() },
            OrdersFilter { org: Some(partner), ..seen.clone() },
            OrdersFilter { user: Some(user), ..seen.clone() },
            OrdersFilter { created: Some((Timestamp::from_ms(0), Timestamp::from_ms(1))), ..seen.clone() },
            OrdersFilter { number: Some(1), ..seen.clone() },
            OrdersFilter { with_customer: true, ..seen.clone() },
        ]
    };
    seen.iter().flat_map(narrowed).collect()
}

#[test]
fn a_page_of_an_export_begins_where_the_last_one_ended() {
    let plans = Plans::new();
    for (whose, index) in
        [(Whose::OrganizedBy(Id::root(1)), "orders_org"), (Whose::SoldForOthersBy(Id::root(1)), "orders_vendor")]
    {
        let narrowed = OrdersFilter { with_customer: true, ..OrdersFilter::default() };
        let filter = ExportedOrders { whose, narrowed, below: Some(Id::root(7)) };
        let steps = plans.of(&page(&filter));
        assert_eq!(steps.len(), 1, "nothing is sorted: {steps:?}");
        assert!(steps[0].contains(index) && steps[0].contains("id<?"), "{steps:?}");
    }
}

#[test]
fn a_list_of_orders_uses_an_index() {
    let plans = Plans::new();
    for filter in orders() {
        plans.uses_an_index(&page(&filter));
        plans.uses_an_index(&count(&filter));
    }
}

#[test]
fn the_paid_orders_of_an_event_are_found_behind_the_last_one() {
    let plans = Plans::new();
    let paid = PaidOrders { event: Id::root(1), after: Some(Id::root(2)) };
    plans.needs_no_sorting(&page(&paid));
    assert!(plans.of(&page(&paid))[0].contains("orders_event (event=? AND id>?)"), "{:?}", plans.of(&page(&paid)));
}

#[test]
fn a_list_of_refund_requests_uses_an_index() {
    let plans = Plans::new();
    let partner = Id::root(1);
    let between = Some((Timestamp::from_ms(0), Timestamp::from_ms(1)));
    for partners in [vec![partner], vec![partner; 3]] {
        let seen = RefundsFilter { partners, ..RefundsFilter::default() };
        for filter in [
            seen.clone(),
            RefundsFilter { ids: Some(vec![Id::root(3); 2]), ..seen.clone() },
            RefundsFilter { orders: Some(vec![Id::root(3); 2]), ..seen.clone() },
            RefundsFilter { events: Some(vec![Id::root(4); 2]), ..seen.clone() },
            RefundsFilter { status: Some(RefundState::ALL.to_vec()), ..seen.clone() },
            RefundsFilter { vendor: Some(partner), org: Some(partner), ..seen.clone() },
            RefundsFilter { created_at: between, finished_at: between, ..seen.clone() },
            RefundsFilter { order: RefundsOrder::Value { descending: true }, ..seen },
        ] {
            plans.uses_an_index(&page(&filter));
            plans.uses_an_index(&count(&filter));
        }
    }
}

#[test]
fn a_list_of_customers_uses_an_index() {
    let plans = Plans::new();
    let own = Some((Id::root(2), vec!["ann@example.org".parse().unwrap(); 2]));
    let seen = [
        CustomersFilter { partners: vec![Id::root(1); 2], ..CustomersFilter::default() },
        CustomersFilter { own: own.clone(), ..CustomersFilter::default() },
        CustomersFilter { partners: vec![Id::root(1)], own, ..CustomersFilter::default() },
    ];
    for seen in &seen {
        for ordered in [None, Some(OrderedFor { events: vec![Id::root(4); 2], status: Some(OrderState::ALL.to_vec()) })]
        {
            for order in [CustomersOrder::Newest, CustomersOrder::Email { descending: true }] {
                let filter =
                    CustomersFilter { order, ordered: ordered.clone(), suggest: Some("a".to_owned()), ..seen.clone() };
                plans.uses_an_index(&page(&filter));
                plans.uses_an_index(&count(&filter));
            }
        }
    }
}

#[test]
fn what_a_user_has_bought_is_found_by_an_index() {
    let plans = Plans::new();
    for scope in
        [" AND (email IN (?, ?))", " AND (org IN (?) OR vendor IN (?))", " AND (org IN (?, ?) OR vendor IN (?, ?))"]
    {
        plans.uses_an_index(&format!("SELECT sum(value), count(*) FROM orders WHERE (user_id = ?){scope}"));
    }
}

#[test]
fn a_list_of_keys_and_one_of_partners_use_an_index() {
    let plans = Plans::new();
    let partner = Id::root(1);
    for (ids, removed) in [(None, true), (None, false), (Some(vec![Id::root(2); 2]), true)] {
        let keys = KeysFilter { partner, ids, removed };
        plans.uses_an_index(&page(&keys));
        plans.uses_an_index(&count(&keys));
    }
    for removed_of in [Vec::new(), vec![partner; 2]] {
        let named = PartnersFilter { ids: Some(vec![partner; 2]), around: None, removed_of: removed_of.clone() };
        let around = PartnersFilter { ids: None, around: Some(vec![partner; 2]), removed_of };
        for partners in [named, around] {
            plans.uses_an_index(&page(&partners));
            plans.uses_an_index(&count(&partners));
        }
    }
}

#[test]
fn a_list_of_attachments_uses_an_index() {
    let plans = Plans::new();
    let author = Id::root(1);
    for (authors, ids) in [(vec![author], None), (vec![author; 2], None), (vec![author], Some(vec![Id::root(2); 2]))] {
        for removed in [false, true] {
            let attachments = AttachmentsFilter { authors: authors.clone(), ids: ids.clone(), removed };
            plans.uses_an_index(&page(&attachments));
            plans.uses_an_index(&count(&attachments));
        }
    }
    let own = AttachmentsFilter { authors: vec![author], ids: None, removed: false };
    plans.needs_no_sorting(&page(&own));
}

#[test]
fn a_list_of_promocodes_uses_an_index() {
    let plans = Plans::new();
    let all = PromocodesFilter { event: Id::root(1), ids: None };
    for filter in [all.clone(), PromocodesFilter { ids: Some(vec![Id::root(2); 2]), ..all.clone() }] {
        plans.uses_an_index(&page(&filter));
        plans.uses_an_index(&count(&filter));
    }
    plans.needs_no_sorting(&page(&all));
}

#[test]
fn a_list_of_promotions_uses_an_index() {
    let plans = Plans::new();
    for removed in [false, true] {
        let all = PromotionsFilter { event: Id::root(1), ids: None, removed };
        for filter in [all.clone(), PromotionsFilter { ids: Some(vec![Id::root(2); 2]), ..all.clone() }] {
            plans.uses_an_index(&page(&filter));
            plans.uses_an_index(&count(&filter));
        }
        plans.needs_no_sorting(&page(&all));
    }
}

#[test]
fn a_list_of_venues_that_is_narrowed_uses_an_index() {
    let plans = Plans::new();
    for removed_of in [Vec::new(), vec![Id::root(1); 2]] {
        let seen = VenuesFilter { removed_of, ..VenuesFilter::default() };
        for filter in [
            VenuesFilter { ids: Some(vec![Id::root(2); 3]), ..seen.clone() },
            VenuesFilter { org: Some(Id::root(1)), ..seen.clone() },
            VenuesFilter { city: Some(CityId(1)), ..seen.clone() },
            VenuesFilter { country: "RU".parse().ok(), ..seen.clone() },
        ] {
            plans.uses_an_index(&page(&filter));
            plans.uses_an_index(&count(&filter));
        }
    }
    let (city, suggest) = (Some(CityId(1)), Some("hall".to_owned()));
    plans.needs_no_sorting(&page(&VenuesFilter { city, suggest, ..VenuesFilter::default() }));
}

#[test]
fn a_list_of_the_maps_of_a_venue_uses_an_index() {
    let plans = Plans::new();
    for ids in [None, Some(vec![Id::root(2); 3])] {
        let filter = MapsFilter { venue: Id::root(1), ids };
        plans.uses_an_index(&page(&filter));
        plans.needs_no_sorting(&page(&filter));
    }
}

fn events() -> EventsFilter {
    EventsFilter { own: Vec::new(), org: None, ids: None, status: None, removed: false, now: Timestamp::from_ms(0) }
}

#[test]
fn a_list_of_an_organizers_or_of_named_events_uses_an_index() {
    let plans = Plans::new();
    for own in [Vec::new(), vec![Id::root(1); 2]] {
        for status in [None, Some(vec![ShownStatus::Public, ShownStatus::Finished])] {
            let seen = EventsFilter { own: own.clone(), status, ..events() };
            for filter in [
                EventsFilter { org: Some(Id::root(1)), ..seen.clone() },
                EventsFilter { ids: Some(vec![Id::root(2); 3]), ..seen },
            ] {
                plans.uses_an_index(&page(&filter));
                plans.uses_an_index(&count(&filter));
            }
        }
    }
}

#[test]
fn the_events_of_an_agent_are_found_by_its_deals() {
    let steps = Plans::new().of(&page(&EventsFilter { own: vec![Id::root(1)], ..events() }));
    assert!(steps.iter().any(|step| step.contains("deals_sold")), "{steps:#?}");
}

#[test]
fn what_partners_may_sell_is_found_by_their_own_and_their_deals() {
    let plans = Plans::new();
    for own in [vec![Id::root(1)], vec![Id::root(1); 3]] {
        let on_sale = SellableFilter::on_sale(own, Timestamp::from_ms(0));
        let next_page = SellableFilter { before: Some(Id::root(9)), ..on_sale.clone() };
        plans.needs_no_sorting(&page(&on_sale));
        plans.needs_no_sorting(&page(&next_page));
        let (cities, countries) = (Some(vec![CityId(1); 2]), "RU".parse().ok().map(|country| vec![country]));
        for filter in [
            on_sale.clone(),
            next_page,
            SellableFilter { ids: Some(vec![Id::root(2); 2]), ..on_sale.clone() },
            SellableFilter { orgs: Some(vec![Id::root(2); 2]), ..on_sale.clone() },
            SellableFilter { cities, countries, tags: Some(vec!["rock".to_owned()]), ..on_sale },
        ] {
            plans.uses_an_index(&page(&filter));
            plans.uses_an_index(&count(&filter));
            let steps = plans.of(&page(&filter));
            for index in ["events_org", "deals_sold"] {
                assert!(steps.iter().any(|step| step.contains(index)), "{filter:?}\n{steps:#?}");
            }
        }
    }
}

fn deals() -> DealsFilter {
    DealsFilter {
        own: vec![Id::root(1); 2],
        partner: None,
        event: None,
        ids: None,
        status: None,
        now: Timestamp::from_ms(0),
    }
}

#[test]
fn a_list_of_deals_uses_an_index() {
    let plans = Plans::new();
    let states = [ShownDealStatus::Left(DealStatus::Accepted), ShownDealStatus::Finished];
    for status in [None, Some(states.to_vec())] {
        let seen = DealsFilter { status, ..deals() };
        for filter in [
            seen.clone(),
            DealsFilter { partner: Some(Id::root(2)), ..seen.clone() },
            DealsFilter { event: Some(Id::root(3)), ..seen.clone() },
            DealsFilter { ids: Some(vec![Id::root(4); 2]), ..seen },
        ] {
            plans.uses_an_index(&page(&filter));
            plans.uses_an_index(&count(&filter));
        }
    }
}

/// What reads its table row by row. This list may only become shorter.
#[test]
fn only_these_lists_read_a_whole_table() {
    let plans = Plans::new();
    let whole = [
        page(&events()),
        page(&PartnersFilter::default()),
        page(&VenuesFilter::default()),
        page(&JobsFilter),
        page(&MailsFilter),
    ];
    for text in whole {
        let steps = plans.of(&text);
        let [step] = steps.as_slice() else { panic!("{text} needs more than one step: {steps:#?}") };
        assert!(step.starts_with("SCAN"), "{text} uses an index now: name it above\n{step}");
        assert!(!step.contains("USING"), "the newest rows come first in the table itself: {step}");
    }
}

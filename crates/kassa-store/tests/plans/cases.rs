//! Every list, as the drivers send it, and how its rows are to be found.

use kassa_domain::deal::{DealStatus, EffectiveDealStatus};
use kassa_domain::event::EffectiveEventStatus;
use kassa_domain::geo::CityId;
use kassa_domain::order::OrderStatusKind;
use kassa_domain::refund::RefundStatusKind;
use kassa_domain::user::Email;
use kassa_domain::{Id, Timestamp};
use kassa_store::queries::{
    ApiKeysFilter, AttachmentsFilter, CustomerTotalsByUserQuery, CustomerTotalsQuery, CustomerTotalsScope,
    CustomersFilter, CustomersOrder, DealsFilter, DueMails, EventsFilter, ExpiredHolds, ExpiredIdempotencyRecords,
    ExportScope, HallMapsFilter, JobsFilter, OrderCriteria, OrderExportFilter, OrdersFilter, PaidOrdersFilter,
    PartnersFilter, PromocodesFilter, PromotionsFilter, RefundsFilter, RefundsOrder, SeatsFilter, SellableEventsFilter,
    Statement, TicketsFilter, UnsentMailsFilter, VenuesFilter, count_statement, select_statement,
};
use kassa_store::{Filter, PageWindow};

/// How the rows of a page are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AccessPath {
    /// By an index; what is found is sorted.
    SortedIndex,
    /// By an index that has them in the order of the list.
    OrderedIndex,
    /// From the newest on, whatever may be left out. The list of these may only become shorter.
    OrderedFilter,
}

/// A statement of a list.
#[derive(Debug)]
pub(crate) struct PlanCase {
    pub(crate) statement: Statement,
    pub(crate) access_path: AccessPath,
    /// The indexes that are used, as SQLite shows them; the first word is the name.
    pub(crate) indexes: Vec<&'static str>,
}

impl PlanCase {
    fn new(statement: Statement, way: AccessPath, through: &[&'static str]) -> Self {
        Self { statement, access_path: way, indexes: through.to_vec() }
    }
}

/// The statement of a first page.
fn page<F: Filter>(filter: &F) -> Statement {
    select_statement(filter, PageWindow { limit: 100, offset: 0, with_total: true })
}

/// Collects the cases.
#[derive(Default)]
struct PlanCases(Vec<PlanCase>);

impl PlanCases {
    fn add<F: Filter>(&mut self, filter: &F, way: AccessPath, through: &[&'static str]) {
        self.0.push(PlanCase::new(page(filter), way, through));
        if way != AccessPath::OrderedFilter {
            self.0.push(PlanCase::new(count_statement(filter), AccessPath::SortedIndex, &[]));
        }
    }

    fn add_sorted<F: Filter>(&mut self, filter: &F) {
        self.add(filter, AccessPath::SortedIndex, &[]);
    }

    fn add_ordered<F: Filter>(&mut self, filter: &F) {
        self.add(filter, AccessPath::OrderedIndex, &[]);
    }

    fn add_filtered<F: Filter>(&mut self, filter: &F) {
        self.add(filter, AccessPath::OrderedFilter, &[]);
    }
}

/// All of them. A new filter is named here.
pub(crate) fn cases() -> Vec<PlanCase> {
    let mut cases = PlanCases::default();
    due(&mut cases);
    tickets(&mut cases);
    orders(&mut cases);
    exports(&mut cases);
    refunds(&mut cases);
    customers(&mut cases);
    partners(&mut cases);
    attachments(&mut cases);
    promotions(&mut cases);
    venues(&mut cases);
    events(&mut cases);
    sellable(&mut cases);
    deals(&mut cases);
    whole(&mut cases);
    cases.0
}

fn due(cases: &mut PlanCases) {
    let now = Timestamp::from_ms(0);
    cases.add(&ExpiredHolds { now }, AccessPath::OrderedIndex, &["orders_due"]);
    cases.add(
        &ExpiredIdempotencyRecords { stored_until: now },
        AccessPath::OrderedIndex,
        &["idempotency_records_stored_at"],
    );
    cases.add(&DueMails { now }, AccessPath::OrderedIndex, &["mails_due"]);
}

/// Each page starts where the last one ended.
fn tickets(cases: &mut PlanCases) {
    let (event, set) = (Id::root(1), Id::root(2));
    for states in [[true; 4], [true, false, false, false], [false, true, true, true]] {
        for sets in [vec![set], vec![set; 3]] {
            let tickets = TicketsFilter { event, sets, states, ids: None, after: 0 };
            cases.add(&tickets, AccessPath::OrderedIndex, &["tickets_number"]);
        }
        for after in [None, Some(("9".parse().unwrap(), 5))] {
            let filter = SeatsFilter { event, sector: "L".to_owned(), sets: vec![set; 3], states, ids: None, after };
            cases.add(&filter, AccessPath::OrderedIndex, &["tickets_seat (event=? AND sector=? AND"]);
        }
    }
}

fn confirmed_emails() -> Vec<Email> {
    vec!["ann@example.org".parse().unwrap(), "ann@example.com".parse().unwrap()]
}

fn orders(cases: &mut PlanCases) {
    let (partner, user) = (Id::root(1), Id::root(2));
    let several = vec![partner, Id::root(5), Id::root(6)];
    let customer = Some((user, confirmed_emails()));
    let seen = [
        (
            OrdersFilter { partners: vec![partner], ..OrdersFilter::default() },
            &["orders_organizer", "orders_vendor"][..],
        ),
        (OrdersFilter { partners: several.clone(), ..OrdersFilter::default() }, &["orders_organizer", "orders_vendor"]),
        (OrdersFilter { customer: customer.clone(), ..OrdersFilter::default() }, &["orders_user"]),
        (
            OrdersFilter { partners: several, customer, ..OrdersFilter::default() },
            &["orders_organizer", "orders_vendor", "orders_user"],
        ),
    ];
    for (seen, through) in seen {
        cases.add(&seen, AccessPath::OrderedIndex, through);
        let status = Some(vec![OrderStatusKind::Reserved, OrderStatusKind::Paid]);
        cases.add_ordered(&OrdersFilter { status, ..seen.clone() });
        cases.add_ordered(&OrdersFilter { with_customer: true, ..seen.clone() });
        for filter in [
            OrdersFilter { ids: Some(vec![Id::root(3); 2]), ..seen.clone() },
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
    cases.add(&paid, AccessPath::OrderedIndex, &["orders_event (event=? AND id>?)"]);
}

/// A page begins where the last one ended.
fn exports(cases: &mut PlanCases) {
    for (whose, index) in [
        (ExportScope::OfOrganizer(Id::root(1)), "orders_organizer (organizer=? AND id<?)"),
        (ExportScope::OfAgent(Id::root(1)), "orders_vendor (vendor=? AND id<?)"),
    ] {
        let narrowed = OrdersFilter { with_customer: true, ..OrdersFilter::default() };
        cases.add(
            &OrderExportFilter { scope: whose, criteria: narrowed, older_than: Some(Id::root(7)) },
            AccessPath::OrderedIndex,
            &[index],
        );
    }
}

fn refunds(cases: &mut PlanCases) {
    let partner = Id::root(1);
    let between = Some((Timestamp::from_ms(0), Timestamp::from_ms(1)));
    for partners in [vec![partner], vec![partner, Id::root(5), Id::root(6)]] {
        let seen = RefundsFilter { partners, ..RefundsFilter::default() };
        cases.add(&seen, AccessPath::OrderedIndex, &["refund_requests_organizer", "refund_requests_vendor"]);
        cases.add_ordered(&RefundsFilter { order: RefundsOrder::Oldest, ..seen.clone() });
        cases.add_ordered(&RefundsFilter { status: Some(RefundStatusKind::ALL.to_vec()), ..seen.clone() });
        for filter in [
            RefundsFilter { ids: Some(vec![Id::root(3); 2]), ..seen.clone() },
            RefundsFilter { orders: Some(vec![Id::root(3); 2]), ..seen.clone() },
            RefundsFilter { events: Some(vec![Id::root(4); 2]), ..seen.clone() },
            RefundsFilter { vendor: Some(partner), org: Some(partner), ..seen.clone() },
            RefundsFilter { created_at: between, finished_at: between, ..seen.clone() },
            RefundsFilter { order: RefundsOrder::Value { descending: true }, ..seen },
        ] {
            cases.add_sorted(&filter);
        }
    }
}

fn customers(cases: &mut PlanCases) {
    let own = Some((Id::root(2), confirmed_emails()));
    let seen = [
        CustomersFilter { partners: vec![Id::root(1); 2], ..CustomersFilter::default() },
        CustomersFilter { caller: own.clone(), ..CustomersFilter::default() },
        CustomersFilter { partners: vec![Id::root(1)], caller: own, ..CustomersFilter::default() },
    ];
    for seen in &seen {
        for ordered in
            [None, Some(OrderCriteria { events: vec![Id::root(4); 2], status: Some(OrderStatusKind::ALL.to_vec()) })]
        {
            for order in [CustomersOrder::Newest, CustomersOrder::Email { descending: true }] {
                let (ordered, suggest) = (ordered.clone(), Some("a".to_owned()));
                cases.add_sorted(&CustomersFilter {
                    order,
                    order_criteria: ordered,
                    name_contains: suggest,
                    ..seen.clone()
                });
            }
        }
    }
    let (user, partner) = (Id::root(2), Id::root(1));
    let scopes = [
        CustomerTotalsScope::CustomersOwn(confirmed_emails()),
        CustomerTotalsScope::OfPartners(vec![partner]),
        CustomerTotalsScope::OfPartners(vec![partner; 2]),
    ];
    for scope in scopes {
        let one = CustomerTotalsQuery { user, scope: scope.clone() }.statement();
        let several = CustomerTotalsByUserQuery { users: vec![user, Id::root(3)], scope }.statement();
        cases.0.extend(
            [one, several].map(|statement| PlanCase::new(statement, AccessPath::SortedIndex, &["orders_user"])),
        );
    }
}

fn partners(cases: &mut PlanCases) {
    let partner = Id::root(1);
    for (ids, removed) in [(None, true), (None, false), (Some(vec![Id::root(2); 2]), true)] {
        cases.add_sorted(&ApiKeysFilter { partner, ids, include_removed: removed });
    }
    for removed_of in [Vec::new(), vec![partner; 2]] {
        let named = PartnersFilter {
            ids: Some(vec![partner; 2]),
            counterparties_of: None,
            include_removed_of: removed_of.clone(),
        };
        let around =
            PartnersFilter { ids: None, counterparties_of: Some(vec![partner; 2]), include_removed_of: removed_of };
        cases.add_sorted(&named);
        cases.add_sorted(&around);
    }
}

fn attachments(cases: &mut PlanCases) {
    let author = Id::root(1);
    for removed in [false, true] {
        cases.add_ordered(&AttachmentsFilter { authors: vec![author], ids: None, include_removed: removed });
        cases.add_sorted(&AttachmentsFilter { authors: vec![author; 2], ids: None, include_removed: removed });
        cases.add_sorted(&AttachmentsFilter {
            authors: vec![author],
            ids: Some(vec![Id::root(2); 2]),
            include_removed: removed,
        });
    }
}

fn promotions(cases: &mut PlanCases) {
    let (event, ids) = (Id::root(1), Some(vec![Id::root(2); 2]));
    cases.add_ordered(&PromocodesFilter { event, ids: None });
    cases.add_sorted(&PromocodesFilter { event, ids });
    for removed in [false, true] {
        cases.add_ordered(&PromotionsFilter { event, ids: None, include_removed: removed });
        cases.add_sorted(&PromotionsFilter { event, ids: Some(vec![Id::root(2); 2]), include_removed: removed });
    }
}

fn venues(cases: &mut PlanCases) {
    for removed_of in [Vec::new(), vec![Id::root(1); 2]] {
        let seen = VenuesFilter { include_removed_of: removed_of, ..VenuesFilter::default() };
        for filter in [
            VenuesFilter { ids: Some(vec![Id::root(2); 3]), ..seen.clone() },
            VenuesFilter { org: Some(Id::root(1)), ..seen.clone() },
            VenuesFilter { city: Some(CityId(1)), ..seen.clone() },
            VenuesFilter { country: "RU".parse().ok(), ..seen.clone() },
        ] {
            cases.add_sorted(&filter);
        }
    }
    let (city, suggest) = (Some(CityId(1)), Some("hall".to_owned()));
    cases.add_ordered(&VenuesFilter { city, name_contains: suggest, ..VenuesFilter::default() });
    cases.add_ordered(&HallMapsFilter { venue: Id::root(1), ids: None });
    cases.add_sorted(&HallMapsFilter { venue: Id::root(1), ids: Some(vec![Id::root(2); 3]) });
}

fn all_events() -> EventsFilter {
    EventsFilter {
        caller_partners: Vec::new(),
        org: None,
        ids: None,
        status: None,
        include_removed: false,
        now: Timestamp::from_ms(0),
    }
}

/// Of an organizer, or named ones.
fn events(cases: &mut PlanCases) {
    for own in [Vec::new(), vec![Id::root(1); 2]] {
        for status in [None, Some(vec![EffectiveEventStatus::Public, EffectiveEventStatus::Finished])] {
            let seen = EventsFilter { caller_partners: own.clone(), status, ..all_events() };
            cases.add_sorted(&EventsFilter { org: Some(Id::root(1)), ..seen.clone() });
            cases.add_sorted(&EventsFilter { ids: Some(vec![Id::root(2); 3]), ..seen });
        }
    }
}

/// What partners may sell is found by their own events and their deals.
fn sellable(cases: &mut PlanCases) {
    for own in [vec![Id::root(1)], vec![Id::root(1); 3]] {
        let on_sale = SellableEventsFilter::on_sale(own, Timestamp::from_ms(0));
        let next_page = SellableEventsFilter { before: Some(Id::root(9)), ..on_sale.clone() };
        let (cities, countries) = (Some(vec![CityId(1); 2]), "RU".parse().ok().map(|country| vec![country]));
        for filter in [
            on_sale.clone(),
            next_page,
            SellableEventsFilter { ids: Some(vec![Id::root(2); 2]), ..on_sale.clone() },
            SellableEventsFilter { orgs: Some(vec![Id::root(2); 2]), ..on_sale.clone() },
            SellableEventsFilter { cities, countries, tags: Some(vec!["rock".to_owned()]), ..on_sale },
        ] {
            cases.add(&filter, AccessPath::SortedIndex, &["events_organizer", "deals_agent_event"]);
        }
    }
}

fn deals(cases: &mut PlanCases) {
    let now = Timestamp::from_ms(0);
    let states = [EffectiveDealStatus::Stored(DealStatus::Accepted), EffectiveDealStatus::Finished];
    for own in [vec![Id::root(1)], vec![Id::root(1), Id::root(5)]] {
        let all = DealsFilter { caller_partners: own, partner: None, event: None, ids: None, status: None, now };
        cases.add(&all, AccessPath::OrderedIndex, &["deals_agent", "deals_organizer"]);
        for status in [None, Some(states.to_vec())] {
            let seen = DealsFilter { status, ..all.clone() };
            for filter in [
                seen.clone(),
                DealsFilter { partner: Some(Id::root(2)), ..seen.clone() },
                DealsFilter { event: Some(Id::root(3)), ..seen.clone() },
                DealsFilter { ids: Some(vec![Id::root(4); 2]), ..seen },
            ] {
                cases.add_sorted(&filter);
            }
        }
    }
}

/// What reads a table from its newest row on. This list may only become shorter.
fn whole(cases: &mut PlanCases) {
    let narrowed = OrdersFilter::default();
    cases.add_filtered(&OrderExportFilter { scope: ExportScope::All, criteria: narrowed, older_than: None });
    cases.add_filtered(&all_events());
    cases.add(
        &EventsFilter { caller_partners: vec![Id::root(1)], ..all_events() },
        AccessPath::OrderedFilter,
        &["deals_agent_event"],
    );
    cases.add_filtered(&PartnersFilter::default());
    cases.add_filtered(&VenuesFilter::default());
    cases.add_filtered(&JobsFilter);
    cases.add_filtered(&UnsentMailsFilter);
}

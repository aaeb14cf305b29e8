//! Every list, as the drivers send it, and how its rows are to be found.

use kassa_domain::deal::{DealStatus, ShownDealStatus};
use kassa_domain::event::ShownStatus;
use kassa_domain::geo::CityId;
use kassa_domain::order::OrderState;
use kassa_domain::refund::RefundState;
use kassa_domain::user::Email;
use kassa_domain::{Id, Timestamp};
use kassa_store::queries::{
    AttachmentsFilter, Crm, CrmOf, CrmScope, CustomersFilter, CustomersOrder, DealsFilter, DueMails, DueOrders,
    EventsFilter, ExportedOrders, JobsFilter, KeysFilter, MailsFilter, MapsFilter, OldAnswers, OrderedFor,
    OrdersFilter, PaidOrders, PartnersFilter, PromocodesFilter, PromotionsFilter, RefundsFilter, RefundsOrder,
    SeatsFilter, SellableFilter, Statement, TicketsFilter, VenuesFilter, Whose, count, select,
};
use kassa_store::{Filter, Slice};

/// How the rows of a page are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// By an index; what is found is sorted.
    Found,
    /// By an index that has them in the order of the list.
    InOrder,
    /// From the newest on, whatever may be left out. The list of these may only become shorter.
    Whole,
}

/// A statement of a list.
#[derive(Debug)]
pub(crate) struct Case {
    pub(crate) statement: Statement,
    pub(crate) way: Way,
    /// The indexes that are used, as SQLite shows them; the first word is the name.
    pub(crate) through: Vec<&'static str>,
}

impl Case {
    fn new(statement: Statement, way: Way, through: &[&'static str]) -> Self {
        Self { statement, way, through: through.to_vec() }
    }
}

/// The statement of a first page.
fn page<F: Filter>(filter: &F) -> Statement {
    select(filter, Slice { limit: 100, offset: 0, count: true })
}

/// Collects the cases.
#[derive(Default)]
struct Cases(Vec<Case>);

impl Cases {
    fn way<F: Filter>(&mut self, filter: &F, way: Way, through: &[&'static str]) {
        self.0.push(Case::new(page(filter), way, through));
        if way != Way::Whole {
            self.0.push(Case::new(count(filter), Way::Found, &[]));
        }
    }

    fn found<F: Filter>(&mut self, filter: &F) {
        self.way(filter, Way::Found, &[]);
    }

    fn in_order<F: Filter>(&mut self, filter: &F) {
        self.way(filter, Way::InOrder, &[]);
    }

    fn whole<F: Filter>(&mut self, filter: &F) {
        self.way(filter, Way::Whole, &[]);
    }
}

/// All of them. A new filter is named here.
pub(crate) fn cases() -> Vec<Case> {
    let mut cases = Cases::default();
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

fn due(cases: &mut Cases) {
    let now = Timestamp::from_ms(0);
    cases.way(&DueOrders { now }, Way::InOrder, &["orders_due"]);
    cases.way(&OldAnswers { till: now }, Way::InOrder, &["kept_answers_age"]);
    cases.way(&DueMails { now }, Way::InOrder, &["mails_due"]);
}

/// Each page starts where the last one ended.
fn tickets(cases: &mut Cases) {
    let (event, set) = (Id::root(1), Id::root(2));
    for states in [[true; 4], [true, false, false, false], [false, true, true, true]] {
        for sets in [vec![set], vec![set; 3]] {
            let tickets = TicketsFilter { event, sets, states, ids: None, after: 0 };
            cases.way(&tickets, Way::InOrder, &["tickets_number"]);
        }
        for after in [None, Some(("9".parse().unwrap(), 5))] {
            let filter = SeatsFilter { event, sector: "L".to_owned(), sets: vec![set; 3], states, ids: None, after };
            cases.way(&filter, Way::InOrder, &["tickets_seat (event=? AND sector=? AND"]);
        }
    }
}

fn proved() -> Vec<Email> {
    vec!["ann@example.org".parse().unwrap(), "ann@example.com".parse().unwrap()]
}

fn orders(cases: &mut Cases) {
    let (partner, user) = (Id::root(1), Id::root(2));
    let several = vec![partner, Id::root(5), Id::root(6)];
    let customer = Some((user, proved()));
    let seen = [
        (OrdersFilter { partners: vec![partner], ..OrdersFilter::default() }, &["orders_org", "orders_vendor"][..]),
        (OrdersFilter { partners: several.clone(), ..OrdersFilter::default() }, &["orders_org", "orders_vendor"]),
        (OrdersFilter { customer: customer.clone(), ..OrdersFilter::default() }, &["orders_user"]),
        (
            OrdersFilter { partners: several, customer, ..OrdersFilter::default() },
            &["orders_org", "orders_vendor", "orders_user"],
        ),
    ];
    for (seen, through) in seen {
        cases.way(&seen, Way::InOrder, through);
        let status = Some(vec![OrderState::Executed, OrderState::Done]);
        cases.in_order(&OrdersFilter { status, ..seen.clone() });
        cases.in_order(&OrdersFilter { with_customer: true, ..seen.clone() });
        for filter in [
            OrdersFilter { ids: Some(vec![Id::root(3); 2]), ..seen.clone() },
            OrdersFilter { events: Some(vec![Id::root(4); 2]), ..seen.clone() },
            OrdersFilter { vendor: Some(partner), ..seen.clone() },
            OrdersFilter { org: Some(partner), ..seen.clone() },
            OrdersFilter { user: Some(user), ..seen.clone() },
            OrdersFilter { created: Some((Timestamp::from_ms(0), Timestamp::from_ms(1))), ..seen.clone() },
            OrdersFilter { number: Some(1), ..seen },
        ] {
            cases.found(&filter);
        }
    }
    let paid = PaidOrders { event: Id::root(1), after: Some(Id::root(2)) };
    cases.way(&paid, Way::InOrder, &["orders_event (event=? AND id>?)"]);
}

/// A page begins where the last one ended.
fn exports(cases: &mut Cases) {
    for (whose, index) in [
        (Whose::OrganizedBy(Id::root(1)), "orders_org (org=? AND id<?)"),
        (Whose::SoldForOthersBy(Id::root(1)), "orders_vendor (vendor=? AND id<?)"),
    ] {
        let narrowed = OrdersFilter { with_customer: true, ..OrdersFilter::default() };
        cases.way(&ExportedOrders { whose, narrowed, below: Some(Id::root(7)) }, Way::InOrder, &[index]);
    }
}

fn refunds(cases: &mut Cases) {
    let partner = Id::root(1);
    let between = Some((Timestamp::from_ms(0), Timestamp::from_ms(1)));
    for partners in [vec![partner], vec![partner, Id::root(5), Id::root(6)]] {
        let seen = RefundsFilter { partners, ..RefundsFilter::default() };
        cases.way(&seen, Way::InOrder, &["refund_requests_org", "refund_requests_vendor"]);
        cases.in_order(&RefundsFilter { order: RefundsOrder::Oldest, ..seen.clone() });
        cases.in_order(&RefundsFilter { status: Some(RefundState::ALL.to_vec()), ..seen.clone() });
        for filter in [
            RefundsFilter { ids: Some(vec![Id::root(3); 2]), ..seen.clone() },
            RefundsFilter { orders: Some(vec![Id::root(3); 2]), ..seen.clone() },
            RefundsFilter { events: Some(vec![Id::root(4); 2]), ..seen.clone() },
            RefundsFilter { vendor: Some(partner), org: Some(partner), ..seen.clone() },
            RefundsFilter { created_at: between, finished_at: between, ..seen.clone() },
            RefundsFilter { order: RefundsOrder::Value { descending: true }, ..seen },
        ] {
            cases.found(&filter);
        }
    }
}

fn customers(cases: &mut Cases) {
    let own = Some((Id::root(2), proved()));
    let seen = [
        CustomersFilter { partners: vec![Id::root(1); 2], ..CustomersFilter::default() },
        CustomersFilter { own: own.clone(), ..CustomersFilter::default() },
        CustomersFilter { partners: vec![Id::root(1)], own, ..CustomersFilter::default() },
    ];
    for seen in &seen {
        for ordered in [None, Some(OrderedFor { events: vec![Id::root(4); 2], status: Some(OrderState::ALL.to_vec()) })]
        {
            for order in [CustomersOrder::Newest, CustomersOrder::Email { descending: true }] {
                let (ordered, suggest) = (ordered.clone(), Some("a".to_owned()));
                cases.found(&CustomersFilter { order, ordered, suggest, ..seen.clone() });
            }
        }
    }
    let (user, partner) = (Id::root(2), Id::root(1));
    let scopes = [CrmScope::Own(proved()), CrmScope::Partners(vec![partner]), CrmScope::Partners(vec![partner; 2])];
    for scope in scopes {
        let one = Crm { user, scope: scope.clone() }.statement();
        let several = CrmOf { users: vec![user, Id::root(3)], scope }.statement();
        cases.0.extend([one, several].map(|statement| Case::new(statement, Way::Found, &["orders_user"])));
    }
}

fn partners(cases: &mut Cases) {
    let partner = Id::root(1);
    for (ids, removed) in [(None, true), (None, false), (Some(vec![Id::root(2); 2]), true)] {
        cases.found(&KeysFilter { partner, ids, removed });
    }
    for removed_of in [Vec::new(), vec![partner; 2]] {
        let named = PartnersFilter { ids: Some(vec![partner; 2]), around: None, removed_of: removed_of.clone() };
        let around = PartnersFilter { ids: None, around: Some(vec![partner; 2]), removed_of };
        cases.found(&named);
        cases.found(&around);
    }
}

fn attachments(cases: &mut Cases) {
    let author = Id::root(1);
    for removed in [false, true] {
        cases.in_order(&AttachmentsFilter { authors: vec![author], ids: None, removed });
        cases.found(&AttachmentsFilter { authors: vec![author; 2], ids: None, removed });
        cases.found(&AttachmentsFilter { authors: vec![author], ids: Some(vec![Id::root(2); 2]), removed });
    }
}

fn promotions(cases: &mut Cases) {
    let (event, ids) = (Id::root(1), Some(vec![Id::root(2); 2]));
    cases.in_order(&PromocodesFilter { event, ids: None });
    cases.found(&PromocodesFilter { event, ids });
    for removed in [false, true] {
        cases.in_order(&PromotionsFilter { event, ids: None, removed });
        cases.found(&PromotionsFilter { event, ids: Some(vec![Id::root(2); 2]), removed });
    }
}

fn venues(cases: &mut Cases) {
    for removed_of in [Vec::new(), vec![Id::root(1); 2]] {
        let seen = VenuesFilter { removed_of, ..VenuesFilter::default() };
        for filter in [
            VenuesFilter { ids: Some(vec![Id::root(2); 3]), ..seen.clone() },
            VenuesFilter { org: Some(Id::root(1)), ..seen.clone() },
            VenuesFilter { city: Some(CityId(1)), ..seen.clone() },
            VenuesFilter { country: "RU".parse().ok(), ..seen.clone() },
        ] {
            cases.found(&filter);
        }
    }
    let (city, suggest) = (Some(CityId(1)), Some("hall".to_owned()));
    cases.in_order(&VenuesFilter { city, suggest, ..VenuesFilter::default() });
    cases.in_order(&MapsFilter { venue: Id::root(1), ids: None });
    cases.found(&MapsFilter { venue: Id::root(1), ids: Some(vec![Id::root(2); 3]) });
}

fn all_events() -> EventsFilter {
    EventsFilter { own: Vec::new(), org: None, ids: None, status: None, removed: false, now: Timestamp::from_ms(0) }
}

/// Of an organizer, or named ones.
fn events(cases: &mut Cases) {
    for own in [Vec::new(), vec![Id::root(1); 2]] {
        for status in [None, Some(vec![ShownStatus::Public, ShownStatus::Finished])] {
            let seen = EventsFilter { own: own.clone(), status, ..all_events() };
            cases.found(&EventsFilter { org: Some(Id::root(1)), ..seen.clone() });
            cases.found(&EventsFilter { ids: Some(vec![Id::root(2); 3]), ..seen });
        }
    }
}

/// What partners may sell is found by their own events and their deals.
fn sellable(cases: &mut Cases) {
    for own in [vec![Id::root(1)], vec![Id::root(1); 3]] {
        let on_sale = SellableFilter::on_sale(own, Timestamp::from_ms(0));
        let next_page = SellableFilter { before: Some(Id::root(9)), ..on_sale.clone() };
        let (cities, countries) = (Some(vec![CityId(1); 2]), "RU".parse().ok().map(|country| vec![country]));
        for filter in [
            on_sale.clone(),
            next_page,
            SellableFilter { ids: Some(vec![Id::root(2); 2]), ..on_sale.clone() },
            SellableFilter { orgs: Some(vec![Id::root(2); 2]), ..on_sale.clone() },
            SellableFilter { cities, countries, tags: Some(vec!["rock".to_owned()]), ..on_sale },
        ] {
            cases.way(&filter, Way::Found, &["events_org", "deals_sold"]);
        }
    }
}

fn deals(cases: &mut Cases) {
    let now = Timestamp::from_ms(0);
    let states = [ShownDealStatus::Left(DealStatus::Accepted), ShownDealStatus::Finished];
    for own in [vec![Id::root(1)], vec![Id::root(1), Id::root(5)]] {
        let all = DealsFilter { own, partner: None, event: None, ids: None, status: None, now };
        cases.way(&all, Way::InOrder, &["deals_subj", "deals_obj"]);
        for status in [None, Some(states.to_vec())] {
            let seen = DealsFilter { status, ..all.clone() };
            for filter in [
                seen.clone(),
                DealsFilter { partner: Some(Id::root(2)), ..seen.clone() },
                DealsFilter { event: Some(Id::root(3)), ..seen.clone() },
                DealsFilter { ids: Some(vec![Id::root(4); 2]), ..seen },
            ] {
                cases.found(&filter);
            }
        }
    }
}

/// What reads a table from its newest row on. This list may only become shorter.
fn whole(cases: &mut Cases) {
    let narrowed = OrdersFilter::default();
    cases.whole(&ExportedOrders { whose: Whose::Everybodys, narrowed, below: None });
    cases.whole(&all_events());
    cases.way(&EventsFilter { own: vec![Id::root(1)], ..all_events() }, Way::Whole, &["deals_sold"]);
    cases.whole(&PartnersFilter::default());
    cases.whole(&VenuesFilter::default());
    cases.whole(&JobsFilter);
    cases.whole(&MailsFilter);
}
